//! What is in sight of a scene: each box is turned into pixels once, for everything that is then drawn of it.

use crate::chart::pixels::{Pixels, PxRect, px_from_box};
use crate::chart::scene::Scene;
use crate::chart::viewport::Viewport;

/// The part of a scene that a plot shows.
#[derive(Clone, Debug)]
pub struct Sight<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// The part of it.
    pub viewport: Viewport,
    /// The plot's size.
    pub pixels: Pixels,
    /// The boxes in sight and their pixels, in the order of painting.
    pub boxes: Vec<(u32, PxRect)>,
}

impl<'a> Sight<'a> {
    /// What a plot of this size shows through this viewport.
    pub fn new(scene: &'a Scene, viewport: &Viewport, pixels: Pixels) -> Sight<'a> {
        let seen = |id: &u32| Some((*id, px_from_box(&scene.boxes[*id as usize], viewport, pixels)?));
        Sight { scene, viewport: *viewport, pixels, boxes: scene.paint_order.iter().filter_map(seen).collect() }
    }
}
