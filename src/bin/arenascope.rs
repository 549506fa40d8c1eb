//! The command line: arguments to calls. Thin.

fn main() {}
