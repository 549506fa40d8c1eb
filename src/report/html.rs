//! The report as one HTML file that opens anywhere, offline: the picture, the summary, operators and buffers as tables,
//! and the JSON report inside. It runs no script and asks for nothing: its own policy forbids both.

use crate::error::Result;
use crate::report::view::Report;
use crate::report::words::{bytes_exact, clean, grouped};
use crate::report::{Analysis, picture, text, view};

/// Style of the page; follows the reader's light or dark.
const STYLE: &str = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;\
max-width:80rem;padding:0 1rem}table{border-collapse:collapse;font-variant-numeric:tabular-nums}caption{text-align:left;\
font-weight:600;padding:1rem 0 .3rem}th,td{padding:.15rem .6rem;text-align:left;border-bottom:1px solid #8884}\
.n{text-align:right}pre{overflow:auto}svg{max-width:100%;height:auto}.scroll{overflow:auto;max-height:40rem}";

/// The whole page.
///
/// # Errors
/// When a number is too large to be exact in the report inside.
pub fn to_html(analysis: &Analysis) -> Result<String> {
    let report = view::report(analysis)?;
    let mut html = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
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
    // A model without an arena has no picture.
    if let Ok(svg) = picture::to_svg(analysis, None) {
        html.push_str("<figure>\n");
        html.push_str(svg_element(&svg));
        html.push_str("\n</figure>\n");
    }
    html.push_str("<pre>");
    html.push_str(&escape_lines(&text::summary_text(analysis)));
    html.push_str("</pre>\n");
    html.push_str(&warnings(&report));
    html.push_str(&steps(&report));
    html.push_str(&buffers(&report));
    html.push_str("<details><summary>The report as JSON</summary><pre>");
    html.push_str(&escape_lines(&view::to_json(analysis)?));
    html.push_str("</pre></details>\n</body>\n</html>\n");
    Ok(html)
}

/// The document's element, without what stands before it in a file of its own.
fn svg_element(svg: &str) -> &str {
    svg.find("<svg").and_then(|start| svg.get(start..)).unwrap_or_default().trim_end()
}

fn warnings(report: &Report) -> String {
    if report.warnings.is_empty() {
        return String::new();
    }
    let items = report.warnings.iter().map(|warning| {
        let about = warning.reference.as_ref().map_or_else(String::new, |about| format!("{}: ", escape(about)));
        format!("<li>{about}{}</li>\n", escape(&warning.message))
    });
    format!("<h2>Warnings</h2>\n<ul>\n{}</ul>\n", items.collect::<String>())
}

fn steps(report: &Report) -> String {
    let rows = report.steps.iter().map(|step| {
        row(&[
            (true, step.step.to_string()),
            (false, escape(&step.op)),
            (true, grouped(step.live_bytes)),
            (false, step.born.join(" ")),
            (false, step.dies.join(" ")),
        ])
    });
    table("Operators", &["step", "op", "live bytes", "born", "dies"], rows)
}

fn buffers(report: &Report) -> String {
    let optional = |number: Option<u64>| number.map_or_else(String::new, grouped);
    let rows = report.buffers.iter().filter(|buffer| buffer.place != "file" && buffer.place != "none").map(|buffer| {
        let steps = buffer.first_step.zip(buffer.last_step);
        row(&[
            (false, buffer.reference.clone()),
            (false, escape(&buffer.name)),
            (false, buffer.role.to_owned()),
            (false, buffer.place.to_owned()),
            (true, optional(buffer.offset)),
            (true, buffer.bytes.map_or_else(|| String::from("unknown"), grouped)),
            (false, steps.map_or_else(String::new, |(first, last)| format!("{first}–{last}"))),
            (false, buffer.alias_of.clone().unwrap_or_default()),
        ])
    });
    let head = ["buffer", "name", "role", "place", "offset", "bytes", "steps", "shares bytes of"];
    let caption = format!("Buffers; the arena takes {}", bytes_exact(report.arena_bytes));
    table(&caption, &head, rows)
}

fn table(caption: &str, head: &[&str], rows: impl Iterator<Item = String>) -> String {
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
