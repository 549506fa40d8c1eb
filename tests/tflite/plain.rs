//! Models of one operator each: element by element, pools and images, types, random numbers, spectra.

use arenascope::model::DataType::{Bool, Float16, Float32, Int4, Int8, Int16, Int32, Int64, UInt8};
use arenascope::model::{Activation, BuiltinOp, OpOptions, Padding, Pair};

use super::single::Slot::{Fixed, Live, Numbers};
use super::single::{Case, Slot, case};

fn float(shape: &[i32]) -> Slot {
    Live(shape.to_vec(), Float32)
}

/// All cases.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = unary();
    cases.extend(images());
    cases.extend(types());
    cases.extend(others());
    cases
}

fn unary() -> Vec<Case> {
    use BuiltinOp as Op;
    let mut cases = Vec::new();
    for op in [
        Op::ABS,
        Op::HARD_SWISH,
        Op::RELU,
        Op::RELU_N1_TO_1,
        Op::RELU_0_TO_1,
        Op::RELU6,
        Op::TANH,
        Op::LOGISTIC,
        Op::LOG_SOFTMAX,
        Op::ELU,
        Op::EXP,
        Op::LOG,
        Op::SQRT,
        Op::RSQRT,
        Op::SIN,
        Op::COS,
        Op::NEG,
        Op::SQUARE,
        Op::FLOOR,
        Op::CEIL,
        Op::ROUND,
        Op::SIGN,
        Op::ZEROS_LIKE,
        Op::L2_NORMALIZATION,
    ] {
        cases.push(case("float", op, OpOptions::None, &[float(&[1, 3, 5])], &[float(&[1])]));
        cases.push(case("constant", op, OpOptions::None, &[Fixed(vec![4, 3], Float32)], &[float(&[1])]));
    }
    cases.push(case("float", Op::SOFTMAX, OpOptions::None, &[float(&[1, 3, 5])], &[float(&[1])]));
    cases.push(case("bool", Op::LOGICAL_NOT, OpOptions::None, &[Live(vec![3], Bool)], &[Live(vec![1], Bool)]));
    cases.push(case("float", Op::GELU, OpOptions::Gelu { approximate: true }, &[float(&[3, 5])], &[float(&[1])]));
    let slope = OpOptions::LeakyRelu { alpha: 0.5 };
    cases.push(case("float", Op::LEAKY_RELU, slope, &[float(&[3, 5])], &[float(&[1])]));
    let slopes = Fixed(vec![1, 1, 5], Float32);
    cases.push(case("float", Op::PRELU, OpOptions::None, &[float(&[2, 3, 4, 5]), slopes], &[float(&[1])]));
    let sum = OpOptions::Cumsum { exclusive: false, reverse: false };
    cases.push(case("float", Op::CUMSUM, sum, &[float(&[3, 5]), Fixed(vec![], Int32)], &[float(&[1])]));
    let turn = OpOptions::ReverseSequence { seq_dim: 1, batch_dim: 0 };
    let lengths = Live(vec![3], Int32);
    cases.push(case("float", Op::REVERSE_SEQUENCE, turn, &[float(&[3, 5]), lengths], &[float(&[1])]));
    for op in [Op::POW, Op::MINIMUM, Op::SQUARED_DIFFERENCE, Op::FLOOR_DIV, Op::FLOOR_MOD] {
        cases.push(case("float", op, OpOptions::None, &[float(&[2, 1]), float(&[3])], &[float(&[1])]));
    }
    cases.push(case("float", Op::ATAN2, OpOptions::None, &[float(&[2, 3]), float(&[2, 3])], &[float(&[1])]));
    for op in [Op::LESS, Op::LESS_EQUAL, Op::GREATER, Op::GREATER_EQUAL, Op::NOT_EQUAL] {
        cases.push(case("float", op, OpOptions::None, &[float(&[2, 1]), float(&[3])], &[Live(vec![1], Bool)]));
    }
    for op in [Op::LOGICAL_OR, Op::LOGICAL_AND] {
        let inputs = [Live(vec![2, 1], Bool), Live(vec![3], Bool)];
        cases.push(case("bool", op, OpOptions::None, &inputs, &[Live(vec![1], Bool)]));
    }
    for op in [Op::BITWISE_XOR, Op::RIGHT_SHIFT] {
        let inputs = [Live(vec![2, 1], Int32), Live(vec![3], Int32)];
        cases.push(case("int32", op, OpOptions::None, &inputs, &[Live(vec![1], Int32)]));
    }
    cases
}

fn images() -> Vec<Case> {
    use BuiltinOp as Op;
    let data = float(&[2, 8, 6, 4]);
    let pool = |padding| OpOptions::Pool2D {
        padding,
        stride: Pair { h: 2, w: 1 },
        filter: Pair { h: 3, w: 2 },
        activation: Activation::None,
    };
    let mut cases = Vec::new();
    for op in [Op::AVERAGE_POOL_2D, Op::MAX_POOL_2D, Op::L2_POOL_2D] {
        for (name, padding) in [("same", Padding::Same), ("valid", Padding::Valid)] {
            cases.push(case(name, op, pool(padding), std::slice::from_ref(&data), &[float(&[1, 1, 1, 1])]));
        }
    }
    let resize = OpOptions::Resize { align_corners: false, half_pixel_centers: false };
    for op in [Op::RESIZE_BILINEAR, Op::RESIZE_NEAREST_NEIGHBOR] {
        let output = [float(&[2, 5, 5, 4])];
        cases.push(case("fixed", op, resize.clone(), &[data.clone(), Numbers(vec![12, 7])], &output));
        cases.push(case("live", op, resize.clone(), &[data.clone(), Live(vec![2], Int32)], &output));
    }
    let block = OpOptions::BlockSize { block_size: 2 };
    for op in [Op::SPACE_TO_DEPTH, Op::DEPTH_TO_SPACE] {
        cases.push(case("two", op, block.clone(), std::slice::from_ref(&data), &[float(&[1, 1, 1, 1])]));
    }
    for op in [Op::SPACE_TO_BATCH_ND, Op::BATCH_TO_SPACE_ND] {
        let data = float(&[4, 8, 6, 4]);
        let fixed = [data.clone(), Numbers(vec![2, 2]), Fixed(vec![2, 2], Int32)];
        cases.push(case("fixed", op, OpOptions::None, &fixed, &[float(&[1, 1, 1, 1])]));
        let live = [data, Live(vec![2], Int32), Fixed(vec![2, 2], Int32)];
        cases.push(case("live", op, OpOptions::None, &live, &[float(&[1, 1, 1, 1])]));
    }
    let local = OpOptions::LocalResponseNormalization { radius: 2 };
    cases.push(case("float", Op::LOCAL_RESPONSE_NORMALIZATION, local, &[data], &[float(&[1])]));
    cases
}

fn types() -> Vec<Case> {
    use BuiltinOp as Op;
    let cast = |from, to| OpOptions::Cast { from, to };
    let mut cases = vec![
        case("live", Op::CAST, cast(Float32, Int64), &[float(&[3])], &[Live(vec![1], Int64)]),
        case("fixed", Op::CAST, cast(Int32, Float32), &[Numbers(vec![3, 4])], &[float(&[1])]),
        case("int8", Op::QUANTIZE, OpOptions::None, &[float(&[3])], &[Live(vec![1], Int8)]),
        case("int16", Op::QUANTIZE, OpOptions::None, &[float(&[3])], &[Live(vec![1], Int16)]),
        case("again", Op::QUANTIZE, OpOptions::None, &[Live(vec![3], Int8)], &[Live(vec![1], UInt8)]),
        case("int8", Op::DEQUANTIZE, OpOptions::None, &[Live(vec![3], Int8)], &[float(&[1])]),
    ];
    for (name, dtype) in [("fixed_float16", Float16), ("fixed_int8", Int8), ("fixed_int4", Int4)] {
        cases.push(case(name, Op::DEQUANTIZE, OpOptions::None, &[Fixed(vec![4, 6], dtype)], &[float(&[1])]));
    }
    cases
}

fn others() -> Vec<Case> {
    use BuiltinOp as Op;
    let seeds = OpOptions::Random { seed: 1, seed2: 2 };
    let number = || Fixed(Vec::new(), Int32);
    let mut cases = Vec::new();
    for op in [Op::RANDOM_UNIFORM, Op::RANDOM_STANDARD_NORMAL] {
        cases.push(case("fixed", op, seeds.clone(), &[Numbers(vec![2, 3])], &[float(&[1])]));
        cases.push(case("live", op, seeds.clone(), &[Live(vec![2], Int32)], &[float(&[2, 3])]));
    }
    let draws = [float(&[2, 5]), Live(vec![], Int32)];
    cases.push(case("live", Op::MULTINOMIAL, seeds, &draws, &[Live(vec![2, 3], Int32)]));
    let spectrum = [Live(vec![1, 4, 5], arenascope::model::DataType::Complex64)];
    let lengths = Numbers(vec![4, 8]);
    cases.push(case("fixed", Op::RFFT2D, OpOptions::None, &[float(&[1, 4, 8]), lengths], &spectrum));
    let lengths = Live(vec![2], Int32);
    cases.push(case("live", Op::RFFT2D, OpOptions::None, &[float(&[1, 4, 8]), lengths], &spectrum));
    let boxes = || [float(&[10, 4]), float(&[10])];
    let limits = || [number(), Fixed(vec![], Float32), Fixed(vec![], Float32)];
    let found = || [Live(vec![3], Int32), Live(vec![], Int32)];
    let fixed: Vec<Slot> = boxes().into_iter().chain(limits()).collect();
    cases.push(case("fixed", Op::NON_MAX_SUPPRESSION_V4, OpOptions::None, &fixed, &found()));
    let mut live = fixed.clone();
    live[2] = Live(vec![], Int32);
    cases.push(case("live", Op::NON_MAX_SUPPRESSION_V4, OpOptions::None, &live, &found()));
    let soft: Vec<Slot> = fixed.into_iter().chain([Fixed(vec![], Float32)]).collect();
    let outputs = [Live(vec![3], Int32), float(&[3]), Live(vec![], Int32)];
    cases.push(case("fixed", Op::NON_MAX_SUPPRESSION_V5, OpOptions::None, &soft, &outputs));
    let steps = OpOptions::Bucketize { boundaries: 0 };
    cases.push(case("float", Op::BUCKETIZE, steps, &[float(&[3])], &[Live(vec![1], Int32)]));
    cases
}
