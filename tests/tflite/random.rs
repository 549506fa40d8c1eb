//! Random graphs full of tensors of equal size, for the order of placement: splits into many parts, shapes shared in
//! place, sums that read a tensor twice, outputs nobody reads.

use arenascope::model::DataType::Float32;
use arenascope::model::{Activation, BuiltinOp, OpOptions};

use super::single::Case;
use super::support::{Graph, Model, Op};

/// How many graphs are made.
const GRAPHS: u64 = 6;

/// All cases.
pub(super) fn cases() -> Vec<Case> {
    (0..GRAPHS).map(|seed| (format!("random_{seed}"), graph(seed))).collect()
}

/// A generator of numbers (xorshift), so that every run makes the same graphs.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap_or(0)
    }
}

/// One graph of tensors of `[parts, 4]` floats and their parts.
fn graph(seed: u64) -> Vec<u8> {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed + 1));
    let parts = [3, 7, 14, 20, 31][dice.roll(5)];
    let mut graph = Graph::new("main");
    let full = [parts, 4];
    let mut tensors: Vec<i32> = (0..=dice.roll(3)).map(|_| graph.input("in", &full, Float32)).collect();
    let sum = OpOptions::Arithmetic { activation: Activation::None, pot_scale_int16: false };
    for _ in 0..10 + dice.roll(40) {
        let (a, b) = (tensors[dice.roll(tensors.len())], tensors[dice.roll(tensors.len())]);
        match dice.roll(7) {
            0 | 1 => {
                let out = graph.tensor("sum", &full, Float32);
                graph.op(Op::new(BuiltinOp::ADD, &[a, b], &[out]).with(sum.clone()));
                tensors.push(out);
            }
            2 => {
                let out = graph.tensor("shaped", &full, Float32);
                let shape = graph.constant_i32("shape", &full);
                graph.op(Op::new(BuiltinOp::RESHAPE, &[a, shape], &[out]));
                tensors.push(out);
            }
            3 => {
                let out = graph.tensor("relu", &full, Float32);
                graph.op(Op::new(BuiltinOp::RELU, &[a], &[out]));
                tensors.push(out);
            }
            4 => {
                let out = graph.tensor("softmax", &full, Float32);
                graph.op(Op::new(BuiltinOp::SOFTMAX, &[a], &[out]).with_raw(9, &[(0, 1.0)]));
                tensors.push(out);
            }
            5 => {
                let axis = graph.constant_i32("axis", &[1]);
                let out = graph.tensor("mean", &[parts, 1], Float32);
                let options = OpOptions::Reducer { keep_dims: true };
                graph.op(Op::new(BuiltinOp::MEAN, &[a, axis], &[out]).with(options));
                let wide = graph.tensor("wide", &full, Float32);
                graph.op(Op::new(BuiltinOp::MUL, &[b, out], &[wide]).with(sum.clone()));
                tensors.push(wide);
            }
            _ => {
                let rows: Vec<i32> = (0..parts).map(|_| graph.tensor("row", &[4], Float32)).collect();
                graph.op(Op::new(BuiltinOp::UNPACK, &[a], &rows).with(OpOptions::Unpack { num: parts, axis: 0 }));
                let mut order = rows.clone();
                for at in (1..order.len()).rev() {
                    order.swap(at, dice.roll(at + 1));
                }
                let out = graph.tensor("packed", &full, Float32);
                let pack = OpOptions::Pack { values_count: parts, axis: 0 };
                graph.op(Op::new(BuiltinOp::PACK, &order, &[out]).with(pack));
                tensors.push(out);
            }
        }
    }
    graph.outputs = tensors.iter().rev().take(1 + dice.roll(3)).copied().collect();
    Model::new(vec![graph]).build()
}
