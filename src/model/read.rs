//! Turns bytes into a [`Model`]: verifies, copies the tables, checks every index.
//! One file per layer: this one the model's lists, `read_graph` subgraphs, `read_options` operators' options.

use std::ops::Range;

use flatbuffers::{Follow, Table, VOffsetT, Vector};

use crate::error::{Error, ErrorKind, Result, Warning};
use crate::limits;
use crate::model::verify;
use crate::model::{BufferData, BuiltinOp, Metadata, Model, ModelBuffer, OperatorCode, Signature, read_graph};
use crate::schema;
use crate::units::{SubgraphId, TensorId};

/// The schema version that the runtimes ask for.
const SCHEMA_VERSION: u32 = 3;

/// Reads a model, or says in one error what is wrong and where.
///
/// What is odd but readable becomes a warning of the model: a wrong identifier, unknown operators, negative dims.
/// Whether a runtime would refuse it is for the runtime's model to say.
pub fn read(bytes: &[u8]) -> Result<Model> {
    let root = verify::root(bytes)?;
    // Zeros, and other bytes without the identifier, can pass for a model with nothing in it.
    model(bytes, root).map_err(|error| if verify::has_identifier(bytes) { error } else { verify::not_a_model(bytes) })
}

fn model(bytes: &[u8], root: schema::Model<'_>) -> Result<Model> {
    let mut reader = Reader { bytes, warnings: Warnings::default() };
    reader.warn_about_file(root);
    let operator_codes = reader.operator_codes(root)?;
    let buffers = reader.buffers(root)?;
    let subgraphs = read_graph::subgraphs(&mut reader, root, operator_codes.len(), buffers.len())?;
    let mut model = Model {
        version: root.version(),
        description: reader.text(root.description(), "description"),
        operator_codes,
        subgraphs,
        buffers,
        signatures: Vec::new(),
        metadata: Vec::new(),
        file_bytes: bytes.len() as u64,
        warnings: Vec::new(),
    };
    model.signatures = reader.signatures(root, &model);
    model.metadata = reader.metadata(root, model.buffers.len());
    model.warnings = reader.warnings.finish();
    Ok(model)
}

/// What all layers of the reader share: the bytes and the warnings so far.
pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) warnings: Warnings,
}

impl Reader<'_> {
    fn warn_about_file(&mut self, root: schema::Model<'_>) {
        if !verify::has_identifier(self.bytes) {
            let found = self.bytes.get(4..8).unwrap_or_default().escape_ascii();
            let message = format!("the file identifier is \"{found}\", expected \"TFL3\": TFLite refuses the file");
            self.warnings.add(Warning::new("wrong-identifier", message).at(4));
        }
        if root.version() != SCHEMA_VERSION {
            let message = format!("schema version {}: the runtimes ask for {SCHEMA_VERSION}", root.version());
            let at = field_offset(&root._tab, schema::Model::VT_VERSION);
            self.warnings.add(Warning::new("schema-version", message).at(at));
        }
    }

    fn operator_codes(&mut self, root: schema::Model<'_>) -> Result<Vec<OperatorCode>> {
        let codes = root.operator_codes();
        check_count("operator_codes", codes.map_or(0, |codes| codes.len()), limits::MAX_OPERATORS)?;
        Ok(elements(codes).enumerate().map(|(index, code)| self.operator_code(index, code)).collect())
    }

    fn operator_code(&mut self, index: usize, code: schema::OperatorCode<'_>) -> OperatorCode {
        // As `GetBuiltinCode` in tflite/schema/schema_utils.cc (LiteRT f67457790c9c): the larger of the two fields.
        let builtin = BuiltinOp(code.builtin_code().max(i32::from(code.deprecated_builtin_code())));
        if !builtin.is_known() {
            let message =
                format!("operator_codes[{index}]: operator {} is not known: newer than this program", builtin.0);
            self.warnings.add(Warning::new("unknown-op", message).at(code._tab.loc() as u64));
        }
        let custom_name = code.custom_code().map(|name| self.text(Some(name), "operator_codes.custom_code"));
        if builtin == BuiltinOp::CUSTOM && custom_name.is_none() {
            let message = format!("operator_codes[{index}]: a custom operator without a name");
            self.warnings.add(Warning::new("custom-op-without-name", message).at(code._tab.loc() as u64));
        }
        OperatorCode {
            builtin,
            builtin_code: code.builtin_code(),
            deprecated_builtin_code: code.deprecated_builtin_code(),
            custom_name,
            version: code.version(),
        }
    }

    fn buffers(&mut self, root: schema::Model<'_>) -> Result<Vec<ModelBuffer>> {
        let Some(list) = root.buffers() else {
            let at = root._tab.loc() as u64;
            return Err(Error::new(ErrorKind::Damaged, "the model has no buffers").in_field("buffers").at(at));
        };
        check_count("buffers", list.len(), limits::MAX_TENSORS)?;
        list.iter().enumerate().map(|(index, buffer)| self.buffer(index, buffer)).collect()
    }

    /// As in `InterpreterBuilder::ParseTensors`, `tflite/core/interpreter_builder.cc` (LiteRT f67457790c9c): inline
    /// data come first, and an offset counts from 2 on.
    fn buffer(&self, index: usize, buffer: schema::Buffer<'_>) -> Result<ModelBuffer> {
        if let Some(data) = buffer.data() {
            return Ok(ModelBuffer { data: BufferData::File(self.range_of(data.bytes())), is_outside: false });
        }
        if buffer.offset() <= 1 {
            return Ok(ModelBuffer { data: BufferData::Empty, is_outside: false });
        }
        let (offset, size, len) = (buffer.offset(), buffer.size(), self.bytes.len());
        match offset.checked_add(size) {
            Some(end) if end <= len as u64 => Ok(ModelBuffer { data: BufferData::File(offset..end), is_outside: true }),
            _ => Err(Error::new(
                ErrorKind::Damaged,
                format!("{size} bytes at offset {offset}, but the file has {len} bytes"),
            )
            .in_field(format!("buffers[{index}]"))
            .at(field_offset(&buffer._tab, schema::Buffer::VT_OFFSET))
            .with_hint("the weights behind the model are cut off: download the file again")),
        }
    }

    /// Signatures that lead nowhere are left out with a warning: they name tensors, but decide nothing.
    fn signatures(&mut self, root: schema::Model<'_>, model: &Model) -> Vec<Signature> {
        let mut signatures = Vec::new();
        for (index, signature) in elements(root.signature_defs()).enumerate() {
            let key = self.text(signature.signature_key(), "signature_defs.signature_key");
            let tensors = model.subgraphs.get(signature.subgraph_index() as usize).map(|graph| graph.tensors.len());
            let at = signature._tab.loc() as u64;
            let Some(tensors) = tensors else {
                let message = format!(
                    "signature_defs[{index}]: subgraph {}, but there are {}; the signature is left out",
                    signature.subgraph_index(),
                    model.subgraphs.len()
                );
                self.warnings.add(Warning::new("bad-signature", message).at(at));
                continue;
            };
            let inputs = self.tensor_map(signature.inputs(), tensors);
            let outputs = self.tensor_map(signature.outputs(), tensors);
            if let (Some(inputs), Some(outputs)) = (inputs, outputs) {
                signatures.push(Signature { key, subgraph: SubgraphId(signature.subgraph_index()), inputs, outputs });
            } else {
                let message =
                    format!("signature_defs[{index}]: a tensor that does not exist; the signature is left out");
                self.warnings.add(Warning::new("bad-signature", message).at(at));
            }
        }
        signatures
    }

    /// The names and tensors of a signature's side, or `None` when a tensor does not exist.
    fn tensor_map<'b>(
        &mut self,
        map: Option<Vector<'b, flatbuffers::ForwardsUOffset<schema::TensorMap<'b>>>>,
        tensors: usize,
    ) -> Option<Vec<(String, TensorId)>> {
        elements(map)
            .map(|entry| {
                let exists = (entry.tensor_index() as usize) < tensors;
                exists.then(|| (self.text(entry.name(), "signature_defs.name"), TensorId(entry.tensor_index())))
            })
            .collect()
    }

    fn metadata(&mut self, root: schema::Model<'_>, buffers: usize) -> Vec<Metadata> {
        let mut metadata = Vec::new();
        for (index, entry) in elements(root.metadata()).enumerate() {
            let name = self.text(entry.name(), "metadata.name");
            if (entry.buffer() as usize) < buffers {
                metadata.push(Metadata { name, buffer: entry.buffer() });
            } else {
                let message =
                    format!("metadata[{index}]: buffer {}, but there are {buffers}; it is left out", entry.buffer());
                let at = field_offset(&entry._tab, schema::Metadata::VT_BUFFER);
                self.warnings.add(Warning::new("bad-metadata", message).at(at));
            }
        }
        metadata
    }

    /// Text of the file; bytes that are not UTF-8 become replacement characters, with a warning.
    pub(super) fn text(&mut self, text: Option<Vector<'_, u8>>, field: &str) -> String {
        let raw = text.map(|text| text.bytes()).unwrap_or_default();
        let text = String::from_utf8_lossy(raw);
        if let std::borrow::Cow::Owned(_) = text {
            let message = format!("{field}: the text is not UTF-8");
            self.warnings.add(Warning::new("text-not-utf8", message).at(self.range_of(raw).start));
        }
        text.into_owned()
    }

    /// Where `part`, a slice of the model's bytes, lies in them.
    pub(super) fn range_of(&self, part: &[u8]) -> Range<u64> {
        let start = part.as_ptr().addr().saturating_sub(self.bytes.as_ptr().addr()) as u64;
        start..start + part.len() as u64
    }
}

/// Warnings with a cap per kind: what is beyond it is counted.
#[derive(Default)]
pub(super) struct Warnings {
    list: Vec<Warning>,
    counts: std::collections::BTreeMap<&'static str, usize>,
}

impl Warnings {
    pub(super) fn add(&mut self, warning: Warning) {
        let count = self.counts.entry(warning.code).or_default();
        *count += 1;
        if *count <= limits::MAX_WARNINGS_PER_CODE {
            self.list.push(warning);
        }
    }

    fn finish(mut self) -> Vec<Warning> {
        for (code, count) in self.counts {
            if count > limits::MAX_WARNINGS_PER_CODE {
                let more = count - limits::MAX_WARNINGS_PER_CODE;
                self.list.push(Warning::new(code, format!("{more} more warnings of this kind")));
            }
        }
        self.list
    }
}

/// Refuses lists that are longer than a limit.
pub(super) fn check_count(field: &str, count: usize, most: usize) -> Result<()> {
    if count <= most {
        return Ok(());
    }
    Err(Error::new(ErrorKind::TooLarge, format!("{count} elements, the most is {most}")).in_field(field))
}

/// The elements of a list; of none when it is absent.
pub(super) fn elements<'a, T: Follow<'a> + 'a>(
    list: Option<Vector<'a, T>>,
) -> std::iter::Flatten<std::option::IntoIter<flatbuffers::VectorIter<'a, T>>> {
    list.map(|list| list.iter()).into_iter().flatten()
}

/// Where a field lies in the bytes; the table's own place when the field is absent.
pub(super) fn field_offset(table: &Table<'_>, field: VOffsetT) -> u64 {
    table.loc() as u64 + u64::from(table.vtable().get(field))
}
