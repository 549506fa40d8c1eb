//! Thousands of damaged files, the same ones in every run: none panics, none takes long, and what is read holds
//! what the model promises. The fuzz target `read` does the same without bounds.

use std::time::{Duration, Instant};

use arenascope::container::{self, Contents};
use arenascope::model::{self, BufferData, OpOptions};

use crate::containers;
use crate::support::{DataPlace, Model, graph_text};

const NET: &str = "
    in    x:f32[1,8]
    const w:f32[4,8]
    var   s:f32[4]
    FULLY_CONNECTED x w _ -> y:f32[1,4]
    op    y s -> z:f32[1,4]
    ADD   y z -> out:f32[1,4]
    out   out
    graph other
    in    a:16
    op    a -> b:32
    out   b";

/// A second, and room for a build without optimisation on a busy machine.
const MOST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });

/// Damaged variants of each seed.
const VARIANTS: usize = 3000;

#[test]
fn damaged_models_never_panic() {
    let plain = graph_text::parse(NET);
    let mut planned = Model { data: DataPlace::Behind, ..plain.clone() };
    planned.offline_plan(&[-1, -1, -1, 0, 16, 32, -1, -1]);
    for seed in [plain.build(), planned.build()] {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        for _ in 0..VARIANTS {
            let bytes = damage(&seed, &mut random);
            let start = Instant::now();
            if let Ok(model) = model::read(&bytes) {
                keeps_promises(&model, &bytes);
            }
            assert!(start.elapsed() < MOST, "took {:?}", start.elapsed());
        }
    }
}

#[test]
fn damaged_containers_never_panic() {
    let model = graph_text::parse(NET).build();
    for seed in containers::wrapped(&model) {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for _ in 0..VARIANTS / 10 {
            let bytes = damage(&seed, &mut random);
            let start = Instant::now();
            if let Ok(Contents::Models(candidates)) = container::open(&bytes, Some("seed")) {
                for candidate in candidates {
                    if let Ok(inner) = candidate.bytes(&bytes) {
                        let _model_or_error = model::read(&inner);
                    }
                }
            }
            assert!(start.elapsed() < MOST, "took {:?}", start.elapsed());
        }
    }
}

/// Every index of a model that was read leads somewhere.
fn keeps_promises(model: &model::Model, bytes: &[u8]) {
    let len = bytes.len() as u64;
    assert!(!model.subgraphs.is_empty());
    for graph in &model.subgraphs {
        let exists = |id: &Option<arenascope::units::TensorId>| id.is_none_or(|id| id.index() < graph.tensors.len());
        assert!(graph.inputs.iter().chain(&graph.outputs).all(exists));
        assert!(graph.tensors.iter().all(|tensor| (tensor.buffer as usize) < model.buffers.len()));
        for op in &graph.operators {
            assert!(op.inputs.iter().chain(&op.outputs).chain(&op.intermediates).all(exists));
            assert!((op.code as usize) < model.operator_codes.len());
            if let OpOptions::Custom { bytes } = &op.options {
                assert!(bytes.end <= len);
            }
        }
    }
    for buffer in &model.buffers {
        if let BufferData::File(range) = &buffer.data {
            assert!(range.start <= range.end && range.end <= len);
        }
    }
    assert!(model.metadata.iter().all(|entry| (entry.buffer as usize) < model.buffers.len()));
    for signature in &model.signatures {
        let tensors = model.subgraph(signature.subgraph).tensors.len();
        assert!(signature.inputs.iter().chain(&signature.outputs).all(|(_, id)| id.index() < tensors));
    }
}

/// One to four wounds: flipped bits, telling numbers, moved, doubled or missing pieces.
fn damage(seed: &[u8], random: &mut Random) -> Vec<u8> {
    const TELLING: [u32; 8] = [0, 1, 4, 0x7f, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 | 1 => bytes[at] ^= 1 << random.below(8),
            2 => {
                let place = at & !3;
                let value = TELLING[random.below(TELLING.len())].to_le_bytes();
                bytes.iter_mut().skip(place).zip(value).for_each(|(byte, new)| *byte = new);
            }
            3 => {
                let from = random.below(bytes.len());
                let piece: Vec<u8> = bytes.iter().skip(from).take(1 + random.below(16)).copied().collect();
                bytes.iter_mut().skip(at).zip(piece).for_each(|(byte, new)| *byte = new);
            }
            4 => {
                let end = (at + 1 + random.below(16)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => bytes.truncate(at.max(1)),
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

/// Marsaglia's xorshift: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }
}
