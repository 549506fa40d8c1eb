//! Decodes small constants (shapes, axes, paddings), which shape inference needs. Weights stay where they are.

use crate::limits;
use crate::model::{DataType, Model, Tensor};

impl Model {
    /// The bytes of a tensor's constant data inside the model's `bytes`; `None` when it has none.
    pub fn constant_bytes<'a>(&self, bytes: &'a [u8], tensor: &Tensor) -> Option<&'a [u8]> {
        let range = self.constant(tensor)?;
        bytes.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
    }

    /// A constant tensor of whole numbers (or truth values) as a list, in file order.
    ///
    /// `None` when the tensor is not constant, has another type, or has more than
    /// [`limits::MAX_DECODED_ELEMENTS`] elements. Bytes that do not fill an element at the end are left out.
    pub fn constant_ints(&self, bytes: &[u8], tensor: &Tensor) -> Option<Vec<i64>> {
        let data = self.constant_bytes(bytes, tensor)?;
        match tensor.dtype {
            DataType::Int8 => decode(data, |[byte]: [u8; 1]| i64::from(i8::from_le_bytes([byte]))),
            DataType::UInt8 | DataType::Bool => decode(data, |[byte]: [u8; 1]| i64::from(byte)),
            DataType::Int16 => decode(data, |raw: [u8; 2]| i64::from(i16::from_le_bytes(raw))),
            DataType::UInt16 => decode(data, |raw: [u8; 2]| i64::from(u16::from_le_bytes(raw))),
            DataType::Int32 => decode(data, |raw: [u8; 4]| i64::from(i32::from_le_bytes(raw))),
            DataType::UInt32 => decode(data, |raw: [u8; 4]| i64::from(u32::from_le_bytes(raw))),
            DataType::Int64 => decode(data, i64::from_le_bytes),
            _ => None,
        }
    }

    /// A constant tensor of whole numbers as dims; `None` as for [`Model::constant_ints`], or when one does not fit.
    pub fn constant_dims(&self, bytes: &[u8], tensor: &Tensor) -> Option<Vec<i32>> {
        self.constant_ints(bytes, tensor)?.into_iter().map(|value| i32::try_from(value).ok()).collect()
    }

    /// A constant tensor of floating-point numbers as a list; `None` as for [`Model::constant_ints`].
    pub fn constant_floats(&self, bytes: &[u8], tensor: &Tensor) -> Option<Vec<f64>> {
        let data = self.constant_bytes(bytes, tensor)?;
        match tensor.dtype {
            DataType::Float32 => decode(data, |raw: [u8; 4]| f64::from(f32::from_le_bytes(raw))),
            DataType::Float64 => decode(data, f64::from_le_bytes),
            _ => None,
        }
    }
}

/// The elements of `N` bytes each, or `None` when there are too many.
fn decode<const N: usize, T>(data: &[u8], element: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
    let (raw, _rest) = data.as_chunks::<N>();
    (raw.len() <= limits::MAX_DECODED_ELEMENTS).then(|| raw.iter().map(|&raw| element(raw)).collect())
}
