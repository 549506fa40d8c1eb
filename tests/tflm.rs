//! TFLite-Micro's arena against the real runtime: recorded facts for models at hand, and for generated ones.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot read its data has failed")]

#[path = "tflm/facts.rs"]
mod facts;
#[path = "tflm/generated.rs"]
mod generated;
#[path = "tflm/generated_ops.rs"]
mod generated_ops;
#[path = "tflm/golden.rs"]
mod golden;
#[path = "tflm/logs.rs"]
mod logs;
#[path = "tflm/rules.rs"]
mod rules;
mod support;
