//! How long the planners take: on a network of the usual shape, on packings without waste (hard), and, when
//! `ARENASCOPE_CORPUS` names the corpus, on minimalloc's eleven problems at their capacity.
#![expect(missing_docs, reason = "criterion's macros make public functions")]

use std::hint::black_box;
use std::path::PathBuf;

use arenascope::plan::csv::Table;
use arenascope::plan::{Problem, Request, Strategy, lower_bound, plan, solve, validate};
use arenascope::units::{Span, Step};
use criterion::{Criterion, criterion_group, criterion_main};

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

fn request(size: u32, first: u32, end: u32) -> Option<Request> {
    Some(Request::new(u64::from(size), Span::new(Step(first), Step(end))?))
}

/// A chain of `ops` operators whose outputs shrink and grow, with a skip over three or more of them now and then.
fn network(ops: u32) -> Option<Problem> {
    let mut next = scramble(7);
    let requests = (0..ops).map(|op| {
        let skip = if next().is_multiple_of(4) { 2 + next() % 6 } else { 0 };
        request((1 + next() % 64) * 1024, op, (op + 2 + skip).min(ops + 1))
    });
    Problem::new(requests.collect::<Option<_>>()?, 64).ok()
}

/// A rectangle cut into pieces: they fit without waste.
fn packing(seed: u32, cuts: u32) -> Option<Problem> {
    let mut next = scramble(seed);
    let mut pieces = vec![(0_u32, 256_u32, 0_u32, 65_536_u32)];
    for _ in 0..cuts {
        let index = next() as usize % pieces.len();
        let (first, end, low, high) = pieces[index];
        if next() % 5 < 3 && end - first > 1 {
            let cut = first + 1 + next() % (end - first - 1);
            pieces[index] = (first, cut, low, high);
            pieces.push((cut, end, low, high));
        } else if high - low > 1 {
            let cut = low + 1 + next() % (high - low - 1);
            pieces[index] = (first, end, low, cut);
            pieces.push((first, end, cut, high));
        }
    }
    let requests = pieces.iter().map(|&(first, end, low, high)| request(high - low, first, end));
    Problem::new(requests.collect::<Option<_>>()?, 1).ok()
}

fn made(criterion: &mut Criterion) {
    let Some(problem) = network(200) else { return };
    for &strategy in Strategy::ALL {
        let name = format!("network of 200/{}", strategy.name());
        criterion.bench_function(&name, |bencher| bencher.iter(|| plan(black_box(&problem), strategy)));
    }
    let made = plan(&problem, Strategy::Tflite);
    criterion.bench_function("network of 200/bound", |bencher| bencher.iter(|| lower_bound(black_box(&problem))));
    criterion.bench_function("network of 200/validate", |bencher| {
        bencher.iter(|| validate(black_box(&problem), black_box(&made), None));
    });
    let Some(large) = network(15_000) else { return };
    criterion.bench_function("network of 15000/tflite", |bencher| bencher.iter(|| plan(&large, Strategy::Tflite)));
    for seed in [1, 2, 3] {
        let Some(problem) = packing(seed, 40) else { return };
        criterion.bench_function(&format!("packing {seed}/optimal"), |bencher| {
            bencher.iter(|| solve(black_box(&problem), None, |progress| progress.nodes < 100_000));
        });
    }
}

fn public(criterion: &mut Criterion) {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS").map(PathBuf::from) else { return };
    for name in ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"] {
        let text = std::fs::read(corpus.join(format!("planner/{name}.1048576.csv"))).unwrap_or_default();
        let Ok(problem) = Table::read(&text).and_then(|table| table.problem()) else { continue };
        criterion.bench_function(&format!("minimalloc {name}/capacity 1048576"), |bencher| {
            bencher.iter(|| solve(black_box(&problem), Some(1_048_576), |progress| progress.nodes < 10_000_000));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = made, public
}
criterion_main!(benches);
