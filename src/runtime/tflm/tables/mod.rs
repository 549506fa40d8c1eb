//! What TFLite-Micro costs, as data: sizes of its structs, and one row per operator it can register.
//! Every number is that of tflite-micro 90b983c2 (2026-08-20), measured or derived from the structs' fields.

mod ops;
mod structs;

pub(super) use ops::{OpRow, custom, row};
pub(super) use structs::{GREEDY_BYTES_PER_BUFFER, LINEAR_MAX_BUFFERS, REQUESTS_PER_OP, Structs};

use crate::runtime::Abi;

/// A size that depends on the ABI: 64-bit host, 32-bit with 4-byte enums, arm-none-eabi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PerAbi {
    lp64: u64,
    ilp32: u64,
    arm: u64,
}

impl PerAbi {
    /// No bytes anywhere.
    pub(super) const ZERO: PerAbi = PerAbi::same(0);

    /// Three sizes.
    pub(super) const fn new(lp64: u64, ilp32: u64, arm: u64) -> PerAbi {
        PerAbi { lp64, ilp32, arm }
    }

    /// The same size everywhere.
    pub(super) const fn same(bytes: u64) -> PerAbi {
        PerAbi { lp64: bytes, ilp32: bytes, arm: bytes }
    }

    /// One size for 64-bit hosts, another for both 32-bit ABIs.
    pub(super) const fn by_pointer(lp64: u64, narrow: u64) -> PerAbi {
        PerAbi { lp64, ilp32: narrow, arm: narrow }
    }

    /// The size under `abi`.
    pub(super) const fn on(self, abi: Abi) -> u64 {
        match abi {
            Abi::Lp64 => self.lp64,
            Abi::Ilp32 => self.ilp32,
            Abi::Arm => self.arm,
        }
    }
}
