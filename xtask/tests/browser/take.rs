//! Taking away: pictures, report, table; and the page as assistive technology sees it.

use serde_json::{Value, json};

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};

#[test]
fn pictures_report_and_table_can_be_saved() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        page.opened().await?;
        let save = async |kind: &str| {
            page.click("#export").await?;
            page.click(&format!("#export-{kind}")).await
        };
        save("png-2").await?;
        let png = page.downloaded("residual_block.tflite.arena.png").await;
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!((&png[1..4], side(16), side(20)), (&b"PNG"[..], 2400, 1520));
        save("svg").await?;
        let svg = String::from_utf8(page.downloaded("residual_block.tflite.arena.svg").await).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("residual_block.tflite") && svg.contains("sha256"));
        save("json").await?;
        let json: Value = serde_json::from_slice(&page.downloaded("residual_block.tflite.arena.json").await).unwrap();
        assert_eq!(json["schema"], json!(1));
        save("csv").await?;
        let csv = String::from_utf8(page.downloaded("residual_block.tflite.arena.csv").await).unwrap();
        assert!(csv.starts_with("id,lower,upper,size,offset"), "{csv}");
        Ok(())
    });
}

#[test]
fn no_serious_barrier_in_any_state() {
    for size in [DESKTOP, PHONE] {
        with_page(size, |page| async move {
            let Some(path) = std::env::var_os("ARENASCOPE_AXE") else {
                println!("skipped: ARENASCOPE_AXE names no accessibility checker");
                return Ok(());
            };
            page.driver.execute(std::fs::read_to_string(path).unwrap(), Vec::new()).await?;
            for theme in ["light", "dark"] {
                let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
                page.cdp("Emulation.setEmulatedMedia", features).await?;
                page.settle().await?;
                barriers(&page, &format!("{theme}, start")).await?;
            }
            page.drop_file("cut.tflite", &sample("residual_block.tflite")[..2000]).await?;
            page.opened().await?;
            barriers(&page, "failure").await?;
            page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
            page.wait("document.documentElement.dataset.phase === 'ready'").await?;
            page.press("ArrowUp", "ArrowUp", 0).await?;
            for theme in ["light", "dark"] {
                let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
                page.cdp("Emulation.setEmulatedMedia", features).await?;
                page.settle().await?;
                barriers(&page, &format!("{theme}, model")).await?;
            }
            page.press("?", "Slash", 8).await?;
            barriers(&page, "help").await?;
            Ok(())
        });
    }
}

/// Nothing serious is found by the accessibility checker, which the page has loaded.
pub(crate) async fn barriers(page: &Page, state: &str) -> thirtyfour::error::WebDriverResult<()> {
    let script = "const done = arguments[0]; axe.run().then((found) => done(found.violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => one.id + ': ' + one.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary).slice(0, 4).join(' | '))));";
    let found = page.driver.execute_async(script, Vec::new()).await?.json().clone();
    assert_eq!(found, json!([]), "{state}");
    Ok(())
}
