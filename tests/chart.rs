//! The chart: scenes, viewports, hit tests, rasters and SVG, on small problems drawn as text and on random ones.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "tests fail by panicking, and draw"
)]

#[path = "chart/compare.rs"]
mod compare;
#[path = "chart/raster.rs"]
mod raster;
#[path = "chart/scene.rs"]
mod scene;
#[path = "chart/strip.rs"]
mod strip;
#[path = "chart/svg.rs"]
mod svg;
#[path = "chart/theme.rs"]
mod theme;
#[path = "chart/viewport.rs"]
mod viewport;

use arenascope::chart::{BoxLabel, Clock, Scene, SceneOptions};
use arenascope::plan::{Plan, Problem, Request};
use arenascope::units::{RequestId, Span, Step};

/// First step, end step, offset, bytes of each box.
pub(crate) type Rows<'a> = &'a [(u32, u32, u64, u64)];

/// A scene of boxes named A, B, C …
pub(crate) fn scene_of(rows: Rows<'_>, ticks: u32, alignment: u64) -> Scene {
    let request = |row: &(u32, u32, u64, u64)| Request::new(row.3, Span::new(Step(row.0), Step(row.1)).unwrap());
    let problem = Problem::new(rows.iter().map(request).collect(), alignment).unwrap();
    let plan = Plan::from_offsets(&problem, rows.iter().map(|row| row.2).collect());
    let name = |index: usize| char::from(b'A' + (index % 26) as u8).to_string();
    let labels = (0..rows.len()).map(|index| BoxLabel::named(RequestId::from_index(index), name(index))).collect();
    Scene::new(&problem, &plan, labels, Clock { ticks, ..Clock::default() }, SceneOptions::default())
}

/// Seven tensors of 2, 3, 4, 6, 2, 5, 8 MiB, placed as low as can be: 18 MiB are alive at step 3.
pub(crate) const SEVEN: Rows<'static> = &[
    (0, 2, 3 << 20, 2 << 20),
    (1, 3, 0, 3 << 20),
    (2, 4, 14 << 20, 4 << 20),
    (3, 5, 0, 6 << 20),
    (4, 6, 14 << 20, 2 << 20),
    (5, 8, 0, 5 << 20),
    (3, 7, 6 << 20, 8 << 20),
];

/// Random boxes, some of which may collide.
pub(crate) fn rows_strategy() -> impl proptest::strategy::Strategy<Value = Vec<(u32, u32, u64, u64)>> {
    use proptest::prelude::*;
    let row = (0_u32..40, 1_u32..12, 0_u64..600, 1_u64..300)
        .prop_map(|(first, steps, offset, size)| (first, first + steps, offset, size));
    proptest::collection::vec(row, 0..40)
}
