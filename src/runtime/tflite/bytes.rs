//! How many bytes a tensor of a type and dims takes, as `BytesRequired` counts (`tflite/util.cc`, `LiteRT`
//! f67457790c9c). Knows nothing of graphs.

use crate::limits;
use crate::model::DataType;

/// Bits of one element; `None` for types whose tensors have no size of their own (string, resource, variant).
pub(super) fn element_bits(dtype: DataType) -> Option<u64> {
    Some(match dtype {
        DataType::Int2 => 2,
        DataType::Int4 | DataType::UInt4 => 4,
        DataType::UInt8 | DataType::Int8 | DataType::Bool | DataType::Float8E4M3Fn | DataType::Float8E5M2 => 8,
        DataType::Float16 | DataType::BFloat16 | DataType::Int16 | DataType::UInt16 => 16,
        DataType::Float32 | DataType::Int32 | DataType::UInt32 => 32,
        DataType::Int64 | DataType::UInt64 | DataType::Float64 | DataType::Complex64 => 64,
        DataType::Complex128 => 128,
        DataType::String | DataType::Resource | DataType::Variant | DataType::Unknown(_) => return None,
    })
}

/// How many elements the dims hold (1 for a scalar); `None` when a dim is negative or the product passes the limit.
pub(super) fn elements(dims: &[i32]) -> Option<u64> {
    dims.iter().try_fold(1_u64, |product, &dim| product.checked_mul(u64::try_from(dim).ok()?))
}

/// Bytes of a tensor, packed types rounded up to whole bytes; `None` when it has no size or passes the limit.
pub(super) fn tensor_bytes(dtype: DataType, dims: &[i32]) -> Option<u64> {
    let bits = elements(dims)?.checked_mul(element_bits(dtype)?)?;
    Some(bits.div_ceil(8)).filter(|&bytes| bytes <= limits::MAX_BYTES)
}

/// Whether tensors of this type lie on the heap, one block each, whatever their dims.
pub(super) fn is_heap_type(dtype: DataType) -> bool {
    matches!(dtype, DataType::String | DataType::Resource | DataType::Variant)
}
