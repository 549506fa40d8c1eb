//! Arenascope: where every tensor of a TensorFlow Lite model lies in memory, when, and why.
//!
//! Each noun is an immutable value, each arrow a function:
//!
//! ```text
//! bytes ─ container ─ model ─ runtime ─ Program ─ plan ─ Plan ─ simulate ─ Frames ─ chart ─ Scene ─ pixels | SVG
//! ```
//!
//! `docs/ARCHITECTURE.md` has the table of modules and what each may know; `tests/architecture.rs` keeps it.

pub mod advise;
pub mod chart;
pub mod container;
pub mod error;
pub mod limits;
pub mod model;
pub mod plan;
pub mod report;
pub mod rewrite;
pub mod runtime;
pub mod schedule;
pub mod schema;
pub mod simulate;
pub mod units;
#[cfg(target_arch = "wasm32")]
pub mod web;
