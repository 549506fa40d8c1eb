//! Order problems as text: `T id size is_kept`, `O id inputs : outputs`, `E before after`.

use std::collections::BTreeMap;

use arenascope::schedule::{OrderOp, OrderProblem, OrderTensor};

/// Reads an order problem.
pub(crate) fn problem(text: &str) -> OrderProblem {
    let mut tensors = Vec::new();
    let mut index_of = BTreeMap::new();
    let (mut ops, mut edges) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<usize>().unwrap();
        match words[0] {
            "T" => {
                index_of.insert(number(1), tensors.len());
                tensors.push(OrderTensor { size_bytes: words[2].parse().unwrap(), is_kept: words[3] == "1" });
            }
            "O" => {
                assert_eq!(number(1), ops.len(), "operators come in order: {line}");
                let colon = words.iter().position(|word| *word == ":").unwrap();
                let ids = |range: std::ops::Range<usize>| range.map(|at| index_of[&number(at)]).collect();
                ops.push(OrderOp { inputs: ids(2..colon), outputs: ids(colon + 1..words.len()), scratch_bytes: 0 });
            }
            "E" => edges.push((number(1), number(2))),
            other => panic!("line of kind {other:?}"),
        }
    }
    OrderProblem::new(tensors, ops, edges).unwrap()
}

/// A random layered graph: every operator reads one to three tensors of the layer above.
pub(crate) fn layered(seed: u64, layers: usize, width: usize) -> OrderProblem {
    let mut random = Random(seed);
    let mut tensors: Vec<OrderTensor> =
        (0..width).map(|_| OrderTensor { size_bytes: 16 * (1 + random.below(20)), is_kept: false }).collect();
    let mut ops = Vec::new();
    for layer in 1..layers {
        for _ in 0..width {
            let count = 1 + random.below(3);
            let base = (layer - 1) * width;
            let inputs = (0..count).map(|_| base + usize::try_from(random.below(width as u64)).unwrap()).collect();
            ops.push(OrderOp { inputs, outputs: vec![tensors.len()], scratch_bytes: 0 });
            let is_kept = layer + 1 == layers;
            tensors.push(OrderTensor { size_bytes: 16 * (1 + random.below(20)), is_kept });
        }
    }
    OrderProblem::new(tensors, ops, Vec::new()).unwrap()
}

/// A small generator (xorshift) so that the graphs are the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
        let mut x = self.0;
        x ^= x >> 29;
        x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^= x >> 32;
        x % end
    }
}
