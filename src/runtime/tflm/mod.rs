//! How TFLite-Micro lays out its tensor arena.

/// What TFLite-Micro needs besides the planned head: the tail, and temporary allocations on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Micro {}
