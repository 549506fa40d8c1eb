//! What holds for every strategy on any problem.

use proptest::prelude::{ProptestConfig, Strategy as Generator, any, proptest};
use proptest::{collection, prop_assert, prop_assert_eq};

use arenascope::plan::{Plan, Problem, Request, Strategy, Violation, lower_bound, plan, validate};

use super::request;

/// Problems of up to `most` requests; every third one has fixed offsets, some on purpose over each other.
fn problems(most: usize) -> impl Generator<Value = Problem> {
    let one = (1_u64..60, 0_u32..12, 1_u32..8, 0_u8..6, 0_u64..90, 0_u32..3, any::<bool>());
    let requests = collection::vec(one, 1..most);
    (requests, proptest::sample::select(vec![1_u64, 2, 4, 12, 16]), 0_u8..3).prop_map(|(rows, alignment, fixing)| {
        let make = |&(size, first, steps, fixed, offset, batch, stays): &(u64, u32, u32, u8, u64, u32, bool)| {
            let request = request(size, first, first + steps).in_batch(batch).staying(stays);
            if fixing == 0 && fixed == 0 { request.fixed_at(offset) } else { request }
        };
        Problem::new(rows.iter().map(make).collect::<Vec<Request>>(), alignment).unwrap()
    })
}

/// The judge's verdict, without overlaps that fixed offsets force.
fn verdict(problem: &Problem, plan: &Plan) -> Result<(), Violation> {
    match validate(problem, plan, None) {
        Err(Violation::FixedOverlap { .. }) => Ok(()),
        other => other,
    }
}

/// Whether a fixed request makes TFLite-Micro place unaligned.
fn has_unaligned_fixed(problem: &Problem) -> bool {
    let fixed = problem.requests().iter().filter_map(|request| request.fixed_offset);
    fixed.into_iter().any(|offset| !offset.is_multiple_of(problem.alignment()))
}

/// Whether two requests share a step and a byte: the most naive opinion, cell by cell.
fn clashes(problem: &Problem, plan: &Plan) -> bool {
    let mut cells = std::collections::BTreeSet::new();
    problem.requests().iter().zip(&plan.offsets).any(|(request, &offset)| {
        let steps = request.live.first().0..request.live.end().0;
        steps.into_iter().any(|step| (offset..offset + request.size_bytes).any(|byte| !cells.insert((step, byte))))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn plans_are_valid_and_above_the_bound(problem in problems(40)) {
        let bound = lower_bound(&problem);
        prop_assert!(bound.height_bytes >= bound.live_bytes);
        let best = plan(&problem, Strategy::Optimal).height_bytes;
        for &strategy in Strategy::ALL {
            let made = plan(&problem, strategy);
            let unaligned = strategy == Strategy::Tflm && has_unaligned_fixed(&problem);
            match verdict(&problem, &made) {
                Err(Violation::Misaligned { .. }) if unaligned => (),
                verdict => prop_assert_eq!(verdict, Ok(()), "{}", strategy.name()),
            }
            if !unaligned {
                prop_assert!(made.height_bytes >= bound.height_bytes, "{}", strategy.name());
                prop_assert!(made.height_bytes >= best, "{}", strategy.name());
            }
        }
    }

    #[test]
    fn the_judge_agrees_with_a_grid_of_cells(problem in problems(9), shifts in collection::vec(0_u64..8, 9)) {
        let offsets = problem.requests().iter().zip(&shifts);
        let offsets = offsets.map(|(request, shift)| request.fixed_offset.unwrap_or(shift * problem.alignment()));
        let made = Plan::from_offsets(&problem, offsets.collect());
        let found = matches!(validate(&problem, &made, None), Err(Violation::Overlap { .. } | Violation::FixedOverlap { .. }));
        prop_assert_eq!(found, clashes(&problem, &made));
    }

    #[test]
    fn plans_are_the_same_each_time(problem in problems(20)) {
        for &strategy in Strategy::ALL {
            prop_assert_eq!(plan(&problem, strategy), plan(&problem, strategy));
        }
    }
}
