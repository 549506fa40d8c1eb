//! TFLite-Micro on the page: the size to set, boards, the whole arena, messages, prints, the two runtimes.

use serde_json::json;

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};
use crate::support::graph_text;
use thirtyfour::prelude::WebDriverResult;

const MODEL: &str = "keyword_spotting.tflite";

/// The number in the line to paste.
async fn size(page: &Page) -> WebDriverResult<u64> {
    let line = page.text("#micro .line").await?;
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    assert_eq!(line, format!("constexpr int kTensorArenaSize = {digits};"));
    Ok(digits.parse().unwrap())
}

#[test]
fn a_board_and_a_model_give_the_number() {
    with_page(PHONE, |page| async move {
        page.choose("#board", "nano-33-ble").await?;
        page.drop_file(MODEL, &sample(MODEL)).await?;
        page.opened().await?;
        let bytes = size(&page).await?;
        let shown = page.text("#verdict .number").await?.replace(',', "");
        assert_eq!(shown, format!("{bytes} B"));
        assert!(page.text("#micro .board").await?.contains("Fits Arduino Nano 33 BLE"));
        assert!(
            page.eval("document.querySelector('#micro .line').getBoundingClientRect().bottom < innerHeight")
                .await?
                .as_bool()
                .unwrap()
        );
        assert_eq!(page.eval("document.documentElement.scrollWidth <= 390").await?, json!(true));
        page.choose("#margin", "50").await?;
        page.settle().await?;
        assert!(size(&page).await? >= bytes * 3 / 2);
        Ok(())
    });
}

#[test]
fn what_does_not_fit_is_said_with_bytes_and_a_buffer() {
    let model = graph_text::parse("in a:30000\nRELU a -> b:30000\nNEG b -> c:16\nout c").build();
    with_page(DESKTOP, |page| async move {
        page.choose("#board", "nano-33-iot").await?;
        page.drop_file("large.tflite", &model).await?;
        page.opened().await?;
        let bytes = size(&page).await?;
        let words = page.text("#micro .board").await?.replace(',', "");
        assert!(words.contains(&format!("({} B)", bytes - 32 * 1024)), "{words}");
        assert!(words.contains("First buffer without room: t"), "{words}");
        Ok(())
    });
}

#[test]
fn the_arena_fills_step_by_step_by_keys() {
    with_page(DESKTOP, |page| async move {
        page.choose("#board", "esp32-s3").await?;
        page.drop_file(MODEL, &sample(MODEL)).await?;
        page.opened().await?;
        assert!(page.text("#micro .moment").await?.starts_with("running"));
        page.eval("document.querySelector('#moment').focus()").await?;
        page.press("ArrowLeft", "ArrowLeft", 0).await?;
        page.wait("document.querySelector('#micro .moment').innerText.startsWith('plan done')").await?;
        page.press("ArrowLeft", "ArrowLeft", 0).await?;
        page.wait("document.querySelector('#micro .moment').innerText.startsWith('planning')").await?;
        assert_eq!(page.eval("document.querySelectorAll('.whole .temp').length").await?, json!(1));
        assert_eq!(page.eval("document.activeElement.id").await?, json!("moment"));
        page.press("Home", "Home", 0).await?;
        page.wait("document.querySelector('#micro .moment').innerText.startsWith('creating')").await?;
        Ok(())
    });
}

#[test]
fn messages_are_decoded_with_and_without_a_model() {
    const LOG: &str = "Failed to resize buffer. Requested: 54400, available 31248, missing: 23152";
    with_page(DESKTOP, |page| async move {
        page.click("#start-decode").await?;
        page.enter("#decode-log", LOG).await?;
        page.enter("#decode-size", "40000").await?;
        page.wait("document.querySelector('#decode-answer').innerText.includes('63,152 B')").await?;
        page.press("Escape", "Escape", 0).await?;
        page.choose("#board", "esp32-s3").await?;
        page.drop_file(MODEL, &sample(MODEL)).await?;
        page.opened().await?;
        let bytes = size(&page).await?;
        page.click("#decode").await?;
        page.enter("#decode-log", LOG).await?;
        page.wait("document.querySelector('#decode-answer .set') !== null").await?;
        assert!(page.text("#decode-answer").await?.replace(',', "").contains(&format!("{bytes} B")));
        Ok(())
    });
}

#[test]
fn the_runtimes_differ_by_what_is_listed() {
    with_page(DESKTOP, |page| async move {
        page.drop_file(MODEL, &sample(MODEL)).await?;
        page.opened().await?;
        page.wait("document.querySelector('#to-micro') !== null").await?;
        page.click("#to-micro").await?;
        page.wait("document.querySelector('#micro .line') !== null").await?;
        page.click("#contrast").await?;
        page.wait("document.querySelector('.contrast tr.total') !== null").await?;
        let sum = "(() => { const number = (cell) => Number(cell.innerText.replace('−', '-').replace(/[^-\\d]/g, '')); \
                   const rows = [...document.querySelectorAll('.contrast tr')]; const exact = (row) => Number((row.innerText.match(/([\\d,]+) B\\)?$/)?.[1] ?? '').replace(/,/g, '')); \
                   return exact(rows[0]) + rows.slice(1, -1).reduce((sum, row) => sum + number(row.cells[1]), 0) - exact(rows.at(-1)); })()";
        assert_eq!(page.eval(sum).await?, json!(0));
        Ok(())
    });
}

#[test]
fn a_printed_plan_comes_back_without_differences_and_a_changed_one_with_them() {
    with_page(DESKTOP, |page| async move {
        page.choose("#board", "esp32-s3").await?;
        page.drop_file(MODEL, &sample(MODEL)).await?;
        page.opened().await?;
        page.click("#measure").await?;
        page.click("#plan-save").await?;
        let text = String::from_utf8(page.downloaded(&format!("{MODEL}.plan.txt")).await).unwrap();
        page.enter("#measure-text", &text).await?;
        page.wait("document.querySelector('#measure-answer .fits') !== null").await?;
        page.enter("#measure-text", &text.replacen("offset=", "offset=1", 1)).await?;
        page.wait("document.querySelector('#measure-answer .overlay .differs') !== null").await?;
        assert_eq!(page.eval("document.querySelectorAll('#measure-answer tbody tr').length").await?, json!(1));
        Ok(())
    });
}

#[test]
fn an_offline_plan_with_an_overlap_is_flagged() {
    let mut model = graph_text::parse("in a:64\nRELU a -> b:64\nNEG b -> c:64\nNEG c -> d:64\nout b d");
    let count = i32::try_from(model.graphs[0].tensors.len()).unwrap();
    // b stays to the end, and c and d lie over it.
    model.offline_plan(&(0..count).map(|tensor| if tensor == 0 { 128 } else { 0 }).collect::<Vec<_>>());
    let bytes = model.build();
    with_page(DESKTOP, |page| async move {
        page.choose("#board", "esp32-s3").await?;
        page.drop_file("planned.tflite", &bytes).await?;
        page.opened().await?;
        let words = page.text("#micro .clashes").await?;
        assert!(words.contains("t1 and t2 share 64 B"), "{words}");
        Ok(())
    });
}
