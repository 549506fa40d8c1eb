//! An accessibility checker over every state of the page, in light and dark and both languages. A new part of the page
//! gets a line in [`STATES`].

use serde_json::json;
use thirtyfour::prelude::WebDriverResult;

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};

/// One thing that is done to bring the page into a state.
enum Act {
    /// Drops one of the page's samples.
    Sample(&'static str),
    /// Drops the first bytes of a sample, under the name of a damaged file.
    Cut(&'static str, usize),
    /// Drops a file with this text in it.
    Text(&'static str, &'static str),
    /// Drops several samples at once.
    Samples(&'static [&'static str]),
    /// Drops C source with two models in it.
    TwoArrays,
    /// Clicks an element.
    Click(&'static str),
    /// Opens a `<details>`.
    Open(&'static str),
    /// Presses a key: name, code, modifiers.
    Press(&'static str, &'static str, u32),
    /// Chooses in a list.
    Choose(&'static str, &'static str),
    /// Waits until an expression holds.
    Wait(&'static str),
}
use Act::{Choose, Click, Cut, Open, Press, Sample, Samples, Text, TwoArrays, Wait};

const READY: Act = Wait("document.documentElement.dataset.phase === 'ready'");
const FAILED: Act = Wait("document.documentElement.dataset.phase === 'failed'");
const DIALOG: Act = Wait("document.querySelector('#dialog').open");
const JUDGED: Act = Wait("document.querySelector('#folder .outcome') !== null");
const RESIDUAL: Act = Sample("residual_block.tflite");
const KEYWORD: Act = Sample("keyword_spotting.tflite");

/// Every state of the page: its name, and the way to it from an empty page.
const STATES: &[(&str, &[Act])] = &[
    ("empty", &[]),
    ("messages without a model", &[Click("#start-decode"), DIALOG]),
    ("damaged", &[Cut("residual_block.tflite", 2000), FAILED]),
    ("not a model", &[Text("page.html", "<!doctype html><title>404</title>"), FAILED]),
    ("choosing", &[TwoArrays, Wait("document.querySelector('.choices') !== null")]),
    ("model", &[RESIDUAL, READY]),
    ("operations", &[RESIDUAL, READY, Click("#tab-ops")]),
    ("tensors", &[RESIDUAL, READY, Click("#tab-tensors")]),
    (
        "selected",
        &[RESIDUAL, READY, Press("ArrowUp", "ArrowUp", 0), Wait("document.querySelector('#details .why') !== null")],
    ),
    ("no match", &[RESIDUAL, READY, Press("/", "Slash", 0), Press("(", "Digit9", 0)]),
    ("options", &[RESIDUAL, READY, Click("#set-summary")]),
    ("exports", &[RESIDUAL, READY, Click("#export")]),
    ("sharing", &[RESIDUAL, READY, Click("#share"), DIALOG, Wait("document.querySelector('#link') !== null")]),
    ("help", &[RESIDUAL, READY, Press("?", "Slash", 8), DIALOG]),
    (
        "comparing",
        &[
            Samples(&["residual_block.tflite", "four_branches.tflite"]),
            Wait("document.querySelector('#verdict .difference') !== null"),
        ],
    ),
    ("what to compare", &[RESIDUAL, READY, Click("#compare"), DIALOG]),
    ("questions", &[RESIDUAL, READY, Click("#questions")]),
    ("tour", &[Click("#tour-start"), Wait("!document.querySelector('#tour').hidden")]),
    (
        "filters",
        &[
            RESIDUAL,
            READY,
            Click("#tab-tensors"),
            Click("[data-filter='types-int8']"),
            Wait("document.querySelector('#clear-filters') !== null"),
        ],
    ),
    ("what-ifs", &[RESIDUAL, READY, Press("ArrowUp", "ArrowUp", 0), Open("#whatif")]),
    (
        "smaller models",
        &[RESIDUAL, READY, Open("#improve"), Wait("document.querySelectorAll('#improve tbody tr').length > 3")],
    ),
    (
        "other shapes",
        &[RESIDUAL, READY, Open("#resize"), Wait("document.querySelector('#resize .body').childElementCount > 0")],
    ),
    ("subgraphs", &[RESIDUAL, READY, Open("#subgraphs")]),
    ("plan file", &[Sample("seven_buffers.csv"), READY]),
    ("overlapping plan", &[Text("overlap.csv", "id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,5"), READY]),
    ("micro", &[KEYWORD, READY, Click("#runtime-tflm"), Wait("document.querySelector('#micro .line') !== null")]),
    (
        "board",
        &[KEYWORD, READY, Choose("#board", "nano-33-ble"), Wait("document.querySelector('#micro .board') !== null")],
    ),
    (
        "both runtimes",
        &[
            KEYWORD,
            READY,
            Click("#to-micro"),
            Wait("document.querySelector('#micro .line') !== null"),
            Click("#contrast"),
            DIALOG,
            Wait("document.querySelector('.contrast tr.total') !== null"),
        ],
    ),
    (
        "memory plan",
        &[
            KEYWORD,
            READY,
            Click("#runtime-tflm"),
            Wait("document.querySelector('#measure') !== null"),
            Click("#measure"),
            DIALOG,
        ],
    ),
    (
        "folder",
        &[
            Samples(&["residual_block.tflite", "four_branches.tflite", "keyword_spotting.tflite", "seven_buffers.csv"]),
            JUDGED,
        ],
    ),
    (
        "folder for a board",
        &[
            Choose("#board", "nano-33-ble"),
            Samples(&["residual_block.tflite", "four_branches.tflite", "keyword_spotting.tflite"]),
            JUDGED,
        ],
    ),
];

#[test]
fn no_serious_barrier_on_a_desktop() {
    with_page(DESKTOP, |page| async move { walk(&page, &[("en", "light"), ("en", "dark")]).await });
}

#[test]
fn no_serious_barrier_on_a_desktop_in_chinese() {
    with_page(DESKTOP, |page| async move { walk(&page, &[("zh", "light"), ("zh", "dark")]).await });
}

#[test]
fn no_serious_barrier_on_a_phone() {
    with_page(PHONE, |page| async move { walk(&page, &[("en", "light"), ("zh", "dark")]).await });
}

/// Goes through all states in these languages and themes; two of the same language share the way.
async fn walk(page: &Page, looks: &[(&str, &str)]) -> WebDriverResult<()> {
    let Some(path) = std::env::var_os("ARENASCOPE_AXE") else {
        println!("skipped: ARENASCOPE_AXE names no accessibility checker");
        return Ok(());
    };
    let checker = std::fs::read_to_string(path).unwrap();
    let mut found = Vec::new();
    for (name, acts) in STATES {
        println!("{name}");
        let mut language = "";
        for (wanted, theme) in looks {
            if *wanted != language {
                language = wanted;
                start(page, language).await?;
                page.driver.execute(checker.clone(), Vec::new()).await?;
                for act in *acts {
                    perform(page, act).await?;
                }
            }
            let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
            page.cdp("Emulation.setEmulatedMedia", features).await?;
            page.settle().await?;
            found.extend(check(page, &format!("{name}, {language}, {theme}")).await?);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}

/// An empty page in this language.
async fn start(page: &Page, language: &str) -> WebDriverResult<()> {
    page.eval(&format!("localStorage.setItem('arenascope.view', JSON.stringify({{ language: {language:?} }})), true"))
        .await?;
    page.driver.goto(page.server.address()).await?;
    page.wait("document.documentElement.dataset.ready === 'true'").await
}

async fn perform(page: &Page, act: &Act) -> WebDriverResult<()> {
    match act {
        Sample(name) => page.drop_file(name, &sample(name)).await,
        Cut(name, count) => page.drop_file("cut.tflite", &sample(name)[..*count]).await,
        Text(name, text) => page.drop_file(name, text.as_bytes()).await,
        Samples(names) => {
            let paths: Vec<_> = names.iter().map(|name| page.dir.join(name)).collect();
            for (path, name) in paths.iter().zip(*names) {
                std::fs::write(path, sample(name)).unwrap();
            }
            page.drop_paths(&paths).await
        }
        TwoArrays => {
            let array = |name: &str, file: &str| {
                let numbers: Vec<_> = sample(file).iter().map(ToString::to_string).collect();
                format!("const unsigned char {name}[] = {{ {} }};\n", numbers.join(", "))
            };
            let text =
                [array("g_residual", "residual_block.tflite"), array("g_branches", "four_branches.tflite")].concat();
            page.drop_file("models.cc", text.as_bytes()).await
        }
        // Tabs are there on narrow screens only.
        Click(selector) if selector.starts_with("#tab-") => {
            page.eval(&format!("document.querySelector({selector:?}).click(), true")).await?;
            page.settle().await
        }
        Click(selector) => {
            page.wait(&format!("document.querySelector({selector:?}) !== null")).await?;
            page.click(selector).await
        }
        Open(selector) => {
            page.eval(&format!("document.querySelector({selector:?}).open = true")).await?;
            page.settle().await
        }
        Press(key, code, modifiers) => page.press(key, code, *modifiers).await,
        Choose(selector, value) => {
            page.choose(selector, value).await?;
            page.settle().await
        }
        Wait(expression) => page.wait(expression).await,
    }
}

/// Nothing serious is found by the checker, which the page has loaded: for tests of parts with a way of their own.
pub(crate) async fn barriers(page: &Page, state: &str) -> WebDriverResult<()> {
    let found = check(page, state).await?;
    assert!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}

/// What the checker finds serious or critical.
async fn check(page: &Page, state: &str) -> WebDriverResult<Vec<String>> {
    let script = "const done = arguments[0]; axe.run({ resultTypes: ['violations'] }).then((found) => done(found.violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => one.id + ': ' + one.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary).slice(0, 3).join(' | '))), (error) => done([String(error)]));";
    let found = page.driver.execute_async(script, Vec::new()).await?.json().clone();
    Ok(found.as_array().unwrap().iter().map(|one| format!("{state}: {}", one.as_str().unwrap_or_default())).collect())
}
