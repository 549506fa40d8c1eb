//! Exploring: steps, zoom, hover, selection, the table.

use std::time::Duration;

use serde_json::{Value, json};
use thirtyfour::error::WebDriverResult;

use crate::harness::{DESKTOP, sample, with_page};

#[test]
fn keys_step_through_the_operations() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("four_branches.tflite", &sample("four_branches.tflite")).await?;
        page.opened().await?;
        let selected = "document.querySelector('#ops [aria-selected=true] .index').innerText";
        let last = page.eval("Number(document.querySelector('#ops .faint').innerText.split(' ')[0]) - 1").await?;
        page.press("Home", "Home", 0).await?;
        assert_eq!(page.eval(selected).await?, json!("0"));
        page.press("ArrowRight", "ArrowRight", 0).await?;
        assert_eq!(page.eval(selected).await?, json!("1"));
        assert!(page.text("#now").await?.contains("1 CONV_2D"), "{}", page.text("#now").await?);
        page.press("ArrowRight", "ArrowRight", 8).await?;
        page.press("ArrowLeft", "ArrowLeft", 0).await?;
        assert_eq!(page.eval(&format!("Number({selected}) < {last} && Number({selected}) > 7")).await?, json!(true));
        page.press("End", "End", 0).await?;
        assert_eq!(page.eval(&format!("Number({selected})")).await?, last);
        assert!(page.text("#live").await?.contains("AVERAGE_POOL_2D"));
        page.press("p", "KeyP", 0).await?;
        assert!(page.text("#details").await?.contains("The peak is here"));
        page.press("ArrowUp", "ArrowUp", 0).await?;
        assert!(page.text("#details").await?.contains("Tensor") || page.text("#details").await?.contains("Temporary"));
        page.press("?", "Slash", 8).await?;
        assert!(page.text("#dialog").await?.contains("step back and forth"));
        page.press("Escape", "Escape", 0).await?;
        Ok(())
    });
}

#[test]
fn playing_moves_the_step() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("four_branches.tflite", &sample("four_branches.tflite")).await?;
        page.opened().await?;
        page.press("Home", "Home", 0).await?;
        page.press(" ", "Space", 0).await?;
        page.wait("Number(document.querySelector('#ops [aria-selected=true] .index').innerText) >= 2").await?;
        page.press(" ", "Space", 0).await?;
        let stopped = page.eval("document.querySelector('#play').getAttribute('aria-label')").await?;
        assert_eq!(stopped, json!("Play (Space)"));
        Ok(())
    });
}

#[test]
fn each_axis_zooms_on_its_own_about_the_pointer() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("four_branches.tflite", &sample("four_branches.tflite")).await?;
        page.opened().await?;
        assert_eq!(page.text("#clipped").await?, "");
        let (x, y) = page.middle(".over").await?;
        page.mouse("mouseWheel", x, y, json!({ "deltaX": 0, "deltaY": -300, "modifiers": 2 })).await?;
        page.wait("document.querySelector('#clipped').innerText !== ''").await?;
        let steps = page.text("#clipped").await?;
        assert!(steps.contains("0 B to") && !steps.starts_with("steps 0 "), "{steps}");
        page.mouse("mouseWheel", x, y, json!({ "deltaX": 0, "deltaY": -300, "modifiers": 1 })).await?;
        page.wait("!document.querySelector('#clipped').innerText.includes(' 0 B to')").await?;
        let both = page.text("#clipped").await?;
        assert_eq!(both.split(',').next(), steps.split(',').next(), "the wheel with Alt moved the steps");
        page.press("0", "Digit0", 0).await?;
        assert_eq!(page.text("#clipped").await?, "");
        // A frame zooms both.
        page.mouse("mousePressed", x - 100.0, y - 60.0, json!({ "button": "left", "clickCount": 1 })).await?;
        page.mouse("mouseMoved", x + 20.0, y + 20.0, json!({ "button": "left", "buttons": 1 })).await?;
        page.mouse("mouseReleased", x + 100.0, y + 60.0, json!({ "button": "left", "clickCount": 1 })).await?;
        page.wait("document.querySelector('#clipped').innerText !== ''").await?;
        for count in [1, 2] {
            page.mouse("mousePressed", x, y, json!({ "button": "left", "clickCount": count })).await?;
            page.mouse("mouseReleased", x, y, json!({ "button": "left", "clickCount": count })).await?;
        }
        page.wait("document.querySelector('#clipped').innerText === ''").await?;
        Ok(())
    });
}

#[test]
fn the_card_says_what_lies_under_the_pointer_and_a_click_selects_it() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("seven_buffers.csv", &sample("seven_buffers.csv")).await?;
        page.opened().await?;
        let (x, y) = point_of_the_first_box(&page).await?;
        page.mouse("mouseMoved", x, y, json!({})).await?;
        page.wait("!document.querySelector('.hovercard').hidden").await?;
        let card = page.text(".hovercard").await?;
        assert!(card.contains("8.00 MiB (8,388,608 B)") && card.contains("steps 3 to 6"), "{card}");
        page.click_at(x, y).await?;
        page.settle().await?;
        let details = page.text("#details").await?;
        assert!(details.contains('G') && details.contains("8,388,608"), "{details}");
        page.mouse("mouseMoved", 5.0, 5.0, json!({})).await?;
        page.wait("document.querySelector('.hovercard').hidden").await?;
        Ok(())
    });
}

/// A point inside the largest box, G, which lies lowest: the bottom of the plot, at two thirds of its width.
async fn point_of_the_first_box(page: &crate::harness::Page) -> thirtyfour::error::WebDriverResult<(f64, f64)> {
    let rect = page.eval("(() => { const r = document.querySelector('.over').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()").await?;
    let [left, top, width, height] = [0, 1, 2, 3].map(|index: usize| rect[index].as_f64().unwrap());
    Ok((left + 84.0 + (width - 84.0 - 96.0) * 0.62, top + height - 44.0 - 8.0 - 20.0))
}

#[test]
fn the_table_sorts_and_filters() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        page.opened().await?;
        let bytes = "[...document.querySelectorAll('#tensors .vrow .c-bytes')].map((cell) => Number(cell.innerText.replaceAll(',', '')))";
        let is_sorted = |down: bool| {
            let order = if down { ">=" } else { "<=" };
            format!(
                "(() => {{ const all = {bytes}; return all.length > 5 && all.every((value, index) => index === 0 || all[index - 1] {order} value); }})()"
            )
        };
        page.wait(&is_sorted(true)).await?;
        page.click("#tensors .header .c-bytes button").await?;
        page.wait(&is_sorted(false)).await?;
        let order = page.eval("document.querySelector('#tensors .header .c-bytes').getAttribute('aria-sort')").await?;
        assert_eq!(order, json!("ascending"));
        page.click("#filter").await?;
        page.cdp("Input.insertText", json!({ "text": "block int8" })).await?;
        page.wait("[...document.querySelectorAll('#tensors .vrow .c-name')].every((cell) => cell.innerText.includes('block'))").await?;
        page.press("Enter", "Enter", 0).await?;
        page.wait("document.querySelectorAll('#tensors .vrow.chosen').length === 1").await?;
        page.cdp("Input.insertText", json!({ "text": " nothing like it" })).await?;
        page.wait("document.querySelector('#tensors .empty').innerText.includes('No buffer matches')").await?;
        page.click("#tensors .empty button").await?;
        page.click("#filter").await?;
        page.cdp("Input.insertText", json!({ "text": "/conv_[12]$|^t0 /" })).await?;
        page.wait("document.querySelector('#tensors .faint').innerText.startsWith('1 of')").await?;
        page.cdp("Input.insertText", json!({ "text": "[(/" })).await?;
        page.wait("document.querySelector('#tensors .empty').innerText.includes('no regular expression')").await?;
        page.click("#tensors .empty button").await?;
        page.wait("document.querySelectorAll('#tensors .vrow').length > 5").await?;
        Ok(())
    });
}

#[test]
fn the_small_picture_is_a_brush() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("four_branches.tflite", &sample("four_branches.tflite")).await?;
        page.opened().await?;
        let rect = page
            .eval("(() => { const r = document.querySelector('.mini').getBoundingClientRect(); return [r.left, r.top + r.height / 2, r.width]; })()")
            .await?;
        let [left, middle, width] = [0, 1, 2].map(|side| rect[side].as_f64().unwrap());
        let at = |share: f64| left + share * width;
        let drag = async |from: f64, to: f64| {
            page.mouse("mousePressed", from, middle, json!({ "button": "left", "clickCount": 1 })).await?;
            for part in 1..=4 {
                let x = from + (to - from) * f64::from(part) / 4.0;
                page.mouse("mouseMoved", x, middle, json!({ "button": "left", "buttons": 1 })).await?;
            }
            page.mouse("mouseReleased", to, middle, json!({ "button": "left", "clickCount": 1 })).await?;
            page.settle().await
        };
        let view = "(() => { const found = /[#&]view=([^&]*)/.exec(location.hash); return found ? decodeURIComponent(found[1]).split(',').slice(0, 2).map(Number) : null; })()";
        let shown = async || -> WebDriverResult<Vec<f64>> {
            // The address follows a moment later.
            tokio::time::sleep(Duration::from_millis(700)).await;
            let value = page.eval(view).await?;
            Ok(value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect())
        };
        // A new window.
        drag(at(0.35), at(0.6)).await?;
        let first = shown().await?;
        assert!(first.len() == 2 && first[0] > 1.0 && first[1] < 9.0 && first[1] - first[0] > 1.5, "{first:?}");
        assert!(page.text("#clipped").await?.contains("steps"), "{}", page.text("#clipped").await?);
        // Moved to the right, as wide as before.
        drag(at(0.45), at(0.55)).await?;
        let moved = shown().await?;
        assert!(
            moved[0] > first[0] + 0.5 && (moved[1] - moved[0] - (first[1] - first[0])).abs() < 0.01,
            "{first:?} {moved:?}"
        );
        // Its right edge is taken to the left.
        drag(at(0.7), at(0.62)).await?;
        let narrowed = shown().await?;
        assert!((narrowed[0] - moved[0]).abs() < 0.01 && narrowed[1] < moved[1] - 0.4, "{moved:?} {narrowed:?}");
        // All of it is the view without a window again.
        drag(at(0.01), at(0.999)).await?;
        assert_eq!(shown().await?, Vec::<f64>::new());
        assert_eq!(page.text("#clipped").await?, "");
        Ok(())
    });
}
