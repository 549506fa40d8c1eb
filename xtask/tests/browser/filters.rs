//! Filters above the table: each on its own and together, counted, removable, by pointer and by keys, and seen in the chart.

use serde_json::json;
use thirtyfour::prelude::WebDriverResult;

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};

const MODEL: &str = "four_branches.tflite";

async fn open(page: &Page) -> WebDriverResult<()> {
    page.drop_file(MODEL, &sample(MODEL)).await?;
    page.opened().await?;
    counts(page, "34 of 34 tensors, 237.6 KiB").await
}

async fn counts(page: &Page, wanted: &str) -> WebDriverResult<()> {
    page.settle().await?;
    assert_eq!(page.text("#tensors .head .faint").await?, wanted);
    Ok(())
}

async fn toggle(page: &Page, filter: &str) -> WebDriverResult<()> {
    page.click(&format!("[data-filter='{filter}']")).await
}

async fn write(page: &Page, field: &str, text: &str) -> WebDriverResult<()> {
    page.eval(&format!("document.querySelector({field:?}).select()")).await?;
    page.eval(&format!("document.querySelector({field:?}).focus()")).await?;
    page.cdp("Input.insertText", json!({ "text": text })).await?;
    page.settle().await
}

#[test]
fn filters_combine_are_counted_and_removed() {
    for size in [DESKTOP, PHONE] {
        with_page(size, move |page| async move {
            open(&page).await?;
            if size == PHONE {
                page.click("#tabs [role=tab]:last-child").await?;
            }
            page.eval("document.querySelector('#op-7')?.click()").await?;
            toggle(&page, "roles-temporary").await?;
            counts(&page, "4 of 34 tensors, 162.5 KiB").await?;
            toggle(&page, "roles-intermediate").await?;
            counts(&page, "14 of 34 tensors, 228.1 KiB").await?;
            // Two changes before the page is drawn again: neither is lost.
            page.eval("(() => { for (const name of ['roles-temporary', 'types-int8']) document.querySelector(`[data-filter=${name}]`).click(); return true; })()").await?;
            counts(&page, "10 of 34 tensors, 65.6 KiB").await?;
            page.eval("(() => { for (const name of ['roles-temporary', 'types-int8']) document.querySelector(`[data-filter=${name}]`).click(); return true; })()").await?;
            counts(&page, "14 of 34 tensors, 228.1 KiB").await?;
            toggle(&page, "types-int32").await?;
            counts(&page, "0 of 34 tensors, 0 B").await?;
            assert!(page.text("#tensors .empty").await?.contains("No tensor passes these filters."));
            toggle(&page, "types-int32").await?;
            write(&page, "#filter-least", "4Q").await?;
            assert_eq!(page.text("#filter-wrong").await?, "“4Q” is no size: write bytes, or 4K, or 1.5M.");
            assert_eq!(
                page.eval("document.querySelector('#filter-least').getAttribute('aria-invalid')").await?,
                json!("true")
            );
            counts(&page, "14 of 34 tensors, 228.1 KiB").await?;
            write(&page, "#filter-least", "6.25k").await?;
            write(&page, "#filter-most", "9600").await?;
            counts(&page, "3 of 34 tensors, 21.9 KiB").await?;
            assert_eq!(page.text("#filter-wrong").await?, "");
            write(&page, "#filter", "conv").await?;
            counts(&page, "2 of 34 tensors, 15.6 KiB").await?;
            let active = "[...document.querySelectorAll('#tensors .active button')].map((button) => button.innerText)";
            let wanted = json!([
                "text: conv ×",
                "role: intermediate ×",
                "role: temporary ×",
                "from 6.25k ×",
                "to 9600 ×",
                "Clear all"
            ]);
            assert_eq!(page.eval(active).await?, wanted);
            page.click("#tensors .active button:nth-child(1)").await?;
            counts(&page, "3 of 34 tensors, 21.9 KiB").await?;
            assert_eq!(page.eval("document.querySelector('#filter').value").await?, json!(""));
            page.click("#clear-filters").await?;
            counts(&page, "34 of 34 tensors, 237.6 KiB").await?;
            assert_eq!(
                page.eval("document.querySelectorAll('#tensors [aria-pressed=true].chip').length").await?,
                json!(0)
            );
            assert_eq!(page.eval("document.querySelector('#filter-least').value").await?, json!(""));
            assert_eq!(page.eval("document.querySelector('#tensors .active').hidden").await?, json!(true));
            assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth").await?, json!(true));
            Ok(())
        });
    }
}

#[test]
fn alive_at_this_operation_follows_the_step_and_unshared_is_what_the_ranking_says() {
    with_page(DESKTOP, |page| async move {
        open(&page).await?;
        page.press("Home", "Home", 0).await?;
        toggle(&page, "alive").await?;
        counts(&page, "3 of 34 tensors, 37.5 KiB").await?;
        page.click("#op-7").await?;
        counts(&page, "6 of 34 tensors, 31.2 KiB").await?;
        toggle(&page, "unshared").await?;
        counts(&page, "4 of 34 tensors, 21.9 KiB").await?;
        let shown = "[...document.querySelectorAll('#tensors .vrow .c-ref')].map((cell) => cell.innerText.trim())";
        let ranked = "[...document.querySelectorAll('.unshared li button')].map((button) => button.innerText.trim())";
        // Rows out of sight are made a moment later.
        page.wait(&format!("{shown}.length === 4")).await?;
        assert_eq!(page.eval(shown).await?, json!(["t15", "t9", "t0", "t21"]));
        assert_eq!(page.eval(shown).await?, page.eval(ranked).await?);
        Ok(())
    });
}

/// A key as the browser itself acts on it: Tab moves the focus, Space presses a button.
async fn key(page: &Page, key: &str, code: u32) -> WebDriverResult<()> {
    for kind in ["rawKeyDown", "keyUp"] {
        let event = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code });
        page.cdp("Input.dispatchKeyEvent", event).await?;
    }
    page.settle().await
}

#[test]
fn filters_work_by_keys_alone() {
    with_page(DESKTOP, |page| async move {
        open(&page).await?;
        page.press("/", "Slash", 0).await?;
        assert_eq!(page.eval("document.activeElement.id").await?, json!("filter"));
        key(&page, "Tab", 9).await?;
        assert_eq!(page.eval("document.activeElement.dataset.filter").await?, json!("roles-constant"));
        key(&page, " ", 32).await?;
        counts(&page, "18 of 34 tensors, 6.3 KiB").await?;
        assert_eq!(
            page.eval("document.activeElement.dataset.filter").await?,
            json!("roles-constant"),
            "the focus was lost"
        );
        Ok(())
    });
}

#[test]
fn the_chart_dims_the_others_and_a_match_comes_into_view() {
    with_page(DESKTOP, |page| async move {
        open(&page).await?;
        // How many of the picture's pixels have the colour of temporaries; read from a copy, which the browser prefers.
        let pixel = "(() => { const base = [...document.querySelectorAll('canvas.base')].find((canvas) => canvas.offsetWidth > 0); const copy = new OffscreenCanvas(base.width, base.height).getContext('2d', { willReadFrequently: true }); \
                     copy.drawImage(base, 0, 0); const { data } = copy.getImageData(0, 0, base.width, base.height); let count = 0; \
                     for (let at = 0; at < data.length; at += 4) if (data[at] === 240 && data[at + 1] === 228 && data[at + 2] === 66) count += 1; return count; })()";
        let yellow = |value: &serde_json::Value| value.as_u64().unwrap();
        let bright = yellow(&page.eval(pixel).await?);
        toggle(&page, "roles-intermediate").await?;
        page.settle().await?;
        let dimmed = yellow(&page.eval(pixel).await?);
        assert!(dimmed * 10 < bright, "only the legend is still yellow, not {dimmed} of {bright} pixels");
        page.click("#clear-filters").await?;
        page.settle().await?;
        assert_eq!(yellow(&page.eval(pixel).await?), bright, "nothing is dimmed");
        // Zoomed to the end, the first branch is out of sight.
        page.eval("document.querySelector('#op-10').click()").await?;
        page.eval("document.querySelector('.over').focus()").await?;
        for _ in 0..5 {
            page.press("w", "KeyW", 0).await?;
        }
        let clipped = page.text("#clipped").await?;
        assert!(clipped.starts_with("steps 8") || clipped.starts_with("steps 9"), "{clipped}");
        write(&page, "#filter", "/^tmp3[01] /").await?;
        counts(&page, "2 of 34 tensors, 56.2 KiB").await?;
        page.press("Enter", "Enter", 0).await?;
        page.wait("document.querySelector('#details h2').innerText.startsWith('Temporary')").await?;
        let first = page.text("#details h2").await?;
        let seen = page.text("#clipped").await?;
        let step = if first == "Temporary 30" { 0 } else { 4 };
        let (from, to) = steps(&seen);
        assert!(from <= step && step <= to, "{first}: {seen}");
        page.press("Enter", "Enter", 0).await?;
        page.wait(&format!("document.querySelector('#details h2').innerText !== {first:?}")).await?;
        page.press("Enter", "Enter", 8).await?;
        page.wait(&format!("document.querySelector('#details h2').innerText === {first:?}")).await?;
        Ok(())
    });
}

/// The steps of "steps 8 to 10, …".
fn steps(clipped: &str) -> (u32, u32) {
    let words: Vec<&str> = clipped.split([' ', ',']).collect();
    (words[1].parse().unwrap(), words[3].parse().unwrap())
}

/// What is chosen above the table, in words.
const CHOSEN: &str = "[...document.querySelectorAll('#tensors .active .removable')].map((button) => button.innerText)";

#[test]
fn another_model_begins_without_filters_and_other_settings_keep_them() {
    with_page(DESKTOP, |page| async move {
        open(&page).await?;
        toggle(&page, "roles-temporary").await?;
        toggle(&page, "roles-intermediate").await?;
        write(&page, "#filter-least", "6.25k").await?;
        counts(&page, "8 of 34 tensors, 207.8 KiB").await?;
        // TFLite-Micro has scratch where TFLite has temporaries: what its plan does not offer is let go, all else stays.
        page.click("#runtime-tflm").await?;
        page.wait("!document.querySelector('[data-filter=roles-temporary]')").await?;
        page.settle().await?;
        assert_eq!(page.eval(CHOSEN).await?, json!(["role: intermediate ×", "from 6.25k ×"]));
        write(&page, "#filter", "conv").await?;
        toggle(&page, "unshared").await?;
        page.settle().await?;
        let name = "residual_block.tflite";
        page.drop_file(name, &sample(name)).await?;
        page.wait(&format!("document.title.startsWith({name:?})")).await?;
        page.opened().await?;
        page.settle().await?;
        assert_eq!(page.eval(CHOSEN).await?, json!([]), "another model shows all it has");
        let head = page.text("#tensors .head .faint").await?;
        let (shown, all) = head.split_once(" of ").unwrap();
        assert!(all.starts_with(&format!("{shown} tensors")), "{head}");
        assert_eq!(page.eval("document.querySelector('#filter').value").await?, json!(""));
        assert_eq!(page.eval("document.querySelector('#filter-least').value").await?, json!(""));
        // Back leads to the model before, as it was looked at.
        page.eval("history.back()").await?;
        page.wait(&format!("document.title.startsWith({MODEL:?})")).await?;
        page.wait("document.querySelector('#filter').value === 'conv'").await?;
        page.settle().await?;
        let before = json!(["text: conv ×", "role: intermediate ×", "from 6.25k ×", "unshared ×"]);
        assert_eq!(page.eval(CHOSEN).await?, before);
        Ok(())
    });
}
