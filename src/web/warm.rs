//! Draws a picture that nobody sees. A browser compiles code when it first runs, and improves what runs often: without this
//! the first picture of a model would take as long as three later ones.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use crate::chart::{BoxLabel, Clock, Scene, SceneOptions, pack};
use crate::plan::{Plan, Problem, Request};
use crate::units::{RequestId, Span, Step};
use crate::web::chart::Chart;
use crate::web::failure;

/// As many boxes as make the loops run often, and few enough for a task of some milliseconds.
const BOXES: u32 = 600;

/// Makes and draws a small picture once.
///
/// # Errors
/// When the browser gives no canvas.
#[wasm_bindgen]
pub fn warm_up() -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let canvas = document.create_element("canvas")?.dyn_into::<HtmlCanvasElement>()?;
    let (width, height) = (400, 240);
    canvas.set_width(width);
    canvas.set_height(height);
    let mut chart = Chart::new(&pack(&scene().map_err(|error| failure::thrown(&error))?))?;
    let whole = chart.whole();
    chart.draw(&canvas, &whole, width, height, 1.0)?;
    chart.alive_at(1);
    chart.live_in(100);
    Ok(())
}

/// Columns of boxes, small ones and large ones, so that some have labels and some are hidden.
fn scene() -> crate::error::Result<Scene> {
    let place = |id: u32| (id / 3, u64::from(id % 3) * 600);
    let size = |id: u32| 1 + u64::from(id * 7 % 11) * 50;
    let life = |id: u32| Span::new(Step(place(id).0), Step(place(id).0 + if id.is_multiple_of(90) { 40 } else { 1 }));
    let ids: Vec<u32> = (0..BOXES).filter(|id| life(*id).is_some()).collect();
    let requests = ids.iter().filter_map(|id| Some(Request::new(size(*id), life(*id)?))).collect();
    let problem = Problem::new(requests, 16)?;
    let plan = Plan::from_offsets(&problem, ids.iter().map(|id| place(*id).1).collect());
    let labels = (0..ids.len()).map(RequestId::from_index).map(|id| BoxLabel::named(id, "a/b/c")).collect();
    Ok(Scene::new(&problem, &plan, labels, Clock::default(), SceneOptions::default()))
}
