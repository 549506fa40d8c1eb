//! A picture as SVG text: no browser, no fonts, the same bytes everywhere.

use plotters::backend::SVGBackend;

use crate::chart::draw::{Measured, Picture, SVG_FONT_SCALE, draw};
use crate::chart::format;
use crate::chart::text;

/// The picture as an SVG document with a title and a description for screen readers.
///
/// # Panics
/// Never: drawing into a string cannot fail.
pub fn svg(picture: &Picture<'_>, width: u32, height: u32) -> String {
    let mut document = String::new();
    let (width, height) = (width.clamp(32, 16_384), height.clamp(32, 16_384));
    let backend = SVGBackend::with_string(&mut document, (width, height));
    let drawn = draw(Measured::new(backend).with_font_scale(SVG_FONT_SCALE), picture);
    assert!(drawn.is_ok(), "drawing into a string cannot fail");
    let about = about(picture);
    with_description(document, &picture.caption.model, &about)
}

/// One sentence that says what the picture shows.
fn about(picture: &Picture<'_>) -> String {
    let words = &picture.style.words;
    picture.caption.facts(picture.scene, words).join("; ")
        + &format!("; {} boxes", format::grouped(picture.scene.boxes.len() as u64))
}

/// Inserts title and description behind the opening tag.
pub(super) fn with_description(document: String, title: &str, about: &str) -> String {
    let Some(at) = document.find(">\n") else { return document };
    let (head, rest) = document.split_at(at);
    let (title, about) = (escape(&text::clean(title)), escape(&text::clean(about)));
    format!("{head} role=\"img\">\n<title>{title}</title>\n<desc>{about}</desc>{}", &rest[1..])
}

/// Text as it may stand in XML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
