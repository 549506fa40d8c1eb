//! Turns any dropped bytes into a model's bytes and where they came from. Knows errors and limits.
