//! Turns a `Program` into another order of operators with a smaller peak. Knows runtime and plan.
