//! A scene as bytes and back, for another thread of the same build: columns of numbers and one text each for all names,
//! so that reading is copying. What was worked out (gaps, shares, order, index) travels too and is not worked out again.
//!
//! ```text
//! u64 u64 … │ count, u32 u32 … │ count, u64 u64 … │ count, lengths, UTF-8 │ …
//! ```

use crate::chart::gaps::{Gap, GapKind};
use crate::chart::index::Index;
use crate::chart::scene::{Category, Clock, Kind, Peak, Scene, SceneBox};
use crate::error::{Error, ErrorKind, Result};
use crate::units::{BufferId, RequestId, Span, Step};

/// Stands for a number that is not there.
const NONE: u32 = u32::MAX;

const GAP_KINDS: [GapKind; 3] = [GapKind::Padding, GapKind::Enclosed, GapKind::Headroom];

/// The scene as bytes.
pub fn pack(scene: &Scene) -> Vec<u8> {
    let mut out = Writer(Vec::with_capacity(scene.boxes.len() * 120 + scene.gaps.len() * 28 + 256));
    out.long(scene.alignment);
    out.long(scene.height_bytes);
    out.long(scene.lower_bound_bytes);
    out.longs(scene.budget_bytes.into_iter());
    out.long(u64::from(scene.clock.ticks));
    out.long(scene.clock.first_label as u64);
    out.texts(scene.clock.names.iter());
    pack_boxes(&mut out, &scene.boxes);
    out.words(scene.gaps.iter().flat_map(|gap| [gap.steps.first().0, gap.steps.end().0, kind_of(gap)]));
    out.longs(scene.gaps.iter().flat_map(|gap| [gap.offset_bytes, gap.size_bytes]));
    out.longs(scene.live_bytes.iter().copied());
    let peak = scene.peak.as_ref();
    out.longs(peak.into_iter().flat_map(|peak| [u64::from(peak.step.0), peak.live_bytes]));
    out.words(peak.into_iter().flat_map(|peak| peak.boxes.iter().copied()));
    for list in [&scene.ops, &scene.types] {
        out.texts(list.iter().map(|category| &category.name));
        out.longs(list.iter().flat_map(|category| [u64::from(category.boxes), category.bytes]));
    }
    out.words(scene.paint_order.iter().copied());
    out.words(scene.index.starts.iter().copied());
    out.words(scene.index.ids.iter().copied());
    out.longs(scene.index.reach.iter().copied());
    out.0
}

fn pack_boxes(out: &mut Writer, boxes: &[SceneBox]) {
    let kind = |item: &SceneBox| Kind::ALL.iter().position(|kind| *kind == item.kind).unwrap_or(0) as u32;
    out.texts(boxes.iter().map(|item| &item.reference));
    out.texts(boxes.iter().map(|item| &item.name));
    out.words(boxes.iter().flat_map(|item| {
        let buffer = item.buffer.map_or(NONE, |id| id.0);
        let (dtype, op) = (item.dtype.unwrap_or(NONE), item.op.unwrap_or(NONE));
        let aliases = item.aliases.len() as u32;
        [item.live.first().0, item.live.end().0, kind(item), buffer, dtype, op, item.share_count, aliases]
    }));
    out.longs(boxes.iter().flat_map(|item| [item.offset_bytes, item.size_bytes, item.used_bytes]));
    out.words(boxes.iter().flat_map(|item| item.aliases.iter().map(|id| id.0)));
}

fn kind_of(gap: &Gap) -> u32 {
    GAP_KINDS.iter().position(|kind| *kind == gap.kind).unwrap_or(1) as u32
}

/// The scene that [`pack`] wrote.
///
/// # Errors
/// When the bytes were not written by [`pack`] of the same build.
pub fn unpack(bytes: &[u8]) -> Result<Scene> {
    read(bytes).ok_or_else(|| Error::new(ErrorKind::Damaged, "the picture's data are damaged"))
}

fn read(bytes: &[u8]) -> Option<Scene> {
    let mut from = Reader(bytes);
    let (alignment, height_bytes, lower_bound_bytes) = (from.long()?, from.long()?, from.long()?);
    let budget_bytes = from.longs()?.next();
    let ticks = u32::try_from(from.long()?).ok()?;
    let clock = Clock { ticks, first_label: from.long()? as i64, names: from.texts()? };
    let boxes = read_boxes(&mut from)?;
    let (steps, places) = (from.words()?, from.longs()?);
    let gaps = triples(steps).zip(pairs(places)).map(|([first, end, kind], [offset_bytes, size_bytes])| {
        let steps = Span::new(Step(first), Step(end))?;
        Some(Gap { steps, offset_bytes, size_bytes, kind: *GAP_KINDS.get(kind as usize)? })
    });
    let gaps = gaps.collect::<Option<Vec<_>>>()?;
    let live_bytes: Vec<u64> = from.longs()?.collect();
    let (peak, peak_boxes) = (pairs(from.longs()?).next(), from.ids(boxes.len())?);
    let peak = peak.map(|[step, live_bytes]| Peak { step: Step(step as u32), live_bytes, boxes: peak_boxes });
    let (ops, types) = (read_categories(&mut from)?, read_categories(&mut from)?);
    let paint_order = from.ids(boxes.len()).filter(|order| order.len() == boxes.len())?;
    let lists = (from.words()?.collect(), from.ids(boxes.len())?, from.longs()?.collect());
    let index = Index::from_lists(lists, &paint_order, ticks)?;
    Some(Scene {
        boxes,
        gaps,
        clock,
        live_bytes,
        peak,
        height_bytes,
        lower_bound_bytes,
        budget_bytes,
        alignment,
        ops,
        types,
        paint_order,
        index,
    })
}

fn read_boxes(from: &mut Reader<'_>) -> Option<Vec<SceneBox>> {
    let (references, names) = (from.texts()?, from.texts()?);
    let (mut numbers, mut places, mut aliases) = (from.words()?, from.longs()?, from.words()?);
    let some = |number: u32| Some(number).filter(|number| *number != NONE);
    let mut boxes = Vec::with_capacity(references.len());
    for (index, (reference, name)) in references.into_iter().zip(names).enumerate() {
        let mut next = || numbers.next();
        let live = Span::new(Step(next()?), Step(next()?))?;
        let kind = *Kind::ALL.get(next()? as usize)?;
        let (buffer, dtype, op, share_count, shared) = (some(next()?), some(next()?), some(next()?), next()?, next()?);
        boxes.push(SceneBox {
            request: RequestId::from_index(index),
            buffer: buffer.map(BufferId),
            reference,
            name,
            live,
            offset_bytes: places.next()?,
            size_bytes: places.next()?,
            used_bytes: places.next()?,
            kind,
            dtype,
            op,
            share_count,
            aliases: aliases.by_ref().take(shared as usize).map(BufferId).collect(),
        });
    }
    Some(boxes)
}

fn read_categories(from: &mut Reader<'_>) -> Option<Vec<Category>> {
    let (names, sums) = (from.texts()?, pairs(from.longs()?));
    let category =
        |(name, [boxes, bytes]): (String, [u64; 2])| Some(Category { name, boxes: u32::try_from(boxes).ok()?, bytes });
    names.into_iter().zip(sums).map(category).collect()
}

fn pairs(mut numbers: impl Iterator<Item = u64>) -> impl Iterator<Item = [u64; 2]> {
    std::iter::from_fn(move || Some([numbers.next()?, numbers.next()?]))
}

fn triples(mut numbers: impl Iterator<Item = u32>) -> impl Iterator<Item = [u32; 3]> {
    std::iter::from_fn(move || Some([numbers.next()?, numbers.next()?, numbers.next()?]))
}

/// Everything little-endian; lists begin with their length.
struct Writer(Vec<u8>);

impl Writer {
    fn long(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// Writes the items, then how many there were in front of them.
    fn list<T, const N: usize>(&mut self, items: impl Iterator<Item = T>, bytes: impl Fn(T) -> [u8; N]) {
        let at = self.0.len();
        self.long(0);
        let mut count = 0_u64;
        for item in items {
            self.0.extend_from_slice(&bytes(item));
            count += 1;
        }
        self.0[at..at + 8].copy_from_slice(&count.to_le_bytes());
    }

    fn words(&mut self, numbers: impl Iterator<Item = u32>) {
        self.list(numbers, u32::to_le_bytes);
    }

    fn longs(&mut self, numbers: impl Iterator<Item = u64>) {
        self.list(numbers, u64::to_le_bytes);
    }

    fn texts<'a>(&mut self, texts: impl Iterator<Item = &'a String> + Clone) {
        self.words(texts.clone().map(|text| text.len() as u32));
        for text in texts {
            self.0.extend_from_slice(text.as_bytes());
        }
    }
}

/// Reads what [`Writer`] wrote; nothing where the bytes end too early.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn long(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn list<const N: usize>(&mut self) -> Option<impl Iterator<Item = [u8; N]> + use<'a, N>> {
        let count = usize::try_from(self.long()?).ok()?;
        let bytes = self.take(count.checked_mul(N)?)?;
        Some(bytes.as_chunks::<N>().0.iter().copied())
    }

    fn words(&mut self) -> Option<impl Iterator<Item = u32> + use<'a>> {
        Some(self.list()?.map(u32::from_le_bytes))
    }

    fn longs(&mut self) -> Option<impl Iterator<Item = u64> + use<'a>> {
        Some(self.list()?.map(u64::from_le_bytes))
    }

    /// Numbers that must be indexes into a list of this length.
    fn ids(&mut self, below: usize) -> Option<Vec<u32>> {
        let ids: Vec<u32> = self.words()?.collect();
        ids.iter().all(|id| (*id as usize) < below).then_some(ids)
    }

    fn texts(&mut self) -> Option<Vec<String>> {
        let lengths = self.words()?;
        lengths.map(|length| String::from_utf8(self.take(length as usize)?.to_vec()).ok()).collect()
    }
}
