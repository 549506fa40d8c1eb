//! The picture of an analysis: its main arena as a scene, what the picture is of, and the two as SVG.

use crate::chart::{Caption, Picture, Scene, SceneOptions, Style, svg};
use crate::error::{Error, ErrorKind, Result};
use crate::report::words::bytes_exact;
use crate::report::{Analysis, abi_name, kernels_name};
use crate::runtime::RuntimeKind;
use crate::units::ArenaId;

/// Width and height of the SVG, in pixels.
const SIZE: (u32, u32) = (1280, 800);

/// The main arena as a scene, with the budget's line when there is one; `None` for a model without an arena.
pub fn scene(analysis: &Analysis, budget_bytes: Option<u64>) -> Option<Scene> {
    let (plan, arena) = analysis.plans.first().zip(analysis.arenas.first())?;
    let options = SceneOptions { lower_bound_bytes: Some(arena.bound.live_bytes), budget_bytes };
    Some(Scene::from_program(&analysis.program, ArenaId(0), plan, options))
}

/// What a picture of `analysis` is of.
pub fn caption(analysis: &Analysis) -> Caption {
    let options = &analysis.program.options;
    let runtime = match (&analysis.model, options.runtime) {
        (None, _) => String::new(),
        (Some(_), RuntimeKind::Tflite) => String::from("TFLite, builtin kernels"),
        (Some(_), RuntimeKind::Tflm) => {
            format!("TFLite-Micro, {} kernels, {}", kernels_name(options.kernels), abi_name(options.abi))
        }
    };
    let is_micro = analysis.model.is_some() && options.runtime == RuntimeKind::Tflm;
    let planner = analysis.arenas.first().and_then(|arena| arena.strategy);
    Caption {
        model: analysis.name.clone(),
        sha256: analysis.sha256.clone(),
        runtime,
        planner: planner.map_or_else(String::new, |planner| format!("planner {}", planner.name())),
        tool: concat!("arenascope ", env!("CARGO_PKG_VERSION")).to_owned(),
        height: String::from(if is_micro { "head" } else { "" }),
        notes: what_if(analysis.settings.edits.len())
            .into_iter()
            .chain(analysis.minimum_arena_bytes().map(|bytes| format!("whole arena {}", bytes_exact(bytes))))
            .collect(),
        against: Vec::new(),
    }
}

/// That a picture is of a plan that somebody made up.
fn what_if(edits: usize) -> Option<String> {
    match edits {
        0 => None,
        1 => Some(String::from("what-if: 1 change")),
        many => Some(format!("what-if: {many} changes")),
    }
}

/// The main arena as an SVG document.
///
/// # Errors
/// When there is no arena to draw.
pub fn to_svg(analysis: &Analysis, budget_bytes: Option<u64>) -> Result<String> {
    let scene = scene(analysis, budget_bytes).ok_or_else(|| {
        Error::new(ErrorKind::Refused, "nothing of this model lies in an arena, so there is no picture")
    })?;
    let (style, caption) = (Style::default(), caption(analysis));
    Ok(svg(&Picture::whole(&scene, &style, &caption), SIZE.0, SIZE.1))
}
