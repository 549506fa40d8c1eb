//! Order problems of models: what must keep its order does, what need not does not.

use arenascope::model::{self, BuiltinOp, OpOptions};
use arenascope::runtime::{self, Options, RuntimeKind};
use arenascope::schedule::{OrderProblem, problem_of, reordered};
use arenascope::units::{OperatorId, SubgraphId};

use crate::support::{Model, graph_text};

fn problem(model: &Model, runtime: RuntimeKind) -> OrderProblem {
    let bytes = model.build();
    let model = model::read(&bytes).unwrap();
    let program = runtime::program(&model, &bytes, &Options::new(runtime)).unwrap();
    problem_of(&model, &program, SubgraphId(0)).unwrap()
}

/// Whether the order is one, in either runtime's counting.
#[track_caller]
fn check(model: &Model, order: &[usize], is_allowed: bool) {
    for runtime in [RuntimeKind::Tflm, RuntimeKind::Tflite] {
        assert_eq!(problem(model, runtime).peak_bytes(order).is_some(), is_allowed, "{order:?} in {runtime:?}");
    }
}

#[test]
fn data_decide() {
    let model = graph_text::parse("in x:16\nRELU x -> a:16\nTANH x -> b:16\nRELU a -> c:16\nout b c");
    check(&model, &[0, 1, 2], true);
    check(&model, &[1, 0, 2], true);
    check(&model, &[0, 2, 1], true);
    check(&model, &[2, 0, 1], false);
}

#[test]
fn custom_operators_keep_their_order() {
    let model = graph_text::parse("in x:16\nop x -> a:16\nRELU x -> b:16\nop x -> c:16\nout a b c");
    check(&model, &[1, 0, 2], true);
    check(&model, &[0, 2, 1], true);
    check(&model, &[2, 1, 0], false);
}

#[test]
fn reads_and_writes_of_a_resource_keep_their_order() {
    let text = "in x:16\nVAR_HANDLE -> h:res[1]\nREAD_VARIABLE h -> a:16\nREAD_VARIABLE h -> b:16\n\
                ASSIGN_VARIABLE h x ->\nREAD_VARIABLE h -> c:16\nout a b c";
    let model = graph_text::parse(text);
    check(&model, &[0, 2, 1, 3, 4], true);
    check(&model, &[0, 1, 3, 2, 4], false);
    check(&model, &[0, 1, 2, 4, 3], false);
}

#[test]
fn resources_of_other_names_do_not_matter() {
    let text = "in x:16\nVAR_HANDLE -> h:res[1]\nVAR_HANDLE -> g:res[1]\nASSIGN_VARIABLE h x ->\n\
                READ_VARIABLE g -> a:16\nout a";
    let mut model = graph_text::parse(text);
    check(&model, &[0, 1, 3, 2], false);
    for (op, name) in [(0, "one"), (1, "other")] {
        let shared_name = name.to_owned();
        model.graphs[0].ops[op].options = OpOptions::VarHandle { container: String::new(), shared_name };
    }
    check(&model, &[0, 1, 3, 2], true);
}

#[test]
fn operators_on_a_variable_tensor_keep_their_order() {
    let model = graph_text::parse("in x:16\nvar s:16\nADD x s -> a:16\nADD x s -> b:16\nRELU x -> c:16\nout a b c");
    check(&model, &[2, 0, 1], true);
    check(&model, &[1, 0, 2], false);
}

/// An operator that runs a subgraph, between a write and a read of a resource.
fn with_call(callee: &str) -> Model {
    let text = format!(
        "in x:16 p:bool[1]\nVAR_HANDLE -> h:res[1]\nASSIGN_VARIABLE h x ->\nIF p x -> y:16\nREAD_VARIABLE h -> z:16\n\
         out y z\n{callee}"
    );
    let mut model = graph_text::parse(&text);
    let branch = SubgraphId(1);
    model.graphs[0].ops[2].options = OpOptions::If { then_subgraph: branch, else_subgraph: branch };
    assert_eq!(model.graphs[0].ops[2].builtin, BuiltinOp::IF);
    model
}

#[test]
fn calls_with_effects_keep_their_place_and_others_need_not() {
    let pure = with_call("graph pure\nin u:16\nRELU u -> v:16\nout v");
    check(&pure, &[0, 2, 1, 3], true);
    check(&pure, &[0, 1, 3, 2], true);
    let text = "graph writes\nin u:16\nVAR_HANDLE -> k:res[1]\nASSIGN_VARIABLE k u ->\nRELU u -> v:16\nout v";
    let writes = with_call(text);
    check(&writes, &[0, 2, 1, 3], false);
    check(&writes, &[0, 1, 3, 2], false);
}

#[test]
fn bytes_are_those_of_the_program() {
    // Three sizes that TFLite-Micro rounds to 16, 32 and 48, and an output that is kept to the end.
    let model =
        graph_text::parse("in x:f32[1,3]\nRELU x -> a:f32[1,6]\nRELU a -> b:f32[1,9]\nRELU b -> c:f32[1,3]\nout a c");
    let problem = problem(&model, RuntimeKind::Tflm);
    assert_eq!(problem.peak_bytes(&[0, 1, 2]), Some(32 + 48 + 16));
}

#[test]
fn a_model_is_put_into_order() {
    let bytes = graph_text::parse("in x:16\nRELU x -> a:16\nTANH x -> b:16\nout a b").build();
    let model = model::read(&bytes).unwrap();
    let turned = reordered(&model, &[vec![OperatorId(1), OperatorId(0)]]);
    let names: Vec<&str> = turned.main().operators.iter().map(|op| turned.op_name(op)).collect();
    assert_eq!(names, ["TANH", "RELU"]);
    assert_eq!(reordered(&turned, &[vec![OperatorId(1), OperatorId(0)]]), model);
}
