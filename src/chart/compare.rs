//! Lays two scenes beside each other: which box became which, what moved, and where the bytes differ.

use std::collections::{BTreeMap, VecDeque};

use crate::chart::pixels::{Pixels, PxRect};
use crate::chart::raster::{Canvas, PickMap};
use crate::chart::scene::{Scene, SceneBox};
use crate::chart::theme::{Pattern, Style};
use crate::chart::viewport::Viewport;

/// What became of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Same bytes, same time, same offset.
    Same,
    /// Another offset, all else alike.
    Moved,
    /// Another size or another time (and maybe another offset).
    Changed,
    /// Only in the later scene.
    Added,
    /// Only in the earlier scene.
    Removed,
}

/// One box in one or both of two scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its index in the earlier scene.
    pub before: Option<u32>,
    /// Its index in the later scene.
    pub after: Option<u32>,
    /// What became of it.
    pub change: Change,
}

/// Two scenes side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Every box of both scenes once: those of the later scene in its order, then what was removed.
    pub differences: Vec<Difference>,
    /// A viewport that shows all of both.
    pub extent: Viewport,
    /// How much larger the later arena is.
    pub arena_bytes: i64,
    /// How much larger the later peak is.
    pub peak_bytes: i64,
}

impl Comparison {
    /// Compares two scenes; [`partners`] says which boxes are the same.
    pub fn new(before: &Scene, after: &Scene) -> Comparison {
        let partner = partners(&labels(before), &labels(after));
        let mut taken = vec![false; before.boxes.len()];
        for old in partner.iter().flatten() {
            taken[*old as usize] = true;
        }
        let mut differences: Vec<Difference> = partner
            .iter()
            .enumerate()
            .map(|(id, old)| {
                let new = &after.boxes[id];
                let change = old.map_or(Change::Added, |old| change_of(&before.boxes[old as usize], new));
                Difference { before: *old, after: Some(id as u32), change }
            })
            .collect();
        let removed =
            |(id, _): (usize, &bool)| Difference { before: Some(id as u32), after: None, change: Change::Removed };
        differences.extend(taken.iter().enumerate().filter(|(_, taken)| !**taken).map(removed));
        let peak = |scene: &Scene| scene.peak.as_ref().map_or(0, |peak| peak.live_bytes);
        Comparison {
            differences,
            extent: before.extent().hull(&after.extent()),
            arena_bytes: signed_difference(before.height_bytes, after.height_bytes),
            peak_bytes: signed_difference(peak(before), peak(after)),
        }
    }

    /// The boxes of the earlier scene that lie elsewhere now, changed or are gone.
    pub fn ghosts(&self) -> Vec<u32> {
        let is_other = |one: &&Difference| one.change != Change::Same && one.change != Change::Added;
        self.differences.iter().filter(is_other).filter_map(|one| one.before).collect()
    }

    /// How many boxes had a change.
    pub fn count(&self, change: Change) -> usize {
        self.differences.iter().filter(|difference| difference.change == change).count()
    }
}

/// How much larger the second number is; sizes are capped far below `i64::MAX`.
fn signed_difference(before: u64, after: u64) -> i64 {
    after as i64 - before as i64
}

fn change_of(before: &SceneBox, after: &SceneBox) -> Change {
    if (before.size_bytes, before.live) != (after.size_bytes, after.live) {
        Change::Changed
    } else if before.offset_bytes == after.offset_bytes {
        Change::Same
    } else {
        Change::Moved
    }
}

/// Reference and name of each box.
fn labels(scene: &Scene) -> Vec<(&str, &str)> {
    scene.boxes.iter().map(|item| (item.reference.as_str(), item.name.as_str())).collect()
}

/// For each thing after, which one before it was; things are given by reference and name, both any text.
///
/// - Those that share both are the same.
/// - Of the rest, those that share a name: two versions of a model count their tensors differently. Where several
///   have one name, they pair up in order.
/// - A reference alone says nothing: the fifth tensor of another model is another tensor.
pub fn partners(before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<Option<u32>> {
    let mut partner = vec![None; after.len()];
    let mut taken = vec![false; before.len()];
    pair(before, after, &mut taken, &mut partner, |(reference, name)| Some((reference, name)));
    pair(before, after, &mut taken, &mut partner, |(_, name)| (!name.is_empty()).then_some(("", name)));
    partner
}

/// Pairs what has an equal key and no partner yet, in order.
fn pair<'a>(
    before: &[(&'a str, &'a str)],
    after: &[(&'a str, &'a str)],
    taken: &mut [bool],
    partner: &mut [Option<u32>],
    key: impl Fn((&'a str, &'a str)) -> Option<(&'a str, &'a str)>,
) {
    let mut free: BTreeMap<(&str, &str), VecDeque<u32>> = BTreeMap::new();
    for (id, item) in before.iter().enumerate().filter(|(id, _)| !taken[*id]) {
        if let Some(key) = key(*item) {
            free.entry(key).or_default().push_back(id as u32);
        }
    }
    for (item, partner) in after.iter().zip(partner).filter(|(_, partner)| partner.is_none()) {
        let old = key(*item).and_then(|key| free.get_mut(&key)?.pop_front());
        if let Some(old) = old {
            taken[old as usize] = true;
            *partner = Some(old);
        }
    }
}

/// A map of where bytes are used: in both scenes (dimmed), only before (falling lines), only after (rising lines).
/// RGBA, row by row from the top.
pub fn difference_raster(before: &Scene, after: &Scene, viewport: &Viewport, style: &Style, pixels: Pixels) -> Vec<u8> {
    let theme = style.theme;
    let (old, new) = (PickMap::new(before, viewport, pixels), PickMap::new(after, viewport, pixels));
    let mut canvas = Canvas::new(pixels, theme.plot);
    let marks = [(true, false, Pattern::Falling, theme.dying), (false, true, Pattern::Rising, theme.born)];
    for y in 0..pixels.height {
        let state = |x: u32| (old.at(x, y).is_some(), new.at(x, y).is_some());
        let mut x = 0;
        while x < pixels.width {
            let (from, now) = (x, state(x));
            while x < pixels.width && state(x) == now {
                x += 1;
            }
            let rect = PxRect { left: from as i32, top: y as i32, right: x as i32, bottom: y as i32 + 1 };
            match marks.iter().find(|mark| (mark.0, mark.1) == now) {
                Some((_, _, pattern, colour)) => {
                    canvas.fill(rect, theme.plot.mixed(*colour, 0.35).rgba());
                    canvas.hatch(rect, *pattern, colour.rgba(), (0, 0));
                }
                None if now.0 => canvas.fill(rect, theme.dimmed.rgba()),
                None => {}
            }
        }
    }
    canvas.data.into_flattened()
}
