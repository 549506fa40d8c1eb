//! The lines of a `MicroMutableOpResolver` for a model, and the operators that TFLite-Micro has no kernel for.

use std::fmt::Write as _;

use super::play::all_operators;
use super::tables;
use crate::model::{BuiltinOp, Model};

/// One operator that the model uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The operator's name.
    pub op: String,
    /// The resolver's method that registers it; `None` when TFLite-Micro has no kernel for it.
    pub method: Option<&'static str>,
    /// It is a custom operator.
    pub is_custom: bool,
    /// How many operators of the model are of this kind.
    pub count: u64,
}

/// What a model's resolver needs, in the order of first use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registrations {
    /// Each kind of operator once.
    pub ops: Vec<Registration>,
}

impl Registrations {
    /// Names of the operators that TFLite-Micro has no kernel for.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.ops.iter().filter(|op| op.method.is_none()).map(|op| op.op.as_str())
    }

    /// The C++ lines; operators without a kernel are comments, or a line to fill in for custom ones.
    pub fn lines(&self) -> String {
        let mut text = format!("tflite::MicroMutableOpResolver<{}> resolver;\n", self.slots());
        for op in &self.ops {
            // Writing to a string cannot fail.
            let _ = match (op.method, op.is_custom) {
                (Some(method), _) => writeln!(text, "resolver.{method}();"),
                (None, true) => {
                    writeln!(text, "resolver.AddCustom({:?}, /* your registration */);", op.op)
                }
                (None, false) => writeln!(text, "// TFLite-Micro has no kernel for {}", op.op),
            };
        }
        text
    }

    /// How many operators the resolver must hold.
    fn slots(&self) -> usize {
        self.ops.iter().filter(|op| op.method.is_some() || op.is_custom).count()
    }
}

/// What the resolver of `model` needs.
pub fn registrations(model: &Model) -> Registrations {
    let mut found = Registrations::default();
    for (_, operator) in all_operators(model) {
        let code = model.code(operator);
        let name = model.op_name(operator);
        let is_custom = code.builtin == BuiltinOp::CUSTOM;
        let name = if is_custom || code.builtin.is_known() { name.to_owned() } else { code.builtin.to_string() };
        if let Some(known) = found.ops.iter_mut().find(|op| op.op == name && op.is_custom == is_custom) {
            known.count += 1;
            continue;
        }
        let row = if is_custom { tables::custom(&name) } else { tables::row(code.builtin) };
        found.ops.push(Registration { op: name, method: row.map(|row| row.add), is_custom, count: 1 });
    }
    found
}
