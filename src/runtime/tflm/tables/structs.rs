//! Sizes in bytes of the structs that TFLite-Micro itself puts into the arena (tflite-micro 90b983c2).

use super::PerAbi;
use crate::runtime::Abi;

/// Struct sizes under one ABI, in bytes. Their alignment is that of a pointer, unless said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Structs {
    /// A pointer, and `size_t`.
    pub(crate) pointer: u64,
    /// `SingleArenaBufferAllocator`.
    pub(crate) single_arena: u64,
    /// `PersistentArenaBufferAllocator` (two arenas).
    pub(crate) persistent_arena: u64,
    /// `NonPersistentArenaBufferAllocator` (two arenas).
    pub(crate) non_persistent_arena: u64,
    /// `GreedyMemoryPlanner`.
    pub(crate) greedy_planner: u64,
    /// `LinearMemoryPlanner`: holds 1024 offsets.
    pub(crate) linear_planner: u64,
    /// `MicroAllocator`.
    pub(crate) micro_allocator: u64,
    /// `RecordingSingleArenaBufferAllocator`.
    pub(crate) recording_arena: u64,
    /// `RecordingMicroAllocator`.
    pub(crate) recording_allocator: u64,
    /// `MicroBuiltinDataAllocator`.
    pub(crate) builtin_allocator: u64,
    /// `SubgraphAllocations`.
    pub(crate) subgraph: u64,
    /// `TfLiteEvalTensor`.
    pub(crate) eval_tensor: u64,
    /// `NodeAndRegistration`.
    pub(crate) node: u64,
    /// `TfLiteTensor`.
    pub(crate) tensor: u64,
    /// `TfLiteAffineQuantization`.
    pub(crate) quantization: u64,
    /// `ScratchBufferHandle`.
    pub(crate) scratch_handle: u64,
    /// `internal::ScratchBufferRequest`.
    pub(crate) scratch_request: u64,
    /// `AllocationInfo`.
    pub(crate) allocation_info: u64,
    /// `MicroResourceVariables`.
    pub(crate) resource_manager: u64,
    /// `MicroResourceVariable`.
    pub(crate) resource_variable: u64,
}

impl Structs {
    /// The sizes under `abi`.
    pub(crate) const fn of(abi: Abi) -> Structs {
        Structs {
            pointer: PerAbi::by_pointer(8, 4).on(abi),
            single_arena: PerAbi::by_pointer(72, 36).on(abi),
            persistent_arena: PerAbi::by_pointer(32, 16).on(abi),
            non_persistent_arena: PerAbi::by_pointer(56, 32).on(abi),
            greedy_planner: PerAbi::by_pointer(72, 44).on(abi),
            linear_planner: PerAbi::by_pointer(8216, 4108).on(abi),
            micro_allocator: PerAbi::by_pointer(72, 36).on(abi),
            recording_arena: PerAbi::by_pointer(104, 52).on(abi),
            recording_allocator: PerAbi::by_pointer(248, 124).on(abi),
            builtin_allocator: PerAbi::by_pointer(16, 8).on(abi),
            subgraph: PerAbi::by_pointer(16, 8).on(abi),
            eval_tensor: PerAbi::by_pointer(24, 12).on(abi),
            node: PerAbi::by_pointer(64, 32).on(abi),
            tensor: PerAbi::new(64, 40, 32).on(abi),
            quantization: PerAbi::by_pointer(24, 12).on(abi),
            scratch_handle: PerAbi::by_pointer(8, 4).on(abi),
            scratch_request: PerAbi::by_pointer(16, 12).on(abi),
            allocation_info: PerAbi::by_pointer(32, 24).on(abi),
            resource_manager: PerAbi::by_pointer(16, 12).on(abi),
            resource_variable: PerAbi::by_pointer(40, 20).on(abi),
        }
    }

    /// Bytes of a `TfLiteIntArray` of `len` elements; its alignment is 4.
    pub(crate) const fn int_array(len: u64) -> u64 {
        4 + 4 * len
    }
}

/// Bytes that the greedy planner needs per buffer while planning, on every ABI (the header says 36).
pub(crate) const GREEDY_BYTES_PER_BUFFER: u64 = 40;
/// How many buffers the linear planner can hold.
pub(crate) const LINEAR_MAX_BUFFERS: u64 = 1024;
/// How many scratch requests the table in the head always has room for; also the limit per operator.
pub(crate) const REQUESTS_PER_OP: u64 = 12;
