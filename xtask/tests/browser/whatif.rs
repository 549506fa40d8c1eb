//! What-ifs: a tensor's type, bytes and end, options of the whole, the list, undo and redo, and how it is marked.

use serde_json::{Value, json};
use thirtyfour::error::WebDriverResult;

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};
use crate::support;

/// Opens the residual block, for TFLite: 112,896 bytes, and `stem` (t3) is read last by op 3.
async fn open(page: &Page) -> WebDriverResult<()> {
    page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
    page.opened().await?;
    page.wait("document.querySelector('#verdict .number').innerText.startsWith('112,896')").await
}

/// Selects a buffer by the table's search, and opens the panel with the key X.
async fn select(page: &Page, reference: &str) -> WebDriverResult<()> {
    let filter = format!("/^{reference} /");
    let field = "const f = document.querySelector('#filter');";
    page.eval(&format!(
        "(() => {{ {field} f.value = {filter:?}; f.dispatchEvent(new Event('input')); return true; }})()"
    ))
    .await?;
    page.settle().await?;
    let enter = "f.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' })); document.activeElement.blur();";
    page.eval(&format!("(() => {{ {field} {enter} return true; }})()")).await?;
    page.settle().await?;
    page.press("x", "KeyX", 0).await?;
    page.wait(&format!(
        "document.querySelector('#whatif[open] .tensor .title')?.innerText.startsWith({:?})",
        format!("{reference} ")
    ))
    .await
}

/// Gives a field of the panel another value, as the user would.
async fn choose(page: &Page, id: &str, value: &str) -> WebDriverResult<()> {
    page.eval(&format!(
        "(() => {{ const f = document.querySelector('#whatif-{id}'); if (f.type === 'checkbox') f.checked = {value:?} === 'true'; else f.value = {value:?}; \
         f.dispatchEvent(new Event('change')); return true; }})()"
    ))
    .await?;
    page.settle().await
}

async fn arena(page: &Page, bytes: &str) -> WebDriverResult<()> {
    page.wait(&format!("document.querySelector('#verdict .number').innerText.startsWith({bytes:?})")).await?;
    page.wait("!document.querySelector('#whatif-result')?.innerText.includes('Planning')").await
}

#[test]
fn a_tensor_is_changed_and_the_plan_follows() {
    for size in [DESKTOP, PHONE] {
        with_page(size, |page| async move {
            open(&page).await?;
            select(&page, "t3").await?;
            assert_eq!(page.eval("document.querySelector('#whatif-badge')").await?, Value::Null);
            choose(&page, "type", "float32").await?;
            arena(&page, "140,544").await?;
            let badge = page.text("#whatif-badge").await?;
            assert!(badge.starts_with("what-if") && badge.contains("+27,648 B (+24 %) with 1 change"), "{badge}");
            assert!(badge.contains("peak still at op 2 CONV_2D"), "{badge}");
            let result = page.text("#whatif-result").await?;
            assert!(
                result.contains("140,544 B") && result.contains("112,896 B") && result.contains("+27,648 B"),
                "{result}"
            );
            // Bytes take the place of the type.
            choose(&page, "bytes", "1024").await?;
            arena(&page, "104,704").await?;
            assert_eq!(page.eval("document.querySelectorAll('#whatif-list li').length").await?, json!(1));
            // Another tensor besides.
            choose(&page, "bytes", "").await?;
            arena(&page, "112,896").await?;
            choose(&page, "last", "1").await?;
            arena(&page, "103,680").await?;
            let follows = page.text("#whatif-follows").await?;
            assert!(
                follows.contains("op 3 ADD reads t3 after its end at step 1; by then t9 has been put there"),
                "{follows}"
            );
            assert!(page.text("#whatif-badge").await?.contains("peak now at op 1 CONV_2D, was at op 2 CONV_2D"));
            choose(&page, "outside", "true").await?;
            page.wait("document.querySelector('#whatif-list').innerText.includes('outside the arena')").await?;
            arena(&page, "103,680").await?;
            assert_eq!(page.eval("document.querySelector('#whatif-type').disabled").await?, json!(true));
            let wide = page.eval("document.documentElement.scrollWidth <= innerWidth").await?;
            assert_eq!(wide, json!(true), "the page is wider than the window");
            Ok(())
        });
    }
}

#[test]
fn changes_are_undone_and_made_again_by_keys_and_buttons() {
    with_page(DESKTOP, |page| async move {
        open(&page).await?;
        select(&page, "t3").await?;
        choose(&page, "type", "float32").await?;
        arena(&page, "140,544").await?;
        choose(&page, "planner", "first-fit").await?;
        page.wait("document.querySelectorAll('#whatif-list li').length === 2").await?;
        page.wait("document.querySelector('#whatif-badge').innerText.includes('2 changes')").await?;
        page.press("z", "KeyZ", 2).await?;
        arena(&page, "140,544").await?;
        page.wait("document.querySelector('#live').innerText.startsWith('Undone.')").await?;
        page.press("z", "KeyZ", 2).await?;
        arena(&page, "112,896").await?;
        page.wait("document.querySelector('#whatif-badge') === null").await?;
        // Nothing is left to undo.
        page.press("z", "KeyZ", 2).await?;
        arena(&page, "112,896").await?;
        page.press("y", "KeyY", 2).await?;
        arena(&page, "140,544").await?;
        page.press("Z", "KeyZ", 10).await?;
        page.wait("document.querySelectorAll('#whatif-list li').length === 2").await?;
        page.click("#whatif-over").await?;
        arena(&page, "112,896").await?;
        page.click("#whatif-undo").await?;
        page.wait("document.querySelector('#whatif-badge')?.innerText.includes('2 changes') === true").await?;
        page.click("#whatif-remove-0").await?;
        page.wait("document.querySelector('#whatif-list').innerText.trim().startsWith('Planner first-fit')").await?;
        // While typing, the keys belong to the text.
        page.eval("document.querySelector('#filter').focus()").await?;
        page.press("z", "KeyZ", 2).await?;
        page.settle().await?;
        assert_eq!(page.eval("document.querySelectorAll('#whatif-list li').length").await?, json!(1));
        // Another model is not changed by what was made up about the last one.
        page.drop_file("four_branches.tflite", &sample("four_branches.tflite")).await?;
        page.wait("document.querySelector('#open').innerText.includes('four_branches')").await?;
        page.opened().await?;
        assert_eq!(page.eval("document.querySelector('#whatif-undo').disabled").await?, json!(true));
        Ok(())
    });
}

#[test]
fn a_change_that_makes_no_sense_is_a_sentence_and_the_plan_stays() {
    with_page(DESKTOP, |page| async move {
        open(&page).await?;
        select(&page, "t3").await?;
        choose(&page, "last", "2").await?;
        arena(&page, "112,896").await?;
        // The temporaries of TFLite are not there in TFLite Micro.
        select(&page, "tmp17").await?;
        choose(&page, "bytes", "64").await?;
        page.wait("document.querySelectorAll('#whatif-list li').length === 2").await?;
        page.click("#runtime-tflm").await?;
        page.wait("document.querySelector('#whatif-refusal')?.innerText.includes('there is no such tensor') === true")
            .await?;
        page.wait("document.querySelector('#whatif-list') === null").await?;
        assert!(page.text("#verdict .number").await?.starts_with("29,248"));
        page.press("z", "KeyZ", 2).await?;
        page.wait("document.querySelector('#runtime-tflite').checked && document.querySelectorAll('#whatif-list li').length === 2").await?;
        Ok(())
    });
}

#[test]
fn a_made_up_plan_is_marked_in_pictures_and_can_be_laid_over_the_true_one() {
    with_page(DESKTOP, |page| async move {
        open(&page).await?;
        select(&page, "t3").await?;
        choose(&page, "type", "float32").await?;
        arena(&page, "140,544").await?;
        page.click("#export").await?;
        page.click("#export-svg").await?;
        let svg = String::from_utf8(page.downloaded("residual_block.tflite.what-if.arena.svg").await).unwrap();
        assert!(svg.contains("what-if: 1 change"), "the caption does not say that the plan is made up");
        assert_eq!(page.eval("document.querySelector('#chart').dataset.whatif").await?, json!("true"));
        page.click("#whatif-lay").await?;
        page.wait("document.querySelector('#verdict .difference')?.innerText.includes('+27.0 KiB') === true").await?;
        arena(&page, "140,544").await?;
        page.press("c", "KeyC", 0).await?;
        page.wait("document.querySelector('#verdict .difference') === null").await?;
        page.click("#whatif-over").await?;
        arena(&page, "112,896").await?;
        page.click("#export").await?;
        page.click("#export-svg").await?;
        let svg = String::from_utf8(page.downloaded("residual_block.tflite.arena.svg").await).unwrap();
        assert!(!svg.contains("what-if"));
        Ok(())
    });
}

#[test]
fn what_cannot_be_changed_says_so_and_names_stay_text() {
    with_page(DESKTOP, |page| async move {
        let hostile = "<img src=x onerror=alert(1)>\u{202e}";
        let mut model = support::graph_text::parse("in a:512\nconst w:512\nADD a w -> b:512\nNEG b -> c:512\nout c");
        model.graphs[0].tensors[2].name = hostile.to_owned();
        model.graphs[0].tensors[1].name = String::from("weights");
        page.drop_file("hostile.tflite", &model.build()).await?;
        page.opened().await?;
        select(&page, "t1").await?;
        assert!(page.text("#whatif-unplaced").await?.contains("constant"));
        select(&page, "t2").await?;
        page.wait("document.querySelector('#whatif .tensor .title').innerText.includes('<img')").await?;
        choose(&page, "bytes", "4096").await?;
        page.wait("document.querySelector('#whatif-list li')?.innerText.includes('<img src=x onerror') === true")
            .await?;
        assert_eq!(page.eval("document.querySelectorAll('#whatif img, #verdict img').length").await?, json!(0));
        assert!(!page.text("#whatif").await?.contains('\u{202e}'));
        Ok(())
    });
}

#[test]
fn a_link_carries_the_what_ifs() {
    with_page(DESKTOP, |page| async move {
        open(&page).await?;
        select(&page, "t3").await?;
        choose(&page, "type", "float32").await?;
        arena(&page, "140,544").await?;
        choose(&page, "last", "1").await?;
        arena(&page, "131,328").await?;
        page.wait("location.hash.includes('edit=')").await?;
        let link = page.eval("location.href").await?.as_str().unwrap().to_owned();
        page.driver.goto("about:blank").await?;
        page.driver.goto(&link).await?;
        page.opened().await?;
        // The plan is there, and what was made up about it, to be taken back.
        arena(&page, "131,328").await?;
        assert!(page.text("#whatif-badge").await?.contains("2 changes"), "{}", page.text("#whatif-badge").await?);
        page.press("x", "KeyX", 0).await?;
        page.click("#whatif-over").await?;
        arena(&page, "112,896").await?;
        // What does not fit is left out, and said.
        let plan = link.split('&').next().unwrap();
        page.driver.goto("about:blank").await?;
        page.driver.goto(&format!("{plan}&edit=t99:keep")).await?;
        page.opened().await?;
        arena(&page, "112,896").await?;
        page.press("x", "KeyX", 0).await?;
        assert!(page.text("#whatif-refusal").await?.contains("there is no such tensor"));
        Ok(())
    });
}
