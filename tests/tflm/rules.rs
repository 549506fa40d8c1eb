//! TFLite-Micro's rules on graphs made here: what is planned and when, offline plans, refusals, and the tools around them.

use arenascope::advise::compare::{Comparison, Reason, compare};
use arenascope::model::{self, BuiltinOp, DataType, OpOptions};
use arenascope::plan::{self, Strategy};
use arenascope::runtime::tflm::{self, Category, Condition, KernelNeeds};
use arenascope::runtime::{Abi, Kernels, Options, Place, RuntimeKind};

use crate::facts::{self, Planned};
use crate::generated::{custom, one};
use crate::generated_ops::with_options;
use crate::support::{Graph, Model, OMITTED, Op, graph_text};

fn options() -> Options {
    Options::new(RuntimeKind::Tflm)
}

fn plan_text(text: &str) -> Planned {
    facts::planned(&graph_text::parse(text).build(), &options()).unwrap()
}

/// Name, first and last scope, offset of each planned buffer.
fn placed(planned: &Planned) -> Vec<(String, i64, i64, u64)> {
    let arena = &planned.program.arenas[0];
    let label = |tick: u32| i64::from(tick) + planned.program.first_label;
    let rows = arena.buffers.iter().zip(arena.problem.requests()).zip(&planned.plan.offsets);
    rows.map(|((id, request), offset)| {
        let name = planned.program.buffer(*id).name.clone();
        (name, label(request.live.first().0), label(request.live.last().0), *offset)
    })
    .collect()
}

fn row(name: &str, first: i64, last: i64, offset: u64) -> (String, i64, i64, u64) {
    (name.to_owned(), first, last, offset)
}

#[test]
fn inputs_die_with_their_last_reader_and_outputs_stay() {
    let planned = plan_text(
        "in  a:16 unused:16
         RELU a -> b:32
         NEG b -> c:16
         NEG c -> d:16
         out b d",
    );
    let expected =
        [row("a", 0, 1, 32), row("unused", 0, 0, 0), row("b", 1, 3, 0), row("c", 2, 3, 48), row("d", 3, 3, 32)];
    assert_eq!(placed(&planned), expected);
    assert_eq!(planned.needs.unwrap().head_bytes, 64);
}

#[test]
fn what_is_never_used_conflicts_only_with_its_like() {
    let mut model = graph_text::parse("in a:16\nNEG a -> b:16\nout b");
    model.graphs[0].tensor("orphan", &[100], DataType::Int8);
    let planned = facts::planned(&model.build(), &options()).unwrap();
    assert_eq!(planned.program.first_label, -1, "step 0 stands for what is never reached");
    assert_eq!(placed(&planned), [row("a", 0, 1, 16), row("b", 1, 1, 0), row("orphan", -1, -1, 0)]);
    assert_eq!(planned.needs.unwrap().head_bytes, 112);
}

#[test]
fn a_call_keeps_the_callers_tensors() {
    let mut main = Graph::new("main");
    let (condition, x) = (main.input("condition", &[1], DataType::Bool), main.input("x", &[16], DataType::Int8));
    let y = main.tensor("y", &[16], DataType::Int8);
    let branches = OpOptions::If {
        then_subgraph: arenascope::units::SubgraphId(1),
        else_subgraph: arenascope::units::SubgraphId(1),
    };
    main.op(Op::new(BuiltinOp::IF, &[condition, x], &[y]).with(branches));
    main.outputs = vec![y];
    let mut branch = Graph::new("branch");
    let p = branch.input("p", &[16], DataType::Int8);
    let q = branch.tensor("q", &[16], DataType::Int8);
    branch.op(Op::new(BuiltinOp::NEG, &[p], &[q]));
    branch.outputs = vec![q];
    let planned = facts::planned(&Model::new(vec![main, branch]).build(), &options()).unwrap();
    let spans: Vec<_> = placed(&planned).into_iter().map(|(name, first, last, _)| (name, first, last)).collect();
    let expected = [("condition", 0, 5), ("x", 0, 5), ("y", 1, 5), ("p", 2, 5), ("q", 3, 5)];
    assert_eq!(spans, expected.map(|(name, first, last)| (name.to_owned(), first, last)));
    let names: Vec<_> = planned.program.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["START", "IF", "ENTER", "NEG", "ENTER", "NEG"]);
}

/// A chain of three with an offline plan.
fn chain(offsets: &[i32]) -> Vec<u8> {
    let mut model = graph_text::parse("in a:64\nNEG a -> b:64\nNEG b -> c:64\nout c");
    model.offline_plan(offsets);
    model.build()
}

#[test]
fn an_offline_plan_is_obeyed_and_compared_with_the_runtimes_own() {
    let planned = facts::planned(&chain(&[0, 256, -1]), &options()).unwrap();
    assert_eq!(placed(&planned), [row("a", 0, 1, 0), row("b", 1, 2, 256), row("c", 2, 2, 0)]);
    let facts = tflm::offline_facts(&planned.program, &planned.plan).unwrap().unwrap();
    assert_eq!((facts.placed, facts.left, facts.height_bytes, facts.greedy_bytes), (2, 1, 320, 128));
    assert!(facts.overlaps.is_empty() && facts.unaligned.is_empty(), "{facts:?}");
}

#[test]
fn an_offline_overlap_is_named_and_one_in_place_told_apart() {
    let planned = facts::planned(&chain(&[0, 32, 8]), &options()).unwrap();
    let facts = tflm::offline_facts(&planned.program, &planned.plan).unwrap().unwrap();
    let named: Vec<_> = facts
        .overlaps
        .iter()
        .map(|overlap| {
            let name = |index: usize| planned.program.buffer(overlap.buffers[index]).name.clone();
            (name(0), name(1), overlap.steps[0].0, overlap.first_byte, overlap.bytes, overlap.in_place)
        })
        .collect();
    let expected = [("a", "b", 1, 32, 32, true), ("b", "c", 2, 32, 40, true)];
    assert_eq!(
        named,
        expected.map(|(a, b, step, at, bytes, in_place)| (a.to_owned(), b.to_owned(), step, at, bytes, in_place))
    );
    assert_eq!(facts.unaligned.len(), 1, "8 is no multiple of 16");
}

#[test]
fn an_offline_plan_of_another_length_is_refused_in_words() {
    let planned = facts::planned(&chain(&[0, 256]), &options()).unwrap();
    assert!(planned.needs.is_none());
    let refusal = planned.micro().refusal.as_ref().unwrap();
    assert!(refusal.reason.contains("2 offsets, but the model has 3 tensors"), "{}", refusal.reason);
    let warning = planned.program.warnings.iter().find(|warning| warning.code == "refused").unwrap();
    assert!(warning.message.contains("planning the head"), "{}", warning.message);
}

/// The reason of a refusal.
fn reason(bytes: &[u8], options: &Options) -> String {
    let planned = facts::planned(bytes, options).unwrap();
    let refusal = planned.micro().refusal.clone().expect("it is refused");
    format!("{} | {}", refusal.reason, refusal.log.join(" | "))
}

#[test]
fn refusals_say_the_runtimes_reason() {
    let mut dynamic = Graph::new("main");
    let from = dynamic.input("a", &[1, 4], DataType::Float32);
    let to = dynamic.tensor("b", &[-1, 4], DataType::Float32);
    dynamic.op(Op::new(BuiltinOp::NEG, &[from], &[to]));
    let text = reason(&Model::new(vec![dynamic]).build(), &options());
    assert!(text.contains("Op#0 (NEG) of subgraph 0 has dynamic tensor #1"), "{text}");

    let mut hybrid = Graph::new("main");
    let input = hybrid.input("x", &[1, 8], DataType::Float32);
    let weights = hybrid.constant("w", &[4, 8], DataType::Int8, vec![0; 32]);
    let output = hybrid.tensor("y", &[1, 4], DataType::Float32);
    hybrid.op(Op::new(BuiltinOp::FULLY_CONNECTED, &[input, weights, OMITTED], &[output]));
    let bytes = Model::new(vec![hybrid]).build();
    let text = reason(&bytes, &options());
    assert!(text.contains("Input type: FLOAT32 with filter type: INT8 not supported."), "{text}");
    let cmsis = Options { kernels: Kernels::CmsisNn, ..options() };
    assert!(reason(&bytes, &cmsis).contains("Hybrid models are not supported"), "{}", reason(&bytes, &cmsis));

    let missing = graph_text::parse("in a:16\nSIGN a -> b:16\nout b").build();
    assert!(reason(&missing, &options()).contains("Didn't find op for builtin opcode 'SIGN'"));
}

#[test]
fn states_beyond_any_memory_are_refused_at_once() {
    let bytes = custom("SignalDelay", &[("delay_length", 3)], "i16[2000000000,1] -> i16[2000000000,1]");
    assert!(reason(&bytes, &options()).contains("more than any memory"));
}

#[test]
fn a_slice_of_a_negative_size_is_no_panic() {
    let options_of_slice = with_options().into_iter().find(|(op, ..)| *op == BuiltinOp::STRIDED_SLICE).unwrap().1;
    let op = Op::new(BuiltinOp::STRIDED_SLICE, &[], &[]).with(options_of_slice);
    let bytes = one(op, "i8[-2147483648,4] i32[2]=1,-1 i32[2]=2,-3 i32[2]=1,-1 -> i8[1,4]");
    facts::planned(&bytes, &options()).unwrap();
}

#[test]
fn a_custom_operators_needs_can_be_given() {
    let bytes = graph_text::parse("in a:16\nop a -> b:16\nout b").build();
    let unknown = facts::planned(&bytes, &options()).unwrap();
    assert_eq!(unknown.micro().unknown_ops, ["op"]);
    assert_eq!(placed(&unknown).len(), 2, "the tensors are planned all the same");
    let mut options = options();
    let needs = KernelNeeds { op: "op".to_owned(), scratch_bytes: vec![100], persistent_bytes: vec![40] };
    options.micro.kernels = vec![needs];
    let known = facts::planned(&bytes, &options).unwrap();
    let figures = known.needs.as_ref().unwrap();
    assert_eq!(figures.head_bytes, 16 + 16 + 112);
    assert!(known.micro().tail().any(|tail| tail.bytes == 40 && tail.alignment == 16));
}

#[test]
fn the_linear_planner_reuses_nothing() {
    let bytes = graph_text::parse("in a:16\nNEG a -> b:16\nNEG b -> c:16\nout c").build();
    let linear = Options { preserve_all_tensors: true, ..options() };
    let (greedy, linear) = (facts::planned(&bytes, &options()).unwrap(), facts::planned(&bytes, &linear).unwrap());
    assert_eq!((greedy.plan.height_bytes, linear.plan.height_bytes), (32, 48));
    let tail = |planned: &Planned| planned.needs.as_ref().unwrap().tail_bytes;
    assert_eq!(tail(&linear) - tail(&greedy), 4108 - 44, "the linear planner's object holds 1024 offsets");
}

#[test]
fn many_small_buffers_are_decided_by_the_planners_tables() {
    let lines: Vec<String> = (0..40).map(|index| format!("NEG t{index} -> t{}:4", index + 1)).collect();
    let text = format!("in t0:4\n{}\nout t40", lines.join("\n"));
    let needs = plan_text(&text).needs.unwrap();
    assert_eq!(needs.deciding, Condition::Planning);
    assert!(needs.minimum_arena_bytes > needs.used_bytes, "{needs:?}");
    assert!(needs.deciding_words().contains("while it plans"), "{}", needs.deciding_words());
}

#[test]
fn needs_are_a_line_to_paste() {
    let needs = plan_text("in a:64\nNEG a -> b:64\nout b").needs.unwrap();
    let exact = needs.safe_arena_bytes.next_multiple_of(16);
    assert_eq!(needs.constant_line(0), format!("constexpr int kTensorArenaSize = {exact};"));
    assert_eq!(
        needs.recommended_bytes(10),
        (needs.safe_arena_bytes + needs.safe_arena_bytes.div_ceil(10)).next_multiple_of(16)
    );
    let parts: u64 = needs.categories.iter().map(|(_, bytes)| bytes).sum();
    assert_eq!(parts + needs.alignment_bytes, needs.tail_bytes);
}

#[test]
fn two_arenas_stand_for_themselves() {
    let mut options = options();
    options.micro.arenas = tflm::Arenas::Two;
    let bytes = graph_text::parse("in a:64\nNEG a -> b:64\nout b").build();
    let needs = facts::planned(&bytes, &options).unwrap().needs.unwrap();
    let [persistent, other] = needs.two_arenas.unwrap();
    assert_eq!(persistent, needs.tail_bytes.next_multiple_of(16));
    assert!(other >= needs.head_bytes && other < needs.minimum_arena_bytes, "{needs:?}");
}

#[test]
fn the_resolver_lists_each_operator_once() {
    let bytes = graph_text::parse("in a:16\nNEG a -> b:16\nNEG b -> c:16\nSIGN c -> d:16\nop d -> e:16\nout e").build();
    let found = tflm::registrations(&model::read(&bytes).unwrap());
    let expected = "tflite::MicroMutableOpResolver<2> resolver;\n\
                    resolver.AddNeg();\n\
                    // TFLite-Micro has no kernel for SIGN\n\
                    resolver.AddCustom(\"op\", /* your registration */);\n";
    assert_eq!(found.lines(), expected);
    assert_eq!(found.missing().collect::<Vec<_>>(), ["SIGN", "op"]);
}

#[test]
fn a_board_says_what_is_short_and_where() {
    let planned = plan_text("in a:1000\nNEG a -> b:90000\nNEG b -> c:200000\nNEG c -> d:16\nout d");
    let needs = planned.needs.as_ref().unwrap();
    let board = tflm::board("nano-33-ble").unwrap();
    let fit = tflm::fit(board.budget_bytes(), needs, &planned.program, &planned.plan);
    assert_eq!(fit.short_bytes, needs.recommended_bytes(0) - 262_144);
    let (step, buffer) = fit.first_unplaced.unwrap();
    assert_eq!(
        (planned.program.steps[step.index()].name.as_str(), planned.program.buffer(buffer).name.as_str()),
        ("NEG", "b")
    );
    let roomy = tflm::fit(1 << 20, needs, &planned.program, &planned.plan);
    assert_eq!((roomy.short_bytes, roomy.first_unplaced), (0, None));
}

#[test]
fn boards_are_told_apart_and_sound() {
    let mut ids: Vec<_> = tflm::BOARDS.iter().map(|board| board.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), tflm::BOARDS.len());
    for board in tflm::BOARDS {
        assert!(board.budget_bytes() <= board.ram_bytes && !board.source.is_empty(), "{}", board.id);
    }
}

#[test]
fn the_difference_between_the_runtimes_sums_up() {
    let text = "in  a:f32[250]
                ADD a a -> b:f32[250]
                ABS b -> c:f32[250]
                NEG c -> d:f32[250]
                ADD a d -> e:f32[250]
                out e";
    let bytes = graph_text::parse(text).build();
    let compared = compared(&bytes);
    assert!(compared.complete, "{compared:?}");
    let of = |reason: Reason| compared.reasons.iter().find(|(own, _)| *own == reason).map(|(_, bytes)| *bytes);
    assert_eq!(of(Reason::Structs(Category::EvalTensors)), Some(5 * 12));
    assert!(compared.reasons.iter().all(|(reason, bytes)| *bytes != 0 && !reason.words().is_empty()));
}

/// Both runtimes beside each other; the reasons must sum up.
fn compared(bytes: &[u8]) -> Comparison {
    let model = model::read(bytes).unwrap();
    let tflite = arenascope::runtime::tflite::program(&model, bytes, &Options::new(RuntimeKind::Tflite)).unwrap();
    let tflm = arenascope::runtime::tflm::program(&model, bytes, &options()).unwrap();
    let compared = compare(&tflite, &tflm).unwrap();
    let sum: i64 = compared.reasons.iter().map(|(_, bytes)| bytes).sum();
    let difference = i64::try_from(compared.tflm_bytes).unwrap() - i64::try_from(compared.tflite_bytes).unwrap();
    assert_eq!(sum, difference, "{compared:?}");
    compared
}

#[test]
fn arm_structs_are_smaller_than_those_of_a_host() {
    let bytes = graph_text::parse("in a:64\nNEG a -> b:64\nout b").build();
    let tail = |abi| facts::planned(&bytes, &Options { abi, ..options() }).unwrap().needs.unwrap().tail_bytes;
    assert!(tail(Abi::Arm) < tail(Abi::Ilp32) && tail(Abi::Ilp32) < tail(Abi::Lp64));
}

#[test]
fn a_variable_lies_in_the_tail() {
    let planned = plan_text("in a:16\nvar v:100\nNEG a -> b:16\nout b");
    let variable = planned.program.buffers.iter().find(|buffer| buffer.name == "v").unwrap();
    assert_eq!((variable.place, variable.live), (Place::Persistent, None));
    assert!(planned.micro().tail().any(|tail| tail.what == "variable tensor" && tail.bytes == 100));
    assert_eq!(plan::plan(&planned.program.arenas[0].problem, Strategy::Tflm).height_bytes, 32);
}

#[test]
fn the_cursor_ends_where_the_figures_say_and_never_leaves_the_arena() {
    let planned = plan_text("in a:64\nRELU a -> b:32\nNEG b -> c:16\nout c");
    let (micro, needs) = (planned.program.micro.unwrap(), planned.needs.unwrap());
    let cursor = tflm::cursor(&micro, needs.head_bytes);
    let last = cursor.moments.last().unwrap();
    assert_eq!((last.head_bytes, last.tail_bytes), (needs.head_bytes, needs.tail_bytes));
    // The fullest moment is what the deciding condition needs, but for what alignment changes.
    let fullest = cursor.moments.iter().map(|moment| moment.temp_end_bytes + moment.tail_bytes).max().unwrap();
    assert!(fullest.abs_diff(needs.safe_arena_bytes) < 16, "{fullest} against {}", needs.safe_arena_bytes);
    // Each piece begins where the one before ends or, by alignment, a little below it; together they are the tail.
    for pair in cursor.pieces.windows(2) {
        let end = pair[0].above_bytes + pair[0].bytes;
        assert!((end..end + 16).contains(&pair[1].above_bytes), "{pair:?}");
        assert!(pair[0].moment <= pair[1].moment);
    }
    let asked: u64 = cursor.pieces.iter().map(|piece| piece.bytes).sum();
    assert_eq!(asked + needs.alignment_bytes, needs.tail_bytes);
    let stages: Vec<_> = cursor.moments.iter().map(|moment| moment.stage).collect();
    assert!(stages.is_sorted(), "{stages:?}");
}
