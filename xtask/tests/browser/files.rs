//! Files out of the page: what the menu offers, what is in the files, and that they open again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use thirtyfour::prelude::WebDriverResult;

use crate::harness::{DESKTOP, Page, model_of, sample, with_page};

pub(crate) async fn export(page: &Page, kind: &str) -> WebDriverResult<()> {
    page.click("#export").await?;
    page.click(&format!("#export-{kind}")).await
}

/// Width and height of a PNG.
fn sides(png: &[u8]) -> (u32, u32) {
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!(&png[1..4], b"PNG");
    (side(16), side(20))
}

#[test]
fn one_html_file_opens_anywhere_in_the_pages_language() {
    const NAME: &str = "<img src=x onerror=\"window.hacked=1\">\u{202e}</svg><script>window.hacked=1</script>";
    let bytes = model_of(NAME);
    with_page(DESKTOP, |page| async move {
        page.drop_file("a <b>model.tflite", &bytes).await?;
        page.opened().await?;
        page.click("#language").await?;
        page.wait("document.documentElement.lang === 'zh-CN'").await?;
        let arena = page.text("#verdict .number").await?;
        export(&page, "html").await?;
        let name = "a _b_model.tflite.arena.html";
        let html = String::from_utf8(page.downloaded(name).await).unwrap();
        assert!(
            html.contains("default-src 'none'") && !html.contains("<script") && !html.contains("http://1"),
            "{html}"
        );
        let before = page.server.requests();
        page.driver.goto(format!("file://{}", page.dir.join(name.replace(' ', "%20")).display())).await?;
        assert_eq!(page.eval("document.documentElement.lang").await?, json!("zh-CN"));
        let text = page.text("body").await?;
        assert!(text.contains(&arena) && text.contains("算子") && text.contains("<img src=x"), "{text}");
        assert!(text.contains("SHA-256"), "{text}");
        let seen = "[window.hacked ?? null, document.querySelectorAll('img, script, link, iframe').length, document.querySelectorAll('figure svg rect').length > 3,
                     performance.getEntriesByType('resource').length]";
        assert_eq!(page.eval(seen).await?, json!([null, 0, true, 0]));
        assert_eq!(page.server.requests(), before);
        Ok(())
    });
}

#[test]
fn pictures_have_the_size_that_was_asked_for_in_files_and_on_the_clipboard() {
    with_page(DESKTOP, |page| async move {
        let origin = page.server.address().trim_end_matches('/').to_owned();
        let permissions = json!({ "origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
        page.cdp("Browser.grantPermissions", permissions).await?;
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        page.opened().await?;
        for scale in [1_u32, 2, 4] {
            export(&page, &format!("png-{scale}")).await?;
            let name = "residual_block.tflite.arena.png";
            assert_eq!(sides(&page.downloaded(name).await), (1200 * scale, 760 * scale), "{scale}×");
            std::fs::remove_file(page.dir.join(name)).unwrap();
            export(&page, &format!("copy-{scale}")).await?;
            page.wait("document.querySelector('#live').textContent.includes('clipboard')").await?;
            let read = "const done = arguments[0]; navigator.clipboard.read().then(async ([item]) => {
                const bytes = new Uint8Array(await (await item.getType('image/png')).arrayBuffer());
                done([btoa(String.fromCharCode(...bytes.subarray(0, 24))), await (await item.getType('text/plain')).text()]); }, (error) => done(String(error)));";
            let copied = page.driver.execute_async(read, Vec::new()).await?.json().clone();
            let png = STANDARD.decode(copied[0].as_str().unwrap_or_else(|| panic!("{copied}"))).unwrap();
            assert_eq!(sides(&png), (1200 * scale, 760 * scale), "{scale}×");
            let words = copied[1].as_str().unwrap();
            for fact in [
                "residual_block.tflite",
                "sha256 ",
                "builtin kernels",
                "planner: ",
                "arena 110.2 KiB",
                "peak 110.2 KiB",
            ] {
                assert!(words.contains(fact), "{fact}: {words}");
            }
            page.eval("document.querySelector('#live').textContent = '', true").await?;
        }
        Ok(())
    });
}

#[test]
fn a_plan_file_opens_again_with_the_same_arena() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("four_branches.tflite", &sample("four_branches.tflite")).await?;
        page.opened().await?;
        let arena = page.text("#verdict .number").await?;
        export(&page, "plan").await?;
        let plan = page.downloaded("four_branches.tflite.arena.plan.json").await;
        page.drop_file("again.json", &plan).await?;
        page.wait("document.querySelector('#open').innerText === 'again.json'").await?;
        page.opened().await?;
        assert_eq!(page.text("#verdict .number").await?, arena);
        export(&page, "plan").await?;
        let again = page.downloaded("again.json.arena.plan.json").await;
        let buffers = |text: &[u8]| serde_json::from_slice::<Value>(text).unwrap()["buffers"].clone();
        assert_eq!(buffers(&again), buffers(&plan));
        assert!(buffers(&plan).as_array().unwrap().len() > 10);
        Ok(())
    });
}

#[test]
fn the_menu_gives_source_for_the_device() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("keyword.tflite", &sample("keyword_spotting.tflite")).await?;
        page.opened().await?;
        assert_eq!(page.eval("document.querySelector('#export-buffer-plan')").await?, Value::Null);
        page.click("#runtime-tflm").await?;
        page.wait("document.querySelector('#micro .line') !== null").await?;
        let line = page.text("#micro .line").await?;
        export(&page, "cpp").await?;
        let header = String::from_utf8(page.downloaded("keyword.tflite.arena.h").await).unwrap();
        assert!(header.contains("kPlannedBuffers") && header.contains("constexpr int kTensorArenaSize"), "{header}");
        export(&page, "buffer-plan").await?;
        let plan = String::from_utf8(page.downloaded("keyword.tflite.arena.plan.h").await).unwrap();
        assert!(plan.contains("BufferPlan"), "{plan}");
        export(&page, "bake").await?;
        page.wait("document.querySelector('#improve').open && document.activeElement.closest('#improve') !== null")
            .await?;
        assert!(line.starts_with("constexpr"));
        Ok(())
    });
}
