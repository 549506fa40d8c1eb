//! The guided tour: each step points at something that is there, and speaks with the report's own figures.

use arenascope::report::{Settings, analyse, to_json};
use arenascope::runtime::RuntimeKind;
use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::barriers::barriers;
use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};

/// A step: its id, the sample, runtime and planner that it shows.
const STEPS: [(&str, &str, RuntimeKind, &str); 12] = [
    ("arena", "keyword_spotting.tflite", RuntimeKind::Tflite, "runtime"),
    ("picture", "keyword_spotting.tflite", RuntimeKind::Tflite, "runtime"),
    ("lifetime", "residual_block.tflite", RuntimeKind::Tflite, "runtime"),
    ("apart", "seven_buffers.csv", RuntimeKind::Tflite, "no-reuse"),
    ("sharing", "seven_buffers.csv", RuntimeKind::Tflite, "runtime"),
    ("peak", "four_branches.tflite", RuntimeKind::Tflm, "runtime"),
    ("gap", "greedy_gap.tflite", RuntimeKind::Tflm, "runtime"),
    ("better", "greedy_gap.tflite", RuntimeKind::Tflm, "optimal"),
    ("alignment", "odd_sizes.tflite", RuntimeKind::Tflite, "runtime"),
    ("dynamic", "open_picture.tflite", RuntimeKind::Tflite, "runtime"),
    ("ends", "residual_block.tflite", RuntimeKind::Tflm, "runtime"),
    ("yours", "residual_block.tflite", RuntimeKind::Tflm, "runtime"),
];

/// The report of a step's sample, made here and not by the page.
fn report(sample_name: &str, runtime: RuntimeKind, planner: &str) -> Value {
    let mut settings = Settings::new(runtime);
    settings.planner = Settings::planner_from_name(planner).unwrap();
    serde_json::from_str(&to_json(&analyse(&sample(sample_name), sample_name, &settings).unwrap()).unwrap()).unwrap()
}

/// A size as the page writes it.
fn both(value: &Value) -> String {
    let bytes = value.as_u64().unwrap_or_else(|| panic!("no size: {value}"));
    let mut exact = bytes.to_string();
    for at in (1..exact.len()).rev().filter(|at| (exact.len() - at).is_multiple_of(3)).collect::<Vec<_>>() {
        exact.insert(at, ',');
    }
    let size = value.as_f64().unwrap();
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB ({exact} B)", size / 1024.0),
        _ => format!("{:.2} MiB ({exact} B)", size / 1_048_576.0),
    }
}

/// Figures that the words of a step must hold.
fn figures(id: &str, report: &Value) -> Vec<String> {
    let named = |name: &str| report["buffers"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
    let (arena, peak, bound) =
        (both(&report["arena_bytes"]), both(&report["peak"]["live_bytes"]), both(&report["lower_bound_bytes"]));
    match id {
        "arena" => vec![arena, both(&report["model"]["bytes"])],
        "picture" => vec![format!(" {} ", report["steps"].as_array().unwrap().len())],
        "lifetime" => {
            let stem = named("stem");
            vec![both(&stem["bytes"]), format!(" {}", stem["first_step"]), format!(" {}", stem["last_step"])]
        }
        "apart" => vec![arena, peak, report["buffers"].as_array().unwrap().len().to_string()],
        "sharing" => vec![
            arena,
            format!(" {}", named("B")["last_step"]),
            format!(" {}", named("G")["first_step"]),
            named("G")["offset"].to_string(),
        ],
        "peak" => vec![peak, report["peak"]["op"].as_str().unwrap().to_owned()],
        "gap" => vec![arena, bound, "272 B".to_owned(), "192".to_owned()],
        "better" => vec![arena, bound],
        "alignment" => {
            let (low, high) =
                (named("features")["bytes"].as_u64().unwrap(), named("first")["offset"].as_u64().unwrap());
            vec![
                report["options"]["alignment"].to_string(),
                format!("{low} B"),
                high.to_string(),
                format!("{} B", high - low),
            ]
        }
        "dynamic" => vec![arena, named("picture")["shape"][1].to_string()],
        "ends" => {
            vec![both(&report["arena_bytes"]), both(&report["persistent_bytes"]), both(&report["minimum_arena_bytes"])]
        }
        _ => Vec::new(),
    }
}

/// Waits for a step of the tour.
async fn at(page: &Page, id: &str) -> WebDriverResult<()> {
    page.wait(&format!("document.querySelector('#tour').dataset.step === '{id}'")).await?;
    page.settle().await
}

/// Walks all steps; `next` goes on.
async fn walk(page: &Page, chinese: bool) -> WebDriverResult<()> {
    for (index, (id, sample_name, runtime, planner)) in STEPS.into_iter().enumerate() {
        at(page, id).await?;
        let title = page.eval("document.title").await?;
        assert!(title.as_str().unwrap().starts_with(sample_name), "{id}: {title}");
        let text = page.text("#tour-text").await?;
        let words = text.split_whitespace().count();
        assert!(chinese || words <= 60, "{id}: {words} words");
        assert!(!text.contains('{'), "{id}: {text}");
        for figure in figures(id, &report(sample_name, runtime, planner)) {
            assert!(text.contains(&figure), "{id}: no {figure} in {text}");
        }
        // The ring is in sight, around something, and the card leaves at least most of it free; both settle when what is
        // pointed at does.
        println!("{id}: is there, in sight, not hidden, card in sight");
        page.wait("(() => { const [a, b] = ['#spotlight', '#tour'].map((one) => document.querySelector(one).getBoundingClientRect()); \
            const meet = Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)); \
            return [a.width > 14 && a.height > 14, a.top >= -12 && a.bottom <= innerHeight + 12, meet <= 0.25 * a.width * a.height, b.left >= 0 && b.right <= innerWidth && b.bottom <= innerHeight].every(Boolean); })()").await?;
        let progress = page.text("#tour .head .faint").await?;
        assert!(progress.contains(&(index + 1).to_string()) && progress.contains("12"), "{progress}");
        assert!(page.text("#live").await?.contains(&page.text("#tour-title").await?), "{id} is not announced");
        if index % 2 == 0 {
            page.press("n", "KeyN", 0).await?;
        } else {
            page.click("#tour-next").await?;
        }
    }
    page.wait("document.querySelector('#tour').hidden").await
}

#[test]
fn the_tour_walks_all_steps_in_both_languages() {
    for size in [DESKTOP, PHONE] {
        with_page(size, |page| async move {
            page.click("#tour-start").await?;
            walk(&page, false).await?;
            assert_eq!(page.eval("document.documentElement.dataset.phase").await?, json!("empty"));
            page.click("#language").await?;
            page.eval("(location.hash = '#tour')").await?;
            walk(&page, true).await?;
            assert_eq!(page.eval("location.hash").await?, json!(""));
            Ok(())
        });
    }
}

#[test]
fn the_readers_own_model_and_view_come_back() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("mine.tflite", &sample("four_branches.tflite")).await?;
        page.opened().await?;
        page.click("#runtime-tflm").await?;
        page.wait("document.querySelector('#micro .line') !== null").await?;
        page.press("Home", "Home", 0).await?;
        page.press("ArrowRight", "ArrowRight", 0).await?;
        page.press("ArrowUp", "ArrowUp", 0).await?;
        page.press("2", "Digit2", 0).await?;
        let seen = "[document.title, document.querySelector('#verdict .number').innerText, document.querySelector('#mode').value, \
                    document.querySelector('#ops [aria-selected=true]').id, document.querySelector('#details .title').innerText]";
        let before = page.eval(seen).await?;
        page.press("?", "Slash", 8).await?;
        page.click("#help-tour").await?;
        at(&page, "arena").await?;
        page.click("#tour-next").await?;
        at(&page, "picture").await?;
        page.press("b", "KeyB", 0).await?;
        at(&page, "arena").await?;
        page.press("Escape", "Escape", 0).await?;
        page.wait("document.querySelector('#tour').hidden && document.title.startsWith('mine')").await?;
        page.settle().await?;
        assert_eq!(page.eval(seen).await?, before);
        Ok(())
    });
}

#[test]
fn a_task_is_ticked_off_when_done_and_a_dropped_file_ends_the_tour() {
    with_page(DESKTOP, |page| async move {
        let checker = std::env::var_os("ARENASCOPE_AXE");
        if let Some(path) = &checker {
            page.driver.execute(std::fs::read_to_string(path).unwrap(), Vec::new()).await?;
        }
        page.eval("(location.hash = '#tour')").await?;
        at(&page, "arena").await?;
        page.click("#tour-next").await?;
        at(&page, "picture").await?;
        if checker.is_some() {
            barriers(&page, "the tour").await?;
        }
        assert_eq!(page.eval("document.querySelector('#tour .task.done')").await?, Value::Null);
        page.press("ArrowRight", "ArrowRight", 0).await?;
        page.wait("document.querySelector('#tour .task.done') !== null").await?;
        for id in ["lifetime", "apart", "sharing", "peak"] {
            page.press("n", "KeyN", 0).await?;
            at(&page, id).await?;
        }
        page.press("p", "KeyP", 0).await?;
        page.wait("document.querySelector('#tour .task.done') !== null").await?;
        page.drop_file("mine.tflite", &sample("odd_sizes.tflite")).await?;
        page.wait("document.title.startsWith('mine') && document.documentElement.dataset.phase === 'ready'").await?;
        assert_eq!(
            page.eval("document.querySelector('#tour').hidden && document.querySelector('#spotlight').hidden").await?,
            json!(true)
        );
        // The tour's TFLite Micro is gone with it.
        assert_eq!(page.eval("document.querySelector('#runtime-tflite').checked").await?, json!(true));
        Ok(())
    });
}
