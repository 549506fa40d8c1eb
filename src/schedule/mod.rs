//! Finds an order of operators with a smaller peak of live bytes: exact where that can be done, with a proven bound
//! otherwise. The search works on its own data ([`OrderProblem`]: sizes, inputs, outputs, edges); only
//! [`problem_of`] and [`reordered`] know models and programs.
//!
//! What the search rests on: the bytes alive depend only on the *set* of operators that have run, and that function
//! is submodular: running more operators never makes another operator's net change worse. So an operator that fits
//! and frees at least what it adds can always run at once ([`search`]), and sets that lead nowhere need to be seen
//! only once.

mod beam;
mod effects;
mod graph;
mod greedy;
mod of_model;
mod problem;
mod search;
mod search_model;
mod solver;
mod state;
mod window;

pub use of_model::{problem_of, reordered};
pub use problem::{OrderOp, OrderProblem, OrderTensor};
pub use search_model::{ModelOrders, OrderProgress, search_model};
pub use solver::{Order, Solver, solve};
