//! Examples whose figures are known beforehand.

use arenascope::plan::{Strategy, alive_at, lower_bound, plan, reuse_candidates};
use arenascope::units::{RequestId, Step};

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

/// Five ops, T0 to T5 in a chain: op `i` reads `Ti` and writes `Ti+1`, both alive there. Each tensor can reuse the bytes of
/// all but itself and its neighbours.
#[test]
fn chain_of_five_ops() {
    let last_op = 4;
    let requests: Vec<_> = (0..=5_u32).map(|t| request(16, t.saturating_sub(1), t.min(last_op) + 1)).collect();
    let problem = problem(&requests, 16);
    let candidates = |t: u32| reuse_candidates(&problem, RequestId(t)).iter().map(|id| id.0).collect::<Vec<_>>();
    assert_eq!(candidates(0), [2, 3, 4, 5]);
    assert_eq!(candidates(1), [3, 4, 5]);
    assert_eq!(candidates(2), [0, 4, 5]);
    assert_eq!(candidates(3), [0, 1, 5]);
    assert_eq!(candidates(4), [0, 1, 2]);
    assert_eq!(candidates(5), [0, 1, 2, 3]);
    assert_eq!(alive_at(&problem, Step(2)), [RequestId(2), RequestId(3)]);
    assert_eq!(plan(&problem, Strategy::Tflm).height_bytes, 32);
}
