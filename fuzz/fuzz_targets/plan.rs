//! Any problem: every planner gives a valid plan, no lower than the bound, and the optimal one is no higher than the others.
#![no_main]

use arenascope::plan::csv::Table;
use arenascope::plan::{Problem, Request, Solver, Strategy, Violation, lower_bound, plan, validate};
use arenascope::units::{Span, Step};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(table) = Table::read(bytes) {
        let again = Table::read(table.write().as_bytes());
        assert_eq!(again.map(|table| table.rows), Ok(table.rows));
    }
    let Some((&alignment, rows)) = bytes.split_first() else { return };
    let requests = rows.chunks_exact(6).take(40).filter_map(|row| {
        let first = u32::from(row[0] % 32);
        let live = Span::new(Step(first), Step(first + 1 + u32::from(row[1] % 16)))?;
        let request = Request::new(1 + u64::from(row[2]) + (u64::from(row[3] & 3) << 8), live);
        let request = request.in_batch(u32::from(row[4] & 3)).staying(row[4] & 4 != 0);
        Some(if row[4] & 24 == 24 { request.fixed_at(u64::from(row[5])) } else { request })
    });
    let Ok(problem) = Problem::new(requests.collect(), 1 + u64::from(alignment % 64)) else { return };
    let bound = lower_bound(&problem).height_bytes;
    let mut solver = Solver::new(&problem);
    while !solver.progress().is_done && solver.progress().nodes < 2_000 {
        solver.step(500);
    }
    let fixed = problem.requests().iter().filter_map(|request| request.fixed_offset);
    let is_unaligned = fixed.into_iter().any(|offset| !offset.is_multiple_of(problem.alignment()));
    for &strategy in Strategy::ALL.iter().filter(|&&strategy| strategy != Strategy::Optimal) {
        let made = plan(&problem, strategy);
        if strategy == Strategy::Tflm && is_unaligned {
            continue;
        }
        assert!(matches!(validate(&problem, &made, None), Ok(()) | Err(Violation::FixedOverlap { .. })));
        assert!(bound <= made.height_bytes && solver.plan().height_bytes <= made.height_bytes);
    }
    assert!(matches!(validate(&problem, solver.plan(), None), Ok(()) | Err(Violation::FixedOverlap { .. })));
});
