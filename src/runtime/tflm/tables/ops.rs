//! One row per operator that TFLite-Micro can register (`MicroMutableOpResolver`, tflite-micro 90b983c2), with what it
//! allocates from the tail before preparing, and the temporary tensor structs that its preparing starts with.
//! Sizes of ops that no public model uses are derived from the fields of their structs.

use super::PerAbi;
use crate::model::BuiltinOp;
use crate::runtime::{Abi, Kernels};

/// What one operator allocates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpRow {
    /// The schema's name, or the custom operator's.
    pub(crate) name: &'static str,
    /// The method of `MicroMutableOpResolver` that registers it.
    pub(crate) add: &'static str,
    parse: PerAbi,
    parse_alignment: PerAbi,
    parse_compression: u64,
    init: PerAbi,
    init_cmsis: PerAbi,
    init_compression: u64,
    temps: &'static str,
    temps_cmsis: &'static str,
}

impl OpRow {
    /// Bytes and alignment of its parameter struct (`TfLite…Params`); 0 when it has none.
    pub(crate) fn parse(&self, abi: Abi, compression: bool) -> (u64, u64) {
        let alignment = self.parse_alignment.on(abi);
        match (compression, abi) {
            (true, Abi::Lp64) if self.parse_compression != 0 => (self.parse_compression, 8),
            _ => (self.parse.on(abi), alignment),
        }
    }

    /// Bytes of the data its `Init` allocates; 0 when it allocates none.
    pub(crate) fn init(&self, abi: Abi, kernels: Kernels, compression: bool) -> u64 {
        if kernels != Kernels::Reference {
            return self.init_cmsis.on(abi);
        }
        match (compression, abi) {
            (true, Abi::Lp64) if self.init_compression != 0 => self.init_compression,
            _ => self.init.on(abi),
        }
    }

    /// The first temporary tensors of its `Prepare`, in order: `i` input, `o` output, `?` may be absent.
    pub(crate) fn temps(&self, kernels: Kernels) -> &'static str {
        if kernels == Kernels::Reference { self.temps } else { self.temps_cmsis }
    }

    const fn new(name: &'static str, add: &'static str) -> OpRow {
        OpRow {
            name,
            add,
            parse: ZERO,
            parse_alignment: PerAbi::same(4),
            parse_compression: 0,
            init: ZERO,
            init_cmsis: ZERO,
            init_compression: 0,
            temps: "",
            temps_cmsis: "",
        }
    }

    const fn parses(mut self, bytes: PerAbi) -> OpRow {
        self.parse = bytes;
        self
    }

    const fn aligned(mut self, alignment: PerAbi) -> OpRow {
        self.parse_alignment = alignment;
        self
    }

    /// As measured with the Python wheel of 2026-10-23, a 64-bit build with compression; aligned to 8.
    const fn parses_compressed(mut self, bytes: u64) -> OpRow {
        self.parse_compression = bytes;
        self
    }

    const fn inits(mut self, bytes: PerAbi) -> OpRow {
        self.init = bytes;
        self.init_cmsis = bytes;
        self
    }

    const fn cmsis(mut self, bytes: PerAbi) -> OpRow {
        self.init_cmsis = bytes;
        self
    }

    /// With `USE_TFLM_COMPRESSION` on a 64-bit host (the Python wheel), reference kernels.
    const fn compressed(mut self, bytes: u64) -> OpRow {
        self.init_compression = bytes;
        self
    }

    const fn takes(mut self, temps: &'static str) -> OpRow {
        self.temps = temps;
        self.temps_cmsis = temps;
        self
    }

    const fn takes_cmsis(mut self, temps: &'static str) -> OpRow {
        self.temps_cmsis = temps;
        self
    }
}

/// The row of a builtin operator; `None` when TFLite-Micro has no kernel for it.
pub(crate) fn row(op: BuiltinOp) -> Option<&'static OpRow> {
    BUILTIN.iter().find(|row| row.name == op.name())
}

/// The row of a custom operator that TFLite-Micro brings along.
pub(crate) fn custom(name: &str) -> Option<&'static OpRow> {
    CUSTOM.iter().find(|row| row.name == name)
}

const ZERO: PerAbi = PerAbi::ZERO;

#[rustfmt::skip]
const BUILTIN: &[OpRow] = &[
    OpRow::new("ABS", "AddAbs").inits(PerAbi::same(28)).takes("i0 o0"),
    OpRow::new("ADD", "AddAdd").parses(PerAbi::new(8, 8, 2)).aligned(PerAbi::new(4, 4, 1)).inits(PerAbi::same(60)).takes("i0 i1 o0"),
    OpRow::new("ADD_N", "AddAddN").takes("i0 o0"),
    OpRow::new("ARG_MAX", "AddArgMax").parses(PerAbi::new(4, 4, 1)).aligned(PerAbi::new(4, 4, 1)),
    OpRow::new("ARG_MIN", "AddArgMin").parses(PerAbi::new(4, 4, 1)).aligned(PerAbi::new(4, 4, 1)),
    OpRow::new("ASSIGN_VARIABLE", "AddAssignVariable").compressed(4).takes("i1"),
    OpRow::new("AVERAGE_POOL_2D", "AddAveragePool2D").parses(PerAbi::same(40)).inits(PerAbi::same(32)).cmsis(PerAbi::same(36)).takes("i0 o0").takes_cmsis("i0 o0 i0 o0"),
    OpRow::new("BATCH_MATMUL", "AddBatchMatMul").parses(PerAbi::same(3)).aligned(PerAbi::same(1)).inits(PerAbi::by_pointer(32, 16)).cmsis(PerAbi::by_pointer(56, 36)).takes("i0 i1 o0"),
    OpRow::new("BATCH_TO_SPACE_ND", "AddBatchToSpaceNd").takes("i0 o0"),
    OpRow::new("BROADCAST_ARGS", "AddBroadcastArgs").takes("i0 i1 o0"),
    OpRow::new("BROADCAST_TO", "AddBroadcastTo").takes("i0 i1 o0"),
    OpRow::new("CALL_ONCE", "AddCallOnce").parses(PerAbi::same(4)).inits(PerAbi::same(8)),
    OpRow::new("CAST", "AddCast").parses(PerAbi::new(8, 8, 2)).aligned(PerAbi::new(4, 4, 1)).takes("i0 o0"),
    OpRow::new("CEIL", "AddCeil").takes("i0 o0"),
    OpRow::new("CONCATENATION", "AddConcatenation").parses(PerAbi::same(8)).inits(PerAbi::by_pointer(40, 24)).compressed(80).takes("i0 o0"),
    OpRow::new("CONV_2D", "AddConv2D").parses(PerAbi::same(28)).inits(PerAbi::by_pointer(72, 56)).cmsis(PerAbi::by_pointer(80, 60)).compressed(80).takes("o0 i0 i1").takes_cmsis("i0 i1 o0"),
    OpRow::new("COS", "AddCos").takes("i0 o0"),
    OpRow::new("CUMSUM", "AddCumSum").parses(PerAbi::same(2)).aligned(PerAbi::same(1)).takes("i0 i1 o0"),
    OpRow::new("DEPTH_TO_SPACE", "AddDepthToSpace").parses(PerAbi::same(4)).takes("i0 o0"),
    OpRow::new("DEPTHWISE_CONV_2D", "AddDepthwiseConv2D").parses(PerAbi::same(28)).inits(PerAbi::by_pointer(72, 56)).cmsis(PerAbi::by_pointer(80, 60)).compressed(80).takes("o0 i0 i1").takes_cmsis("i0 i1 o0"),
    OpRow::new("DEQUANTIZE", "AddDequantize").inits(PerAbi::same(32)).takes("i0 o0"),
    OpRow::new("DIV", "AddDiv").parses(PerAbi::new(4, 4, 1)).aligned(PerAbi::new(4, 4, 1)).inits(PerAbi::same(28)).takes("i0 i1 o0"),
    OpRow::new("DYNAMIC_UPDATE_SLICE", "AddDynamicUpdateSlice").takes("i0 i1 i2 o0"),
    OpRow::new("EMBEDDING_LOOKUP", "AddEmbeddingLookup").takes("i0 i1 o0"),
    OpRow::new("ELU", "AddElu").inits(PerAbi::same(256)).takes("i0 o0"),
    OpRow::new("EQUAL", "AddEqual").inits(PerAbi::same(32)).takes("i0 i1"),
    OpRow::new("EXP", "AddExp").takes("i0 o0"),
    OpRow::new("EXPAND_DIMS", "AddExpandDims").takes("i0 i1 o0"),
    OpRow::new("FILL", "AddFill").takes("i0 i1 o0"),
    OpRow::new("FLOOR", "AddFloor"),
    OpRow::new("FLOOR_DIV", "AddFloorDiv").takes("i0 i1 o0"),
    OpRow::new("FLOOR_MOD", "AddFloorMod").takes("i0 i1 o0"),
    OpRow::new("FULLY_CONNECTED", "AddFullyConnected").parses(PerAbi::new(16, 16, 5)).parses_compressed(32).aligned(PerAbi::new(4, 4, 1)).inits(PerAbi::by_pointer(64, 48)).cmsis(PerAbi::by_pointer(96, 72)).compressed(72).takes("i0 i1 i2? o0"),
    OpRow::new("GATHER", "AddGather").parses(PerAbi::same(8)).takes("i0 i1 o0"),
    OpRow::new("GATHER_ND", "AddGatherNd").takes("i0 i1 o0"),
    OpRow::new("GREATER", "AddGreater").inits(PerAbi::same(32)).takes("i0 i1"),
    OpRow::new("GREATER_EQUAL", "AddGreaterEqual").inits(PerAbi::same(32)).takes("i0 i1"),
    OpRow::new("HARD_SWISH", "AddHardSwish").inits(PerAbi::same(20)).takes("i0 o0"),
    OpRow::new("IF", "AddIf").parses(PerAbi::same(8)).inits(PerAbi::same(8)).takes("i0"),
    OpRow::new("L2_NORMALIZATION", "AddL2Normalization").parses(PerAbi::new(4, 4, 1)).aligned(PerAbi::new(4, 4, 1)).inits(PerAbi::same(4)).takes("i0 o0"),
    OpRow::new("L2_POOL_2D", "AddL2Pool2D").parses(PerAbi::same(40)).takes("o0 i0"),
    OpRow::new("LEAKY_RELU", "AddLeakyRelu").parses(PerAbi::same(4)).inits(PerAbi::same(24)).takes("i0 o0"),
    OpRow::new("LESS", "AddLess").inits(PerAbi::same(32)).takes("i0 i1"),
    OpRow::new("LESS_EQUAL", "AddLessEqual").inits(PerAbi::same(32)).takes("i0 i1"),
    OpRow::new("LOG", "AddLog").takes("i0 o0"),
    OpRow::new("LOGICAL_AND", "AddLogicalAnd"),
    OpRow::new("LOGICAL_NOT", "AddLogicalNot").takes("i0 o0"),
    OpRow::new("LOGICAL_OR", "AddLogicalOr"),
    OpRow::new("LOGISTIC", "AddLogistic").inits(PerAbi::same(16)).takes("i0 o0"),
    OpRow::new("LOG_SOFTMAX", "AddLogSoftmax").takes("i0 o0"),
    OpRow::new("MAXIMUM", "AddMaximum"),
    OpRow::new("MAX_POOL_2D", "AddMaxPool2D").parses(PerAbi::same(40)).inits(PerAbi::same(32)).cmsis(PerAbi::same(36)).takes("i0 o0"),
    OpRow::new("MIRROR_PAD", "AddMirrorPad").parses(PerAbi::new(4, 4, 1)).aligned(PerAbi::new(4, 4, 1)).inits(PerAbi::same(20)).takes("i0 i1 o0"),
    OpRow::new("MEAN", "AddMean").parses(PerAbi::same(1)).aligned(PerAbi::same(1)).inits(PerAbi::same(44)).takes("i0 o0 i1"),
    OpRow::new("MINIMUM", "AddMinimum"),
    OpRow::new("MUL", "AddMul").parses(PerAbi::new(4, 4, 1)).aligned(PerAbi::new(4, 4, 1)).inits(PerAbi::same(36)).takes("i0 i1 o0"),
    OpRow::new("NEG", "AddNeg"),
    OpRow::new("NOT_EQUAL", "AddNotEqual").inits(PerAbi::same(32)).takes("i0 i1"),
    OpRow::new("PACK", "AddPack").parses(PerAbi::same(8)),
    OpRow::new("PAD", "AddPad").inits(PerAbi::same(56)).takes("i0 i1 i2? o0"),
    OpRow::new("PADV2", "AddPadV2").inits(PerAbi::same(56)).takes("i0 i1 i2? o0"),
    OpRow::new("PRELU", "AddPrelu").inits(PerAbi::same(28)).takes("i0 i1 o0"),
    OpRow::new("QUANTIZE", "AddQuantize").inits(PerAbi::same(32)).takes("i0 o0"),
    OpRow::new("READ_VARIABLE", "AddReadVariable").takes("i0"),
    OpRow::new("REDUCE_ALL", "AddReduceAll").parses(PerAbi::same(1)).aligned(PerAbi::same(1)).inits(PerAbi::same(44)).takes("i0 o0 i1"),
    OpRow::new("REDUCE_MAX", "AddReduceMax").parses(PerAbi::same(1)).aligned(PerAbi::same(1)).inits(PerAbi::same(44)).takes("i0 i1"),
    OpRow::new("REDUCE_MIN", "AddReduceMin").parses(PerAbi::same(1)).aligned(PerAbi::same(1)).inits(PerAbi::same(44)).takes("i0 i1"),
    OpRow::new("RELU", "AddRelu").inits(PerAbi::same(28)).takes("i0 o0"),
    OpRow::new("RELU6", "AddRelu6").inits(PerAbi::same(8)).takes("i0"),
    OpRow::new("RESHAPE", "AddReshape").parses(PerAbi::same(36)).takes("i0 o0"),
    OpRow::new("RESIZE_BILINEAR", "AddResizeBilinear").parses(PerAbi::same(2)).aligned(PerAbi::same(1)).takes("i0 i1 o0"),
    OpRow::new("RESIZE_NEAREST_NEIGHBOR", "AddResizeNearestNeighbor").parses(PerAbi::same(2)).aligned(PerAbi::same(1)).takes("i0 i1 o0"),
    OpRow::new("REVERSE_V2", "AddReverseV2").takes("i0 i1 o0"),
    OpRow::new("ROUND", "AddRound").takes("i0 o0"),
    OpRow::new("RSQRT", "AddRsqrt").inits(PerAbi::same(28)).takes("i0 o0"),
    OpRow::new("SELECT_V2", "AddSelectV2").inits(PerAbi::same(1)).takes("i0 i1 i2 o0"),
    OpRow::new("SHAPE", "AddShape").parses(PerAbi::new(4, 4, 1)).aligned(PerAbi::new(4, 4, 1)),
    OpRow::new("SIN", "AddSin").takes("i0 o0"),
    OpRow::new("SLICE", "AddSlice").takes("i0 i1 i2 o0"),
    OpRow::new("SOFTMAX", "AddSoftmax").parses(PerAbi::same(4)).inits(PerAbi::by_pointer(80, 56)).cmsis(PerAbi::by_pointer(88, 64)).takes("i0 o0"),
    OpRow::new("SPACE_TO_BATCH_ND", "AddSpaceToBatchNd").inits(PerAbi::same(4)).takes("i0 o0"),
    OpRow::new("SPACE_TO_DEPTH", "AddSpaceToDepth").parses(PerAbi::same(4)).takes("i0 o0"),
    OpRow::new("SPLIT", "AddSplit").parses(PerAbi::same(4)).takes("i0"),
    OpRow::new("SPLIT_V", "AddSplitV").parses(PerAbi::same(4)).takes("i2"),
    OpRow::new("SQUEEZE", "AddSqueeze").parses(PerAbi::same(36)).takes("i0 o0"),
    OpRow::new("SQRT", "AddSqrt").takes("i0 o0"),
    OpRow::new("SQUARE", "AddSquare").takes("i0 o0"),
    OpRow::new("SQUARED_DIFFERENCE", "AddSquaredDifference").inits(PerAbi::same(112)).takes("i0 i1 o0"),
    OpRow::new("STRIDED_SLICE", "AddStridedSlice").parses(PerAbi::same(24)).inits(PerAbi::same(84)).takes("i0 i1 i2 i3 o0"),
    OpRow::new("SUB", "AddSub").parses(PerAbi::new(8, 8, 2)).aligned(PerAbi::new(4, 4, 1)).inits(PerAbi::same(52)).takes("i0 i1 o0"),
    OpRow::new("SUM", "AddSum").parses(PerAbi::same(1)).aligned(PerAbi::same(1)).inits(PerAbi::same(44)).takes("i0 o0 i1"),
    OpRow::new("SVDF", "AddSvdf").parses(PerAbi::new(12, 12, 8)).inits(PerAbi::same(36)).cmsis(PerAbi::by_pointer(48, 40)).takes("i0 i1 i2 i3? i4 o0"),
    OpRow::new("TANH", "AddTanh").inits(PerAbi::same(16)).takes("i0 i0 o0"),
    OpRow::new("TRANSPOSE_CONV", "AddTransposeConv").parses(PerAbi::new(20, 20, 16)).inits(PerAbi::by_pointer(80, 72)).cmsis(PerAbi::by_pointer(88, 76)).compressed(88).takes("o0 i2 i1"),
    OpRow::new("TRANSPOSE", "AddTranspose").takes("i0 i1 o0"),
    OpRow::new("UNPACK", "AddUnpack").parses(PerAbi::same(8)),
    OpRow::new("UNIDIRECTIONAL_SEQUENCE_LSTM", "AddUnidirectionalSequenceLSTM").parses(PerAbi::same(16)).inits(PerAbi::same(688)).cmsis(PerAbi::by_pointer(1008, 912)),
    OpRow::new("VAR_HANDLE", "AddVarHandle").parses(PerAbi::by_pointer(16, 8)).aligned(PerAbi::by_pointer(8, 4)).inits(PerAbi::same(4)),
    OpRow::new("WHILE", "AddWhile").parses(PerAbi::same(8)).inits(PerAbi::same(8)),
    OpRow::new("ZEROS_LIKE", "AddZerosLike").takes("i0 o0"),
];

#[rustfmt::skip]
const CUSTOM: &[OpRow] = &[
    OpRow::new("CIRCULAR_BUFFER", "AddCircularBuffer").inits(PerAbi::same(8)).takes("i0 o0"),
    OpRow::new("TFLM_DECODE", "AddDecode"),
    OpRow::new("SignalDelay", "AddDelay").inits(PerAbi::by_pointer(32, 20)).takes("i0 o0"),
    OpRow::new("TFLite_Detection_PostProcess", "AddDetectionPostprocess").inits(PerAbi::same(112)).takes("i0 i1 i2"),
    OpRow::new("SignalEnergy", "AddEnergy").inits(PerAbi::same(8)).takes("i0 o0"),
    OpRow::new("ethos-u", "AddEthosU").inits(PerAbi::same(12)),
    OpRow::new("SignalFftAutoScale", "AddFftAutoScale").takes("i0 o0 o1"),
    OpRow::new("SignalFilterBank", "AddFilterBank").inits(PerAbi::by_pointer(64, 36)).takes("i0 i1 i2 i3 i4 i5 o0"),
    OpRow::new("SignalFilterBankLog", "AddFilterBankLog").inits(PerAbi::same(8)).takes("i0 o0"),
    OpRow::new("SignalFilterBankSquareRoot", "AddFilterBankSquareRoot").takes("i0 i1 o0"),
    OpRow::new("SignalFilterBankSpectralSubtraction", "AddFilterBankSpectralSubtraction").inits(PerAbi::by_pointer(56, 44)).takes("i0 o0 o1"),
    OpRow::new("SignalFramer", "AddFramer").inits(PerAbi::by_pointer(40, 28)).takes("i0 o0 o1"),
    OpRow::new("SignalIrfft", "AddIrfft").inits(PerAbi::by_pointer(32, 24)).takes("i0 o0"),
    OpRow::new("SignalOverlapAdd", "AddOverlapAdd").inits(PerAbi::by_pointer(32, 24)).takes("i0 o0"),
    OpRow::new("SignalPCAN", "AddPCAN").inits(PerAbi::same(4)).takes("i0 i1 i2 o0"),
    OpRow::new("SignalRfft", "AddRfft").inits(PerAbi::by_pointer(48, 32)).takes("i0 o0"),
    OpRow::new("SignalStacker", "AddStacker").inits(PerAbi::by_pointer(56, 36)).takes("i0 o0 o1"),
    OpRow::new("SignalWindow", "AddWindow").inits(PerAbi::same(8)).takes("i0 i1 o0"),
];
