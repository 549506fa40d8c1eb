//! What people ask: each question is answered on screen after two clicks.

use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::barriers::barriers;
use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};
use crate::support::graph_text;

const MODEL: &str = "residual_block.tflite";

/// Opens the list, follows a question, and waits until words of the answer stand in the visible part of an element.
async fn ask(page: &Page, question: &str, place: &str, words: &[&str]) -> WebDriverResult<()> {
    page.click("#questions").await?;
    page.wait("document.querySelector('#dialog[open] .questions') !== null").await?;
    let reach = format!(
        "(() => {{ const one = document.querySelector('#ask-{question}'); one.scrollIntoView({{ block: 'center' }}); \
          const r = one.getBoundingClientRect(); return one.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); }})()"
    );
    page.wait(&reach).await?;
    page.settle().await?;
    let (x, y) = page.middle(&format!("#ask-{question}")).await?;
    page.click_at(x, y).await?;
    page.wait("document.querySelector('#dialog[open] .questions') === null").await?;
    seen(page, question, place, words).await
}

/// Waits until an element holds the words and is in sight.
async fn seen(page: &Page, question: &str, place: &str, words: &[&str]) -> WebDriverResult<()> {
    for word in words {
        page.wait(&format!("(document.querySelector({place:?})?.innerText ?? '').includes({word:?})")).await?;
    }
    // What is above the answer may still grow; the page follows.
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    page.settle().await?;
    let visible = format!(
        "(() => {{ const r = document.querySelector({place:?}).getBoundingClientRect(); \
          const x = Math.min(innerWidth - 2, Math.max(1, r.left + Math.min(r.width / 2, 60))), y = Math.min(innerHeight - 2, Math.max(1, r.top + Math.min(r.height / 2, 14))); \
          const top = document.elementFromPoint(x, y); \
          return r.height > 0 && r.top < innerHeight && r.bottom > 0 && (document.querySelector({place:?}).contains(top) || top?.contains(document.querySelector({place:?}))); }})()"
    );
    let place = page.eval(&format!("JSON.stringify([document.querySelector({place:?}).getBoundingClientRect(), innerWidth, innerHeight, scrollY])")).await?;
    assert_eq!(page.eval(&visible).await?, json!(true), "{question}: the answer is not in sight: {place}");
    Ok(())
}

async fn close(page: &Page) -> WebDriverResult<()> {
    page.click("#dialog .head button").await?;
    page.wait("!document.querySelector('#dialog').open").await
}

#[test]
fn questions_are_answered_within_two_clicks() {
    for size in [DESKTOP, PHONE] {
        with_page(size, |page| async move {
            page.drop_file(MODEL, &sample(MODEL)).await?;
            page.opened().await?;
            ask(&page, "set", "#verdict .headline", &["112,896"]).await?;
            ask(&page, "peak", "#details .peaknote", &["112,896 B", "The arena is just as high"]).await?;
            ask(&page, "valid", "#details .about", &["step 2", "im2col", "2 CONV_2D"]).await?;
            ask(&page, "state", "#tensors", &["variable"]).await?;
            ask(&page, "types", "#tensors", &["float"]).await?;
            page.eval("document.querySelector('#filter').value = ''").await?;
            ask(&page, "whole", "#about-file", &["It is whole", "6,600 B", "CONV_2D", "TFLite takes it"]).await?;
            close(&page).await?;
            ask(&page, "shrink", "#improve .advice", &["most bytes first", "KiB"]).await?;
            ask(&page, "plan", "#improve .planners", &["optimal", "112,896"]).await?;
            ask(&page, "inputs", "#resize .inputs", &["image", "Apply"]).await?;
            ask(&page, "runtimes", "#dialog .contrast", &["TFLite, all arenas", "29,248"]).await?;
            close(&page).await?;
            ask(&page, "missing", "#dialog", &["kTensorArenaSize"]).await?;
            assert_eq!(page.eval("document.activeElement.id").await?, json!("decode-log"));
            close(&page).await?;
            // What only a microcontroller asks switches to its runtime.
            ask(&page, "fails", "#micro .words", &["What decides the size"]).await?;
            ask(&page, "memories", "#micro .apart", &["persistent", " B"]).await?;
            ask(&page, "set", "#verdict .headline", &["29,248"]).await?;
            ask(&page, "device", "#verdict .difference", &["arena +"]).await?;
            Ok(())
        });
    }
}

#[test]
fn a_board_is_chosen_and_judged_in_two_clicks() {
    with_page(DESKTOP, |page| async move {
        page.drop_file(MODEL, &sample(MODEL)).await?;
        page.opened().await?;
        ask(&page, "board", "#board", &[]).await?;
        assert_eq!(page.eval("document.activeElement.id").await?, json!("board"));
        page.eval("(() => { const s = document.querySelector('#board'); s.value = 'esp32-s3'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()").await?;
        page.wait("(document.querySelector('#micro .board')?.innerText ?? '').includes('Fits')").await?;
        ask(&page, "board", "#micro .board", &["Fits", "left"]).await?;
        Ok(())
    });
}

#[test]
fn state_is_found_where_it_lives() {
    let model = graph_text::parse(
        "in a:f32[1,8] b:f32[1,8]\nvar s:f32[1,8]\nADD a b -> c:f32[1,8]\nMUL c s -> d:f32[1,8]\nout c d",
    );
    let bytes = model.build();
    with_page(DESKTOP, |page| async move {
        page.drop_file("state.tflite", &bytes).await?;
        page.opened().await?;
        page.press("q", "KeyQ", 0).await?;
        assert!(page.text("#ask-state").await?.contains("variables: 1"));
        close(&page).await?;
        ask(&page, "state", "#tensors", &["variable", "persistent arena", "1 of 5 tensors"]).await?;
        Ok(())
    });
}

#[test]
fn the_list_works_by_key_in_both_languages_and_without_barriers() {
    with_page(PHONE, |page| async move {
        if let Some(path) = std::env::var_os("ARENASCOPE_AXE") {
            page.driver.execute(std::fs::read_to_string(path).unwrap(), Vec::new()).await?;
        }
        page.drop_file("seven_buffers.csv", &sample("seven_buffers.csv")).await?;
        page.opened().await?;
        page.press("q", "KeyQ", 0).await?;
        assert!(page.text("#dialog").await?.contains("Which operation and which tensors make the peak?"));
        // A table of buffers has no file to ask about.
        assert_eq!(page.eval("document.querySelector('#ask-whole')").await?, Value::Null);
        if std::env::var_os("ARENASCOPE_AXE").is_some() {
            barriers(&page, "questions").await?;
        }
        assert_eq!(page.eval("document.querySelector('#dialog').scrollWidth <= innerWidth").await?, json!(true));
        close(&page).await?;
        page.click("#language").await?;
        page.wait("document.documentElement.lang === 'zh-CN'").await?;
        page.press("q", "KeyQ", 0).await?;
        assert!(page.text("#dialog").await?.contains("峰值由哪个算子"));
        Ok(())
    });
}
