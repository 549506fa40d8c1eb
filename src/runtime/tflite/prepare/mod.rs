//! Preparing: what each builtin kernel's `Prepare` does to shapes, places and temporaries. One file a family.
//!
//! A kernel is a [`Kernel`]: the operator's number and a function over a [`Context`]. The function does, in the
//! kernel's own order, what the kernel does: resizes outputs, makes them dynamic or folded, adds temporaries. It
//! evaluates nothing but what is needed to know shapes. Facts are those of `LiteRT` f67457790c9c, `tflite/kernels`.

mod binary;
mod context;
mod control;
mod convert;
mod convolution;
mod custom;
mod elementwise;
mod gather;
mod image;
mod lstm;
mod matmul;
mod misc;
mod own;
mod recurrent;
mod reduce;
mod shape;
mod slice;
mod stablehlo;
mod strided;
mod transposed;
mod variables;
mod window;

use std::sync::LazyLock;

use super::graph::World;
use super::lifetimes::InPlace;
use crate::error::{Error, ErrorKind, Result, Warning};
use crate::limits;
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
    binary::KERNELS,
    control::KERNELS,
    convert::KERNELS,
    convolution::KERNELS,
    elementwise::KERNELS,
    gather::KERNELS,
    image::KERNELS,
    lstm::KERNELS,
    matmul::KERNELS,
    misc::KERNELS,
    recurrent::KERNELS,
    reduce::KERNELS,
    shape::KERNELS,
    slice::KERNELS,
    stablehlo::KERNELS,
    transposed::KERNELS,
    variables::KERNELS,
];

/// All kernels, by the number of their operator.
static TABLE: LazyLock<Vec<Option<&'static Kernel>>> = LazyLock::new(|| {
    let mut table = Vec::new();
    for kernel in FAMILIES.iter().flat_map(|family| family.iter()) {
        let number = usize::try_from(kernel.op.0).unwrap_or(0);
        table.resize(table.len().max(number + 1), None);
        table[number] = Some(kernel);
    }
    table
});

/// The kernel of a builtin operator.
pub(super) fn kernel(op: BuiltinOp) -> Option<&'static Kernel> {
    usize::try_from(op.0).ok().and_then(|number| TABLE.get(number).copied().flatten())
}

/// The in-place permission of a builtin operator.
pub(super) fn in_place(op: BuiltinOp) -> InPlace {
    kernel(op).map_or(InPlace::No, |kernel| kernel.in_place)
}

/// Prepares one node: changes its tensors as its kernel would.
pub(super) fn prepare(world: &mut World<'_>, graph: SubgraphId, node: usize) -> Result<()> {
    world.called += usize::from(world.calls.len() > 1);
    if world.called > limits::MAX_CALLED_OPERATORS {
        let message = format!("calls between subgraphs prepare more than {} operators", limits::MAX_CALLED_OPERATORS);
        return Err(Error::new(ErrorKind::TooLarge, message).in_field(format!("subgraphs[{graph}].operators[{node}]")));
    }
    let mut context = Context::new(world, graph, node);
    context.clear_temporaries();
    let code = context.code();
    match (code.builtin, kernel(code.builtin)) {
        (BuiltinOp::CUSTOM, _) => custom::prepare(&mut context),
        (_, Some(kernel)) => (kernel.prepare)(&mut context),
        (op, None) => {
            let message = format!("{op}: not among TFLite's builtin kernels; the runtime refuses the model");
            context.warn(Warning::new("unknown-op", message));
            Ok(())
        }
    }
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
        let builtin = context.code().builtin;
        let count = match kernel(builtin).map(|kernel| kernel.added_at_load) {
            None if builtin == BuiltinOp::CUSTOM => {
                custom::registered(context.op_name()).map_or(0, |custom| custom.added_at_load)
            }
            None => 0,
            Some(AddedAtLoad::Count(count)) => count,
            Some(AddedAtLoad::By(count)) => count(context.options()),
        };
        for slot in 0..count as usize {
            let _: TensorId = context.own_tensor(slot, "temporary");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BuiltinOp, kernel};

    /// What the builtin resolver registers (`core/kernels/register.cc`, `LiteRT` f67457790c9c).
    const REGISTERED: &str = "
        ABS ADD ADD_N ARG_MAX ARG_MIN ASSIGN_VARIABLE ATAN2 AVERAGE_POOL_2D BATCH_MATMUL BATCH_TO_SPACE_ND
        BIDIRECTIONAL_SEQUENCE_LSTM BIDIRECTIONAL_SEQUENCE_RNN BITCAST BITWISE_XOR BROADCAST_ARGS BROADCAST_TO
        BUCKETIZE CALL_ONCE CAST CEIL COMPLEX_ABS CONCATENATION CONV_2D CONV_3D CONV_3D_TRANSPOSE COS CUMSUM DENSIFY
        DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE DILATE DIV DYNAMIC_UPDATE_SLICE ELU EMBEDDING_LOOKUP
        EMBEDDING_LOOKUP_SPARSE EQUAL EXP EXPAND_DIMS FAKE_QUANT FILL FLOOR FLOOR_DIV FLOOR_MOD FULLY_CONNECTED
        GATHER GATHER_ND GELU GREATER GREATER_EQUAL HARD_SWISH HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT
        HASHTABLE_LOOKUP HASHTABLE_SIZE IF IMAG L2_NORMALIZATION L2_POOL_2D LEAKY_RELU LESS LESS_EQUAL
        LOCAL_RESPONSE_NORMALIZATION LOG LOGICAL_AND LOGICAL_NOT LOGICAL_OR LOGISTIC LOG_SOFTMAX LSH_PROJECTION LSTM
        MATRIX_DIAG MATRIX_SET_DIAG MAXIMUM MAX_POOL_2D MEAN MINIMUM MIRROR_PAD MUL MULTINOMIAL NEG
        NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 NOT_EQUAL ONE_HOT PACK PAD PADV2 POW PRELU QUANTIZE
        RANDOM_STANDARD_NORMAL RANDOM_UNIFORM RANGE RANK READ_VARIABLE REAL REDUCE_ALL REDUCE_ANY REDUCE_MAX
        REDUCE_MIN REDUCE_PROD REDUCE_WINDOW RELU RELU6 RELU_0_TO_1 RELU_N1_TO_1 RESHAPE RESIZE_BILINEAR
        RESIZE_NEAREST_NEIGHBOR REVERSE_SEQUENCE REVERSE_V2 RFFT2D RIGHT_SHIFT RNN ROUND RSQRT SCATTER_ND SEGMENT_SUM
        SELECT SELECT_V2 SHAPE SIGN SIN SKIP_GRAM SLICE SOFTMAX SPACE_TO_BATCH_ND SPACE_TO_DEPTH SPARSE_TO_DENSE
        SPLIT SPLIT_V SQRT SQUARE SQUARED_DIFFERENCE SQUEEZE STABLEHLO_ADD STABLEHLO_AND STABLEHLO_CASE
        STABLEHLO_COMPOSITE STABLEHLO_GATHER STABLEHLO_MAXIMUM STABLEHLO_MINIMUM STABLEHLO_MULTIPLY STABLEHLO_PAD
        STABLEHLO_REDUCE_WINDOW STABLEHLO_RNG_BIT_GENERATOR STABLEHLO_SCATTER STABLEHLO_SHIFT_LEFT STRIDED_SLICE SUB
        SUM SVDF TANH TILE TOPK_V2 TRANSPOSE TRANSPOSE_CONV UNIDIRECTIONAL_SEQUENCE_LSTM UNIDIRECTIONAL_SEQUENCE_RNN
        UNIQUE UNPACK UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_MIN UNSORTED_SEGMENT_PROD UNSORTED_SEGMENT_SUM VAR_HANDLE
        WHERE WHILE ZEROS_LIKE
    ";

    #[test]
    fn every_registered_operator_has_a_kernel() {
        let missing: Vec<&str> = REGISTERED
            .split_whitespace()
            .filter(|name| {
                let op = BuiltinOp::ALL.iter().find(|op| op.name() == *name);
                op.is_none_or(|&op| kernel(op).is_none())
            })
            .collect();
        assert!(missing.is_empty(), "no kernel for {missing:?}");
    }

    #[test]
    fn no_operator_has_two_kernels() {
        for op in BuiltinOp::ALL {
            let count =
                super::FAMILIES.iter().flat_map(|family| family.iter()).filter(|kernel| kernel.op == *op).count();
            assert!(count <= 1, "{op} has {count} kernels");
        }
    }
}
