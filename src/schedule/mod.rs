//! Finds an order of operators with a smaller peak of live bytes: exact where that can be done, with a proven bound
//! otherwise. The search works on its own data ([`OrderProblem`]: sizes, inputs, outputs, edges); only
//! `of_model` knows models and programs.
//!
//! What the search rests on: the bytes alive depend only on the *set* of operators that have run, and that function
//! is submodular: running more operators never makes another operator's net change worse. So an operator that fits
//! and frees at least what it adds can always run at once ([`search`]), and sets that lead nowhere need to be seen
//! only once.

mod beam;
mod graph;
mod greedy;
mod problem;
mod search;
mod solver;
mod state;
mod window;

pub use problem::{OrderOp, OrderProblem, OrderTensor};
pub use solver::{Order, Solver, solve};
