//! The picture's data on their way from the worker to the main thread: the main arena's scene as bytes.

use crate::chart::{self, Clock, Scene, SceneOptions};
use crate::error::Result;
use crate::plan::{Plan, Problem};
use crate::report::{self, Analysis};

/// The main arena's scene for [`chart::unpack`]; an empty one where there is no arena.
pub(super) fn packed(analysis: &Analysis, budget: Option<u64>) -> Result<Vec<u8>> {
    if let Some(scene) = report::scene(analysis, budget) {
        return Ok(chart::pack(&scene));
    }
    let nothing = Problem::new(Vec::new(), 1)?;
    let plan = Plan::from_offsets(&nothing, Vec::new());
    let scene = Scene::new(&nothing, &plan, Vec::new(), Clock::default(), SceneOptions::default());
    Ok(chart::pack(&scene))
}
