//! Models of one operator each: those that move, cut and shape data, and those that fold constants.

use arenascope::model::DataType::{Bool, Float32, Int8, Int32, Int64};
use arenascope::model::{Activation, BuiltinOp, OpOptions};

use super::single::Slot::{Fixed, Live, Numbers};
use super::single::{Case, Slot, case};

fn float(shape: &[i32]) -> Slot {
    Live(shape.to_vec(), Float32)
}

fn ints(shape: &[i32]) -> Slot {
    Live(shape.to_vec(), Int32)
}

fn numbers(values: &[i32]) -> Slot {
    Numbers(values.to_vec())
}

/// A case without options.
fn plain(name: &str, op: BuiltinOp, inputs: &[Slot], output: Slot) -> Case {
    case(name, op, OpOptions::None, inputs, &[output])
}

/// All cases.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = shapes();
    cases.extend(cuts());
    cases.extend(joins());
    cases.extend(picks());
    cases
}

fn shapes() -> Vec<Case> {
    use BuiltinOp as Op;
    let shape = |out_type| OpOptions::Shape { out_type };
    let reshape = |dims: &[i32]| OpOptions::Reshape { new_shape: dims.to_vec() };
    let squeeze = |dims: &[i32]| OpOptions::Squeeze { dims: dims.to_vec() };
    let scalar = |dtype| Fixed(Vec::new(), dtype);
    let one_hot = OpOptions::OneHot { axis: -1 };
    vec![
        case("int32", Op::SHAPE, shape(Int32), &[float(&[2, 3])], &[ints(&[2])]),
        case("int64", Op::SHAPE, shape(Int64), &[float(&[2, 3])], &[Live(vec![2], Int64)]),
        plain("float", Op::RANK, &[float(&[2, 3])], ints(&[])),
        plain("fixed", Op::RESHAPE, &[float(&[2, 6]), numbers(&[3, -1])], float(&[3, 4])),
        plain("live", Op::RESHAPE, &[float(&[2, 6]), ints(&[2])], float(&[3, 4])),
        plain("constant", Op::RESHAPE, &[numbers(&[2, 6]), numbers(&[1, -1])], ints(&[1, 2])),
        case("option", Op::RESHAPE, reshape(&[4, -1]), &[float(&[2, 6])], &[float(&[4, 3])]),
        plain("front", Op::EXPAND_DIMS, &[float(&[2, 6]), numbers(&[0])], float(&[1, 2, 6])),
        plain("back", Op::EXPAND_DIMS, &[float(&[2, 6]), numbers(&[-1])], float(&[2, 6, 1])),
        case("all", Op::SQUEEZE, squeeze(&[]), &[float(&[1, 2, 1])], &[float(&[2])]),
        case("one", Op::SQUEEZE, squeeze(&[-1]), &[float(&[1, 2, 1])], &[float(&[1, 2])]),
        plain("wider", Op::BITCAST, &[float(&[3, 2])], Live(vec![3], Int64)),
        plain("narrower", Op::BITCAST, &[ints(&[3])], Live(vec![3, 4], Int8)),
        plain("fixed", Op::BROADCAST_ARGS, &[numbers(&[2, 1, 3]), numbers(&[4, 1])], ints(&[3])),
        plain("live", Op::BROADCAST_ARGS, &[ints(&[3]), ints(&[2])], ints(&[3])),
        plain("fixed", Op::BROADCAST_TO, &[float(&[3, 1]), numbers(&[2, 3, 4])], float(&[2, 3, 4])),
        plain("live", Op::BROADCAST_TO, &[float(&[3, 1]), ints(&[3])], float(&[2, 3, 4])),
        plain("fixed", Op::TILE, &[float(&[3, 2]), numbers(&[2, 3])], float(&[6, 6])),
        plain("live", Op::TILE, &[float(&[3, 2]), ints(&[2])], float(&[6, 6])),
        plain("constant", Op::TILE, &[numbers(&[3, 2]), numbers(&[2])], ints(&[4])),
        plain("fixed", Op::FILL, &[numbers(&[2, 3]), Live(vec![], Float32)], float(&[2, 3])),
        plain("live", Op::FILL, &[ints(&[2]), Live(vec![], Float32)], float(&[2, 3])),
        plain("live", Op::RANGE, &[ints(&[]), ints(&[]), ints(&[])], ints(&[3])),
        plain("fixed", Op::TRANSPOSE, &[float(&[2, 3, 4]), numbers(&[2, 0, 1])], float(&[4, 2, 3])),
        plain("live", Op::TRANSPOSE, &[float(&[2, 3, 4]), ints(&[3])], float(&[4, 2, 3])),
        case(
            "live",
            Op::ONE_HOT,
            one_hot,
            &[ints(&[3]), ints(&[]), scalar(Float32), scalar(Float32)],
            &[float(&[3, 4])],
        ),
    ]
}

fn cuts() -> Vec<Case> {
    use BuiltinOp as Op;
    let strided = |begin_mask, end_mask, shrink_axis_mask| OpOptions::StridedSlice {
        begin_mask,
        end_mask,
        ellipsis_mask: 0,
        new_axis_mask: 0,
        shrink_axis_mask,
        offset: false,
    };
    let ellipsis = OpOptions::StridedSlice {
        begin_mask: 0,
        end_mask: 0,
        ellipsis_mask: 1,
        new_axis_mask: 2,
        shrink_axis_mask: 0,
        offset: false,
    };
    let data = float(&[4, 5, 6]);
    let at = |values: &[i32]| numbers(values);
    let split = |num_splits| OpOptions::Split { num_splits };
    let unpack = OpOptions::Unpack { num: 4, axis: 0 };
    let third = float(&[1]);
    vec![
        plain("fixed", Op::SLICE, &[data.clone(), at(&[1, 0, 2]), at(&[2, -1, 3])], float(&[2, 5, 3])),
        plain("live", Op::SLICE, &[data.clone(), ints(&[3]), at(&[2, 2, 3])], float(&[2, 2, 3])),
        plain("live_size", Op::SLICE, &[data.clone(), at(&[0, 0, 0]), ints(&[3])], float(&[2, 2, 3])),
        case(
            "masks",
            Op::STRIDED_SLICE,
            strided(1, 2, 4),
            &[data.clone(), at(&[1, 1, 2]), at(&[3, 4, 3]), at(&[1, 2, 1])],
            &[float(&[1])],
        ),
        case(
            "back",
            Op::STRIDED_SLICE,
            strided(7, 7, 0),
            &[data.clone(), at(&[0, 0, 0]), at(&[0, 0, 0]), at(&[-1, -2, 1])],
            &[float(&[1])],
        ),
        case(
            "ellipsis",
            Op::STRIDED_SLICE,
            ellipsis,
            &[data.clone(), at(&[0, 0]), at(&[0, 0]), at(&[1, 1])],
            &[float(&[1])],
        ),
        case(
            "live",
            Op::STRIDED_SLICE,
            strided(0, 0, 0),
            &[data.clone(), ints(&[1]), ints(&[1]), at(&[1])],
            &[float(&[2, 5, 6])],
        ),
        case(
            "constant",
            Op::STRIDED_SLICE,
            strided(0, 0, 1),
            &[at(&[7, 8, 9]), at(&[1]), at(&[2]), at(&[1])],
            &[ints(&[])],
        ),
        case("three", Op::SPLIT, split(3), &[at(&[2]), data.clone()], &vec![third.clone(); 3]),
        case("live", Op::SPLIT, split(3), &[ints(&[1]), data.clone()], &vec![third.clone(); 3]),
        case("three", Op::SPLIT_V, split(3), &[data.clone(), at(&[1, -1, 2]), at(&[1])], &vec![third.clone(); 3]),
        case("live", Op::SPLIT_V, split(2), &[data.clone(), ints(&[2]), at(&[1])], &vec![third; 2]),
        case("four", Op::UNPACK, unpack, std::slice::from_ref(&data), &vec![float(&[1]); 4]),
        plain("fixed", Op::PAD, &[float(&[2, 3]), fixed_pads(&[1, 2, 0, 3])], float(&[1, 1])),
        plain("live", Op::PAD, &[float(&[2, 3]), ints(&[2, 2])], float(&[5, 6])),
        plain("fixed", Op::PADV2, &[float(&[2, 3]), ints(&[2, 2]), Fixed(vec![1], Float32)], float(&[5, 6])),
        case(
            "live",
            Op::MIRROR_PAD,
            OpOptions::MirrorPad { mode: 0 },
            &[float(&[4, 3]), ints(&[2, 2])],
            &[float(&[6, 5])],
        ),
        plain("fixed", Op::DYNAMIC_UPDATE_SLICE, &[float(&[4, 5]), float(&[2, 2]), at(&[1, 1])], float(&[4, 5])),
    ]
}

/// Paddings need two dims: as numbers they have one, which the runtime refuses, so the file's zeros stand for them.
fn fixed_pads(values: &[i32]) -> Slot {
    let pairs = i32::try_from(values.len() / 2).unwrap_or(0);
    Fixed(vec![pairs, 2], Int32)
}

fn joins() -> Vec<Case> {
    use BuiltinOp as Op;
    let concatenate = |axis| OpOptions::Concatenation { axis, activation: Activation::None };
    let pack = |values_count, axis| OpOptions::Pack { values_count, axis };
    vec![
        case("last", Op::CONCATENATION, concatenate(-1), &[float(&[2, 3]), float(&[2, 5])], &[float(&[1])]),
        case("constants", Op::CONCATENATION, concatenate(0), &[numbers(&[2, 3]), numbers(&[4])], &[ints(&[1])]),
        case("mixed", Op::CONCATENATION, concatenate(0), &[numbers(&[2, 3]), ints(&[1])], &[ints(&[1])]),
        case("live", Op::PACK, pack(2, 1), &[float(&[2, 3]), float(&[2, 3])], &[float(&[1])]),
        case("constants", Op::PACK, pack(2, 0), &[numbers(&[2, 3]), numbers(&[4, 5])], &[ints(&[1])]),
        plain("scratch", Op::ADD_N, &[float(&[2, 3]), float(&[2, 3]), float(&[2, 3])], float(&[1])),
        case("broadcast", Op::ADD, add(), &[float(&[2, 3, 1]), float(&[3, 4])], &[float(&[1])]),
        case("scalar", Op::ADD, add(), &[float(&[2, 3]), Fixed(vec![], Float32)], &[float(&[1])]),
        case("constants", Op::ADD, add(), &[numbers(&[1, 2]), numbers(&[3, 4])], &[ints(&[1])]),
        case("constants", Op::MUL, add(), &[numbers(&[1, 2]), numbers(&[3, 4])], &[ints(&[1])]),
        case("constants", Op::SUB, add(), &[numbers(&[1, 2]), numbers(&[3, 4])], &[ints(&[1])]),
        case("constants", Op::DIV, add(), &[numbers(&[1, 2]), numbers(&[3, 4])], &[ints(&[1])]),
        plain("constants", Op::MAXIMUM, &[numbers(&[1, 2]), numbers(&[3, 4])], ints(&[1])),
        plain("constants", Op::EQUAL, &[numbers(&[1, 2]), numbers(&[3, 4])], Live(vec![1], Bool)),
        plain("v1", Op::SELECT, &[Live(vec![2], Bool), float(&[2, 3]), float(&[2, 3])], float(&[1])),
        plain("v2", Op::SELECT_V2, &[Live(vec![3], Bool), float(&[2, 1]), float(&[1, 3])], float(&[1])),
    ]
}

fn add() -> OpOptions {
    OpOptions::Arithmetic { activation: Activation::None, pot_scale_int16: false }
}

fn picks() -> Vec<Case> {
    use BuiltinOp as Op;
    let gather = |axis, batch_dims| OpOptions::Gather { axis, batch_dims };
    let mut cases = vec![
        case("axis", Op::GATHER, gather(1, 0), &[float(&[2, 5, 3]), ints(&[4, 2])], &[float(&[1])]),
        case("batched", Op::GATHER, gather(1, 1), &[float(&[2, 5, 3]), ints(&[2, 4])], &[float(&[1])]),
        case("constants", Op::GATHER, gather(0, 0), &[numbers(&[7, 8, 9]), numbers(&[2, 0])], &[ints(&[1])]),
        plain("live", Op::GATHER_ND, &[float(&[2, 5, 3]), ints(&[4, 2])], float(&[1])),
        plain("fixed", Op::SCATTER_ND, &[ints(&[4, 1]), float(&[4, 3]), numbers(&[8, 3])], float(&[1])),
        plain("live", Op::SCATTER_ND, &[ints(&[4, 1]), float(&[4, 3]), ints(&[2])], float(&[8, 3])),
        plain("live", Op::WHERE, &[Live(vec![3, 4], Bool)], Live(vec![5, 2], Int64)),
        plain("fixed", Op::WHERE, &[Fixed(vec![3, 4], Bool)], Live(vec![5, 2], Int64)),
        case("live", Op::UNIQUE, OpOptions::Unique { idx_out_type: Int32 }, &[float(&[6])], &[float(&[4]), ints(&[6])]),
        case("fixed", Op::TOPK_V2, OpOptions::None, &[float(&[3, 8]), scalar_number(2)], &[float(&[1]), ints(&[1])]),
        case("live", Op::TOPK_V2, OpOptions::None, &[float(&[3, 8]), ints(&[])], &[float(&[3, 2]), ints(&[3, 2])]),
        plain("live", Op::EMBEDDING_LOOKUP, &[ints(&[3]), Fixed(vec![8, 4], Float32)], float(&[1, 1])),
        plain("live", Op::SEGMENT_SUM, &[float(&[6, 2]), ints(&[6])], float(&[3, 2])),
        plain("fixed", Op::SEGMENT_SUM, &[float(&[4, 2]), numbers(&[0, 0, 1, 2])], float(&[3, 2])),
        plain("live", Op::MATRIX_DIAG, &[float(&[2, 3])], float(&[1])),
        plain("live", Op::REVERSE_V2, &[float(&[2, 3]), numbers(&[1])], float(&[1])),
    ];
    for op in [Op::ARG_MAX, Op::ARG_MIN] {
        let options = OpOptions::ArgMinMax { output_type: Int32 };
        cases.push(case("fixed", op, options.clone(), &[float(&[3, 8]), numbers(&[1])], &[ints(&[1])]));
        cases.push(case("live", op, options, &[float(&[3, 8]), ints(&[1])], &[ints(&[3])]));
    }
    for op in [Op::UNSORTED_SEGMENT_PROD, Op::UNSORTED_SEGMENT_MAX, Op::UNSORTED_SEGMENT_SUM, Op::UNSORTED_SEGMENT_MIN]
    {
        cases.push(plain("fixed", op, &[float(&[6, 2]), ints(&[6]), scalar_number(3)], float(&[1])));
        cases.push(plain("live", op, &[float(&[6, 2]), ints(&[6]), ints(&[])], float(&[3, 2])));
    }
    cases
}

/// One number; a vector of one where the kernels take either.
fn scalar_number(value: i32) -> Slot {
    Numbers(vec![value])
}
