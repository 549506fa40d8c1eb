//! Paints a scene's boxes and gaps into RGBA pixels, fast enough for 100,000 boxes in a frame, and tells which box
//! each pixel shows. Text is not painted: [`crate::chart::labels`] lists it.

use crate::chart::colour::Colour;
use crate::chart::gaps::GapKind;
use crate::chart::pixels::{Pixels, PxRect, px_from_box, px_from_gap};
use crate::chart::scene::Scene;
use crate::chart::sight::Sight;
use crate::chart::theme::{Paint, Painter, Pattern, Style};
use crate::chart::ticks;
use crate::chart::viewport::Viewport;

/// Sides from this many CSS pixels on have a border.
const MIN_BORDERED_PX: f64 = 4.0;
/// Rows at least this long are copied, shorter ones filled.
const MIN_COPIED: usize = 16;
/// The distance of grid lines in CSS pixels: bytes, steps.
pub(super) const GRID_PX: (f64, f64) = (44.0, 56.0);

type Rgba = [u8; 4];

/// The plot's pixels, row by row from the top, four bytes (red, green, blue, alpha) each: background, grid, hatched
/// gaps, boxes.
pub fn raster(scene: &Scene, viewport: &Viewport, style: &Style, pixels: Pixels) -> Vec<u8> {
    let mut data = Vec::new();
    Sight::new(scene, viewport, pixels).raster_into(style, &mut data);
    data.into_flattened()
}

impl Sight<'_> {
    /// As [`raster`], into pixels that may have been used before.
    pub fn raster_into(&self, style: &Style, data: &mut Vec<[u8; 4]>) {
        let Sight { scene, viewport, pixels, .. } = self;
        let mut canvas = Canvas::on(std::mem::take(data), *pixels, style.theme.plot);
        paint_grid(&mut canvas, scene, viewport, style);
        if style.gaps {
            paint_gaps(&mut canvas, scene, viewport, style);
        }
        let painter = Painter::new(scene, style);
        let mut last: Option<Inks> = None;
        let marked = Pattern::ALL.iter().filter(|pattern| **pattern != Pattern::Plain);
        let tiles: Vec<Tile> = marked.map(|pattern| Tile::new(*pattern, pixels.device(1.0))).collect();
        for (id, rect) in &self.boxes {
            let paint = painter.paint(*id, &scene.boxes[*id as usize]);
            let inks = last.filter(|inks| inks.paint == paint).unwrap_or_else(|| Inks::of(paint));
            canvas.paint(*rect, &inks, &tiles);
            last = Some(inks);
        }
        *data = canvas.data;
    }

    /// Which box each pixel shows.
    pub fn picks(&self) -> PickMap {
        let Pixels { width, height, .. } = self.pixels;
        let mut marks = vec![NOTHING; width as usize * height as usize];
        for (id, rect) in &self.boxes {
            fill_rect(&mut marks, self.pixels, *rect, id + 1);
        }
        PickMap { width, height, marks }
    }
}

fn paint_grid(canvas: &mut Canvas, scene: &Scene, viewport: &Viewport, style: &Style) {
    let pixels = canvas.pixels;
    let (width, height) = (f64::from(pixels.width), f64::from(pixels.height));
    let grid = style.theme.grid.rgba();
    let (across, down) = (pixels.width as i32, pixels.height as i32);
    for tick in ticks::bytes(viewport.bytes, height, GRID_PX.0 * pixels.scale, style.hex) {
        let y = viewport.px_from_byte(tick.at, height).round() as i32;
        canvas.fill(PxRect { left: 0, top: y, right: across, bottom: y + pixels.device(1.0) }, grid);
    }
    let steps = ticks::steps(viewport.steps, scene.clock.ticks, 0, width, GRID_PX.1 * pixels.scale);
    for tick in steps {
        let x = viewport.px_from_step(tick.value as f64, width).round() as i32;
        canvas.fill(PxRect { left: x, top: 0, right: x + pixels.device(1.0), bottom: down }, grid);
    }
}

fn paint_gaps(canvas: &mut Canvas, scene: &Scene, viewport: &Viewport, style: &Style) {
    // All gaps are hatched as one surface that moves with the scene.
    let (width, height) = (f64::from(canvas.pixels.width), f64::from(canvas.pixels.height));
    let anchor = (viewport.px_from_step(0.0, width).round() as i32, viewport.px_from_byte(0.0, height).round() as i32);
    let (tile, colour) = (Tile::new(Pattern::Rising, canvas.pixels.device(1.0)), style.theme.gap.rgba());
    for gap in scene.gaps.iter().filter(|gap| gap.kind != GapKind::Headroom) {
        if let Some(rect) = px_from_gap(gap, viewport, canvas.pixels) {
            canvas.hatch_with(&tile, rect, colour, anchor);
        }
    }
}

/// One period of a pattern: which pixels of each row and of each column it marks.
struct Tile {
    pattern: Pattern,
    /// Device pixels after which the pattern repeats, both ways.
    period: i32,
    rows: Vec<Vec<usize>>,
    columns: Vec<Vec<i32>>,
}

impl Tile {
    /// The pattern's tile where a CSS pixel has `scale` device pixels.
    fn new(pattern: Pattern, scale: i32) -> Tile {
        let period = 8 * scale;
        let marked = |x: &i32, y: i32| pattern.marks((x / scale) as u32, (y / scale) as u32);
        let row = |y: i32| (0..period).filter(|x| marked(x, y)).map(|x| x as usize).collect();
        let column = |x: i32| (0..period).filter(|y| marked(&x, *y)).collect();
        Tile { pattern, period, rows: (0..period).map(row).collect(), columns: (0..period).map(column).collect() }
    }
}

/// A paint and the colours that follow from it: neighbours in the order of painting mostly share one.
#[derive(Clone, Copy)]
struct Inks {
    paint: Paint,
    mark: Rgba,
    border: Rgba,
}

impl Inks {
    fn of(paint: Paint) -> Inks {
        Inks { paint, mark: paint.mark().rgba(), border: paint.border().rgba() }
    }
}

/// Fills a rectangle, as far as it is on a plot of this size. All rows but the first are copies: that is the fastest thing
/// a machine does with memory.
fn fill_rect<T: Copy>(data: &mut [T], pixels: Pixels, rect: PxRect, value: T) {
    let (width, height) = (pixels.width as usize, pixels.height as usize);
    let (left, top) = ((rect.left.max(0) as usize).min(width), (rect.top.max(0) as usize).min(height));
    let (right, bottom) = ((rect.right.max(0) as usize).min(width), (rect.bottom.max(0) as usize).min(height));
    if left >= right || top >= bottom {
        return;
    }
    let first = top * width + left..top * width + right;
    data[first.clone()].fill(value);
    if first.len() < MIN_COPIED {
        for y in top + 1..bottom {
            data[y * width + left..y * width + right].fill(value);
        }
    } else {
        for y in top + 1..bottom {
            data.copy_within(first.clone(), y * width + left);
        }
    }
}

/// Pixels to paint on.
pub(super) struct Canvas {
    pub(super) pixels: Pixels,
    pub(super) data: Vec<Rgba>,
}

impl Canvas {
    pub(super) fn new(pixels: Pixels, background: Colour) -> Canvas {
        Canvas::on(Vec::new(), pixels, background)
    }

    /// A canvas that uses memory again.
    fn on(mut data: Vec<Rgba>, pixels: Pixels, background: Colour) -> Canvas {
        data.resize(pixels.width as usize * pixels.height as usize, background.rgba());
        let whole = PxRect { left: 0, top: 0, right: pixels.width as i32, bottom: pixels.height as i32 };
        fill_rect(&mut data, pixels, whole, background.rgba());
        Canvas { pixels, data }
    }

    /// The rows of a rectangle, as far as they are on the canvas.
    fn rows(&mut self, rect: PxRect) -> impl Iterator<Item = (i32, &mut [Rgba])> {
        let width = self.pixels.width as usize;
        let left = (rect.left.max(0) as usize).min(width);
        let right = (rect.right.max(0) as usize).clamp(left, width);
        let top = rect.top.clamp(0, self.pixels.height as i32);
        let bottom = rect.bottom.clamp(top, self.pixels.height as i32);
        let rows = &mut self.data[top as usize * width..bottom as usize * width];
        (top..).zip(rows.chunks_exact_mut(width)).map(move |(y, row)| (y, &mut row[left..right]))
    }

    pub(super) fn fill(&mut self, rect: PxRect, colour: Rgba) {
        fill_rect(&mut self.data, self.pixels, rect, colour);
    }

    /// Paints a pattern's marks, counted from `anchor` so that they move with it.
    pub(super) fn hatch(&mut self, rect: PxRect, pattern: Pattern, colour: Rgba, anchor: (i32, i32)) {
        let tile = Tile::new(pattern, self.pixels.device(1.0));
        self.hatch_with(&tile, rect, colour, anchor);
    }

    fn hatch_with(&mut self, tile: &Tile, rect: PxRect, colour: Rgba, anchor: (i32, i32)) {
        if rect.width() < tile.period {
            self.hatch_columns(tile, rect, colour, anchor);
            return;
        }
        let phase = (rect.left.max(0) - anchor.0).rem_euclid(tile.period) as usize;
        let period = tile.period as usize;
        for (y, row) in self.rows(rect) {
            for mark in &tile.rows[(y - anchor.1).rem_euclid(tile.period) as usize] {
                let first = if *mark >= phase { mark - phase } else { mark + period - phase };
                for pixel in row.iter_mut().skip(first).step_by(period) {
                    *pixel = colour;
                }
            }
        }
    }

    /// The same for a narrow rectangle: most of its rows have no mark, so it goes from mark to mark in each column.
    fn hatch_columns(&mut self, tile: &Tile, rect: PxRect, colour: Rgba, anchor: (i32, i32)) {
        let (width, height) = (self.pixels.width as i32, self.pixels.height as i32);
        let (top, bottom) = (rect.top.clamp(0, height), rect.bottom.clamp(0, height));
        let phase = (top - anchor.1).rem_euclid(tile.period);
        for x in rect.left.clamp(0, width)..rect.right.clamp(0, width) {
            for mark in &tile.columns[(x - anchor.0).rem_euclid(tile.period) as usize] {
                let first = top + (mark - phase).rem_euclid(tile.period);
                for y in (first..bottom).step_by(tile.period as usize) {
                    self.data[y as usize * width as usize + x as usize] = colour;
                }
            }
        }
    }

    /// Paints a box: fill, pattern, and a border on sides that are long enough for one.
    fn paint(&mut self, rect: PxRect, inks: &Inks, tiles: &[Tile]) {
        let Inks { paint, mark, border } = *inks;
        self.fill(rect, paint.fill.rgba());
        let bordered = self.pixels.device(MIN_BORDERED_PX);
        let tile = tiles.iter().find(|tile| tile.pattern == paint.pattern);
        if let Some(tile) = tile.filter(|_| rect.width().min(rect.height()) >= bordered) {
            self.hatch_with(tile, rect, mark, (rect.left, rect.top));
        }
        let thick = self.pixels.device(1.0);
        if rect.height() >= bordered {
            self.fill(PxRect { bottom: rect.top + thick, ..rect }, border);
            self.fill(PxRect { top: rect.bottom - thick, ..rect }, border);
        }
        if rect.width() >= bordered {
            self.fill(PxRect { right: rect.left + thick, ..rect }, border);
            self.fill(PxRect { left: rect.right - thick, ..rect }, border);
        }
    }
}

/// Which box each pixel shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickMap {
    width: u32,
    height: u32,
    /// For each pixel its box's index and 1 more.
    marks: Vec<u32>,
}

/// No box; 0, because memory of zeros is there at once.
const NOTHING: u32 = 0;

/// Boxes that other boxes hide altogether, because all are smaller than a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The box that is seen instead.
    pub shown: u32,
    /// Its pixels.
    pub rect: PxRect,
    /// The hidden ones.
    pub hidden: Vec<u32>,
}

impl PickMap {
    /// The map of the same picture that [`raster`] paints.
    pub fn new(scene: &Scene, viewport: &Viewport, pixels: Pixels) -> PickMap {
        Sight::new(scene, viewport, pixels).picks()
    }

    /// The box at a device pixel, counted from the top left.
    pub fn at(&self, x: u32, y: u32) -> Option<u32> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let mark = self.marks.get(y as usize * self.width as usize + x as usize)?;
        mark.checked_sub(1)
    }

    /// Which boxes are seen, by at least one pixel: one flag per box. Nearly every box shows where it begins, so few
    /// pixels are looked at.
    pub fn seen(&self, sight: &Sight<'_>) -> Vec<bool> {
        let width = self.width as usize;
        let mut seen = vec![false; sight.scene.boxes.len()];
        for (id, rect) in &sight.boxes {
            let rows = &self.marks[rect.top as usize * width..rect.bottom as usize * width];
            let mut rows = rows.chunks_exact(width);
            seen[*id as usize] = rows.any(|row| row[rect.left as usize..rect.right as usize].contains(&(id + 1)));
        }
        seen
    }

    /// The boxes in sight of which no pixel is seen, each with the box that lies over its middle; by that box.
    pub fn folds(&self, sight: &Sight<'_>) -> Vec<Fold> {
        let Sight { scene, viewport, pixels, boxes } = sight;
        let seen = self.seen(sight);
        let mut hidden: Vec<(u32, u32)> = Vec::new();
        for (id, rect) in boxes.iter().filter(|(id, _)| !seen[*id as usize]) {
            let (x, y) = (i32::midpoint(rect.left, rect.right), i32::midpoint(rect.top, rect.bottom));
            if let Some(shown) = self.at(x as u32, y as u32) {
                hidden.push((shown, *id));
            }
        }
        hidden.sort_unstable();
        let fold = |group: &[(u32, u32)]| {
            let shown = group[0].0;
            let rect = px_from_box(&scene.boxes[shown as usize], viewport, *pixels)?;
            Some(Fold { shown, rect, hidden: group.iter().map(|(_, id)| *id).collect() })
        };
        hidden.chunk_by(|a, b| a.0 == b.0).filter_map(fold).collect()
    }
}
