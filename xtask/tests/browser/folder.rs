//! A folder of models as a table of verdicts, and the manifest beside a wake-word model.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use thirtyfour::prelude::WebDriverResult;

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page, zip_of};
use crate::support::graph_text;

/// A name that would do harm if it were taken for more than text.
const HOSTILE: &str = "<img src=x onerror=window.hacked=1>=cmd.tflite";
const DONE: &str = "document.querySelector('#folder .outcome') !== null";

/// Writes a tree of models, of what is none, and of a damaged one.
fn tree(dir: &Path) -> PathBuf {
    let top = dir.join("zoo");
    std::fs::create_dir_all(top.join("deep/er")).unwrap();
    std::fs::create_dir_all(top.join(".git")).unwrap();
    let put = |path: &str, bytes: &[u8]| std::fs::write(top.join(path), bytes).unwrap();
    put("residual.tflite", &sample("residual_block.tflite"));
    put("deep/er/keyword.tflite", &sample("keyword_spotting.tflite"));
    put("deep/branches.tflite", &sample("four_branches.tflite"));
    put("deep/letters.csv", &sample("seven_buffers.csv"));
    put("cut.tflite", &sample("residual_block.tflite")[..2000]);
    put("page.tflite", b"<!doctype html><title>404</title>");
    put("notes.txt", b"nothing to see");
    put("deep/picture.png", b"\x89PNG\r\n\x1a\n0000");
    put(".git/packed.tflite", &sample("residual_block.tflite"));
    put(HOSTILE, &graph_text::parse("in a:16\nRELU a -> b:32\nout b").build());
    top
}

async fn column(page: &Page, key: &str) -> WebDriverResult<Vec<String>> {
    let value = page
        .eval(&format!("[...document.querySelectorAll('#folder .vrow .f-{key}')].map((cell) => cell.innerText)"))
        .await?;
    Ok(value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect())
}

async fn fill(page: &Page, selector: &str, value: &str, event: &str) -> WebDriverResult<()> {
    let script = format!(
        "(() => {{ const field = document.querySelector({selector:?}); field.value = {value:?}; field.dispatchEvent(new Event({event:?})); return true; }})()"
    );
    page.eval(&script).await?;
    page.settle().await
}

#[test]
fn a_folder_becomes_a_table_of_verdicts() {
    with_page(DESKTOP, |page| async move {
        page.drop_path(&tree(&page.dir)).await?;
        page.wait(DONE).await?;
        assert_eq!(page.text("#folder h1").await?, "Models in zoo");
        let names = [
            HOSTILE,
            "cut.tflite",
            "deep/branches.tflite",
            "deep/er/keyword.tflite",
            "deep/letters.csv",
            "page.tflite",
            "residual.tflite",
        ];
        let mut shown = column(&page, "name").await?;
        shown.sort();
        assert_eq!(shown, names);
        // Each figure is that of the model's own page.
        let planned = column(&page, "planned").await?;
        assert!(planned.contains(&"18,874,368".to_owned()), "{planned:?}");
        let text = page.text("#folder").await?;
        assert!(text.contains("This is a web page (HTML), not a model."), "{text}");
        assert!(text.contains("7 models, 2 of them without a verdict, 2 other files left out."), "{text}");
        assert!(
            page.eval("document.querySelector('#folder .others').textContent")
                .await?
                .as_str()
                .unwrap()
                .contains("deep/picture.png – This is a PNG image.")
        );
        let harm = page.eval("[window.hacked ?? null, document.querySelectorAll('main img').length]").await?;
        assert_eq!(harm, json!([null, 0]));
        // Largest first, and what has no figure at the end.
        page.click("#folder-by-planned").await?;
        page.settle().await?;
        assert_eq!(column(&page, "name").await?[0], "deep/letters.csv");
        assert_eq!(column(&page, "name").await?.len(), 7);
        fill(&page, "#folder-filter", "deep/", "input").await?;
        assert_eq!(column(&page, "name").await?.len(), 3);
        assert_eq!(page.text("#folder [role=status]").await?, "3 of 7");
        page.click("#folder-csv").await?;
        let csv = String::from_utf8(page.downloaded("zoo.arenas.csv").await).unwrap();
        let lines: Vec<_> = csv.lines().collect();
        assert!(lines[0].starts_with("path,bytes,runtime,arena_to_set") && lines.len() == 4, "{csv}");
        assert!(lines[1].starts_with("deep/letters.csv,") && lines[1].contains(",18874368,"), "{csv}");
        Ok(())
    });
}

#[test]
fn a_row_opens_its_model_and_there_is_a_way_back() {
    with_page(DESKTOP, |page| async move {
        page.drop_path(&tree(&page.dir)).await?;
        page.wait(DONE).await?;
        page.click("#folder .vrow button[title='deep/er/keyword.tflite']").await?;
        page.wait("document.documentElement.dataset.phase === 'ready'").await?;
        let alone = page.text("#verdict .number").await?;
        assert_eq!(page.text("#open").await?, "keyword.tflite");
        page.click("#folder-back").await?;
        page.wait(
            "document.querySelector('#folder').checkVisibility() && !document.querySelector('#work').checkVisibility()",
        )
        .await?;
        let row = "document.querySelector(\"#folder button[title='deep/er/keyword.tflite']\").closest('.row').querySelector('.f-planned').innerText + ' B'";
        assert_eq!(page.eval(row).await?, json!(alone));
        // Another runtime gives other verdicts, and a board its own column.
        fill(&page, "#board", "nano-33-ble", "change").await?;
        page.wait(&format!("{DONE} && document.querySelector('#folder-by-minimum') !== null")).await?;
        let fits = column(&page, "fits").await?;
        assert!(
            fits.iter().any(|text| text.starts_with("✓")) && fits.iter().any(|text| text.starts_with("✗")),
            "{fits:?}"
        );
        // What cannot be opened says why, and the table is still there.
        page.click("#folder .vrow button[title='cut.tflite']").await?;
        page.wait("document.documentElement.dataset.phase === 'failed'").await?;
        page.click("#folder-back").await?;
        page.wait("document.querySelector('#folder').checkVisibility()").await?;
        // And so is the model that was on screen.
        page.click("#folder-leave").await?;
        page.wait("document.documentElement.dataset.phase === 'ready'").await?;
        Ok(())
    });
}

#[test]
fn many_files_are_judged_without_holding_the_page_and_can_be_stopped() {
    with_page(PHONE, |page| async move {
        let model = sample("residual_block.tflite");
        let paths: Vec<_> = (0..900).map(|index| page.dir.join(format!("model{index:03}.tflite"))).collect();
        for path in &paths {
            std::fs::write(path, &model).unwrap();
        }
        page.drop_paths(&paths).await?;
        page.wait("document.querySelectorAll('#folder .vrow').length > 0").await?;
        page.click("#folder-stop").await?;
        page.wait(DONE).await?;
        assert!(page.text("#folder").await?.contains("of 900 files"), "{}", page.text("#folder").await?);
        assert_eq!(page.eval("document.documentElement.scrollWidth <= 390").await?, json!(true));
        Ok(())
    });
}

#[test]
fn a_chosen_folder_is_a_table_too_and_a_bundle_has_a_row_for_each_model() {
    with_page(DESKTOP, |page| async move {
        let top = page.dir.join("chosen");
        std::fs::create_dir_all(&top).unwrap();
        let zip = zip_of(["one.tflite", "two.tflite"].map(|name| (name, sample("residual_block.tflite"))));
        std::fs::write(top.join("bundle.task"), zip).unwrap();
        let root = page.cdp("DOM.getDocument", json!({})).await?["root"]["nodeId"].clone();
        let node = page.cdp("DOM.querySelector", json!({ "nodeId": root, "selector": "#folder-picker" })).await?;
        page.cdp("DOM.setFileInputFiles", json!({ "nodeId": node["nodeId"], "files": [top] })).await?;
        page.wait(DONE).await?;
        assert_eq!(page.text("#folder h1").await?, "Models in chosen");
        assert_eq!(column(&page, "name").await?, ["bundle.task!one.tflite", "bundle.task!two.tflite"]);
        page.click("#folder .vrow:nth-child(2) button").await?;
        page.wait("document.documentElement.dataset.phase === 'ready'").await?;
        assert!(page.text("#verdict .number").await?.ends_with(" B") && page.text("#ops").await?.contains("CONV_2D"));
        Ok(())
    });
}

/// A manifest as microWakeWord has it.
fn manifest(arena: u64) -> String {
    json!({ "type": "micro", "wake_word": "Hey <b>you</b>", "model": "keyword_spotting.tflite", "version": 2,
            "micro": { "tensor_arena_size": arena, "probability_cutoff": 0.97 } })
    .to_string()
}

#[test]
fn the_manifest_beside_a_model_is_held_against_the_least_arena() {
    with_page(DESKTOP, |page| async move {
        let model = page.dir.join("keyword_spotting.tflite");
        let beside = page.dir.join("keyword_spotting.json");
        std::fs::write(&model, sample("keyword_spotting.tflite")).unwrap();
        std::fs::write(&beside, manifest(4000)).unwrap();
        page.drop_paths(&[beside.clone(), model.clone()]).await?;
        page.wait("document.querySelector('#manifest-micro') !== null").await?;
        assert!(page.text("#manifest").await?.contains("reserves 4,000 B. Wake word: “Hey <b>you</b>”."));
        page.click("#manifest-micro").await?;
        page.wait("document.querySelector('#manifest .short') !== null").await?;
        let words = page.text("#manifest").await?;
        let least = page.eval("(() => { const text = document.querySelector('#manifest b').innerText; return Number(text.match(/([\\d,]+) B:/)[1].replaceAll(',', '')); })()").await?;
        let least = least.as_u64().unwrap();
        let missing = (least - 4000).to_string();
        assert!(words.replace(',', "").contains(&format!("too small {missing} B short")), "{words}");
        // In a zip, and alone.
        let zip = zip_of([
            ("keyword_spotting.tflite", sample("keyword_spotting.tflite")),
            ("keyword_spotting.json", manifest(least).into_bytes()),
        ]);
        page.drop_file("bundle.zip", &zip).await?;
        page.wait("document.querySelector('#manifest').innerText.includes('exactly enough')").await?;
        page.drop_file("alone.json", manifest(4000).as_bytes()).await?;
        page.wait("document.documentElement.dataset.phase === 'failed'").await?;
        let text = page.text("#start").await?;
        assert!(
            text.contains(
                "the manifest that belongs beside \"keyword_spotting.tflite\" and reserves 4000 bytes for it"
            ),
            "{text}"
        );
        // In a folder each model finds its own.
        page.drop_paths(&[beside, model, page.dir.join("alone.json")]).await?;
        page.wait(DONE).await?;
        assert!(
            column(&page, "manifest").await?[0].starts_with("4,000 too small"),
            "{:?}",
            column(&page, "manifest").await?
        );
        assert_eq!(page.eval("document.querySelectorAll('#manifest b b').length").await?, Value::from(0));
        Ok(())
    });
}
