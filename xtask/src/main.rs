//! The project's helper commands: `cargo xtask serve|test|dist|…`.

fn main() {}
