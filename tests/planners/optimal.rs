//! The optimal planner: against brute force, on made and on public hard problems, and as something that can be stopped.

use std::path::PathBuf;

use proptest::prelude::{ProptestConfig, Strategy as Generator, proptest};
use proptest::{collection, prop_assert, prop_assert_eq};

use arenascope::plan::csv::Table;
use arenascope::plan::{Problem, Request, Solver, Strategy, Violation, lower_bound, plan, solve, validate};
use arenascope::units::align_up;

use super::{check, problem, request};

/// The lowest height there is: every order is tried, each request at the lowest offset that is free. Some order gives the
/// best plan, since the requests of any plan, taken by offset, fall at least as low.
fn brute_force(problem: &Problem) -> u64 {
    let (fixed, mut free): (Vec<usize>, Vec<usize>) =
        (0..problem.requests().len()).partition(|&index| problem.requests()[index].fixed_offset.is_some());
    let mut placed: Vec<_> =
        fixed.iter().map(|&index| (index, problem.requests()[index].fixed_offset.unwrap())).collect();
    let height = placed.iter().map(|&(index, offset)| offset + problem.requests()[index].size_bytes).max().unwrap_or(0);
    let mut best = u64::MAX;
    try_all(problem, &mut free, &mut placed, height, &mut best);
    best
}

fn try_all(problem: &Problem, free: &mut Vec<usize>, placed: &mut Vec<(usize, u64)>, height: u64, best: &mut u64) {
    if height >= *best || free.is_empty() {
        *best = height.min(*best);
        return;
    }
    for turn in 0..free.len() {
        let index = free.remove(turn);
        let offset = lowest(problem, index, placed);
        placed.push((index, offset));
        try_all(problem, free, placed, height.max(offset + problem.requests()[index].size_bytes), best);
        placed.pop();
        free.insert(turn, index);
    }
}

/// The lowest free offset of a request.
fn lowest(problem: &Problem, index: usize, placed: &[(usize, u64)]) -> u64 {
    let request = problem.requests()[index];
    let mut offset = 0;
    loop {
        let over = placed.iter().filter_map(|&(other, other_offset)| {
            let other = problem.requests()[other];
            let end = other_offset + other.size_bytes;
            let clash = other.live.overlaps(request.live) && offset < end && other_offset < offset + request.size_bytes;
            clash.then_some(end)
        });
        match over.max() {
            Some(end) => offset = align_up(end, problem.alignment()).unwrap(),
            None => return offset,
        }
    }
}

/// Works until done; the solver must come to an end on small problems.
fn finish(problem: &Problem) -> Solver {
    let mut solver = Solver::new(problem);
    let mut steps = 0;
    while !solver.step(1_000).is_done {
        steps += 1;
        assert!(steps < 10_000, "no end: {:?} of {problem:?}", solver.progress());
    }
    solver
}

/// Small problems, some with fixed offsets.
fn small(most: usize) -> impl Generator<Value = Problem> {
    let one = (1_u64..40, 0_u32..9, 1_u32..6, 0_u8..4, 0_u64..60);
    let alignment = proptest::sample::select(vec![1_u64, 1, 4, 16]);
    (collection::vec(one, 1..=most), alignment, 0_u8..3).prop_map(|(rows, alignment, fixing)| {
        let make = |&(size, first, steps, fixed, offset): &(u64, u32, u32, u8, u64)| {
            let request = request(size, first, first + steps);
            if fixing == 0 && fixed == 0 { request.fixed_at(offset) } else { request }
        };
        problem(&rows.iter().map(make).collect::<Vec<Request>>(), alignment)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn equals_brute_force(problem in small(7)) {
        let solver = finish(&problem);
        prop_assert!(solver.progress().is_proven());
        prop_assert_eq!(solver.plan().height_bytes, brute_force(&problem), "{:?}", problem);
        if let Err(violation) = validate(&problem, solver.plan(), None) {
            prop_assert!(matches!(violation, Violation::FixedOverlap { .. }), "{}", violation);
        }
    }

    #[test]
    fn finds_a_packing_that_is_known_to_exist(cuts in collection::vec((0_u32..1000, 0_u32..1000, 0_u8..2), 1..14)) {
        let problem = guillotine(&cuts);
        let solver = finish(&problem);
        prop_assert_eq!(solver.plan().height_bytes, 1024);
        prop_assert!(solver.progress().is_proven());
        prop_assert_eq!(validate(&problem, solver.plan(), Some(1024)), Ok(()));
    }
}

#[test]
fn equals_brute_force_on_nine() {
    // Two long ones between which seven short ones of awkward sizes must share 17 bytes.
    let sizes = [(9, 0, 2), (8, 1, 3), (5, 2, 5), (4, 3, 6), (3, 0, 4), (6, 4, 8), (7, 5, 9), (2, 6, 9), (10, 8, 10)];
    let problem = problem(&sizes.map(|(size, first, end)| request(size, first, end)), 1);
    let solver = finish(&problem);
    assert_eq!(solver.plan().height_bytes, brute_force(&problem));
    check(&problem, solver.plan());
}

/// A rectangle of 1,024 bytes and 64 steps cut into pieces without waste: the pieces fit 1,024 bytes, and no fewer. Each
/// cut names a piece, where, and in which direction.
fn guillotine(cuts: &[(u32, u32, u8)]) -> Problem {
    // (first step, end, offset, end)
    let mut pieces = vec![(0_u32, 64_u32, 0_u32, 1024_u32)];
    for &(piece, at, direction) in cuts {
        let index = piece as usize % pieces.len();
        let (first, end, low, high) = pieces[index];
        if direction == 0 && end - first > 1 {
            let cut = first + 1 + at % (end - first - 1);
            pieces[index] = (first, cut, low, high);
            pieces.push((cut, end, low, high));
        } else if direction == 1 && high - low > 1 {
            let cut = low + 1 + at % (high - low - 1);
            pieces[index] = (first, end, low, cut);
            pieces.push((first, end, cut, high));
        }
    }
    let requests = pieces.iter().map(|&(first, end, low, high)| request(u64::from(high - low), first, end));
    problem(&requests.collect::<Vec<_>>(), 1)
}

/// Numbers that look random and are always the same.
fn scramble(seed: u32) -> impl FnMut() -> u32 {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    }
}

/// A packing without waste of about `pieces` pieces.
fn puzzle(seed: u32, pieces: u32) -> Problem {
    let mut next = scramble(seed);
    let cuts: Vec<_> = (0..pieces).map(|_| (next(), next(), u8::from(next() % 5 < 2))).collect();
    guillotine(&cuts)
}

#[test]
fn beats_every_greedy_planner_on_packings_without_waste() {
    let mut proven = 0;
    for seed in 1..=6 {
        let problem = puzzle(seed, 40);
        let mut solver = Solver::new(&problem);
        while !solver.progress().is_done && solver.progress().nodes < 20_000 {
            solver.step(1_000);
        }
        check(&problem, solver.plan());
        for &strategy in Strategy::ALL {
            if strategy != Strategy::Optimal {
                assert!(solver.plan().height_bytes <= plan(&problem, strategy).height_bytes, "{}", strategy.name());
            }
        }
        proven += u32::from(solver.progress().is_proven());
    }
    assert!(proven >= 4, "only {proven} of 6 proven");
}

#[test]
fn takes_steps_and_only_gets_better() {
    let problem = puzzle(3, 60);
    let mut solver = Solver::new(&problem);
    let mut last = solver.progress();
    for _ in 0..60 {
        let progress = solver.step(100);
        assert!(progress.best_bytes <= last.best_bytes && progress.bound_bytes >= last.bound_bytes);
        assert!(progress.nodes <= last.nodes + 200, "{last:?} then {progress:?}");
        assert_eq!(progress.best_bytes, solver.plan().height_bytes);
        check(&problem, solver.plan());
        last = progress;
    }
}

#[test]
fn gives_the_same_each_time() {
    let problem = puzzle(5, 50);
    let run = |slice: u64| {
        let mut solver = Solver::new(&problem);
        while !solver.progress().is_done && solver.progress().nodes < 5_000 {
            solver.step(slice);
        }
        solver.plan().clone()
    };
    assert_eq!(run(100), run(100));
    assert_eq!(plan(&problem, Strategy::Optimal), plan(&problem, Strategy::Optimal));
}

#[test]
fn stops_at_a_capacity() {
    let problem = puzzle(2, 30);
    let solution = solve(&problem, Some(1100), |_| true);
    assert!(solution.progress.is_done && solution.plan.height_bytes <= 1100);
    let too_small = solve(&problem, Some(1000), |_| true);
    assert!(too_small.progress.is_done && too_small.progress.bound_bytes > 1000);
    let mut asked = 0;
    let stopped = solve(&problem, None, |_| {
        asked += 1;
        false
    });
    assert!(asked <= 1);
    check(&problem, &stopped.plan);
}

#[test]
fn proves_that_the_bound_cannot_be_reached() {
    // Each step has room for all, but no order of the six suits every step.
    let problem = problem(
        &[request(3, 0, 4), request(3, 2, 8), request(3, 6, 10), request(4, 3, 7), request(4, 0, 3), request(4, 7, 10)],
        1,
    );
    let solver = finish(&problem);
    assert_eq!(solver.plan().height_bytes, brute_force(&problem));
    assert!(solver.progress().is_proven());
}

#[test]
fn goes_on_with_thousands_of_requests() {
    let mut next = scramble(9);
    let requests: Vec<_> = (0..3_000_u32)
        .map(|index| {
            let first = index / 3;
            request(u64::from(next() % 5_000 + 1), first, first + 1 + next() % 9)
        })
        .collect();
    let problem = problem(&requests, 64);
    let mut solver = Solver::new(&problem);
    for _ in 0..12 {
        solver.step(50);
    }
    check(&problem, solver.plan());
    assert!(solver.plan().height_bytes <= plan(&problem, Strategy::BySize).height_bytes);
}

#[test]
fn copes_with_sizes_beyond_32_bits() {
    let big = 1_u64 << 40;
    let problem = problem(&[request(big + 1, 0, 2), request(big, 1, 3), request(big + 1, 2, 4)], 1);
    let solver = finish(&problem);
    assert_eq!(solver.plan().height_bytes, 2 * big + 1);
}

/// The public problems, when the corpus is there: plans are valid, and never worse than the best greedy one.
#[test]
fn public_problems() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS").map(PathBuf::from) else {
        println!("skipped: ARENASCOPE_CORPUS is not set");
        return;
    };
    let mut count = 0;
    for (folder, must_reach_bound) in [("planner/real", true), ("planner", false)] {
        let entries = std::fs::read_dir(corpus.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|ext| ext == "csv")).collect();
        paths.sort();
        for path in paths {
            let table = Table::read(&std::fs::read(&path).unwrap()).unwrap();
            let problem = table.problem().unwrap();
            let solution = solve(&problem, None, |progress| progress.nodes < 6_000);
            check(&problem, &solution.plan);
            let best = |&strategy: &Strategy| plan(&problem, strategy).height_bytes;
            let greedy = Strategy::ALL.iter().filter(|&&strategy| strategy != Strategy::Optimal).map(best).min();
            assert!(solution.plan.height_bytes <= greedy.unwrap(), "{}", path.display());
            if must_reach_bound {
                assert_eq!(solution.plan.height_bytes, lower_bound(&problem).height_bytes, "{}", path.display());
            }
            count += 1;
        }
    }
    assert!(count > 30, "only {count} problems found");
}
