//! Turns subgraph tables into [`Subgraph`]s: tensors with their quantisation, operators with checked indices.

use flatbuffers::Vector;

use crate::error::{Error, ErrorKind, Result, Warning};
use crate::limits;
use crate::model::read::{Reader, check_count, elements, field_offset};
use crate::model::{DataType, Operator, Quantization, Subgraph, Tensor, read_options};
use crate::schema;
use crate::units::TensorId;

/// How long the model's other lists are, for checking indices into them.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    pub(super) subgraphs: usize,
    codes: usize,
    buffers: usize,
}

/// All subgraphs; an error when there is none.
pub(super) fn subgraphs(
    reader: &mut Reader<'_>,
    root: schema::Model<'_>,
    codes: usize,
    buffers: usize,
) -> Result<Vec<Subgraph>> {
    let list = root.subgraphs();
    let count = list.map_or(0, |list| list.len());
    if count == 0 {
        let message = "the model has no subgraphs, so there is nothing to run";
        return Err(Error::new(ErrorKind::Damaged, message).in_field("subgraphs").at(root._tab.loc() as u64));
    }
    check_count("subgraphs", count, limits::MAX_SUBGRAPHS)?;
    let tensors = elements(list).map(|graph| graph.tensors().map_or(0, |list| list.len())).sum();
    check_count("subgraphs.tensors", tensors, limits::MAX_TENSORS)?;
    let operators = elements(list).map(|graph| graph.operators().map_or(0, |list| list.len())).sum();
    check_count("subgraphs.operators", operators, limits::MAX_OPERATORS)?;
    let counts = Counts { subgraphs: count, codes, buffers };
    elements(list).enumerate().map(|(index, graph)| subgraph(reader, counts, index, graph)).collect()
}

fn subgraph(reader: &mut Reader<'_>, counts: Counts, index: usize, graph: schema::SubGraph<'_>) -> Result<Subgraph> {
    let path = format!("subgraphs[{index}]");
    let tensors: Vec<Tensor> = elements(graph.tensors())
        .enumerate()
        .map(|(number, table)| tensor(reader, counts, (index, number), table))
        .collect::<Result<_>>()?;
    let ids =
        |reader: &Reader<'_>, list, field: &str| tensor_ids(reader, list, tensors.len(), || format!("{path}.{field}"));
    let inputs = ids(reader, graph.inputs(), "inputs")?;
    let outputs = ids(reader, graph.outputs(), "outputs")?;
    let operators = elements(graph.operators())
        .enumerate()
        .map(|(number, table)| {
            operator(reader, counts, tensors.len(), table).map_err(|error| inside(error, &path, number))
        })
        .collect::<Result<_>>()?;
    Ok(Subgraph { name: reader.text(graph.name(), "subgraphs.name"), tensors, inputs, outputs, operators })
}

/// The error of an operator, with the operator's own path before its field.
fn inside(error: Error, path: &str, number: usize) -> Error {
    let field = error.path.clone().unwrap_or_default();
    error.in_field(format!("{path}.operators[{number}].{field}"))
}

fn tensor(
    reader: &mut Reader<'_>,
    counts: Counts,
    (graph, number): (usize, usize),
    table: schema::Tensor<'_>,
) -> Result<Tensor> {
    let reference = || if graph == 0 { format!("t{number}") } else { format!("s{graph}:t{number}") };
    let shape: Vec<i32> = elements(table.shape()).collect();
    let path = |field: &str| format!("subgraphs[{graph}].tensors[{number}].{field}");
    let signature: Vec<i32> = elements(table.shape_signature()).collect();
    for (dims, field, name) in [
        (&shape, schema::Tensor::VT_SHAPE, "shape"),
        (&signature, schema::Tensor::VT_SHAPE_SIGNATURE, "shape_signature"),
    ] {
        if dims.len() > limits::MAX_RANK {
            let message = format!("{} dims, the most is {}", dims.len(), limits::MAX_RANK);
            let at = field_offset(&table._tab, field);
            return Err(Error::new(ErrorKind::TooLarge, message).in_field(path(name)).at(at));
        }
    }
    if let (Some(position), Some(list)) = (shape.iter().position(|&dim| dim < 0), table.shape()) {
        let at = reader.range_of(list.bytes()).start + 4 * position as u64;
        let message = format!("tensor {number}: dim {position} of its shape is {}", shape[position]);
        reader.warnings.add(Warning::new("negative-dim", message).about(reference()).at(at));
    }
    if table.buffer() as usize >= counts.buffers {
        let message =
            format!("tensor {number} names buffer {}, but the model has {} buffers", table.buffer(), counts.buffers);
        let at = field_offset(&table._tab, schema::Tensor::VT_BUFFER);
        return Err(Error::new(ErrorKind::Damaged, message).in_field(path("buffer")).at(at));
    }
    let dtype = DataType::from_number(table.type_());
    if let DataType::Unknown(type_number) = dtype {
        let message = format!("tensor {number}: element type {type_number} is not known");
        let at = field_offset(&table._tab, schema::Tensor::VT_TYPE_);
        reader.warnings.add(Warning::new("unknown-type", message).about(reference()).at(at));
    }
    if table.external_buffer() != 0 {
        let message = format!("tensor {number}: its data lie in another file");
        let at = field_offset(&table._tab, schema::Tensor::VT_EXTERNAL_BUFFER);
        reader.warnings.add(Warning::new("external-buffer", message).about(reference()).at(at));
    }
    Ok(Tensor {
        name: reader.text(table.name(), "tensors.name"),
        has_shape: table.shape().is_some(),
        shape,
        shape_signature: signature,
        has_rank: table.has_rank(),
        dtype,
        buffer: table.buffer(),
        is_variable: table.is_variable(),
        quantization: table.quantization().map(quantization),
        is_sparse: table.sparsity().is_some(),
        byte_offset: table._tab.loc() as u64,
    })
}

fn quantization(table: schema::QuantizationParameters<'_>) -> Quantization {
    let scales = table.scale();
    let zero_points = table.zero_point();
    let block = table.details_as_blockwise().or_else(|| table.details_as_multi_axis());
    Quantization {
        scales: count(scales.map(|list| list.len())),
        zero_points: count(zero_points.map(|list| list.len())),
        first_scale: elements(scales).next(),
        first_zero_point: elements(zero_points).next(),
        scales_differ: elements(scales).any(|scale| Some(scale) != elements(table.scale()).next()),
        symmetric: elements(zero_points).all(|value| value == 0),
        dimension: table.quantized_dimension(),
        has_min_max: elements(table.min()).next().is_some() && elements(table.max()).next().is_some(),
        details: table.details_type().0,
        block_size: block.map_or(0, |block| block.block_size()),
    }
}

/// The length of a vector, which the format stores in 32 bits.
fn count(len: Option<usize>) -> u32 {
    len.map_or(0, |len| u32::try_from(len).unwrap_or(u32::MAX))
}

/// Errors name the operator's own field; the caller puts the operator's path before it.
fn operator(reader: &mut Reader<'_>, counts: Counts, tensors: usize, table: schema::Operator<'_>) -> Result<Operator> {
    if table.opcode_index() as usize >= counts.codes {
        let message = format!("operator code {}, but the model has {} codes", table.opcode_index(), counts.codes);
        let at = field_offset(&table._tab, schema::Operator::VT_OPCODE_INDEX);
        return Err(Error::new(ErrorKind::Damaged, message).in_field("opcode_index").at(at));
    }
    Ok(Operator {
        code: table.opcode_index(),
        inputs: tensor_ids(reader, table.inputs(), tensors, || "inputs".to_owned())?,
        outputs: tensor_ids(reader, table.outputs(), tensors, || "outputs".to_owned())?,
        intermediates: tensor_ids(reader, table.intermediates(), tensors, || "intermediates".to_owned())?,
        options: read_options::options(reader, counts.subgraphs, table)?,
        byte_offset: table._tab.loc() as u64,
    })
}

/// A list of tensor indices, each −1 (omitted) or of a tensor that exists.
fn tensor_ids(
    reader: &Reader<'_>,
    list: Option<Vector<'_, i32>>,
    tensors: usize,
    path: impl Fn() -> String,
) -> Result<Vec<Option<TensorId>>> {
    let Some(list) = list else { return Ok(Vec::new()) };
    let start = reader.range_of(list.bytes()).start;
    let id = |(position, index): (usize, i32)| match u32::try_from(index) {
        Ok(index) if (index as usize) < tensors => Ok(Some(TensorId(index))),
        Err(_) if index == OMITTED => Ok(None),
        _ => {
            let message = format!("tensor {index}, but the subgraph has {tensors} tensors");
            Err(Error::new(ErrorKind::Damaged, message)
                .in_field(format!("{}[{position}]", path()))
                .at(start + 4 * position as u64))
        }
    };
    list.iter().enumerate().map(id).collect()
}

/// The index that stands for an omitted optional tensor.
const OMITTED: i32 = -1;
