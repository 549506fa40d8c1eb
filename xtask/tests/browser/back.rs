//! What belongs to the model on screen stays with it: when another file is not opened after all, when two plans change
//! places, when a change is refused, when text is pasted elsewhere.

use serde_json::{Value, json};
use thirtyfour::error::WebDriverResult;

use crate::harness::{DESKTOP, Page, model_of, sample, with_page, zip_of};

/// A zip with two models inside.
fn two_models() -> Vec<u8> {
    zip_of(["one.tflite", "two.tflite"].map(|name| (name, sample("residual_block.tflite"))))
}

async fn number(page: &Page, bytes: &str) -> WebDriverResult<()> {
    page.wait(&format!(
        "document.documentElement.dataset.phase === 'ready' && document.querySelector('#verdict .number').innerText.startsWith({bytes:?})"
    ))
    .await
}

/// Selects the tensor with a search, and gives it other bytes in the panel.
async fn resize(page: &Page, reference: &str, bytes: &str) -> WebDriverResult<()> {
    page.enter("#filter", &format!("/^{reference} /")).await?;
    page.wait("document.querySelectorAll('#tensors .vrow').length === 1").await?;
    page.eval("(document.querySelector('#tensors .vrow').click(), true)").await?;
    page.settle().await?;
    page.press("x", "KeyX", 0).await?;
    page.wait(&format!("document.querySelector('#whatif[open] .tensor .title')?.innerText.startsWith('{reference} ')"))
        .await?;
    page.eval(&format!(
        "(() => {{ const f = document.querySelector('#whatif-bytes'); f.focus(); f.value = '{bytes}'; \
         f.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', bubbles: true }})); return true; }})()"
    ))
    .await?;
    page.settle().await
}

#[test]
fn a_file_that_is_not_opened_takes_nothing_with_it() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        number(&page, "112,896").await?;
        resize(&page, "t3", "60000").await?;
        page.wait("document.querySelectorAll('#whatif-list li').length === 1").await?;
        // The field keeps the focus after Enter.
        page.wait("document.activeElement.id === 'whatif-bytes'").await?;
        page.drop_file("two.zip", &two_models()).await?;
        page.wait("document.documentElement.dataset.phase === 'choosing'").await?;
        page.click(".choices .buttons button").await?;
        page.wait("document.documentElement.dataset.phase === 'ready'").await?;
        page.wait("document.querySelectorAll('#whatif-list li').length === 1 && !document.querySelector('#whatif-undo').disabled").await?;
        page.drop_file("picture.png", b"\x89PNG\r\n\x1a\n").await?;
        page.wait("document.documentElement.dataset.phase === 'failed'").await?;
        page.eval("([...document.querySelectorAll('#start button')].find((button) => button.innerText.includes('residual_block')).click(), true)").await?;
        page.wait("document.documentElement.dataset.phase === 'ready'").await?;
        // It can still be taken back, and then there is nothing left to take back.
        page.eval("document.querySelector('#whatif-undo').focus()").await?;
        page.click("#whatif-undo").await?;
        number(&page, "112,896").await?;
        page.wait("document.querySelector('#whatif-undo').disabled").await?;
        Ok(())
    });
}

#[test]
fn a_second_file_waits_for_the_choice_in_the_first() {
    with_page(DESKTOP, |page| async move {
        let [zip, model] = ["two.zip", "four_branches.tflite"].map(|name| page.dir.join(name));
        std::fs::write(&zip, two_models()).unwrap();
        std::fs::write(&model, sample("four_branches.tflite")).unwrap();
        page.drop_paths(&[zip.clone(), model.clone()]).await?;
        page.wait("document.documentElement.dataset.phase === 'choosing'").await?;
        page.click(".choices .sample").await?;
        page.wait("document.querySelector('#verdict .difference') !== null && document.querySelector('#open').innerText === 'four_branches.tflite'").await?;
        // The other way round: when nothing is chosen, nothing is compared.
        page.click("#compare-end").await?;
        page.drop_paths(&[model, zip]).await?;
        page.wait("document.documentElement.dataset.phase === 'choosing'").await?;
        page.click(".choices .buttons button").await?;
        page.wait("document.documentElement.dataset.phase === 'ready' && document.querySelector('#open').innerText === 'four_branches.tflite'").await?;
        page.settle().await?;
        assert_eq!(page.eval("document.querySelector('#verdict .difference')").await?, Value::Null);
        Ok(())
    });
}

#[test]
fn each_of_two_models_has_changes_of_its_own() {
    with_page(DESKTOP, |page| async move {
        let paths = ["residual_block.tflite", "keyword_spotting.tflite"].map(|name| {
            let path = page.dir.join(name);
            std::fs::write(&path, sample(name)).unwrap();
            path
        });
        page.drop_paths(&paths).await?;
        page.wait("document.querySelector('#verdict .difference') !== null && document.querySelector('#open').innerText === 'keyword_spotting.tflite'").await?;
        let before = page.text("#verdict .number").await?;
        resize(&page, "t3", "50000").await?;
        page.wait("document.querySelectorAll('#whatif-list li').length === 1").await?;
        page.click("#compare-swap").await?;
        number(&page, "112,896").await?;
        assert_eq!(
            page.eval("document.querySelector('#whatif-undo').disabled").await?,
            json!(true),
            "another model's change"
        );
        page.click("#compare-swap").await?;
        page.wait("document.querySelector('#open').innerText === 'keyword_spotting.tflite' && document.querySelector('#whatif-undo').disabled === false").await?;
        page.click("#whatif-undo").await?;
        page.wait(&format!("document.querySelector('#verdict .number').innerText === {before:?}")).await?;
        Ok(())
    });
}

#[test]
fn bytes_beyond_all_limits_are_refused_in_the_panel() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        number(&page, "112,896").await?;
        resize(&page, "t3", "281474976710656").await?;
        page.wait("document.querySelector('#whatif-refusal') !== null").await?;
        number(&page, "112,896").await?;
        assert_eq!(page.eval("document.querySelector('#whatif-undo').disabled").await?, json!(true));
        Ok(())
    });
}

#[test]
fn text_pasted_into_a_dialog_stays_there() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        number(&page, "112,896").await?;
        page.press("?", "Slash", 8).await?;
        page.wait("document.querySelector('#dialog').open").await?;
        let paste = "(() => { const data = new DataTransfer(); data.setData('text/plain', 'Failed to resize buffer'); \
            const at = document.querySelector('#dialog textarea') ?? document.querySelector('#dialog'); \
            at.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })); return true; })()";
        page.eval(paste).await?;
        page.settle().await?;
        assert_eq!(page.eval("document.documentElement.dataset.phase").await?, json!("ready"));
        page.eval("(document.querySelector('#dialog').close(), true)").await?;
        // Elsewhere it is opened.
        page.eval(&paste.replace(
            "document.querySelector('#dialog textarea') ?? document.querySelector('#dialog')",
            "document.body",
        ))
        .await?;
        page.wait("document.documentElement.dataset.phase === 'failed'").await?;
        Ok(())
    });
}

#[test]
fn no_expression_holds_up_the_page() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("long.tflite", &model_of(&format!("{}!", "n".repeat(5000)))).await?;
        page.opened().await?;
        page.enter("#filter", "/(n+)+x/").await?;
        page.wait("document.querySelector('#tensors .empty').checkVisibility()").await?;
        page.enter("#filter", "/^T0 (N+)+/").await?;
        page.wait("document.querySelectorAll('#tensors .vrow').length === 1").await?;
        Ok(())
    });
}
