//! Frames and the proof: fixtures by hand, and random graphs against a machine that writes every single byte.
#![expect(clippy::unwrap_used, reason = "a fixture that cannot be read has failed")]

#[path = "simulate/around.rs"]
mod around;
#[path = "simulate/graph.rs"]
mod graph;

use arenascope::plan::lower_bound;
use arenascope::runtime::{Program, Role};
use arenascope::simulate::{GapKind, Timeline, prove};
use arenascope::units::{ArenaId, BufferId, Step};

use graph::{Fixture, Made, Op, build, fixture};

/// The sentences about all clobbers of the text.
fn complaints(text: &str) -> Vec<String> {
    let Fixture { program, plans } = fixture(text);
    prove(&program, &plans).clobbers.iter().map(|clobber| clobber.message(&program)).collect()
}

fn names(program: &Program, ids: &[BufferId]) -> String {
    ids.iter().map(|id| program.buffer(*id).name.as_str()).collect::<Vec<_>>().join(" ")
}

const RESIDUAL: &str = "
    in a:16@0
    op CONV a -> b:30@32
    op CONV b -> c:16@64
    op ADD a c -> d:16@16
    out d";

#[test]
fn frame_shows_who_is_born_read_written_and_dies() {
    let Fixture { program, plans } = fixture(RESIDUAL);
    let timeline = Timeline::new(&program, &plans);
    let frame = timeline.frame_at(Step(1)).unwrap();
    assert_eq!(names(&program, &frame.born), "c");
    assert_eq!(names(&program, &frame.read), "b");
    assert_eq!(names(&program, &frame.written), "c");
    assert_eq!(names(&program, &frame.dies), "b");
    let slots: Vec<_> =
        frame.slots.iter().map(|slot| (program.buffer(slot.buffer).name.as_str(), slot.bytes())).collect();
    assert_eq!(slots, [("a", 0..16), ("b", 32..62), ("c", 64..80)]);
    assert_eq!(frame.live_bytes, 62);
    assert_eq!(frame.height_bytes, 80);
    assert_eq!(frame.free_bytes(), 16 + 2);
    assert_eq!(timeline.frames().count(), 3);
    assert!(timeline.frame_at(Step(3)).is_none());
    let last = timeline.frame_at(Step(2)).unwrap();
    assert_eq!(names(&program, &last.dies), "a c d");
    assert_eq!(last.gaps.last().map(|gap| (gap.kind, gap.bytes.clone())), Some((GapKind::Free, 32..64)));
}

#[test]
fn peak_is_the_first_fullest_tick() {
    let Fixture { program, plans } = fixture(RESIDUAL);
    let peak = Timeline::new(&program, &plans).peak(ArenaId(0)).unwrap();
    assert_eq!((peak.tick, peak.step, peak.live_bytes), (Step(1), Some(Step(1)), 62));
    assert_eq!(names(&program, &peak.buffers), "b a c");
}

#[test]
fn sharers_stand_in_their_roots_slot() {
    let text = "in a:8@0\nop CONV a -> b:8@8\nop RESHAPE b -> c:8=b\nop ADD c c -> d:8=b\nout d";
    let Fixture { program, plans } = fixture(text);
    let timeline = Timeline::new(&program, &plans);
    let frame = timeline.frame_at(Step(1)).unwrap();
    assert_eq!(frame.slots.len(), 1);
    assert_eq!(names(&program, &frame.slots[0].sharers), "c");
    assert_eq!(timeline.live_bytes(ArenaId(0), Step(1)), 8);
    assert_eq!(complaints(text), Vec::<String>::new());
}

#[test]
fn sound_plans_pass() {
    assert_eq!(complaints(RESIDUAL), Vec::<String>::new());
    // The input is free after its last reader when the runtime does not keep it.
    assert_eq!(complaints("in a:8@0\nop CONV a -> b:8@8\nop CONV b -> c:8@0\nout c"), Vec::<String>::new());
    // Side by side with scratch.
    assert_eq!(complaints("in a:8@0\nop CONV a -> b:8@8 ~s:8@16\nop CONV b -> c:8@16\nout c"), Vec::<String>::new());
}

#[test]
fn overwritten_bytes_are_named() {
    assert_eq!(
        complaints("in a:16@0\nop CONV a -> b:16@16\nop CONV b -> c:16@8\nop ADD a b -> d:16@32\nout d"),
        [
            "op 1 CONV writes t2 over bytes 16 to 23 of t1, which it needs at the same time",
            "op 1 CONV writes t2 over bytes 8 to 15 of t0, which op 2 ADD still needs",
        ]
    );
    assert_eq!(
        complaints("keep\nin a:16@0\nop CONV a -> b:16@16\nop CONV b -> c:16@0\nout c"),
        ["op 1 CONV writes t2 over bytes 0 to 15 of t0, which is needed after the last op"]
    );
    assert_eq!(
        complaints("in a:8@0\nop CONV a -> b:8@8\nop CONV a -> c:8@12\nout b c"),
        ["op 1 CONV writes t2 over bytes 12 to 15 of t1, which is needed after the last op"]
    );
    assert_eq!(
        complaints("in a:8@0\nop CONV a -> b:8@8 ~s:8@12\nout b"),
        ["op 0 CONV writes t1 over bytes 12 to 15 of t2, which it needs at the same time"]
    );
}

#[test]
fn outputs_may_lie_over_inputs_only_where_the_operator_allows() {
    // Element by element, at the same bytes, and nobody reads the input again.
    assert_eq!(complaints("in a:8@0\nop RELU a -> b:8@0\nout b"), Vec::<String>::new());
    assert_eq!(complaints("in a:8@0 b:8@8\nop ADD a b -> c:8@8\nout c"), Vec::<String>::new());
    // The same contents under another name: both stay readable.
    assert_eq!(complaints("in a:8@0\nop RESHAPE a -> b:8@0\nop ADD a b -> c:8@8\nout c"), Vec::<String>::new());
    let same_time = |op: &str| format!("op 0 {op} writes t1 over bytes 0 to 7 of t0, which it needs at the same time");
    assert_eq!(complaints("in a:8@0\nop CONV a -> b:8@0\nout b"), [same_time("CONV")]);
    // Shifted by some bytes, even an operator that works element by element reads what it wrote.
    assert_eq!(
        complaints("in a:8@0\nop RELU a -> b:8@4\nout b"),
        ["op 0 RELU writes t1 over bytes 4 to 7 of t0, which it needs at the same time"]
    );
    // The runtime shares, but a later operator reads the input.
    assert_eq!(
        complaints("in a:8@0\nop SOFTMAX a -> b:8=a\nop ADD a b -> c:8@8\nout c"),
        ["op 0 SOFTMAX writes t1 over bytes 0 to 7 of t0, which op 1 ADD still needs"]
    );
}

#[test]
fn state_must_survive_to_the_next_run() {
    let mut fixture = fixture("in s:8@0 a:8@8\nop CONV a s -> b:8@16\nop CONV b -> c:8@0\nout c");
    fixture.program.buffers[0].role = Role::Variable;
    let found = prove(&fixture.program, &fixture.plans).clobbers;
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].message(&fixture.program),
        "op 1 CONV writes t3 over bytes 0 to 7 of t0, which is needed after the last op"
    );
}

#[test]
fn sound_work_in_place_is_named_when_the_plan_does_it() {
    let found = |text: &str| {
        let Fixture { program, plans } = fixture(text);
        let proof = prove(&program, &plans);
        proof.in_place.iter().map(|found| found.message(&program)).collect::<Vec<_>>()
    };
    assert_eq!(
        found("in a:8@0\nop RELU a -> b:8@0\nout b"),
        [
            "op 0 RELU writes t1 over the bytes of t0, which it reads; it works element by element, and nobody reads the \
          input again"
        ]
    );
    // What the runtime shares itself needs no word, and what is unsound is no work in place.
    assert_eq!(found("in a:8@0\nop SOFTMAX a -> b:8=a\nout b"), Vec::<String>::new());
    assert_eq!(found("in a:8@0\nop RELU a -> b:8@0\nop ADD a b -> c:8@8\nout c"), Vec::<String>::new());
    // An accelerator's commands know what lies where.
    let npu = "in a:8@0\nop ethos-u a -> b:8@4\nout b";
    assert_eq!(complaints(npu), Vec::<String>::new());
    assert_eq!(found(npu), ["op 0 ethos-u writes t1 over the bytes of t0, which it reads; its own commands see to it"]);
}

#[test]
fn live_bytes_agree_with_the_bound_and_the_frames() {
    let mut state = 11;
    for _ in 0..200 {
        let (buffers, steps) = random_graph(&mut state, 6, 50);
        let Fixture { program, plans } = build(&buffers, &steps);
        let timeline = Timeline::new(&program, &plans);
        let live: Vec<u64> = (0..6).map(|tick| timeline.live_bytes(ArenaId(0), Step(tick))).collect();
        assert_eq!(live, timeline.frames().map(|frame| frame.live_bytes).collect::<Vec<_>>());
        let bound = lower_bound(&program.arenas[0].problem);
        assert_eq!(live.iter().max(), Some(&bound.live_bytes));
        assert_eq!(timeline.peak(ArenaId(0)).map(|peak| peak.tick), bound.live_step);
    }
}

/// The next number of a fixed sequence (Knuth's MMIX), below `below`.
fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

/// A random graph of `ops` operators with random offsets below `height`.
fn random_graph(state: &mut u64, ops: usize, height: u64) -> (Vec<Made>, Vec<Op>) {
    let mut buffers = Vec::new();
    let mut steps = Vec::new();
    let mut make = |state: &mut u64, role, step: usize| {
        let first = u32::try_from(step).unwrap();
        let bytes = 1 + random(state, 12);
        let offset = random(state, height);
        let name = format!("b{}", buffers.len());
        buffers.push(Made { name, bytes, offset, alias_of: None, role, first, last: first });
        buffers.len() - 1
    };
    make(state, Role::Input, 0);
    for step in 0..ops {
        let op_name = ["CONV", "RELU", "RESHAPE", "ADD"][usize::try_from(random(state, 4)).unwrap()];
        let known = u64::try_from(step + 1).unwrap();
        let mut reads: Vec<_> =
            (0..=random(state, 2)).map(|_| usize::try_from(random(state, known)).unwrap()).collect();
        reads.dedup();
        let write = make(state, Role::Intermediate, step);
        steps.push(Op { name: op_name.to_owned(), reads, writes: vec![write], scratch: Vec::new() });
    }
    for (step, op) in steps.iter().enumerate() {
        for read in &op.reads {
            buffers[*read].last = u32::try_from(step).unwrap();
        }
    }
    let last = buffers.len() - 1;
    buffers[last].role = Role::Output;
    (buffers, steps)
}

/// Runs the graph on real bytes that hold the number of their writer: whether every op and the caller find theirs.
fn runs_on_bytes(buffers: &[Made], ops: &[Op]) -> bool {
    let mut memory = vec![usize::MAX; 64];
    let bytes = |index: usize| {
        let start = usize::try_from(buffers[index].offset).unwrap();
        start..start + usize::try_from(buffers[index].bytes).unwrap()
    };
    // The number that each buffer's bytes must hold.
    let mut mark: Vec<usize> = (0..buffers.len()).collect();
    memory[bytes(0)].fill(0);
    for op in ops {
        let write = op.writes[0];
        let is_over = |read: &usize| bytes(*read) == bytes(write);
        if !op.reads.iter().all(|read| memory[bytes(*read)].iter().all(|byte| *byte == mark[*read])) {
            return false;
        }
        let over = op.reads.iter().find(|read| is_over(read)).copied().filter(|_| op.name != "CONV");
        if let (Some(over), "RESHAPE") = (over, op.name.as_str()) {
            mark[write] = mark[over];
        }
        memory[bytes(write)].fill(mark[write]);
        let kept = op.reads.iter().filter(|read| Some(**read) != over || op.name == "RESHAPE");
        if !kept.into_iter().all(|read| memory[bytes(*read)].iter().all(|byte| *byte == mark[*read])) {
            return false;
        }
    }
    let last = buffers.len() - 1;
    memory[bytes(last)].iter().all(|byte| *byte == mark[last])
}

#[test]
fn proof_agrees_with_a_machine_of_real_bytes() {
    let mut state = 7;
    let mut counts = [0_u32; 2];
    for round in 0..4000 {
        let ops = 1 + usize::try_from(random(&mut state, 5)).unwrap();
        let (buffers, steps) = random_graph(&mut state, ops, [24, 50][round % 2]);
        let Fixture { program, plans } = build(&buffers, &steps);
        let found = prove(&program, &plans).clobbers;
        let runs = runs_on_bytes(&buffers, &steps);
        assert_eq!(found.is_empty(), runs, "{buffers:#?} {steps:#?} {found:?}");
        counts[usize::from(runs)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 300), "both outcomes must be common: {counts:?}");
}

#[test]
fn long_chains_stay_fast() {
    let ops = 15_000;
    let mut buffers = Vec::new();
    let mut steps = Vec::new();
    for index in 0..=ops {
        let at = u32::try_from(index).unwrap();
        let offset = u64::try_from(index % 2).unwrap() * 64;
        let role = if index == 0 { Role::Input } else { Role::Intermediate };
        let (first, last) = (at.saturating_sub(1), at.min(u32::try_from(ops - 1).unwrap()));
        buffers.push(Made { name: format!("b{index}"), bytes: 64, offset, alias_of: None, role, first, last });
        if index > 0 {
            steps.push(Op {
                name: "CONV".to_owned(),
                reads: vec![index - 1],
                writes: vec![index],
                scratch: Vec::new(),
            });
        }
    }
    let Fixture { program, plans } = build(&buffers, &steps);
    let start = std::time::Instant::now();
    assert_eq!(prove(&program, &plans).clobbers, Vec::new());
    // Quadratic work would take minutes here.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
