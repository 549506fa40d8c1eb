//! The panels below the chart: a smaller model, other input shapes.

use serde_json::json;

use crate::harness::{DESKTOP, sample, with_page};

#[test]
fn a_smaller_model_is_made_shown_beside_the_old_one_and_saved() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("four_branches.tflite", &sample("four_branches.tflite")).await?;
        page.opened().await?;
        let before = page.text("#verdict .number").await?;
        page.eval("document.querySelector('#improve').open = true").await?;
        page.wait("document.querySelectorAll('#improve .planners tbody tr').length === 10").await?;
        page.wait("document.querySelector('#proof')?.classList.contains('good')").await?;
        page.wait("document.querySelector('#improve .advice ol') !== null").await?;
        page.eval("document.querySelector('#bake').click()").await?;
        page.wait("document.querySelector('#baked') !== null").await?;
        let is_smaller = page.eval("document.querySelector('#bake-save') !== null").await?;
        assert_eq!(is_smaller, json!(true), "{}", page.text("#baked").await?);
        page.eval("document.querySelector('#bake-save').click()").await?;
        let saved = page.downloaded("four_branches-smaller.tflite").await;
        assert!(arenascope::model::read(&saved).is_ok());
        page.eval("document.querySelector('#bake-beside').click()").await?;
        page.wait("document.querySelector('#verdict .difference .down') !== null").await?;
        assert_ne!(page.text("#verdict .number").await?, before);
        Ok(())
    });
}

#[test]
fn another_input_shape_is_applied_or_refused_in_words() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("keyword_spotting.tflite", &sample("keyword_spotting.tflite")).await?;
        page.opened().await?;
        let before = page.text("#verdict .number").await?;
        page.eval("document.querySelector('#resize').open = true").await?;
        page.wait("document.querySelector('#dim-0-0') !== null").await?;
        let set = |dim: usize, value: u32| {
            format!(
                "(() => {{ const box = document.querySelector('#dim-0-{dim}'); box.value = {value}; box.dispatchEvent(new Event('change')); document.querySelector('#resize-apply').click(); }})()"
            )
        };
        page.eval("document.querySelector('#curve-0-0').click()").await?;
        page.wait("document.querySelector('#resize-curve')?.naturalWidth > 0").await?;
        page.eval(&set(0, 2)).await?;
        page.wait("document.querySelector('#resize-failed')?.innerText.includes('RESHAPE')").await?;
        assert_eq!(page.text("#verdict .number").await?, before);
        page.drop_file("four_branches.tflite", &sample("four_branches.tflite")).await?;
        page.wait("document.querySelector('#verdict .number').innerText.startsWith('112,000')").await?;
        page.wait("document.querySelector('#dim-0-0')?.value === '1' && document.querySelector('#resize legend').innerText.includes('image')").await?;
        page.eval(&set(0, 2)).await?;
        page.wait("!document.querySelector('#verdict .number').innerText.startsWith('112,000')").await?;
        Ok(())
    });
}
