//! The project's helper commands, as a library so that the browser tests can serve the page themselves.
//! Knows the workspace's layout and the tools it needs; knows nothing of models.

pub mod corpus;
pub mod parity;
pub mod serve;
pub mod shell;
pub mod site;
pub mod suite;
pub mod tools;

/// What the commands return: done, or one sentence why not.
pub type Result<T> = std::result::Result<T, String>;
