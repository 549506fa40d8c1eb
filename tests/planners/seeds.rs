//! Examples whose figures are known beforehand.

use arenascope::plan::{Strategy, lower_bound, plan};
use arenascope::units::Step;

use super::{check, problem, request};

const MB: u64 = 1_000_000;

/// Seven tensors A to G whose spans count both ends.
#[test]
fn seven_tensors() {
    let seven = [(2, 0, 1), (3, 1, 2), (4, 2, 3), (6, 3, 4), (2, 4, 5), (5, 5, 7), (8, 3, 6)];
    let requests: Vec<_> = seven.iter().map(|&(size, first, last)| request(size * MB, first, last + 1)).collect();
    let problem = problem(&requests, 1);
    assert_eq!(plan(&problem, Strategy::NoReuse).height_bytes, 30 * MB);
    let bound = lower_bound(&problem);
    assert_eq!((bound.live_bytes, bound.live_step), (18 * MB, Some(Step(3))));
    assert_eq!(bound.height_bytes, 18 * MB);
    for &strategy in Strategy::ALL {
        let made = plan(&problem, strategy);
        check(&problem, &made);
        assert!(made.height_bytes >= 18 * MB, "{}", strategy.name());
    }
    assert_eq!(plan(&problem, Strategy::Optimal).height_bytes, 18 * MB);
}
