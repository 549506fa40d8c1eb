//! Says what colours and patterns mean: entries for kinds of things, a bar for numbers.

use plotters_backend::DrawingBackend;

use crate::chart::colour::ColourMode;
use crate::chart::draw::frame::{Frame, LEGEND_PX};
use crate::chart::draw::pen::{Drawn, Ink, Pen};
use crate::chart::format;
use crate::chart::gaps::GapKind;
use crate::chart::pixels::PxRect;
use crate::chart::scene::{Category, Kind, Scene};
use crate::chart::text;
use crate::chart::theme::{Paint, Pattern, Scale, Style};

const FONT_PX: f64 = 11.0;
/// More categories than this are counted, not listed.
const MAX_ENTRIES: usize = 14;
/// How many steps the bar of a scale has.
const BAR_STEPS: u32 = 24;

/// What one entry of the legend shows beside its words.
#[derive(Clone, Debug, PartialEq)]
pub enum Swatch {
    /// A box of this paint.
    Paint(Paint),
    /// The hatching of gaps.
    Gap,
    /// A bar of colours from the low to the high end of a scale.
    Bar(Scale),
    /// Nothing.
    None,
}

/// One entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// What is shown.
    pub swatch: Swatch,
    /// What it means; for a bar, the words at its two ends are joined by ` – `.
    pub words: String,
}

/// The entries of a scene's legend in a style, for whoever draws it (the page draws its own).
pub fn legend(scene: &Scene, style: &Style) -> Vec<LegendEntry> {
    let mut entries = match style.mode {
        ColourMode::Role => {
            let used = |kind: &&Kind| scene.boxes.iter().any(|item| item.kind == **kind);
            let word = |kind: &Kind| {
                let at = Kind::ALL.iter().position(|other| other == kind)?;
                style.words.kinds.get(at).map(ToString::to_string)
            };
            let entry = |kind: &Kind| LegendEntry {
                swatch: Swatch::Paint(Paint::of_kind(*kind)),
                words: word(kind).unwrap_or_else(|| kind.name().to_string()),
            };
            Kind::ALL.iter().filter(used).map(entry).collect()
        }
        ColourMode::Type => categories(&scene.types, scene.boxes.iter().any(|item| item.dtype.is_none()), style),
        ColourMode::Op => categories(&scene.ops, scene.boxes.iter().any(|item| item.op.is_none()), style),
        ColourMode::Size | ColourMode::Lifetime | ColourMode::Shares if scene.boxes.is_empty() => Vec::new(),
        ColourMode::Size | ColourMode::Lifetime | ColourMode::Shares => {
            let scale = Scale::of(scene, style.mode);
            let number = |value: f64| match style.mode {
                ColourMode::Size => format::adaptive(value as u64),
                _ => format::grouped(value as u64),
            };
            let at = ColourMode::ALL.iter().position(|mode| *mode == style.mode).unwrap_or(0);
            let mode = style.words.modes.get(at).map_or("", |word| word);
            let words = format!("{mode}: {} – {}", number(scale.ends().0), number(scale.ends().1));
            vec![LegendEntry { swatch: Swatch::Bar(scale), words }]
        }
    };
    if style.gaps && scene.gaps.iter().any(|gap| gap.kind != GapKind::Headroom) {
        entries.push(LegendEntry { swatch: Swatch::Gap, words: style.words.gap.to_string() });
    }
    entries
}

fn categories(list: &[Category], some_have_none: bool, style: &Style) -> Vec<LegendEntry> {
    let entry = |(rank, category): (usize, &Category)| LegendEntry {
        swatch: Swatch::Paint(Paint::nth(rank as u32)),
        words: text::fit_start(&text::clean(&category.name), 150.0, FONT_PX).unwrap_or_default(),
    };
    let mut entries: Vec<LegendEntry> = list.iter().enumerate().take(MAX_ENTRIES).map(entry).collect();
    if list.len() > MAX_ENTRIES {
        let words = format!("+{} {}", list.len() - MAX_ENTRIES, style.words.more);
        entries.push(LegendEntry { swatch: Swatch::None, words });
    }
    if some_have_none {
        let paint = Paint { fill: style.theme.dimmed, pattern: Pattern::Plain };
        entries.push(LegendEntry { swatch: Swatch::Paint(paint), words: style.words.none.to_string() });
    }
    entries
}

/// Where each entry stands in rows of a width: row and left edge.
fn places(entries: &[LegendEntry], width: i32) -> Vec<(i32, i32)> {
    let (mut row, mut left) = (0, 0);
    let place = |entry: &LegendEntry| {
        let wide = swatch_width(&entry.swatch) + text::width(&entry.words, FONT_PX).ceil() as i32 + 20;
        if left > 0 && left + wide > width {
            (row, left) = (row + 1, 0);
        }
        let at = (row, left);
        left += wide;
        at
    };
    entries.iter().map(place).collect()
}

/// How many rows the legend takes in a width.
pub(super) fn rows(entries: &[LegendEntry], width: i32) -> u32 {
    places(entries, width).last().map_or(0, |(row, _)| *row as u32 + 1)
}

fn swatch_width(swatch: &Swatch) -> i32 {
    match swatch {
        Swatch::Paint(_) | Swatch::Gap => 20,
        Swatch::Bar(_) => 6 + 4 * BAR_STEPS as i32,
        Swatch::None => 0,
    }
}

/// Draws the legend into the frame.
pub(super) fn draw<DB: DrawingBackend>(
    pen: &Pen<DB>,
    frame: &Frame,
    entries: &[LegendEntry],
    style: &Style,
) -> Drawn<DB> {
    let theme = style.theme;
    let left = frame.plot.left;
    for (entry, (row, at)) in entries.iter().zip(places(entries, frame.width as i32 - left - 8)) {
        let (x, y) = (left + at, frame.legend_top + row * LEGEND_PX + LEGEND_PX / 2);
        let swatch = PxRect { left: x, top: y - 6, right: x + 15, bottom: y + 6 };
        match &entry.swatch {
            Swatch::Paint(paint) => pen.paint(swatch, *paint)?,
            Swatch::Gap => {
                pen.fill(swatch, theme.plot)?;
                pen.hatch(swatch, Pattern::Rising, theme.gap, (swatch.left, swatch.top))?;
                pen.outline(swatch, theme.grid, 1)?;
            }
            Swatch::Bar(scale) => {
                for step in 0..BAR_STEPS {
                    let left = x + 4 * step as i32;
                    let part = PxRect { left, top: y - 6, right: left + 4, bottom: y + 6 };
                    pen.fill(part, scale.colour_at(f64::from(step) / f64::from(BAR_STEPS - 1)))?;
                }
            }
            Swatch::None => {}
        }
        let words = (x + swatch_width(&entry.swatch), y);
        pen.text(&entry.words, words, Ink::left(FONT_PX, theme.text))?;
    }
    Ok(())
}
