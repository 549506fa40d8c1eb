//! Memory as one strip from the lowest to the highest byte: the arena at one step, or head, temporary part and tail
//! of a TFLite-Micro arena. Every segment has at least 2 pixels; what a segment loses to that, larger ones give.

use crate::chart::pixels::MIN_BOX_PX;
use crate::chart::scene::{Kind, Scene};
use crate::chart::text;
use crate::chart::theme::Paint;
use crate::units::Step;

/// What a step means for a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Nothing: it was there before and stays.
    Stays,
    /// It is made at this step.
    Born,
    /// It is needed for the last time.
    Dying,
    /// Both.
    Passing,
}

/// A piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// From this offset.
    pub offset_bytes: u64,
    /// This many bytes.
    pub size_bytes: u64,
    /// What is written on it; clean.
    pub label: String,
    /// The legend's word for its paint; empty for free bytes.
    pub category: String,
    /// Its paint; `None` for free bytes.
    pub paint: Option<Paint>,
    /// What the step means for it.
    pub mark: Mark,
    /// The scene's box, when it comes from one.
    pub of: Option<u32>,
}

impl Segment {
    /// A piece that is used for `category`; the category's rank gives it its paint.
    pub fn new(offset_bytes: u64, size_bytes: u64, label: &str, category: &str, rank: u32) -> Segment {
        Segment {
            offset_bytes,
            size_bytes,
            label: text::clean(label),
            category: text::clean(category),
            paint: Some(Paint::nth(rank)),
            mark: Mark::Stays,
            of: None,
        }
    }

    fn free(offset_bytes: u64, size_bytes: u64) -> Segment {
        Segment {
            offset_bytes,
            size_bytes,
            label: String::new(),
            category: String::new(),
            paint: None,
            mark: Mark::Stays,
            of: None,
        }
    }

    /// The first byte behind it.
    pub fn end_bytes(&self) -> u64 {
        self.offset_bytes.saturating_add(self.size_bytes)
    }
}

/// Segments in order of offset with the free bytes between them, from 0 to `end_bytes` (or to the last segment's end
/// when that is higher). Segments without bytes are left out; what lies under an earlier one is cut off.
pub fn filled(mut segments: Vec<Segment>, end_bytes: u64) -> Vec<Segment> {
    segments.retain(|segment| segment.size_bytes > 0);
    segments.sort_by_key(|segment| (segment.offset_bytes, segment.of));
    let mut all = Vec::with_capacity(segments.len() * 2 + 1);
    let mut at = 0;
    for mut segment in segments {
        if segment.end_bytes() <= at {
            continue;
        }
        if segment.offset_bytes > at {
            all.push(Segment::free(at, segment.offset_bytes - at));
        }
        let start = segment.offset_bytes.max(at);
        (segment.size_bytes, segment.offset_bytes) = (segment.end_bytes() - start, start);
        at = segment.end_bytes();
        all.push(segment);
    }
    if end_bytes > at {
        all.push(Segment::free(at, end_bytes - at));
    }
    all
}

/// The arena at a step: every box alive and the free bytes between them.
pub fn now(scene: &Scene, step: Step) -> Vec<Segment> {
    let segment = |id: u32| {
        let item = &scene.boxes[id as usize];
        let mark = match (item.live.first() == step, item.live.last() == step) {
            (true, true) => Mark::Passing,
            (true, false) => Mark::Born,
            (false, true) => Mark::Dying,
            (false, false) => Mark::Stays,
        };
        let label = if item.buffer.is_none() { &item.name } else { &item.reference };
        let kind: Kind = item.kind;
        let paint = Some(Paint::of_kind(kind));
        let piece = Segment::new(item.offset_bytes, item.size_bytes, label, kind.name(), 0);
        Segment { paint, mark, of: Some(id), ..piece }
    };
    filled(scene.alive_at(step).into_iter().map(segment).collect(), scene.height_bytes)
}

/// The pixels of each segment in a strip of a width: edges `[left, right)`, each at least 2 pixels apart (as far as
/// the width allows), all together the whole width.
pub fn px_from_segments(segments: &[Segment], width: u32) -> Vec<(i32, i32)> {
    let floor = MIN_BOX_PX.min((f64::from(width) / segments.len().max(1) as f64).floor());
    let mut order: Vec<usize> = (0..segments.len()).collect();
    order.sort_by_key(|index| segments[*index].size_bytes);
    // From the smallest on, those that would be too narrow take the floor; the others share what is left.
    let (mut bytes, mut left) =
        (segments.iter().map(|segment| segment.size_bytes as f64).sum::<f64>(), f64::from(width));
    let mut wide = vec![0.0; segments.len()];
    for index in order {
        let size = segments[index].size_bytes as f64;
        wide[index] = (size / bytes.max(1.0) * left).max(floor).min(left);
        bytes -= size;
        left -= wide[index];
    }
    let mut at = 0.0_f64;
    let edge = |wide: f64| {
        let from = at.round() as i32;
        at += wide;
        (from, at.round() as i32)
    };
    wide.into_iter().map(edge).collect()
}
