//! The judge and the bounds.

use arenascope::plan::{Plan, Strategy, Violation, lower_bound, plan, validate};
use arenascope::units::{RequestId, Step};

use super::{problem, request};

/// What the judge says of these offsets.
fn verdict(requests: &[arenascope::plan::Request], alignment: u64, offsets: &[u64]) -> Result<(), Violation> {
    let problem = problem(requests, alignment);
    validate(&problem, &Plan::from_offsets(&problem, offsets.to_vec()), Some(100))
}

#[test]
fn finds_each_kind_of_violation() {
    let two = [request(16, 0, 3), request(16, 2, 4)];
    let (a, b) = (RequestId(0), RequestId(1));
    assert_eq!(verdict(&two, 16, &[0, 16]), Ok(()));
    assert_eq!(verdict(&two, 16, &[16, 0]), Ok(()));
    assert_eq!(verdict(&two, 1, &[0, 15]), Err(Violation::Overlap { a, b }));
    assert_eq!(verdict(&two, 1, &[10, 0]), Err(Violation::Overlap { a, b }));
    assert_eq!(verdict(&two, 1, &[5, 5]), Err(Violation::Overlap { a, b }));
    assert_eq!(verdict(&two, 16, &[0, 24]), Err(Violation::Misaligned { request: b, offset: 24, alignment: 16 }));
    assert_eq!(verdict(&two, 16, &[0, 96]), Err(Violation::AboveCapacity { request: b, end: 112, capacity: 100 }));
    let fixed = [request(16, 0, 3).fixed_at(4), request(16, 2, 4).fixed_at(8)];
    assert_eq!(verdict(&fixed, 16, &[0, 8]), Err(Violation::Moved { request: a, fixed_offset: 4, offset: 0 }));
    assert_eq!(verdict(&fixed, 16, &[4, 8]), Err(Violation::FixedOverlap { a, b }));
    let mixed = [request(16, 0, 3).fixed_at(4), request(16, 2, 4)];
    assert_eq!(verdict(&mixed, 16, &[4, 16]), Err(Violation::Overlap { a, b }));
    assert_eq!(verdict(&mixed, 16, &[4, 32]), Ok(()));
}

#[test]
fn prefers_a_violation_of_ours_to_overlapping_fixed_ones() {
    let requests = [request(16, 0, 9).fixed_at(0), request(16, 0, 9).fixed_at(8), request(8, 5, 6)];
    let (b, c) = (RequestId(1), RequestId(2));
    assert_eq!(verdict(&requests, 1, &[0, 8, 20]), Err(Violation::Overlap { a: b, b: c }));
}

#[test]
fn half_open_spans_that_touch_do_not_overlap() {
    assert_eq!(verdict(&[request(16, 0, 2), request(16, 2, 4)], 16, &[0, 0]), Ok(()));
}

#[test]
fn checks_count_and_height() {
    let problem = problem(&[request(16, 0, 3)], 16);
    let count = Plan { offsets: vec![], height_bytes: 0 };
    assert_eq!(validate(&problem, &count, None), Err(Violation::Count { requests: 1, offsets: 0 }));
    let height = Plan { offsets: vec![0], height_bytes: 17 };
    assert_eq!(validate(&problem, &height, None), Err(Violation::Height { stated: 17, actual: 16 }));
    let far = Plan { offsets: vec![u64::MAX - 15], height_bytes: 17 };
    assert!(validate(&problem, &far, None).is_err());
}

#[test]
fn bound_is_the_busiest_step() {
    let bound = lower_bound(&problem(&[request(10, 0, 3), request(20, 2, 4), request(25, 3, 5)], 1));
    assert_eq!((bound.live_bytes, bound.live_step), (45, Some(Step(3))));
    assert_eq!((bound.height_bytes, bound.height_step), (45, Some(Step(3))));
}

#[test]
fn bound_counts_alignment_below_the_topmost() {
    let problem = problem(&[request(10, 0, 3), request(20, 0, 3), request(40, 5, 6)], 16);
    let bound = lower_bound(&problem);
    assert_eq!((bound.live_bytes, bound.live_step), (40, Some(Step(5))));
    // 16 + 32, less the larger rounding of 12.
    assert_eq!((bound.height_bytes, bound.height_step), (40, Some(Step(5))));
    let tight = super::problem(&[request(10, 0, 3), request(20, 0, 3), request(8, 0, 3)], 16);
    assert_eq!(lower_bound(&tight).live_bytes, 38);
    assert_eq!(lower_bound(&tight).height_bytes, 16 + 32 + 16 - 12);
    assert_eq!(plan(&tight, Strategy::Optimal).height_bytes, 52);
}

#[test]
fn bound_knows_fixed_offsets() {
    // Shared bytes count once; what is fixed ends where it ends.
    let overlapping = problem(&[request(16, 0, 3).fixed_at(0), request(16, 0, 3).fixed_at(8), request(4, 0, 3)], 4);
    assert_eq!(lower_bound(&overlapping).live_bytes, 28);
    let high = problem(&[request(16, 2, 3).fixed_at(1000), request(4, 0, 3)], 4);
    assert_eq!(lower_bound(&high).live_bytes, 20);
    assert_eq!((lower_bound(&high).height_bytes, lower_bound(&high).height_step), (1016, Some(Step(2))));
    // Under an unaligned fixed one, rounding may be shared: 5 free bytes and 11 fixed ones fit 16.
    let shared = problem(&[request(11, 0, 3).fixed_at(5), request(5, 0, 3)], 16);
    assert_eq!(lower_bound(&shared).height_bytes, 16);
    assert_eq!(plan(&shared, Strategy::Optimal).height_bytes, 16);
}

#[test]
fn nothing_needs_nothing() {
    let empty = problem(&[], 16);
    assert_eq!(lower_bound(&empty).height_bytes, 0);
    assert_eq!(lower_bound(&empty).live_step, None);
    for &strategy in Strategy::ALL {
        assert_eq!(plan(&empty, strategy).height_bytes, 0);
    }
}
