//! What TFLite-Micro makes of tensors' types, shapes and quantisation (`memory_helpers.cc`, `micro_allocator.cc`,
//! tflite-micro 90b983c2).

use crate::limits;
use crate::model::{DataType, Tensor};

/// Bytes of one element; `None` for types that its allocator has no size for. 4-bit integers count a whole byte.
pub(super) fn element_bytes(dtype: DataType) -> Option<u64> {
    match dtype {
        DataType::Int8 | DataType::UInt8 | DataType::Bool | DataType::Int4 => Some(1),
        DataType::Int16 | DataType::UInt16 | DataType::Float16 | DataType::BFloat16 => Some(2),
        DataType::Float32 | DataType::Int32 | DataType::UInt32 | DataType::Resource => Some(4),
        DataType::Int64 | DataType::UInt64 | DataType::Float64 | DataType::Complex64 => Some(8),
        DataType::Complex128 => Some(16),
        DataType::String
        | DataType::Variant
        | DataType::Int2
        | DataType::UInt4
        | DataType::Float8E4M3Fn
        | DataType::Float8E5M2
        | DataType::Unknown(_) => None,
    }
}

/// The runtime's name of a type.
pub(super) fn name(dtype: DataType) -> String {
    match dtype {
        DataType::Unknown(number) => format!("number {number}"),
        known => format!("{known:?}").to_ascii_uppercase(),
    }
}

/// The number of elements; `None` when a dim is negative or the product is beyond all memories.
pub(super) fn elements(dims: &[i32]) -> Option<u64> {
    let product = dims.iter().try_fold(1_u64, |product, dim| product.checked_mul(u64::try_from(*dim).ok()?))?;
    (product <= limits::MAX_BYTES).then_some(product)
}

/// Bytes of a tensor with these dims; `None` when that is not known or the type has no size.
pub(super) fn bytes(dtype: DataType, dims: &[i32]) -> Option<u64> {
    elements(dims)?.checked_mul(element_bytes(dtype)?).filter(|bytes| *bytes <= limits::MAX_BYTES)
}

/// How many scales the runtime sees: none unless scales and zero points are both given.
pub(super) fn scales(tensor: &Tensor) -> u64 {
    match &tensor.quantization {
        Some(quantization) if quantization.zero_points > 0 => u64::from(quantization.scales),
        _ => 0,
    }
}
