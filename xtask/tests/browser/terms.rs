//! Terms explain themselves where they stand: by pointer, by keyboard, by tap, in both languages.

use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};

const MODEL: &str = "residual_block.tflite";

/// Every term on screen: in the glossary, worded, and in the way of the Tab key.
async fn sound(page: &Page, state: &str) -> WebDriverResult<Vec<String>> {
    let script = "const done = arguments[0]; Promise.all(['terms', 'texts', 'texts-zh'].map((name) => import(`./www/${name}.js`))).then(([{ TERMS }, { en }, { zh }]) => { \
        const wrong = []; const seen = new Set(); \
        for (const one of document.querySelectorAll('[data-term]')) { \
          const id = one.dataset.term; seen.add(id); \
          if (!TERMS.includes(id)) wrong.push(`${id} is not in the glossary`); \
          for (const table of [en, zh]) for (const key of [`term.${id}`, `term.${id}.help`]) if (!table[key]) wrong.push(`no ${key}`); \
          if (one.tabIndex < 0) wrong.push(`${id} is out of the Tab key's way`); \
        } done([wrong, [...seen]]); })";
    let found = page.driver.execute_async(script, Vec::new()).await?.json().clone();
    assert_eq!(found[0], json!([]), "{state}");
    Ok(found[1].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect())
}

#[test]
fn every_term_is_in_the_glossary_in_both_languages_and_can_be_reached() {
    with_page(DESKTOP, |page| async move {
        page.drop_file(MODEL, &sample(MODEL)).await?;
        page.opened().await?;
        page.press("ArrowUp", "ArrowUp", 0).await?;
        page.click("#set-summary").await?;
        for id in ["improve", "resize", "whatif"] {
            page.eval(&format!("(document.querySelector('#{id}').open = true)")).await?;
        }
        page.wait("document.querySelector('#improve [data-term=bound]') !== null && document.querySelector('#resize [data-term=dynamic]') !== null").await?;
        let mut seen = sound(&page, "TFLite").await?;
        page.eval("document.querySelector('#runtime-tflm').click()").await?;
        page.wait("document.querySelector('#micro .line') !== null").await?;
        seen.extend(sound(&page, "TFLite Micro").await?);
        for id in [
            "arena",
            "minimum",
            "bound",
            "peak",
            "head",
            "tail",
            "used",
            "margin",
            "offset",
            "lifetime",
            "planner",
            "kernels",
            "abi",
            "alignment",
            "budget",
            "gap",
            "sharing",
            "role",
            "place",
            "preserve",
            "runtime",
            "basis",
            "bake",
            "order",
            "step",
            "live",
            "whatif",
        ] {
            assert!(seen.iter().any(|one| one == id), "{id} explains itself nowhere");
        }
        // Free bytes above everything alive are called by their name where a tensor has nothing else above it.
        page.eval("document.querySelector('#runtime-tflite').click()").await?;
        page.wait("document.querySelector('#micro').hidden").await?;
        page.settle().await?;
        page.eval("[...document.querySelectorAll('#tensors .vrow')].find((row) => row.querySelector('.c-ref').innerText.trim() === 't3').click()").await?;
        page.wait("document.querySelector('#details .around-above [data-term=headroom]') !== null").await?;
        for language in ["en", "zh"] {
            page.press("?", "Slash", 8).await?;
            let count = page.eval("[document.querySelectorAll('#glossary dt').length, [...document.querySelectorAll('#glossary :is(dt, dd)')].filter((one) => one.innerText.trim().length < 1 || /^term\\./.test(one.innerText)).length]").await?;
            assert!(count[0].as_u64().unwrap() >= 40 && count[1] == json!(0), "{language}: {count}");
            page.press("Escape", "Escape", 0).await?;
            page.click("#language").await?;
        }
        Ok(())
    });
}

#[test]
fn a_term_answers_pointer_and_keyboard_and_moves_nothing() {
    with_page(DESKTOP, |page| async move {
        page.drop_file(MODEL, &sample(MODEL)).await?;
        page.opened().await?;
        page.press("ArrowUp", "ArrowUp", 0).await?;
        let chosen = page.text("#details .title").await?;
        let bound = "#verdict [data-term=bound]";
        let layout = "JSON.stringify([...document.querySelectorAll('#verdict, #work > *')].map((one) => one.getBoundingClientRect()))";
        let before = page.eval(layout).await?;
        let (x, y) = page.middle(bound).await?;
        page.mouse("mouseMoved", x, y, json!({})).await?;
        page.wait("!document.querySelector('#tip').hidden").await?;
        assert!(page.text("#tip").await?.contains("no plan is smaller"));
        assert_eq!(page.eval(layout).await?, before);
        page.mouse("mouseMoved", 700.0, 600.0, json!({})).await?;
        page.wait("document.querySelector('#tip').hidden").await?;
        // Tab finds it; Escape closes the help and leaves the selection alone.
        page.eval("document.querySelector('#verdict .number').focus()").await?;
        page.press("Tab", "Tab", 0).await?;
        page.wait("!document.querySelector('#tip').hidden").await?;
        let focused = page.eval("[document.activeElement.dataset.term, document.activeElement.getAttribute('aria-describedby'), document.activeElement.getAttribute('aria-expanded')]").await?;
        assert_eq!(focused, json!(["bound", "tip", "true"]));
        page.press("Enter", "Enter", 0).await?;
        assert!(page.text("#live").await?.contains("no plan is smaller"));
        // A step draws the verdict anew: the word keeps the focus.
        page.press("ArrowRight", "ArrowRight", 0).await?;
        assert_eq!(page.eval("document.activeElement.dataset.term ?? null").await?, json!("bound"));
        page.press("Escape", "Escape", 0).await?;
        assert_eq!(page.eval("document.querySelector('#tip').hidden").await?, json!(true));
        assert_eq!(page.text("#details .title").await?, chosen);
        Ok(())
    });
}

#[test]
fn a_tap_explains_and_the_help_stays_on_the_phone_screen() {
    with_page(PHONE, |page| async move {
        page.drop_file(MODEL, &sample(MODEL)).await?;
        page.opened().await?;
        for id in ["arena", "bound"] {
            page.click(&format!("#verdict [data-term={id}]")).await?;
            page.wait("!document.querySelector('#tip').hidden").await?;
            let inside = "(() => { const r = document.querySelector('#tip').getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight && r.height > 30; })()";
            assert_eq!(page.eval(inside).await?, Value::Bool(true), "{id}");
        }
        page.click_at(200.0, 700.0).await?;
        page.wait("document.querySelector('#tip').hidden").await?;
        // In a label a term does not work the field.
        page.click("#set-summary").await?;
        page.click("label [data-term=preserve]").await?;
        page.wait("!document.querySelector('#tip').hidden").await?;
        assert_eq!(page.eval("document.querySelector('#set-preserve').checked").await?, json!(false));
        Ok(())
    });
}
