//! The file formats: generated FlatBuffers code for the files in `schema/`, the only place where `unsafe` is allowed.
//! Turns verified bytes into typed views of tables, and a builder's values into bytes. Knows flatbuffers only.

#[rustfmt::skip]
#[allow(
    unsafe_code, missing_docs, missing_debug_implementations, unreachable_pub, deprecated,
    clippy::all, clippy::pedantic, clippy::unwrap_used,
    reason = "made by flatc"
)]
mod generated;
#[rustfmt::skip]
#[allow(
    unsafe_code, missing_docs, missing_debug_implementations, unreachable_pub, deprecated,
    clippy::all, clippy::pedantic, clippy::unwrap_used,
    reason = "made by flatc"
)]
pub mod litertlm;
mod union;

pub use generated::*;
