//! How fast the page is with 10,000 boxes, and with 15,000 operations: measured with the browser's own clock and
//! printed (`-- --nocapture` shows it). What a busy machine does to such figures is no fault of the page, so only gross
//! things are asserted.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use thirtyfour::error::WebDriverResult;

use crate::harness::{DESKTOP, Page, with_page};

/// A plan of so many buffers: most live for a few steps, some for long; sizes from bytes to hundreds of kilobytes.
fn plan(buffers: u32) -> String {
    let mut state = 0x9e37_79b9_u32;
    let mut next = |below: u32| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % below
    };
    let steps = (buffers * 2 / 5).max(1);
    let mut text = String::from("id,lower,upper,size\n");
    for id in 0..buffers {
        let first = u64::from(id) * u64::from(steps) / u64::from(buffers);
        let length = if next(40) == 0 { 20 + next(steps / 8 + 1) } else { 1 + next(9) };
        let size = (16 + next(1024)) << next(9);
        let end = (first + u64::from(length)).min(u64::from(steps));
        let _ = writeln!(text, "b{id},{first},{},{size}", end.max(first + 1));
    }
    text
}

/// What the page's main thread has worked since its start, and how much of it scripts, in seconds of its own time: other
/// programs on the machine do not count in it.
async fn busy(page: &Page) -> WebDriverResult<[f64; 2]> {
    let metrics = page.cdp("Performance.getMetrics", json!({})).await?;
    let value = |name: &str| {
        let found = metrics["metrics"].as_array().unwrap().iter().find(|metric| metric["name"] == name);
        found.and_then(|metric| metric["value"].as_f64()).unwrap_or(0.0)
    };
    Ok(["TaskDuration", "ScriptDuration"].map(value))
}

/// Opens a plan, moves about in it as a visitor would, and prints for each kind of movement: the time between frames,
/// the time of drawing the picture (median, 95th percentile, worst, how many), and the main thread's work.
async fn measure(page: Rc<Page>, what: &str, path: &Path) -> WebDriverResult<()> {
    page.eval(&format!("(() => {{ {} return true; }})()", include_str!("speed.js"))).await?;
    page.drop_path(path).await?;
    page.opened().await?;
    assert_eq!(page.eval("document.documentElement.dataset.phase").await?, "ready");
    tokio::time::sleep(Duration::from_millis(500)).await;
    println!("\n{what}");
    println!("  {}", page.eval("speed.opening()").await?);
    page.driver.set_script_timeout(Duration::from_secs(120)).await?;
    page.cdp("Performance.enable", json!({ "timeDomain": "threadTicks" })).await?;
    println!("  {:<22}{:>26}{:>26}{:>24}{:>14}", "", "frames ms", "draws ms", "busy ms a frame", "long tasks");
    let mut drawn = 0;
    for name in page.eval("speed.names()").await?.as_array().unwrap() {
        let before = busy(&page).await?;
        let script = "const done = arguments[1]; speed.run(arguments[0]).then(done, (error) => done(String(error)));";
        let row = page.driver.execute_async(script, vec![name.clone()]).await?.json().clone();
        let after = busy(&page).await?;
        drawn += row["draws"]["count"].as_u64().unwrap_or_else(|| panic!("{row}"));
        let three = |key: &str| {
            let [median, p95, worst] = ["median", "p95", "worst"].map(|part| row[key][part].as_f64().unwrap());
            format!("{median:.1} {p95:.1} {worst:.1} ({})", row[key]["count"])
        };
        let frames = row["frames"]["count"].as_f64().unwrap() + 1.0;
        let busy =
            [0, 1].map(|part| format!("{:.1}", (after[part] - before[part]) * 1000.0 / frames)).join(", script ");
        let long = format!("{} ({} ms)", row["long"]["count"], row["long"]["worst"]);
        let name = name.as_str().unwrap();
        println!("  {name:<22}{:>26}{:>26}{busy:>24}{long:>14}", three("frames"), three("draws"));
    }
    assert!(drawn > 100, "zooming and panning drew {drawn} pictures");
    assert_eq!(page.eval("document.querySelectorAll('#ops .vrow').length > 4").await?, true);
    Ok(())
}

#[test]
fn ten_thousand_boxes() {
    with_page(DESKTOP, |page| async move {
        let path = page.dir.join("ten_thousand.csv");
        std::fs::write(&path, plan(10_000)).unwrap();
        measure(page, "10,000 boxes", &path).await
    });
}

#[test]
fn fifteen_thousand_operations() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS").map(PathBuf::from) else {
        println!("skipped: ARENASCOPE_CORPUS names no directory of models");
        return;
    };
    let name = "c47_scale_15k_ops.tflite";
    let places = [corpus.join(name), corpus.join("cases").join(name), corpus.join("../cases").join(name)];
    let Some(path) = places.into_iter().find(|path| path.exists()) else {
        println!("skipped: {name} is not there");
        return;
    };
    with_page(DESKTOP, |page| async move { measure(page, "15,042 operations", &path.canonicalize().unwrap()).await });
}
