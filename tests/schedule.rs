//! Orders of operators: against exhaustive ordering on random graphs, on graphs whose best order is known, and (with
//! `ARENASCOPE_CORPUS` set) on the order problems of real models.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "schedule/corpus.rs"]
mod corpus;
#[path = "schedule/exhaustive.rs"]
mod exhaustive;
#[path = "schedule/of_model.rs"]
mod of_model;
mod support;
#[path = "schedule/text.rs"]
mod text;

use arenascope::schedule::{OrderProblem, Solver, solve};
use text::problem;

/// Solves, and checks what must hold of any answer.
fn check(problem: &OrderProblem, expected_peak: u64) {
    let order = solve(problem, 1_000_000);
    assert_eq!(problem.peak_bytes(&order.ops), Some(order.peak_bytes), "the peak is that of the order: {order:?}");
    assert!(order.is_proven(), "{order:?}");
    assert_eq!(order.peak_bytes, expected_peak, "{order:?}");
}

#[test]
fn runs_the_branch_that_frees_before_the_one_that_holds() {
    // Two branches from one input: the second shrinks it, so its wide middle must come while nothing else is held.
    check(
        &problem(
            "T 0 100 0\nT 1 90 0\nT 2 10 0\nT 3 100 0\nT 4 10 0\nT 5 10 1\n\
             O 0 0 : 1\nO 1 0 : 3\nO 2 1 : 2\nO 3 3 : 4\nO 4 2 4 : 5\n",
        ),
        210,
    );
}

#[test]
fn reads_state_only_when_it_is_needed() {
    // Three reads of state at the top of the file, each used far below.
    check(
        &problem(
            "T 0 8 0\nT 1 64 0\nT 2 64 0\nT 3 64 0\nT 4 8 0\nT 5 8 0\nT 6 8 1\n\
             O 0 : 1\nO 1 : 2\nO 2 : 3\nO 3 0 1 : 4\nO 4 4 2 : 5\nO 5 5 3 : 6\n",
        ),
        80,
    );
}

#[test]
fn an_edge_is_respected() {
    let free = "T 0 8 0\nT 1 64 0\nT 2 8 0\nT 3 8 1\nO 0 : 1\nO 1 0 : 2\nO 2 2 1 : 3\n";
    check(&problem(free), 80);
    let tied = problem(&format!("{free}E 0 1\n"));
    check(&tied, 80);
    assert_eq!(tied.peak_bytes(&[1, 0, 2]), None, "an order against an edge is none");
    assert!(tied.peak_bytes(&[0, 1, 2]).is_some());
}

#[test]
fn what_is_no_permutation_is_no_order() {
    let problem = problem("T 0 8 0\nT 1 8 1\nO 0 0 : 1\n");
    assert_eq!(problem.peak_bytes(&[]), None);
    assert_eq!(problem.peak_bytes(&[0, 0]), None);
    assert_eq!(problem.peak_bytes(&[1]), None);
    assert_eq!(problem.peak_bytes(&[0]), Some(16));
}

#[test]
fn state_keeps_its_order_and_its_bytes() {
    // Tensor 1 is read before it is made: operators 0 to 2 touch it and must stay in order.
    let problem = problem("T 0 8 0\nT 1 32 0\nT 2 8 0\nT 3 8 1\nO 0 0 1 : 2\nO 1 2 : 1\nO 2 1 : 3\n");
    assert_eq!(problem.peak_bytes(&[0, 1, 2]), Some(48));
    assert_eq!(problem.peak_bytes(&[1, 0, 2]), None);
}

#[test]
fn nothing_to_order_is_solved() {
    check(&OrderProblem::new(Vec::new(), Vec::new(), Vec::new()).unwrap(), 0);
    check(&problem("T 0 8 1\n"), 8);
}

#[test]
fn refuses_what_is_no_problem() {
    use arenascope::schedule::{OrderOp, OrderTensor};
    let tensor = OrderTensor { size_bytes: 8, is_kept: false };
    let op = OrderOp { inputs: vec![1], outputs: Vec::new(), scratch_bytes: 0 };
    assert!(OrderProblem::new(vec![tensor], vec![op], Vec::new()).is_err(), "a tensor that does not exist");
    let ops = vec![OrderOp::default(), OrderOp::default()];
    assert!(OrderProblem::new(vec![tensor], ops.clone(), vec![(1, 0)]).is_err(), "an edge that runs backward");
    assert!(OrderProblem::new(vec![tensor], ops, vec![(0, 2)]).is_err(), "an edge to nowhere");
    let huge = OrderTensor { size_bytes: u64::MAX, is_kept: false };
    assert!(OrderProblem::new(vec![huge, huge], Vec::new(), Vec::new()).is_err(), "sizes that do not add up");
}

#[test]
fn a_budget_is_kept_and_more_of_it_is_never_worse() {
    let problem = text::layered(7, 12, 10);
    let mut solver = Solver::new(&problem);
    let mut last = solver.best().clone();
    for _ in 0..6 {
        let before = solver.states();
        solver.step(500);
        assert!(solver.states() - before <= 501, "a step is about as long as asked");
        let now = solver.best();
        assert!(now.peak_bytes <= last.peak_bytes && now.bound_bytes >= last.bound_bytes);
        assert_eq!(problem.peak_bytes(&now.ops), Some(now.peak_bytes));
        last = now.clone();
    }
    assert_eq!(solve(&problem, 3_000), solve(&problem, 3_000), "the same question, the same answer");
}
