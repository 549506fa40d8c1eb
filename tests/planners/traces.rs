//! Why here: what the planners saw when they placed a request.

use arenascope::plan::{GapTried, Plan, Problem, Reason, Strategy, plan, rests_on, trace};
use arenascope::units::RequestId;

use super::{problem, request};

/// Obstacles at 16..32 and 48..64, then requests that meet them.
fn obstacles(last: arenascope::plan::Request) -> Problem {
    problem(&[request(16, 0, 9).fixed_at(16), request(16, 0, 9).fixed_at(48), last], 16)
}

/// The reason that `strategy` gives for request `id`.
fn why(problem: &Problem, strategy: Strategy, id: u32) -> Reason {
    let made = plan(problem, strategy);
    let trace = trace(problem, strategy, &made, RequestId(id));
    assert_eq!(trace.offset, made.offsets[id as usize]);
    trace.reason
}

#[test]
fn names_the_gaps_tried_and_who_blocked_them() {
    let (a, b) = (RequestId(0), RequestId(1));
    let gap = |start, end, below, above, fits| GapTried { start, offset: start, end, below, above, fits };
    let problem = obstacles(request(40, 3, 4));
    let expected = Reason::Placed {
        turn: 2,
        turns: 3,
        gaps: vec![gap(0, 16, None, a, false), gap(32, 48, Some(a), b, false)],
        taken: None,
        below: Some(b),
    };
    assert_eq!(why(&problem, Strategy::Tflite, 2), expected);
    assert_eq!(why(&problem, Strategy::Tflm, 2), expected);
    assert_eq!(why(&problem, Strategy::Tflm, 0), Reason::Fixed);
}

#[test]
fn names_the_gap_taken() {
    let a = RequestId(0);
    let problem = obstacles(request(16, 3, 4));
    let Reason::Placed { gaps, taken, below, .. } = why(&problem, Strategy::FirstFit, 2) else { panic!("not placed") };
    assert_eq!((gaps.len(), taken, below), (1, Some(0), None));
    let Reason::Placed { gaps, taken, .. } = why(&problem, Strategy::BestFit, 2) else { panic!("not placed") };
    assert_eq!((gaps.len(), taken), (2, Some(0)));
    assert_eq!(gaps[0].above, a);
    let Reason::Placed { turn, turns, gaps, .. } = why(&obstacles(request(16, 9, 12)), Strategy::BySize, 2) else {
        panic!("not placed")
    };
    assert_eq!((turn, turns, gaps.len()), (2, 3, 0), "it meets nobody");
}

#[test]
fn follows_the_one_before_without_reuse() {
    let problem = problem(&[request(8, 0, 1), request(8, 0, 1).fixed_at(64), request(8, 0, 1)], 8);
    assert_eq!(why(&problem, Strategy::NoReuse, 0), Reason::Follows(None));
    assert_eq!(why(&problem, Strategy::NoReuse, 2), Reason::Follows(Some(RequestId(0))));
}

#[test]
fn a_chain_leads_to_the_bottom() {
    let problem = problem(&[request(10, 0, 3), request(20, 2, 5), request(30, 4, 7), request(5, 0, 7)], 16);
    let made = Plan::from_offsets(&problem, vec![0, 16, 48, 80]);
    let chain = |id| rests_on(&problem, &made, RequestId(id)).iter().map(|id| id.0).collect::<Vec<_>>();
    assert_eq!(chain(3), [2, 1, 0]);
    assert_eq!(chain(0), [0_u32; 0]);
    let floating = Plan::from_offsets(&problem, vec![0, 32, 64, 96]);
    assert_eq!(rests_on(&problem, &floating, RequestId(1)), []);
}

#[test]
fn every_strategy_gives_a_reason() {
    let problem = obstacles(request(40, 3, 4));
    for &strategy in Strategy::ALL {
        let reason = why(&problem, strategy, 2);
        let fits = match strategy {
            Strategy::NoReuse | Strategy::Linear => matches!(reason, Reason::Follows(_)),
            Strategy::Optimal => matches!(reason, Reason::Rests(_)),
            _ => matches!(reason, Reason::Placed { .. }),
        };
        assert!(fits, "{}: {reason:?}", strategy.name());
    }
}
