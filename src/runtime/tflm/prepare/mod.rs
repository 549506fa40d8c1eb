//! What each kernel's `Init` and `Prepare` does with the arena: temporary structs, persistent allocations, scratch
//! requests, rewritten dims, in the kernels' own order (`tensorflow/lite/micro/kernels`, `signal/micro/kernels`,
//! tflite-micro 90b983c2). Most kernels only make the structs of their row in the tables; the others are functions.

mod checks;
mod cmsis;
mod control;
mod conv;
mod custom;
mod dense;
mod flex;
mod reduce;
mod shape;
mod shape_checks;
mod signal;

use super::machine::Check;
use super::node::{Node, View};
use super::tables::OpRow;
use crate::model::BuiltinOp;

/// What a kernel's `Init` allocates beyond its row in the tables: signal operators have state.
pub(super) fn init(node: &mut Node<'_, '_>, row: &OpRow) -> Check {
    signal::init(node, row.name)
}

/// A kernel's `Prepare`.
pub(super) fn prepare(node: &mut Node<'_, '_>, row: &OpRow, builtin: BuiltinOp) -> Check {
    let temps = row.temps(node.kernels());
    if builtin == BuiltinOp::CUSTOM {
        return custom::prepare(node, row.name, temps);
    }
    checks::before(node, builtin)?;
    let views: Vec<Option<View<'_>>> = node.views(temps)?;
    let view = |index: usize| views.get(index).and_then(Option::as_ref);
    match builtin {
        BuiltinOp::CONV_2D | BuiltinOp::DEPTHWISE_CONV_2D => conv::prepare(node, builtin, &views),
        BuiltinOp::TRANSPOSE_CONV => conv::transpose(node, &views),
        BuiltinOp::FULLY_CONNECTED => dense::fully_connected(node, &views),
        BuiltinOp::BATCH_MATMUL => dense::batch_matmul(node, &views),
        BuiltinOp::SVDF => dense::svdf(node, &views),
        BuiltinOp::UNIDIRECTIONAL_SEQUENCE_LSTM => dense::lstm(node),
        BuiltinOp::SOFTMAX => dense::softmax(node, &views),
        BuiltinOp::AVERAGE_POOL_2D | BuiltinOp::MAX_POOL_2D => conv::pool(node, builtin, &views),
        BuiltinOp::MEAN | BuiltinOp::SUM => reduce::mean_or_sum(node, &views),
        BuiltinOp::REDUCE_MAX | BuiltinOp::REDUCE_MIN => reduce::min_or_max(node, &views),
        BuiltinOp::REDUCE_ALL => reduce::all(node, &views),
        BuiltinOp::ADD_N => shape::add_n(node, &views),
        BuiltinOp::CONCATENATION => shape::concatenation(node, &views),
        BuiltinOp::RESHAPE => shape::reshape(node, &views),
        BuiltinOp::GATHER => shape::gather(node, &views),
        BuiltinOp::GATHER_ND => shape::gather_nd(node, &views),
        BuiltinOp::EMBEDDING_LOOKUP => shape::embedding_lookup(node, &views),
        BuiltinOp::SPACE_TO_DEPTH | BuiltinOp::DEPTH_TO_SPACE => shape::space_and_depth(node, builtin, &views),
        BuiltinOp::L2_POOL_2D => shape::l2_pool(node, &views),
        BuiltinOp::MIRROR_PAD => shape::mirror_pad(node, &views),
        BuiltinOp::CUMSUM | BuiltinOp::LOG_SOFTMAX => shape::late_data(node, builtin, &views),
        BuiltinOp::IF | BuiltinOp::WHILE | BuiltinOp::CALL_ONCE => control::call(node, view(0)),
        BuiltinOp::VAR_HANDLE => control::var_handle(node),
        BuiltinOp::ASSIGN_VARIABLE => control::assign_variable(node, view(0)),
        _ => checks::after(node, builtin, &views),
    }
}
