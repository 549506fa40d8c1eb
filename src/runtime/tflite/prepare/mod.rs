//! Preparing: what each builtin kernel's `Prepare` does to shapes, places and temporaries. One file a family.
//!
//! A kernel is a [`Kernel`]: the operator's number and a function over a [`Context`]. The function does, in the
//! kernel's own order, what the kernel does: resizes outputs, makes them dynamic or folded, adds temporaries. It
//! evaluates nothing but what is needed to know shapes. Facts are those of `LiteRT` f67457790c9c, `tflite/kernels`.

mod context;
mod control;
mod convert;
mod convolution;
mod lstm;
mod matmul;
mod recurrent;
mod reduce;
mod transposed;
mod variables;
mod window;

use super::graph::World;
use super::lifetimes::InPlace;
use crate::error::{Error, ErrorKind, Result, Warning};
use crate::model::{BuiltinOp, OpOptions};
use crate::units::{SubgraphId, TensorId};

pub(super) use context::Context;

/// What a kernel does while preparing.
pub(super) type Prepare = fn(&mut Context<'_, '_>) -> Result<()>;

/// One builtin operator's kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel {
    /// The operator.
    pub(super) op: BuiltinOp,
    /// Its preparing.
    pub(super) prepare: Prepare,
    /// Whether its first output may take an input's bytes.
    pub(super) in_place: InPlace,
    /// Tensors that it adds when the model is loaded, before any preparing (`AddTensors` in its `Init`).
    pub(super) added_at_load: AddedAtLoad,
}

/// How many tensors a kernel adds when the model is loaded.
#[derive(Clone, Copy, Debug)]
pub(super) enum AddedAtLoad {
    /// Always so many.
    Count(u32),
    /// It depends on the options.
    By(fn(&OpOptions) -> u32),
}

impl Kernel {
    /// A kernel that shares nothing and adds nothing at load.
    pub(super) const fn new(op: BuiltinOp, prepare: Prepare) -> Kernel {
        Kernel { op, prepare, in_place: InPlace::No, added_at_load: AddedAtLoad::Count(0) }
    }

    /// The same, with its in-place permission.
    pub(super) const fn in_place(mut self, in_place: InPlace) -> Kernel {
        self.in_place = in_place;
        self
    }

    /// The same, adding `count` tensors at load.
    pub(super) const fn added_at_load(mut self, count: u32) -> Kernel {
        self.added_at_load = AddedAtLoad::Count(count);
        self
    }

    /// The same, adding tensors at load as the options say.
    pub(super) const fn added_at_load_by(mut self, count: fn(&OpOptions) -> u32) -> Kernel {
        self.added_at_load = AddedAtLoad::By(count);
        self
    }
}

/// All families.
const FAMILIES: &[&[Kernel]] = &[
    control::KERNELS,
    convert::KERNELS,
    convolution::KERNELS,
    lstm::KERNELS,
    matmul::KERNELS,
    recurrent::KERNELS,
    reduce::KERNELS,
    transposed::KERNELS,
    variables::KERNELS,
];

/// In-place permissions of operators that have no kernel here yet.
const IN_PLACE: &[(BuiltinOp, InPlace)] = &[
    (BuiltinOp::RESHAPE, InPlace::Same),
    (BuiltinOp::EXPAND_DIMS, InPlace::Same),
    (BuiltinOp::SQUEEZE, InPlace::Same),
    (BuiltinOp::BITCAST, InPlace::Same),
    (BuiltinOp::ADD, InPlace::Either),
    (BuiltinOp::SUB, InPlace::Either),
    (BuiltinOp::MUL, InPlace::Either),
    (BuiltinOp::DIV, InPlace::Either),
    (BuiltinOp::SOFTMAX, InPlace::First),
    (BuiltinOp::LOG_SOFTMAX, InPlace::No),
    (BuiltinOp::DYNAMIC_UPDATE_SLICE, InPlace::First),
];

/// The kernel of a builtin operator.
pub(super) fn kernel(op: BuiltinOp) -> Option<&'static Kernel> {
    FAMILIES.iter().flat_map(|family| family.iter()).find(|kernel| kernel.op == op)
}

/// The in-place permission of a builtin operator.
pub(super) fn in_place(op: BuiltinOp) -> InPlace {
    match kernel(op) {
        Some(kernel) => kernel.in_place,
        None => IN_PLACE.iter().find(|entry| entry.0 == op).map_or(InPlace::No, |entry| entry.1),
    }
}

/// Prepares one node: changes its tensors as its kernel would.
pub(super) fn prepare(world: &mut World<'_>, graph: SubgraphId, node: usize) -> Result<()> {
    let mut context = Context::new(world, graph, node);
    context.clear_temporaries();
    let code = context.code();
    match (code.builtin, kernel(code.builtin)) {
        (BuiltinOp::CUSTOM, _) => {
            custom(&mut context);
            Ok(())
        }
        (_, Some(kernel)) => (kernel.prepare)(&mut context),
        (_, None) => Ok(()),
    }
}

/// A custom operator: only its own code knows what it does; its outputs are taken as in the file.
fn custom(context: &mut Context<'_, '_>) {
    let name = context.op_name().to_owned();
    let message =
        format!("{name}: a custom operator; its outputs are taken as in the file, its temporaries are not known");
    context.warn(Warning::new("custom-op", message));
}

/// The error of a kernel that refuses its node, in the operator's terms.
pub(super) fn refused(context: &Context<'_, '_>, message: &str) -> Error {
    let (graph, node) = context.place();
    Error::new(ErrorKind::Refused, format!("{}: {message}", context.op_name()))
        .in_field(format!("subgraphs[{graph}].operators[{node}]"))
        .at(context.op().byte_offset)
}

/// Adds the tensors that kernels add when the model is loaded, in order of nodes.
pub(super) fn add_at_load(world: &mut World<'_>, graph: SubgraphId) {
    for node in 0..world.graph(graph).nodes.len() {
        let mut context = Context::new(world, graph, node);
        let count = match kernel(context.code().builtin).map(|kernel| kernel.added_at_load) {
            None => 0,
            Some(AddedAtLoad::Count(count)) => count,
            Some(AddedAtLoad::By(count)) => count(context.options()),
        };
        for slot in 0..count as usize {
            let _: TensorId = context.own_tensor(slot, "temporary");
        }
    }
}
