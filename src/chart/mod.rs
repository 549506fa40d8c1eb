//! Turns plans into a [`Scene`] (data: boxes, gaps, live bytes, hit test) and draws it: through plotters for axes,
//! legend and SVG ([`draw`], [`svg`]), and as an RGBA raster where boxes come by the thousand ([`raster`]).
//! Knows programs, plans and plotters; knows nothing of browsers, and measures text by its own table ([`text`]),
//! so that the same scene gives the same bytes natively and in wasm.
//!
//! ```text
//! Program + Plan ─ Scene ─┬─ Viewport, ticks ─┬─ raster ─ RGBA, labels, folds     (the page, every frame)
//!                         │                   └─ draw<DB> ─ axes, lines, legend   (canvas)
//!                         └─ svg ─ String                                         (exports, command line)
//! ```

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::cast_lossless,
    reason = "drawing: bytes and steps become pixels, and float to integer casts saturate"
)]

mod build;
mod clock;
pub mod colour;
mod compare;
pub mod draw;
pub mod format;
mod gaps;
mod index;
pub mod labels;
mod packed;
mod pixels;
mod raster;
mod scene;
mod sight;
pub mod strip;
pub mod text;
pub mod theme;
pub mod ticks;
mod viewport;

pub use colour::{Colour, ColourMode};
pub use compare::{Change, Comparison, Difference, difference_raster, partners};
pub use draw::{
    Caption, Curve, CurvePoint, Drawn, Frame, Layers, LegendEntry, Measured, Parts, Picture, SVG_FONT_SCALE, Strip,
    Swatch, compare_svg, curve_svg, draw, draw_curve, legend, overlay_svg, strips_svg, svg,
};
pub use gaps::{Gap, GapKind};
pub use labels::{LabelItem, labels, with_fold_labels};
pub use packed::{pack, unpack};
pub use pixels::{MAX_SIDE_PX, MIN_BOX_PX, Pixels, PxRect, px_from_box, px_from_gap};
pub use raster::{Fold, PickMap, raster};
pub use scene::{BoxLabel, Category, Clock, Kind, Peak, Scene, SceneBox, SceneOptions};
pub use sight::Sight;
pub use theme::{Paint, Painter, Pattern, Scale, Style, Theme, Words};
pub use viewport::{Range, Viewport};
