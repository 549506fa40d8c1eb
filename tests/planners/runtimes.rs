//! The runtimes' own planners, rule by rule.

use arenascope::error::ErrorKind;
use arenascope::plan::{Strategy, check_supported};

use super::{offsets, problem, request};

/// What each strategy must give for the requests, to the byte.
#[track_caller]
fn gives(strategy: Strategy, alignment: u64, requests: &[arenascope::plan::Request], expected: &[u64]) {
    assert_eq!(offsets(&problem(requests, alignment), strategy), expected);
}

#[test]
fn tflite_places_what_stays_from_the_start_first_by_index() {
    // Largest first would put the second request at 0.
    let requests = [request(10, 0, 9).staying(true), request(500, 0, 9), request(20, 0, 9).staying(true)];
    gives(Strategy::Tflite, 64, &requests, &[0, 128, 64]);
    // Staying from step 1 on is not enough.
    let requests = [request(10, 1, 9).staying(true), request(500, 0, 9)];
    gives(Strategy::Tflite, 64, &requests, &[512, 0]);
}

#[test]
fn tflite_breaks_ties_of_size_by_time_then_by_index() {
    let requests = [request(8, 2, 4), request(8, 1, 3), request(8, 2, 4)];
    gives(Strategy::Tflite, 8, &requests, &[8, 0, 16]);
}

#[test]
fn tflite_takes_the_smallest_gap() {
    // Gaps at 0..256 and 320..384.
    let requests = [request(64, 0, 9).fixed_at(256), request(64, 0, 9).fixed_at(384), request(60, 5, 6)];
    gives(Strategy::Tflite, 64, &requests, &[256, 384, 320]);
    gives(Strategy::BestFit, 64, &requests, &[256, 384, 320]);
    gives(Strategy::Tflm, 64, &requests, &[256, 384, 0]);
    gives(Strategy::FirstFit, 64, &requests, &[256, 384, 0]);
}

#[test]
fn tflite_measures_the_best_gap_before_aligning() {
    // Two gaps, 4..64 and 132..192: each 56 bytes once its start is aligned, 60 before. The lower one is recorded as 60,
    // and 56 is less than that, so the upper one wins although it is no smaller. A plain best fit keeps the lower one.
    let obstacles = [(4, 0), (68, 64), (8, 192)].map(|(size, offset)| request(size, 0, 9).fixed_at(offset));
    let requests: Vec<_> = obstacles.into_iter().chain([request(40, 5, 6)]).collect();
    gives(Strategy::Tflite, 8, &requests, &[0, 64, 192, 136]);
    gives(Strategy::BestFit, 8, &requests, &[0, 64, 192, 8]);
}

#[test]
fn tflite_keeps_the_lower_of_equal_gaps_that_begin_aligned() {
    let obstacles = [0, 32, 64].map(|offset| request(16, 0, 9).fixed_at(offset));
    let requests: Vec<_> = obstacles.into_iter().chain([request(16, 3, 4)]).collect();
    gives(Strategy::Tflite, 16, &requests, &[0, 32, 64, 16]);
}

#[test]
fn tflite_places_a_batch_around_what_is_alive_of_lower_ones() {
    let requests = [request(64, 0, 3), request(64, 3, 9).in_batch(1), request(640, 2, 9).in_batch(1)];
    gives(Strategy::Tflite, 64, &requests, &[0, 0, 64]);
    let requests = [request(64, 0, 3), request(64, 2, 9), request(640, 2, 9).in_batch(1)];
    gives(Strategy::Tflite, 64, &requests, &[0, 64, 128]);
}

#[test]
fn tflm_breaks_ties_by_the_last_in_the_list() {
    gives(Strategy::Tflm, 16, &[request(32, 0, 2), request(32, 0, 2), request(48, 0, 2)], &[80, 48, 0]);
}

#[test]
fn tflm_rounds_before_it_compares_sizes() {
    // 17 and 31 bytes both take 32, so the later one goes first.
    gives(Strategy::Tflm, 16, &[request(31, 0, 2), request(17, 0, 2)], &[32, 0]);
}

#[test]
fn tflm_takes_the_first_gap_even_if_a_smaller_one_follows() {
    let requests =
        [request(16, 0, 9).fixed_at(64), request(16, 0, 9).fixed_at(96), request(16, 3, 4), request(80, 3, 4)];
    gives(Strategy::Tflm, 16, &requests, &[64, 96, 0, 112]);
}

#[test]
fn tflm_goes_around_fixed_offsets_that_overlap() {
    let requests =
        [request(64, 0, 9).fixed_at(32), request(16, 0, 9).fixed_at(48), request(48, 0, 9), request(32, 0, 9)];
    let problem = problem(&requests, 16);
    let made = arenascope::plan::plan(&problem, Strategy::Tflm);
    assert_eq!(made.offsets, [32, 48, 96, 0]);
    let violation = arenascope::plan::validate(&problem, &made, None).unwrap_err();
    assert!(matches!(violation, arenascope::plan::Violation::FixedOverlap { .. }), "{violation}");
}

#[test]
fn tflm_goes_on_from_an_unaligned_offset_unaligned() {
    let requests = [request(16, 0, 9).fixed_at(5), request(16, 0, 9)];
    let made = arenascope::plan::plan(&problem(&requests, 16), Strategy::Tflm);
    assert_eq!(made.offsets, [5, 21]);
}

#[test]
fn linear_sums_up() {
    gives(Strategy::Linear, 16, &[request(10, 0, 1), request(20, 1, 2), request(5, 2, 3)], &[0, 16, 48]);
}

#[test]
fn no_reuse_stays_clear_of_fixed_offsets() {
    let requests = [request(10, 0, 1), request(20, 1, 2).fixed_at(100), request(5, 2, 3)];
    gives(Strategy::NoReuse, 16, &requests, &[128, 100, 144]);
}

#[test]
fn linear_refuses_offline_plans_and_long_lists() {
    let offline = problem(&[request(16, 0, 1).fixed_at(0)], 16);
    assert_eq!(check_supported(&offline, Strategy::Linear).unwrap_err().kind, ErrorKind::Refused);
    assert!(check_supported(&offline, Strategy::Tflm).is_ok());
    let long = problem(&vec![request(16, 0, 1); 1025], 16);
    assert_eq!(check_supported(&long, Strategy::Linear).unwrap_err().kind, ErrorKind::Refused);
    assert!(check_supported(&problem(&vec![request(16, 0, 1); 1024], 16), Strategy::Linear).is_ok());
}
