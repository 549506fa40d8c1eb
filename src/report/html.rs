//! The report as one HTML file that opens anywhere, offline: the picture, the summary, operators and buffers as tables,
//! and the JSON report inside. It runs no script and asks for nothing: its own policy forbids both.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::report::view::Report;
use crate::report::words::{bytes_exact, clean, grouped};
use crate::report::{Analysis, picture, text, view};

/// Style of the page; follows the reader's light or dark.
const STYLE: &str = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;\
max-width:80rem;padding:0 1rem}table{border-collapse:collapse;font-variant-numeric:tabular-nums}caption{text-align:left;\
font-weight:600;padding:1rem 0 .3rem}th,td{padding:.15rem .6rem;text-align:left;border-bottom:1px solid #8884}\
.n{text-align:right}pre{overflow:auto}figure{margin:1rem 0}svg{max-width:100%;height:auto}.scroll{overflow:auto;\
max-height:40rem}h1,dd,td{overflow-wrap:anywhere}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}\
dt{color:#777}dd{margin:0;font-weight:600}@media (prefers-color-scheme:dark){dt{color:#aaa}}\
@media print{.scroll{max-height:none;overflow:visible}details{display:none}}";

/// What the page says in a reader's language, and which picture it shows. The default is English, with the whole arena
/// and the summary as a terminal shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageTexts {
    /// The language's tag; empty for English.
    pub language: String,
    /// The picture, an SVG document as [`crate::chart::svg`] makes it.
    pub picture: Option<String>,
    /// The summary, as pairs of a label and what it says; none for that of a terminal.
    pub facts: Vec<(String, String)>,
    /// Headings, roles and places by their keys; what is missing is said in English.
    pub texts: BTreeMap<String, String>,
}

impl PageTexts {
    /// A text as HTML.
    fn text(&self, key: &str, english: &str) -> String {
        escape(self.texts.get(key).map_or(english, String::as_str))
    }
}

/// The whole page.
///
/// # Errors
/// When a number is too large to be exact in the report inside.
pub fn to_html(analysis: &Analysis) -> Result<String> {
    to_html_in(analysis, &PageTexts::default())
}

/// The whole page in a reader's language.
///
/// # Errors
/// As [`to_html`].
pub fn to_html_in(analysis: &Analysis, texts: &PageTexts) -> Result<String> {
    let report = view::report(analysis)?;
    let language = if texts.language.is_empty() { "en" } else { &texts.language };
    let mut html = format!("<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n", escape(language));
    html.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    );
    html.push_str("<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    html.push_str(&escape(&analysis.name));
    html.push_str(" – Arenascope</title>\n<style>");
    html.push_str(STYLE);
    html.push_str("</style>\n</head>\n<body>\n<h1>");
    html.push_str(&escape(&analysis.name));
    html.push_str("</h1>\n");
    html.push_str(&summary(analysis, texts));
    // A model without an arena has no picture.
    let picture = texts.picture.clone().or_else(|| picture::to_svg(analysis, None).ok());
    if let Some(svg) = picture {
        html.push_str("<figure>\n");
        html.push_str(svg_element(&svg));
        html.push_str("\n</figure>\n");
    }
    html.push_str(&warnings(&report, texts));
    html.push_str(&steps(&report, texts));
    html.push_str(&buffers(&report, texts));
    html.push_str("<details><summary>");
    html.push_str(&texts.text("json", "The report as JSON"));
    html.push_str("</summary><pre>");
    html.push_str(&escape_lines(&view::to_json(analysis)?));
    html.push_str("</pre></details>\n</body>\n</html>\n");
    Ok(html)
}

/// The figures before everything else.
fn summary(analysis: &Analysis, texts: &PageTexts) -> String {
    if texts.facts.is_empty() {
        return format!("<pre>{}</pre>\n", escape_lines(&text::summary_text(analysis)));
    }
    let fact = |(label, text): &(String, String)| format!("<dt>{}</dt><dd>{}</dd>\n", escape(label), escape(text));
    format!("<dl>\n{}</dl>\n", texts.facts.iter().map(fact).collect::<String>())
}

/// The document's element, without what stands before it in a file of its own.
fn svg_element(svg: &str) -> &str {
    svg.find("<svg").and_then(|start| svg.get(start..)).unwrap_or_default().trim_end()
}

fn warnings(report: &Report, texts: &PageTexts) -> String {
    if report.warnings.is_empty() {
        return String::new();
    }
    let items = report.warnings.iter().map(|warning| {
        let about = warning.reference.as_ref().map_or_else(String::new, |about| format!("{}: ", escape(about)));
        format!("<li>{about}{}</li>\n", escape(&warning.message))
    });
    let title = texts.text("warnings", "Warnings");
    format!("<h2>{title}</h2>\n<ul>\n{}</ul>\n", items.collect::<String>())
}

fn steps(report: &Report, texts: &PageTexts) -> String {
    let rows = report.steps.iter().map(|step| {
        row(&[
            (true, step.step.to_string()),
            (false, escape(&step.op)),
            (true, grouped(step.live_bytes)),
            (false, step.born.join(" ")),
            (false, step.dies.join(" ")),
        ])
    });
    let head = [("step", "step"), ("op", "op"), ("live", "live bytes"), ("born", "born"), ("dies", "dies")];
    table(&texts.text("operators", "Operators"), &head, texts, rows)
}

fn buffers(report: &Report, texts: &PageTexts) -> String {
    let optional = |number: Option<u64>| number.map_or_else(String::new, grouped);
    let rows = report.buffers.iter().filter(|buffer| buffer.place != "file" && buffer.place != "none").map(|buffer| {
        let steps = buffer.first_step.zip(buffer.last_step);
        row(&[
            (false, buffer.reference.clone()),
            (false, escape(&buffer.name)),
            (false, texts.text(&format!("role.{}", buffer.role), buffer.role)),
            (false, texts.text(&format!("place.{}", buffer.place), buffer.place)),
            (true, optional(buffer.offset)),
            (true, buffer.bytes.map_or_else(|| texts.text("unknown", "unknown"), grouped)),
            (false, steps.map_or_else(String::new, |(first, last)| format!("{first}–{last}"))),
            (false, buffer.alias_of.clone().unwrap_or_default()),
        ])
    });
    let head = [
        ("buffer", "buffer"),
        ("name", "name"),
        ("role", "role"),
        ("place", "place"),
        ("offset", "offset"),
        ("bytes", "bytes"),
        ("steps", "steps"),
        ("alias", "shares bytes of"),
    ];
    let english = format!("Buffers; the arena takes {}", bytes_exact(report.arena_bytes));
    table(&texts.text("buffers", &english), &head, texts, rows)
}

/// A table; its caption is HTML, its headings are keys with their English.
fn table(caption: &str, head: &[(&str, &str)], texts: &PageTexts, rows: impl Iterator<Item = String>) -> String {
    let head: Vec<_> = head.iter().map(|(key, english)| texts.text(key, english)).collect();
    let head = head.join("</th><th>");
    let rows: String = rows.collect();
    format!(
        "<div class=\"scroll\"><table>\n<caption>{caption}</caption>\n<tr><th>{head}</th></tr>\n{rows}</table></div>\n"
    )
}

/// A row of cells: whether each is a number, and its HTML.
fn row(cells: &[(bool, String)]) -> String {
    let cell = |(is_number, html): &(bool, String)| {
        let class = if *is_number { " class=\"n\"" } else { "" };
        format!("<td{class}>{html}</td>")
    };
    format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>())
}

/// Any text as HTML, on one line.
fn escape(text: &str) -> String {
    escape_lines(&clean(text))
}

/// Text of our own, with lines, as HTML.
fn escape_lines(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(
            escape("<img src=x onerror='a'>\n&\"\u{202e}"),
            "&lt;img src=x onerror=&#39;a&#39;&gt; &amp;&quot; "
        );
    }
}
