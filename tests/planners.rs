//! Every planner on its own data: figures known from elsewhere, properties on random problems, tables in and out.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop at the first surprise")]

#[path = "planners/optimal.rs"]
mod optimal;
#[path = "planners/properties.rs"]
mod properties;
#[path = "planners/runtimes.rs"]
mod runtimes;
#[path = "planners/seeds.rs"]
mod seeds;
#[path = "planners/tables.rs"]
mod tables;
#[path = "planners/traces.rs"]
mod traces;
#[path = "planners/verdicts.rs"]
mod verdicts;

use arenascope::plan::{Plan, Problem, Request, Strategy, plan, validate};
use arenascope::units::{Span, Step};

/// The half-open span `[first, end)`.
fn span(first: u32, end: u32) -> Span {
    Span::new(Step(first), Step(end)).expect("a span that is not empty")
}

/// A request of `size` bytes alive during `[first, end)`.
fn request(size: u64, first: u32, end: u32) -> Request {
    Request::new(size, span(first, end))
}

/// A problem of these requests.
fn problem(requests: &[Request], alignment: u64) -> Problem {
    Problem::new(requests.to_vec(), alignment).unwrap()
}

/// The offsets that `strategy` gives, after the plan was found valid.
fn offsets(problem: &Problem, strategy: Strategy) -> Vec<u64> {
    let made = plan(problem, strategy);
    check(problem, &made);
    made.offsets
}

/// Panics unless the plan is valid.
fn check(problem: &Problem, plan: &Plan) {
    if let Err(violation) = validate(problem, plan, None) {
        panic!("{violation}: {plan:?} of {problem:?}");
    }
}
