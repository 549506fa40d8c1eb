//! The state of a model while it is prepared: each subgraph's tensors (with those that kernels add) and nodes.
//! It mirrors what the interpreter holds before and while `AllocateTensors` runs, and knows nothing of placement.

use std::ops::Range;

use super::bytes;
use super::lifetimes::{Lifetimes, Placed};
use crate::error::{Error, ErrorKind, Result, Warning};
use crate::model::{DataType, Model};
use crate::runtime::Options;
use crate::units::{OperatorId, SubgraphId, TensorId};

/// The interpreter's allocation type of a tensor (`TfLiteAllocationType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Added by a kernel, not set up yet (`kTfLiteMemNone`).
    Unset,
    /// Data in the file (`kTfLiteMmapRo`).
    File,
    /// The arena (`kTfLiteArenaRw`).
    Arena,
    /// The persistent arena (`kTfLiteArenaRwPersistent`).
    Persistent,
    /// A heap block, sized while running (`kTfLiteDynamic`).
    Dynamic,
    /// A heap block, computed while preparing (`kTfLitePersistentRo`).
    Folded,
    /// Memory of somebody else: the user's, or a caller's tensor (`kTfLiteCustom`).
    Custom,
}

/// What is known of a tensor's contents while preparing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Data {
    /// Nothing: it is computed while running.
    None,
    /// They lie at these bytes of the model.
    File(Range<usize>),
    /// Computed while preparing, little-endian as in memory.
    Folded(Vec<u8>),
    /// Computed while preparing, but not followed here (large, or by a kernel that is not evaluated).
    Untracked,
}

/// One tensor of a subgraph: of the file, or added by a kernel.
#[derive(Clone, Debug)]
pub(super) struct TensorState {
    /// Element type; `None` for a kernel's tensor that is not set up.
    pub(super) dtype: Option<DataType>,
    /// Dims now.
    pub(super) dims: Vec<i32>,
    /// Bytes now; 0 for heap types.
    pub(super) bytes: u64,
    /// Where it lies.
    pub(super) class: Class,
    /// Its contents, when known.
    pub(super) data: Data,
    /// The operator that added it, and what for; `None` for tensors of the file.
    pub(super) added: Option<(OperatorId, &'static str)>,
    /// Its shape is that of the file, taken on trust: the real one is known only while running.
    pub(super) assumed: bool,
}

/// One operator with its tensors, as the interpreter holds it.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Tensors read.
    pub(super) inputs: Vec<Option<TensorId>>,
    /// Tensors written.
    pub(super) outputs: Vec<Option<TensorId>>,
    /// The kernel's temporaries of this preparing, in its order.
    pub(super) temporaries: Vec<TensorId>,
    /// Tensors that the kernel has added so far, by slots of its choosing.
    pub(super) slots: Vec<Option<TensorId>>,
    /// Its kernel said that an output's shape is not known yet, though it lies in the arena.
    pub(super) ends_batch: bool,
}

/// One subgraph while it is prepared.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// Tensors of the file, then those that kernels added.
    pub(super) tensors: Vec<TensorState>,
    /// Operators in order of execution.
    pub(super) nodes: Vec<Node>,
    /// Graph inputs; those that nobody uses may be dropped (`RemoveUnusedInputs`).
    pub(super) inputs: Vec<Option<TensorId>>,
    /// Graph outputs.
    pub(super) outputs: Vec<Option<TensorId>>,
    /// Variables.
    pub(super) variables: Vec<TensorId>,
    /// What the planner has found out at the first plan; kept when the graph is prepared again.
    pub(super) lifetimes: Option<Lifetimes>,
    /// Whether some output has a shape that depends on data.
    pub(super) has_dynamic: bool,
    /// What lies in its arenas, in their order, after preparing; `None` before.
    pub(super) placed: Option<Vec<Placed>>,
}

/// The whole model while it is prepared.
#[derive(Debug)]
pub(super) struct World<'m> {
    /// The model.
    pub(super) model: &'m Model,
    /// Its bytes.
    pub(super) bytes: &'m [u8],
    /// The user's choice.
    pub(super) options: &'m Options,
    /// One state for each subgraph.
    pub(super) graphs: Vec<Graph>,
    /// What to tell the user.
    pub(super) warnings: Vec<Warning>,
    /// How many operators of called subgraphs have been prepared.
    pub(super) called: usize,
    /// Subgraphs being prepared right now, outermost first.
    pub(super) calls: Vec<SubgraphId>,
}

impl TensorState {
    /// A kernel's tensor before it is set up.
    pub(super) fn added(op: OperatorId, purpose: &'static str) -> TensorState {
        TensorState {
            dtype: None,
            dims: Vec::new(),
            bytes: 0,
            class: Class::Unset,
            data: Data::None,
            added: Some((op, purpose)),
            assumed: false,
        }
    }

    /// Whether it is known before running: in the file or computed while preparing.
    pub(super) fn is_constant(&self) -> bool {
        matches!(self.class, Class::File | Class::Folded)
    }
}

impl Graph {
    /// The tensor `id`.
    pub(super) fn tensor(&self, id: TensorId) -> &TensorState {
        &self.tensors[id.index()]
    }

    /// The tensor `id`, to change it.
    pub(super) fn tensor_mut(&mut self, id: TensorId) -> &mut TensorState {
        &mut self.tensors[id.index()]
    }

    /// How many operators or graph outputs read each tensor.
    pub(super) fn reader_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.tensors.len()];
        let reads = self.nodes.iter().flat_map(|node| &node.inputs).chain(&self.outputs);
        for tensor in reads.flatten() {
            counts[tensor.index()] += 1;
        }
        counts
    }
}

impl<'m> World<'m> {
    /// The state after loading, before any preparing. Refuses what the interpreter refuses to load.
    pub(super) fn load(model: &'m Model, bytes: &'m [u8], options: &'m Options) -> Result<World<'m>> {
        let ids = (0..model.subgraphs.len()).map(SubgraphId::from_index);
        let graphs = ids.map(|id| load_graph(model, id)).collect::<Result<Vec<_>>>()?;
        Ok(World { model, bytes, options, graphs, warnings: Vec::new(), called: 0, calls: Vec::new() })
    }

    /// The subgraph `id`.
    pub(super) fn graph(&self, id: SubgraphId) -> &Graph {
        &self.graphs[id.index()]
    }

    /// The subgraph `id`, to change it.
    pub(super) fn graph_mut(&mut self, id: SubgraphId) -> &mut Graph {
        &mut self.graphs[id.index()]
    }
}

fn load_graph(model: &Model, id: SubgraphId) -> Result<Graph> {
    let subgraph = model.subgraph(id);
    let mut tensors = Vec::with_capacity(subgraph.tensors.len());
    let mut variables = Vec::new();
    for (index, tensor) in subgraph.tensors.iter().enumerate() {
        let data = model.constant(tensor).and_then(|range| {
            let start = usize::try_from(range.start).ok()?;
            Some(start..usize::try_from(range.end).ok()?)
        });
        let size = match (&data, bytes::is_heap_type(tensor.dtype)) {
            (_, true) => 0,
            (Some(range), _) if tensor.is_sparse => range.len() as u64,
            _ => bytes::tensor_bytes(tensor.dtype, &tensor.shape).ok_or_else(|| {
                let message = format!("type {:?} with dims {:?} has no size", tensor.dtype, tensor.shape);
                Error::new(ErrorKind::Refused, message)
                    .in_field(format!("subgraphs[{id}].tensors[{index}].shape"))
                    .at(tensor.byte_offset)
            })?,
        };
        let class = match &data {
            Some(_) => Class::File,
            None if bytes::is_heap_type(tensor.dtype) => Class::Dynamic,
            None if tensor.is_variable => Class::Persistent,
            None => Class::Arena,
        };
        if tensor.is_variable {
            variables.push(TensorId::from_index(index));
        }
        tensors.push(TensorState {
            dtype: Some(tensor.dtype),
            dims: tensor.shape.clone(),
            bytes: size,
            class,
            data: data.map_or(Data::None, Data::File),
            added: None,
            assumed: false,
        });
    }
    let nodes = subgraph.operators.iter().map(|op| Node {
        inputs: op.inputs.clone(),
        outputs: op.outputs.clone(),
        ..Node::default()
    });
    Ok(Graph {
        tensors,
        nodes: nodes.collect(),
        inputs: subgraph.inputs.clone(),
        outputs: subgraph.outputs.clone(),
        variables,
        lifetimes: None,
        has_dynamic: false,
        placed: None,
    })
}
