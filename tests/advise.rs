//! Advice: each kind on a small graph where it must be given, with its figure, and where it must not.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use arenascope::advise::{Advice, Advices, Basis, Effort, Kind, advise};
use arenascope::model::{self, Activation, BuiltinOp, DataType, OpOptions};
use arenascope::runtime::{Options, RuntimeKind};
use support::graph_text;

fn advices(model: &support::Model, runtime: RuntimeKind) -> Advices {
    let bytes = model.build();
    let model = model::read(&bytes).unwrap();
    let found = advise(&model, &bytes, &Options::new(runtime), Effort::default()).unwrap();
    let saved: Vec<u64> = found.list.iter().map(|advice| advice.saved_bytes).collect();
    assert!(saved.iter().all(|bytes| *bytes > 0), "no advice that saves nothing: {found:#?}");
    assert!(saved.is_sorted_by(|a, b| a >= b), "most bytes first: {found:#?}");
    for advice in &found.list {
        assert_eq!(advice.arena_bytes + advice.saved_bytes, found.arena_bytes, "{advice:#?}");
        assert!(!advice.sentence.is_empty());
    }
    found
}

/// The graph in the text, with the options that kernels ask for.
fn graph(text: &str) -> support::Model {
    let mut model = graph_text::parse(text);
    let activation = Activation::None;
    for op in model.graphs.iter_mut().flat_map(|graph| &mut graph.ops) {
        op.options = match op.builtin {
            BuiltinOp::CONCATENATION => OpOptions::Concatenation { axis: 1, activation },
            BuiltinOp::ADD => OpOptions::Arithmetic { activation, pot_scale_int16: false },
            BuiltinOp::FULLY_CONNECTED => OpOptions::FullyConnected {
                activation,
                weights_format: 0,
                keep_num_dims: false,
                asymmetric_quantize_inputs: false,
                quantized_bias_type: DataType::Float32,
            },
            _ => continue,
        };
    }
    model
}

fn tflm(text: &str) -> Advices {
    advices(&graph(text), RuntimeKind::Tflm)
}

fn of(advices: &Advices, kind: Kind) -> Option<&Advice> {
    advices.list.iter().find(|advice| advice.kind == kind)
}

const GREEDY_GAP: &str = "in x:f32[1,48]\n\
    const wa:f32[20,48] wb:f32[24,48] wd:f32[48,44]\n\
    FULLY_CONNECTED x wa _ -> a:f32[1,20]\n\
    FULLY_CONNECTED x wb _ -> b:f32[1,24]\n\
    CONCATENATION a b -> c:f32[1,44]\n\
    FULLY_CONNECTED c wd _ -> d:f32[1,48]\n\
    out d";

const WIDE_FIRST: &str = "in x:f32[1,8]\n\
    const w:f32[64,8] v:f32[4,64]\n\
    FULLY_CONNECTED x w _ -> a:f32[1,64]\n\
    FULLY_CONNECTED x w _ -> b:f32[1,64]\n\
    FULLY_CONNECTED a v _ -> c:f32[1,4]\n\
    FULLY_CONNECTED b v _ -> d:f32[1,4]\n\
    ADD c d -> e:f32[1,4]\n\
    out e";

#[test]
fn a_better_plan() {
    let found = tflm(GREEDY_GAP);
    assert_eq!((found.arena_bytes, found.bound_bytes), (544, 368));
    let advice = of(&found, Kind::BetterPlan).unwrap();
    assert_eq!((advice.saved_bytes, advice.kind.basis()), (176, Basis::Written));
    assert!(advice.sentence.contains("368 bytes instead of 544"), "{}", advice.sentence);
    let lite = advices(&graph(GREEDY_GAP), RuntimeKind::Tflite);
    assert!(of(&lite, Kind::BetterPlan).is_none(), "TFLite reads no plan from the file");
}

#[test]
fn a_better_order_and_the_one_operator_that_blocks() {
    let found = tflm(WIDE_FIRST);
    let advice = of(&found, Kind::BetterOrder).unwrap();
    assert_eq!((found.arena_bytes, advice.arena_bytes), (544, 304));
    assert!(advice.sentence.contains("FULLY_CONNECTED (op "), "{}", advice.sentence);
    let blocker = of(&found, Kind::EarlierConsumer).unwrap();
    assert!(blocker.sentence.starts_with("t3 \"a\" (256 B) lies in the way"), "{}", blocker.sentence);
    assert!(blocker.sentence.contains("FULLY_CONNECTED (op 2) has read it"), "{}", blocker.sentence);
    assert!(of(&advices(&graph(WIDE_FIRST), RuntimeKind::Tflite), Kind::BetterOrder).is_some());
}

#[test]
fn a_producer_that_runs_too_early() {
    let found = tflm(
        "in x:f32[1,16]\nconst w:f32[64,16] v:f32[200,16] u:f32[4,200] t:f32[4,64]\n\
         FULLY_CONNECTED x w _ -> early:f32[1,64]\n\
         FULLY_CONNECTED x v _ -> wide:f32[1,200]\n\
         FULLY_CONNECTED wide u _ -> small:f32[1,4]\n\
         FULLY_CONNECTED early t _ -> late:f32[1,4]\n\
         ADD small late -> y:f32[1,4]\nout y",
    );
    let advice = of(&found, Kind::LaterProducer).unwrap();
    assert_eq!((found.arena_bytes, advice.arena_bytes), (1120, 880));
    assert!(
        advice.sentence.contains("let FULLY_CONNECTED (op 0) run right before FULLY_CONNECTED (op 3)"),
        "{advice:?}"
    );
}

#[test]
fn in_place() {
    let found = tflm(
        "in x:f32[1,8]\nconst w:f32[256,8] u:f32[2,256]\nFULLY_CONNECTED x w _ -> a:f32[1,256]\n\
         TANH a -> b:f32[1,256]\nFULLY_CONNECTED b u _ -> y:f32[1,2]\nout y",
    );
    let advice = of(&found, Kind::InPlace).unwrap();
    assert_eq!((found.arena_bytes, advice.saved_bytes), (2048, 992));
    assert!(advice.sentence.starts_with("TANH (op 1) could write t4 \"b\""), "{}", advice.sentence);
}

#[test]
fn what_is_only_kept_over_the_peak() {
    let found = tflm(
        "in x:f32[1,16]\nconst w:f32[400,16] u:f32[16,400]\n\
         RESHAPE x -> kept:f32[1,64]\n\
         FULLY_CONNECTED x w _ -> wide:f32[1,400]\n\
         FULLY_CONNECTED wide u _ -> small:f32[1,16]\n\
         CONCATENATION kept small x -> y:f32[1,96]\nout y",
    );
    let advice = of(&found, Kind::Recompute).unwrap();
    assert_eq!(advice.saved_bytes, 256);
    assert!(advice.sentence.contains("run RESHAPE (op 0) once more, right before CONCATENATION (op 3)"), "{advice:?}");
}

#[test]
fn tensors_that_nobody_needs() {
    let mut model = graph("in x:f32[1,4]\nRELU x -> y:f32[1,4]\nout y");
    model.graphs[0].tensor("orphan", &[1, 100], DataType::Float32);
    let found = advices(&model, RuntimeKind::Tflm);
    let advice = of(&found, Kind::UnusedTensors).unwrap();
    assert_eq!((found.arena_bytes, advice.arena_bytes), (400, 32));
    assert!(advice.sentence.contains("t2 \"orphan\" (400 B)"), "{}", advice.sentence);
}

#[test]
fn integers_at_the_ends() {
    let mut model =
        graph("in x:f32[1,256]\nQUANTIZE x -> q:i8[1,256]\nRELU q -> r:i8[1,16]\nDEQUANTIZE r -> y:f32[1,16]\nout y");
    for tensor in [1, 2] {
        model.graphs[0].quantize(tensor, &[0.5], 0);
    }
    let found = advices(&model, RuntimeKind::Tflm);
    let advice = of(&found, Kind::IntegerIo).unwrap();
    assert_eq!((found.arena_bytes, advice.arena_bytes), (1280, 272));
    assert!(advice.sentence.contains("t0 \"x\" (1024 B) and t3 \"y\" (64 B)"), "{}", advice.sentence);
    assert!(of(&found, Kind::Quantize).is_none(), "it is quantised already");
}

#[test]
fn only_another_model_is_smaller() {
    let found = tflm("in x:f32[1,32,32,1]\nRELU x -> a:f32[1,32,32,1]\nRELU a -> y:f32[1,32,32,1]\nout y");
    assert_eq!(found.arena_bytes, found.bound_bytes);
    assert!(found.verdict.starts_with("planner gap 0 bytes"), "{}", found.verdict);
    assert!(found.verdict.ends_with("so only the model can shrink this"), "{}", found.verdict);
    assert_eq!(of(&found, Kind::Quantize).unwrap().arena_bytes, 2048);
    assert_eq!(of(&found, Kind::SmallerInput).unwrap().arena_bytes, 2048);
    assert!(found.list.iter().all(|advice| advice.kind.basis() != Basis::Written));
}

#[test]
fn the_layer_whose_width_decides() {
    let found = tflm(
        "in x:f32[1,8]\nconst w:f32[128,8] u:f32[4,128]\nFULLY_CONNECTED x w _ -> a:f32[1,128]\n\
         RELU a -> b:f32[1,128]\nFULLY_CONNECTED b u _ -> y:f32[1,4]\nout y",
    );
    let advice = of(&found, Kind::NarrowerLayer).unwrap();
    assert_eq!((found.arena_bytes, advice.arena_bytes), (1024, 768));
    assert!(advice.sentence.contains("with 96 instead of 128 channels"), "{}", advice.sentence);
}

#[test]
fn halves() {
    let model = graph("in x:f32[1,8,8,1]\nRELU x -> a:f32[1,16,16,8]\nTANH a -> y:f32[1,4,4,1]\nout y");
    let found = advices(&model, RuntimeKind::Tflm);
    let advice = of(&found, Kind::Split).unwrap();
    assert_eq!(advice.saved_bytes, 4096);
    assert!(advice.sentence.contains("RELU (op 0) and TANH (op 1) then run twice"), "{}", advice.sentence);
}

#[test]
fn nothing_planned_nothing_said() {
    let found = tflm("in x:f32[0]\nout x");
    assert_eq!((found.arena_bytes, found.list.len()), (0, 0));
}

#[test]
fn hostile_names_stay_on_one_line() {
    let mut model = graph(GREEDY_GAP);
    for tensor in &mut model.graphs[0].tensors {
        tensor.name = "a\nb\u{1b}[31m".repeat(20);
    }
    let found = advices(&model, RuntimeKind::Tflm);
    assert!(found.list.iter().all(|advice| !advice.sentence.contains(char::is_control)));
    assert!(!found.verdict.contains(char::is_control) && found.verdict.len() < 600);
}
