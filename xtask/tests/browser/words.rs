//! The page in Chinese: what the core says in English comes after a Chinese sentence and is marked as English, and nothing else on
//! the page is English.

use serde_json::{Value, json};
use thirtyfour::prelude::WebDriverResult;

use crate::harness::{DESKTOP, Page, model_of, sample, with_page};

/// Texts and labels in sight that hold three English words in a row and are not marked as English.
const ENGLISH: &str = "(() => {
    const found = []; const isEnglish = (text) => /\\b[a-z]{2,}[ ,;:]+[a-z]{2,}[ ,;:]+[a-z]{2,}/.test(text);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { data, parentElement: at } = texts.currentNode;
        if (at.closest('[lang=en], script, style, code, pre') || (at.offsetParent === null && !at.closest('dialog'))) continue;
        if (isEnglish(data)) found.push(data);
    }
    for (const one of document.querySelectorAll('[title], [aria-label], [placeholder]')) {
        if (one.closest('[lang=en]') || one.offsetParent === null) continue;
        for (const name of ['title', 'aria-label', 'placeholder']) if (isEnglish(one.getAttribute(name) ?? '')) found.push(`${name}: ${one.getAttribute(name)}`);
    }
    return found;
})()";

async fn is_chinese(page: &Page, state: &str) -> WebDriverResult<()> {
    page.settle().await?;
    assert_eq!(page.eval(ENGLISH).await?, json!([]), "{state}");
    Ok(())
}

async fn in_chinese(page: &Page) -> WebDriverResult<()> {
    page.click("#language").await?;
    page.wait("document.documentElement.lang === 'zh-CN'").await
}

async fn open(page: &Page, name: &str, bytes: &[u8]) -> WebDriverResult<()> {
    page.drop_file(name, bytes).await?;
    page.wait(&format!("document.title.startsWith({name:?})")).await?;
    page.opened().await
}

/// An element's text, and what of it is marked as English.
async fn said(page: &Page, selector: &str) -> WebDriverResult<[Value; 2]> {
    let parts = format!(
        "(() => {{ const one = document.querySelector({selector:?}).cloneNode(true); const marked = [...one.querySelectorAll('[lang=en]')];
            const english = marked.map((part) => part.textContent).join(' '); for (const part of marked) part.remove(); return [one.textContent.trim(), english]; }})()"
    );
    let found = page.eval(&parts).await?;
    Ok([found[0].clone(), found[1].clone()])
}

#[test]
fn remarks_and_failures_are_chinese_first() {
    with_page(DESKTOP, |page| async move {
        in_chinese(&page).await?;
        is_chinese(&page, "the start").await?;
        open(&page, "own.tflite", &model_of("own")).await?;
        page.eval("document.querySelector('#verdict .warn').click()").await?;
        page.settle().await?;
        let [chinese, english] = said(&page, "#dialog .warnings li").await?;
        assert_eq!(chinese, json!("custom-op 自定义算子：输出取自文件，临时缓冲区未知，此规划只是下界。"));
        assert!(english.as_str().unwrap().starts_with("own: a custom operator;"), "{english}");
        is_chinese(&page, "remarks").await?;
        page.click("#dialog .head button").await?;
        // What is translated word by word stands alone.
        open(&page, "page.tflite", b"<!doctype html><title>404</title>").await?;
        let [chinese, english] = said(&page, "#start .failure .what").await?;
        assert_eq!([chinese, english], [json!("网页（HTML），不是模型"), json!("")]);
        let [chinese, _] = said(&page, "#start .failure .next").await?;
        assert_eq!(chinese, json!("怎么办：下载得到的常是出错页或登录页：请重新下载原始文件"));
        is_chinese(&page, "no model").await?;
        // What names a place in the file is told in English, behind the title that says what it means.
        open(&page, "cut.tflite", &sample("four_branches.tflite")[..600]).await?;
        let [chinese, english] = said(&page, "#start .failure .what").await?;
        assert_eq!(chinese, json!(""));
        assert!(!english.as_str().unwrap().is_empty());
        assert_eq!(page.text("#start .failure h2").await?, "cut.tflite 已损坏");
        is_chinese(&page, "a cut file").await
    });
}

#[test]
fn advice_is_chinese_with_tensors_and_figures() {
    with_page(DESKTOP, |page| async move {
        open(&page, "four_branches.tflite", &sample("four_branches.tflite")).await?;
        assert_eq!(page.text("#tensors .head .faint").await?, "34 of 34 tensors, 237.6 KiB");
        page.eval("(document.querySelector('#improve').open = true)").await?;
        page.wait("document.querySelectorAll('#improve .advice li').length > 3").await?;
        let plain = page.text("#improve .advice li").await?;
        assert!(plain.contains("an input of 10×10 instead of 20×20: t0 \"image\" (3200 B)"), "{plain}");
        // All that is on screen follows the language, and whatever is English now says so.
        in_chinese(&page).await?;
        page.wait("document.querySelector('#improve .advice li').textContent.includes('把输入')").await?;
        assert_eq!(page.text("#tensors .head .faint").await?, "34 / 34 个张量，237.6 KiB");
        let [chinese, english] = said(&page, "#improve .advice li").await?;
        let wanted = "把输入 t0 image（3.1 KiB）的高和宽减半：它和所有特征图大约只占四分之一。";
        let chinese = chinese.as_str().unwrap().replace(' ', "");
        assert!(chinese.contains(&wanted.replace(' ', "")), "{chinese}");
        assert_eq!(english, json!(""), "its facts say all");
        let [chinese, english] = said(&page, "#improve .advice li:nth-child(2)").await?;
        assert!(chinese.as_str().unwrap().contains("换一种算子顺序。"), "{chinese}");
        assert!(english.as_str().unwrap().starts_with("run the operators in another order: "), "{english}");
        let [chinese, _] = said(&page, "#improve .advice p").await?;
        assert_eq!(chinese, json!("规划器比下界多占 0 B：峰值时有 112,000 B 存活。"));
        is_chinese(&page, "advice").await?;
        page.click("#bake").await?;
        page.wait("document.querySelector('#baked') !== null").await?;
        is_chinese(&page, "a smaller model").await?;
        page.eval("document.querySelector('#runtime-tflm').click()").await?;
        page.wait("document.querySelector('#micro .line') !== null").await?;
        is_chinese(&page, "TFLite Micro").await
    });
}
