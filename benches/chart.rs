//! How long the picture takes at 1,000, 10,000 and 100,000 boxes: making the scene, handing it to another thread, filling
//! pixels, labels, the map of what each pixel shows, SVG.
#![expect(missing_docs, reason = "criterion's macros make public functions")]

use std::hint::black_box;

use arenascope::chart::{
    BoxLabel, Caption, Clock, Picture, Pixels, Scene, SceneOptions, Sight, Style, pack, svg, unpack, with_fold_labels,
};
use arenascope::plan::{Plan, Problem, Request, Strategy, plan};
use arenascope::units::{RequestId, Span, Step};
use criterion::{Criterion, criterion_group, criterion_main};

/// A plot on a desktop, and one that fills a 4K screen.
const PLOTS: [(&str, u32, u32); 2] = [("desktop", 760, 420), ("4K", 3400, 1500)];

/// A network's boxes: most live for a few steps, some for long; sizes from bytes to hundreds of kilobytes.
fn problem(boxes: u32) -> Option<Problem> {
    let mut state = 0x9e37_79b9_u32;
    let mut next = |below: u32| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % below
    };
    let steps = (boxes / 5 * 2).max(1);
    let requests = (0..boxes).map(|id| {
        let first = id * 2 / 5;
        let length = if next(40) == 0 { 20 + next(400) } else { 1 + next(9) };
        let size = u64::from(16 + next(1024)) << next(9);
        Some(Request::new(size, Span::new(Step(first), Step((first + length).min(steps).max(first + 1)))?))
    });
    Problem::new(requests.collect::<Option<_>>()?, 16).ok()
}

fn scene_of(problem: &Problem, plan: &Plan) -> Scene {
    let labels = (0..problem.requests().len())
        .map(RequestId::from_index)
        .map(|id| BoxLabel::named(id, format!("block_{id}/conv/relu")))
        .collect();
    Scene::new(problem, plan, labels, Clock::default(), SceneOptions::default())
}

fn chart(criterion: &mut Criterion) {
    for boxes in [1_000, 10_000, 100_000] {
        let Some(problem) = problem(boxes) else { return };
        let plan = plan(&problem, Strategy::Tflite);
        let mut group = criterion.benchmark_group(format!("{boxes} boxes"));
        group.bench_function("scene", |bencher| bencher.iter(|| scene_of(black_box(&problem), &plan)));
        let (scene, style) = (scene_of(&problem, &plan), Style::default());
        let packed = pack(&scene);
        group.bench_function("pack", |bencher| bencher.iter(|| pack(black_box(&scene))));
        group.bench_function("unpack", |bencher| bencher.iter(|| unpack(black_box(&packed))));
        let whole = scene.extent();
        let close = whole.zoom_steps(0.02, 0.4, &whole);
        for (name, width, height) in PLOTS {
            let pixels = Pixels::new(width, height, 1.0);
            for (part, view) in [("whole", &whole), ("close", &close)] {
                let id = |what: &str| format!("{what}/{name}, {part}");
                let sight = Sight::new(&scene, view, pixels);
                let map = sight.picks();
                let (mut data, labels) = (Vec::new(), sight.labels(&style));
                group.bench_function(id("in sight"), |bencher| bencher.iter(|| Sight::new(&scene, view, pixels)));
                group.bench_function(id("raster"), |bencher| bencher.iter(|| sight.raster_into(&style, &mut data)));
                group.bench_function(id("labels"), |bencher| bencher.iter(|| sight.labels(&style)));
                group.bench_function(id("pick map"), |bencher| bencher.iter(|| sight.picks()));
                group.bench_function(id("folds"), |bencher| {
                    bencher.iter(|| with_fold_labels(labels.clone(), &map.folds(&sight), &style, pixels));
                });
            }
        }
        let caption = Caption::default();
        let picture = Picture::whole(&scene, &style, &caption);
        group.bench_function("svg", |bencher| bencher.iter(|| svg(black_box(&picture), 1400, 800)));
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(1)).warm_up_time(std::time::Duration::from_millis(300));
    targets = chart
}
criterion_main!(benches);
