//! Element types: the format's numbers and names.

use crate::model::DataType;

impl DataType {
    /// The type of that number in the file.
    pub fn from_number(number: i8) -> DataType {
        match number {
            0 => DataType::Float32,
            1 => DataType::Float16,
            2 => DataType::Int32,
            3 => DataType::UInt8,
            4 => DataType::Int64,
            5 => DataType::String,
            6 => DataType::Bool,
            7 => DataType::Int16,
            8 => DataType::Complex64,
            9 => DataType::Int8,
            10 => DataType::Float64,
            11 => DataType::Complex128,
            12 => DataType::UInt64,
            13 => DataType::Resource,
            14 => DataType::Variant,
            15 => DataType::UInt32,
            16 => DataType::UInt16,
            17 => DataType::Int4,
            18 => DataType::BFloat16,
            19 => DataType::Int2,
            20 => DataType::UInt4,
            21 => DataType::Float8E4M3Fn,
            22 => DataType::Float8E5M2,
            _ => DataType::Unknown(number),
        }
    }

    /// The type's number in the file.
    pub fn number(self) -> i8 {
        match self {
            DataType::Float32 => 0,
            DataType::Float16 => 1,
            DataType::Int32 => 2,
            DataType::UInt8 => 3,
            DataType::Int64 => 4,
            DataType::String => 5,
            DataType::Bool => 6,
            DataType::Int16 => 7,
            DataType::Complex64 => 8,
            DataType::Int8 => 9,
            DataType::Float64 => 10,
            DataType::Complex128 => 11,
            DataType::UInt64 => 12,
            DataType::Resource => 13,
            DataType::Variant => 14,
            DataType::UInt32 => 15,
            DataType::UInt16 => 16,
            DataType::Int4 => 17,
            DataType::BFloat16 => 18,
            DataType::Int2 => 19,
            DataType::UInt4 => 20,
            DataType::Float8E4M3Fn => 21,
            DataType::Float8E5M2 => 22,
            DataType::Unknown(number) => number,
        }
    }

    /// The type's name as people write it.
    pub fn name(self) -> &'static str {
        match self {
            DataType::Float32 => "float32",
            DataType::Float16 => "float16",
            DataType::Int32 => "int32",
            DataType::UInt8 => "uint8",
            DataType::Int64 => "int64",
            DataType::String => "string",
            DataType::Bool => "bool",
            DataType::Int16 => "int16",
            DataType::Complex64 => "complex64",
            DataType::Int8 => "int8",
            DataType::Float64 => "float64",
            DataType::Complex128 => "complex128",
            DataType::UInt64 => "uint64",
            DataType::Resource => "resource",
            DataType::Variant => "variant",
            DataType::UInt32 => "uint32",
            DataType::UInt16 => "uint16",
            DataType::Int4 => "int4",
            DataType::BFloat16 => "bfloat16",
            DataType::Int2 => "int2",
            DataType::UInt4 => "uint4",
            DataType::Float8E4M3Fn => "float8_e4m3fn",
            DataType::Float8E5M2 => "float8_e5m2",
            DataType::Unknown(_) => "unknown",
        }
    }

    /// The known type of that name.
    pub fn from_name(name: &str) -> Option<DataType> {
        (0..=i8::MAX)
            .map(DataType::from_number)
            .take_while(|known| !matches!(known, DataType::Unknown(_)))
            .find(|known| known.name() == name)
    }

    /// Bits of one element; `None` where elements have no fixed size (strings, handles, unknown types).
    /// What a runtime makes of types below 8 bits, and of handles, is its own matter.
    pub fn bits(self) -> Option<u32> {
        match self {
            DataType::Int2 => Some(2),
            DataType::Int4 | DataType::UInt4 => Some(4),
            DataType::UInt8 | DataType::Bool | DataType::Int8 | DataType::Float8E4M3Fn | DataType::Float8E5M2 => {
                Some(8)
            }
            DataType::Float16 | DataType::Int16 | DataType::UInt16 | DataType::BFloat16 => Some(16),
            DataType::Float32 | DataType::Int32 | DataType::UInt32 => Some(32),
            DataType::Int64 | DataType::Complex64 | DataType::Float64 | DataType::UInt64 => Some(64),
            DataType::Complex128 => Some(128),
            DataType::String | DataType::Resource | DataType::Variant | DataType::Unknown(_) => None,
        }
    }
}
