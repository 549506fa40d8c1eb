//! Opening: dropped, chosen, sampled, broken, hostile; and that nothing leaves the machine.

use serde_json::{Value, json};

use crate::harness::{DESKTOP, PHONE, model_of, sample, with_page};

#[test]
fn a_dropped_file_is_on_screen() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        page.opened().await?;
        assert!(page.text("#verdict .number").await?.ends_with(" B"));
        assert_eq!(page.text("#open").await?, "residual_block.tflite");
        assert!(page.text("#ops").await?.contains("CONV_2D"), "{}", page.text("#ops").await?);
        // The picture is drawn: not all of it is one colour.
        let colours = "(() => { const c = document.querySelector('canvas.base'); const d = new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer); return new Set(d).size; })()";
        assert!(page.eval(colours).await?.as_u64().unwrap() > 8);
        Ok(())
    });
}

#[test]
fn every_sample_opens() {
    with_page(DESKTOP, |page| async move {
        let count =
            page.eval("document.querySelectorAll('.sample:not(#start-decode)').length").await?.as_u64().unwrap();
        assert!(count > 3, "{count} samples");
        for index in 0..count {
            page.driver.goto(page.server.address()).await?;
            page.wait("document.documentElement.dataset.ready === 'true'").await?;
            page.click(&format!(".sample:nth-child({})", index + 1)).await?;
            page.opened().await?;
            assert_eq!(page.eval("document.documentElement.dataset.phase").await?, json!("ready"));
        }
        assert!(page.text("#verdict .number").await?.contains("18,874,368"), "{}", page.text("#verdict").await?);
        Ok(())
    });
}

#[test]
fn a_broken_file_is_told_from_a_sound_one() {
    with_page(DESKTOP, |page| async move {
        let whole = sample("residual_block.tflite");
        page.drop_file("cut.tflite", &whole[..whole.len() / 2]).await?;
        page.opened().await?;
        let text = page.text("#start").await?;
        assert!(text.contains("cut.tflite is damaged") && text.contains("What next:"), "{text}");
        page.drop_file("page.html", b"<!doctype html><title>404</title>").await?;
        page.wait("document.querySelector('#start').innerText.includes('page.html is not')").await?;
        page.drop_file("good.tflite", &whole).await?;
        page.wait("document.documentElement.dataset.phase === 'ready'").await?;
        assert_eq!(page.text("#open").await?, "good.tflite");
        Ok(())
    });
}

#[test]
fn one_of_several_models_is_chosen_and_two_files_are_compared() {
    let array = |name: &str, bytes: &[u8]| {
        let numbers: Vec<_> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
        format!("const unsigned char {name}[] = {{ {} }};\n", numbers.join(", "))
    };
    let (one, two) = (sample("residual_block.tflite"), sample("four_branches.tflite"));
    let text = [array("g_residual", &one), array("g_branches", &two)].concat();
    with_page(DESKTOP, |page| async move {
        page.drop_file("models.cc", text.as_bytes()).await?;
        page.wait("document.querySelectorAll('.choices .sample').length === 2").await?;
        assert!(page.text(".choices").await?.contains("g_branches"), "{}", page.text(".choices").await?);
        page.click(".choices .sample:nth-child(2)").await?;
        page.opened().await?;
        assert!(page.text("#ops").await?.contains("CONCATENATION") || page.text("#verdict").await?.contains("112,000"));
        let paths = [("a.tflite", &one), ("b.tflite", &two)].map(|(name, bytes)| {
            let path = page.dir.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        });
        page.drop_paths(&paths).await?;
        page.wait("document.querySelector('#open').innerText === 'b.tflite' && document.querySelector('#verdict').innerText.includes('Against a.tflite')").await?;
        Ok(())
    });
}

#[test]
fn names_from_a_model_are_only_ever_text() {
    const NAME: &str = "<img src=x onerror=\"window.hacked=1\">\u{202e}&amp;'`${1}";
    let bytes = model_of(NAME);
    with_page(DESKTOP, |page| async move {
        page.drop_file("<b>bold.tflite", &bytes).await?;
        page.opened().await?;
        assert!(page.text("#ops").await?.contains("<img src=x"));
        assert!(page.text("#tensors").await?.contains("<img src=x"));
        page.click("#tensors .vrow button").await?;
        page.settle().await?;
        assert!(page.text("#details").await?.contains("<img src=x"));
        let found =
            page.eval("[window.hacked ?? null, document.querySelectorAll('main img, main b.bold').length]").await?;
        assert_eq!(found, json!([null, 0]));
        Ok(())
    });
}

#[test]
fn nothing_is_requested_once_the_page_has_loaded() {
    with_page(DESKTOP, |page| async move {
        // The page keeps itself for work without a network; that is part of loading.
        page.wait("navigator.serviceWorker.controller !== null").await?;
        page.drop_file("first.tflite", &sample("residual_block.tflite")).await?;
        page.opened().await?;
        let before = page.server.requests();
        page.drop_file("second.tflite", &sample("four_branches.tflite")).await?;
        page.wait("document.querySelector('#open').innerText === 'second.tflite'").await?;
        page.opened().await?;
        page.press("ArrowRight", "ArrowRight", 0).await?;
        page.click("#set-summary").await?;
        page.eval("document.querySelector('#set-planner').value = 'no-reuse', document.querySelector('#set-planner').dispatchEvent(new Event('change')), true").await?;
        page.wait("document.querySelector('#verdict').innerText.includes('% above')").await?;
        let elsewhere = "performance.getEntriesByType('resource').filter((entry) => !entry.name.startsWith(location.origin) && !entry.name.startsWith('blob:')).length";
        assert_eq!(page.eval(elsewhere).await?, json!(0));
        assert_eq!(page.server.requests(), before, "requests after load");
        Ok(())
    });
}

#[test]
fn a_phone_shows_one_part_at_a_time() {
    with_page(PHONE, |page| async move {
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        page.opened().await?;
        let visible = |id: &str| format!("document.querySelector('#{id}').checkVisibility()");
        let wide = page.eval("document.documentElement.scrollWidth").await?;
        assert!(wide.as_u64().unwrap() <= 390, "{wide} px wide");
        for (tab, shown, hidden) in
            [("ops", "ops", "chart"), ("tensors", "tensors", "ops"), ("chart", "chart", "tensors")]
        {
            page.click(&format!("#tab-{tab}")).await?;
            page.settle().await?;
            assert_eq!(page.eval(&visible(shown)).await?, Value::Bool(true), "{tab}");
            assert_eq!(page.eval(&visible(hidden)).await?, Value::Bool(false), "{tab}");
        }
        Ok(())
    });
}

#[test]
fn real_models_open_where_there_are_any() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS") else {
        println!("skipped: ARENASCOPE_CORPUS names no directory of real models");
        return;
    };
    let corpus = std::path::PathBuf::from(corpus).join("models");
    with_page(DESKTOP, |page| async move {
        for model in ["mlcommons+tiny/vww_96_int8.tflite", "mlcommons+tiny/kws_ref_model.tflite"] {
            let path = corpus.join(model);
            page.drop_path(&path).await?;
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            page.wait(&format!("document.querySelector('#open').innerText === {name:?}")).await?;
            page.wait("document.documentElement.dataset.phase === 'ready'").await?;
            page.press("ArrowRight", "ArrowRight", 0).await?;
        }
        Ok(())
    });
}
