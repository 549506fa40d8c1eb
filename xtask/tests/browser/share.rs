//! Links, languages, work without a network, and the words for why.

use serde_json::json;

use crate::harness::{DESKTOP, sample, with_page};

#[test]
fn a_link_without_a_plan_is_said_large() {
    with_page(DESKTOP, |page| async move {
        page.driver.goto(format!("{}#p=1.AAAA", page.server.address())).await?;
        page.wait("document.documentElement.dataset.phase === 'failed'").await?;
        assert!(page.text("#start").await?.contains("link does not carry a plan"), "{}", page.text("#start").await?);
        Ok(())
    });
}

#[test]
fn both_languages_have_every_text_and_can_be_switched() {
    with_page(DESKTOP, |page| async move {
        let script = "const done = arguments[0]; Promise.all([import('./www/texts.js'), import('./www/texts-zh.js')]).then(([{ en }, { zh }]) => done([
            Object.keys(en).filter((key) => !(key in zh)), Object.keys(zh).filter((key) => !(key in en)),
            Object.keys(en).filter((key) => [...en[key].matchAll(/\\{\\w+\\}/g)].map(String).sort().join() !== [...(zh[key] ?? '').matchAll(/\\{\\w+\\}/g)].map(String).sort().join())]));";
        let odd = page.driver.execute_async(script, Vec::new()).await?.json().clone();
        assert_eq!(odd, json!([[], [], []]), "missing in Chinese, missing in English, other values");
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        page.opened().await?;
        page.click("#language").await?;
        page.wait(
            "document.documentElement.lang === 'zh-CN' && document.querySelector('#ops h2').innerText === '算子'",
        )
        .await?;
        page.press("ArrowUp", "ArrowUp", 0).await?;
        page.wait("document.querySelector('#details').innerText.includes('为何位于')").await?;
        page.click("#language").await?;
        page.wait("document.querySelector('#ops h2').innerText === 'Operations'").await?;
        Ok(())
    });
}

#[test]
fn another_plan_is_compared_with_the_one_that_was_kept() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("seven_buffers.csv", &sample("seven_buffers.csv")).await?;
        page.opened().await?;
        page.press("c", "KeyC", 0).await?;
        page.wait("document.querySelector('#verdict').innerText.includes('arena ±0')").await?;
        page.choose("#set-planner", "no-reuse").await?;
        page.wait("document.querySelector('#verdict').innerText.includes('arena +12.00 MiB')").await?;
        let text = page.text("#verdict .difference").await?;
        assert!(text.contains("moved") && text.contains("0 added"), "{text}");
        page.click("#compare-end").await?;
        page.wait("document.querySelector('#verdict .difference') === null").await?;
        Ok(())
    });
}

#[test]
fn details_say_why_a_buffer_lies_there() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("seven_buffers.csv", &sample("seven_buffers.csv")).await?;
        page.opened().await?;
        page.press("ArrowUp", "ArrowUp", 0).await?;
        page.wait("document.querySelector('#details').innerText.includes('Why it lies at')").await?;
        assert!(page.text("#details").await?.contains("of 7"), "{}", page.text("#details").await?);
        Ok(())
    });
}

#[test]
fn the_verdict_says_whether_it_fits_my_arena() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("seven_buffers.csv", &sample("seven_buffers.csv")).await?;
        page.opened().await?;
        for (budget, verdict) in
            [("20M", "Fits 20.00 MiB: 2.00 MiB to spare"), ("16 MiB", "Does not fit 16.00 MiB: 2.00 MiB short")]
        {
            page.choose("#set-budget", budget).await?;
            page.wait(&format!("document.querySelector('#verdict').innerText.includes({verdict:?})")).await?;
        }
        Ok(())
    });
}

#[test]
fn the_page_works_without_a_network_after_the_first_visit() {
    with_page(DESKTOP, |page| async move {
        page.wait("navigator.serviceWorker.controller !== null").await?;
        let offline = json!({ "offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        page.cdp("Network.emulateNetworkConditions", offline).await?;
        let before = page.server.requests();
        page.driver.goto(page.server.address()).await?;
        page.wait("document.documentElement.dataset.ready === 'true'").await?;
        page.click(".sample:nth-child(2)").await?;
        page.opened().await?;
        assert_eq!(page.eval("document.documentElement.dataset.phase").await?, json!("ready"));
        assert_eq!(page.server.requests(), before, "the page was asked for again");
        Ok(())
    });
}
