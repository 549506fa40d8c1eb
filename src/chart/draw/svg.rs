//! A picture as SVG text: no browser, no fonts, the same bytes everywhere.

use plotters::backend::SVGBackend;

use crate::chart::compare::Comparison;
use crate::chart::draw::{Drawn, Measured, Picture, SVG_FONT_SCALE, draw, draw_both, draw_over};
use crate::chart::format;
use crate::chart::scene::Scene;
use crate::chart::text;

/// The picture as an SVG document with a title and a description for screen readers.
pub fn svg(picture: &Picture<'_>, width: u32, height: u32) -> String {
    let about = about(picture);
    document(&picture.caption.model, &about, (width, height), |backend| draw(backend, picture))
}

/// The picture over what the arena was before, as [`draw_over`] draws it.
pub fn overlay_svg(picture: &Picture<'_>, before: &Scene, width: u32, height: u32) -> String {
    let words = &picture.style.words;
    let about = format!("{}; {} {}", about(picture), words.before, format::both(before.height_bytes));
    let ghosts = Comparison::new(before, picture.scene).ghosts();
    document(&picture.caption.model, &about, (width, height), |backend| draw_over(backend, picture, before, &ghosts))
}

/// Two pictures beside or above each other, as [`draw_both`] draws them.
pub fn compare_svg(before: &Picture<'_>, after: &Picture<'_>, width: u32, height: u32) -> String {
    let title = format!("{} / {}", before.caption.model, after.caption.model);
    let about = format!("{} / {}", about(before), about(after));
    document(&title, &about, (width, height), |backend| draw_both(backend, before, after))
}

/// An SVG document that `draw` fills.
pub(super) fn document<'a, F>(title: &str, about: &str, size: (u32, u32), draw: F) -> String
where
    F: FnOnce(Measured<SVGBackend<'_>>) -> Drawn<SVGBackend<'a>>,
{
    let mut document = String::new();
    let size = (size.0.clamp(32, 16_384), size.1.clamp(32, 16_384));
    let drawn = draw(Measured::new(SVGBackend::with_string(&mut document, size)).with_font_scale(SVG_FONT_SCALE));
    // The backend writes into a string, which does not fail; were it to, an empty picture is not a wrong one.
    debug_assert!(drawn.is_ok(), "drawing into a string cannot fail");
    with_description(document, title, about)
}

/// One sentence that says what the picture shows.
fn about(picture: &Picture<'_>) -> String {
    let words = &picture.style.words;
    picture.caption.facts(picture.scene, words).join("; ")
        + &format!("; {} boxes", format::grouped(picture.scene.boxes.len() as u64))
}

/// Inserts title and description behind the opening tag.
fn with_description(document: String, title: &str, about: &str) -> String {
    let Some(at) = document.find(">\n") else { return document };
    let (head, rest) = document.split_at(at);
    let (title, about) = (escape(&text::clean(title)), escape(&text::clean(about)));
    format!("{head} role=\"img\">\n<title>{title}</title>\n<desc>{about}</desc>{}", &rest[1..])
}

/// Text as it may stand in XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
