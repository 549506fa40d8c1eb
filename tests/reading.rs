//! Reading: what every kind of file gives.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use arenascope::model;

#[test]
fn text_becomes_a_model() {
    let bytes = support::graph_text::parse("in a:16\nop a -> b:32\nADD a b -> c:i32[2,2]\nout c").build();
    let model = model::read(&bytes).unwrap();
    assert_eq!(model.main().tensors.len(), 3);
    assert_eq!(model.op_name(&model.main().operators[0]), "op");
}
