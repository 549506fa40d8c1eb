//! Explaining: what surrounds a tensor, why it is alive and where it lives, what an operation needs alone, the peak.

use serde_json::json;
use thirtyfour::prelude::WebDriverResult;

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};
use crate::support::graph_text;

const BRANCHES: &str = "four_branches.tflite";
const RESIDUAL: &str = "residual_block.tflite";

async fn open(page: &Page, name: &str) -> WebDriverResult<()> {
    page.drop_file(name, &sample(name)).await?;
    page.opened().await
}

/// Selects a tensor in the table, by its reference, and waits until all is known of it.
async fn select(page: &Page, reference: &str) -> WebDriverResult<()> {
    let script = format!(
        "(() => {{ const row = [...document.querySelectorAll('#tensors .vrow')].find((row) => row.querySelector('.c-ref').innerText.trim() === {reference:?}); row.click(); return true; }})()"
    );
    page.eval(&script).await?;
    page.settle().await
}

/// The text of the details' row of that name, of the first list that has it, in one line.
fn fact(key: &str) -> String {
    format!(
        "(() => {{ const name = [...document.querySelectorAll('#details dt')].find((name) => name.innerText === {key:?}); return name ? name.nextSibling.innerText.replace(/\\s+/g, ' ').trim() : null; }})()"
    )
}

/// The text of the first element, in one line.
fn line(selector: &str) -> String {
    format!("(document.querySelector({selector:?})?.innerText ?? '').replace(/\\s+/g, ' ').trim()")
}

/// Waits for the words: details follow a moment after the step.
async fn shows(page: &Page, expression: &str, wanted: &str) -> WebDriverResult<()> {
    page.wait(&format!("{expression} === {}", json!(wanted))).await
}

const PEAK: &str = "At op 6 CONV_2D 109.4 KiB (112,000 B) are alive: tmp32 (78.1 KiB, scratch of this operation), t18 (3.1 KiB, \
                    read here), t21 (3.1 KiB, written here). 25.0 KiB (25,600 B) of them only wait: t15 (9.4 KiB) for 9 \
                    CONCATENATION, t3 (6.2 KiB) for 7 CONV_2D, t9 (6.2 KiB) for 9 CONCATENATION, t0 (3.1 KiB), an input that \
                    the runtime keeps.";

#[test]
fn one_click_on_the_verdict_explains_the_peak() {
    for size in [DESKTOP, PHONE] {
        with_page(size, move |page| async move {
            open(&page, BRANCHES).await?;
            if size == PHONE {
                page.click("#tabs [role=tab]:last-child").await?;
            }
            select(&page, "t28").await?;
            page.click("#peak").await?;
            // Links in the paragraph stand apart by styles, so blanks around them and commas are not compared.
            let text = format!("{}.replace(/ ,/g, ',')", line(".peaknote p"));
            shows(&page, &text, PEAK).await?;
            shows(
                &page,
                &line(".peaknote p + p"),
                "The arena is just as high, 109.4 KiB (112,000 B): no byte is lost to gaps, and no plan of this order is lower.",
            )
            .await?;
            let seen = "(() => { const r = document.querySelector('.peaknote').getBoundingClientRect(); return r.height > 0 && r.top >= 0 && r.top < innerHeight; })()";
            assert_eq!(page.eval(seen).await?, json!(true), "the peak is out of sight");
            assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth").await?, json!(true));
            Ok(())
        });
    }
}

#[test]
fn an_operation_says_what_it_needs_alone_and_what_waits() {
    with_page(DESKTOP, |page| async move {
        open(&page, BRANCHES).await?;
        page.click("#op-7").await?;
        shows(&page, &fact("only waits"), "21.9 KiB (22,400 B)").await?;
        shows(&page, &fact("alive here"), "31.2 KiB (32,000 B)").await?;
        shows(&page, &fact("needs alone"), "9.4 KiB (9,600 B)").await?;
        shows(&page, &fact("moves"), "+3.1 KiB begin, −81.2 KiB end since the step before").await?;
        let waiting =
            "[...document.querySelectorAll('.waiting li')].map((item) => item.innerText.replace(/\\s+/g, ' ').trim())";
        let wanted = json!([
            "t15 (9.4 KiB) for 9 CONCATENATION",
            "t9 (6.2 KiB) for 9 CONCATENATION",
            "t0 (3.1 KiB), an input that the runtime keeps",
            "t21 (3.1 KiB) for 9 CONCATENATION"
        ]);
        assert_eq!(page.eval(waiting).await?, wanted);
        // The list leads on: to the operation that the first one waits for.
        page.eval("[...document.querySelectorAll('.waiting button')].find((button) => button.innerText === '9 CONCATENATION').click()").await?;
        page.wait("document.querySelector('#details .step h2').innerText === 'Operation 9'").await?;
        shows(&page, &fact("needs alone"), "46.9 KiB (48,000 B)").await?;
        Ok(())
    });
}

#[test]
fn a_tensor_names_its_neighbours_gap_padding_and_reasons() {
    with_page(DESKTOP, |page| async move {
        open(&page, RESIDUAL).await?;
        select(&page, "tmp15").await?;
        shows(&page, &fact("above"), "t3 60.8 KiB (62,208 B) free between").await?;
        shows(&page, &fact("below"), "t0 touching").await?;
        shows(&page, &fact("gap"), "60.8 KiB (62,208 B) directly above are free during its whole life.").await?;
        shows(&page, &fact("padding"), "None.").await?;
        shows(&page, &fact("offset"), "2,304 (0x900)").await?;
        shows(&page, &fact("bytes used again by"), "tmp16 tmp17 t13 t14 at other times").await?;
        shows(&page, &line(".why"), "The kernel of 0 CONV_2D asks for it, and needs it only while it runs.").await?;
        page.wait("document.querySelector('.gaps') !== null").await?;
        shows(&page, &line(".gaps li"), "no room at 0: t0 begins there").await?;
        page.click(".around-above button").await?;
        page.wait("document.querySelector('#details h2').innerText === 'Tensor 3'").await?;
        // t3 outlives what lies above and below it: each neighbour with its time.
        let below = "[...document.querySelectorAll('.around-below li')].map((item) => item.innerText.replace(/\\s+/g, ' ').trim())";
        page.wait(&format!("{below}.length > 1")).await?;
        assert_eq!(
            page.eval(below).await?,
            json!([
                "tmp16 touching step 1",
                "tmp17 touching step 2",
                "tmp15 60.8 KiB (62,208 B) free between step 0",
                "t0 81.0 KiB (82,944 B) free between step 3"
            ])
        );
        let why =
            "[...document.querySelectorAll('.why li')].map((item) => item.innerText.replace(/\\s+/g, ' ').trim())";
        assert_eq!(
            page.eval(why).await?,
            json!(["It begins where 0 CONV_2D makes it.", "3 ADD reads it last, so it is kept until then."])
        );
        Ok(())
    });
}

#[test]
fn rounding_and_scopes_are_those_of_the_runtime() {
    let model = graph_text::parse("in a:20\nRELU a -> b:20\nNEG b -> c:20\nout c").build();
    with_page(DESKTOP, |page| async move {
        page.choose("#board", "esp32-s3").await?;
        page.drop_file("odd.tflite", &model).await?;
        page.opened().await?;
        select(&page, "t1").await?;
        shows(&page, &fact("padding"), "12 B at its end: the runtime rounds sizes up to multiples of 16.").await?;
        shows(&page, &fact("held"), "32 B").await?;
        shows(&page, &fact("alive"), "scopes 1 to 2").await?;
        assert_eq!(
            page.eval("[...document.querySelectorAll('#ops .op')].map((op) => `${op.querySelector('.index').innerText} ${op.querySelector('.name').innerText.replace(/\\s+/g, ' ')}`)").await?,
            json!(["· START · scope 0", "0 RELU · scope 1", "1 NEG · scope 2"])
        );
        assert_eq!(page.eval(&line("#details .step h2")).await?, json!("Operation 0 · scope 1"));
        Ok(())
    });
}

#[test]
fn what_is_not_in_the_arena_says_where_it_lives() {
    with_page(DESKTOP, |page| async move {
        open(&page, RESIDUAL).await?;
        select(&page, "t4").await?;
        shows(&page, &fact("where"), "Data in the model file, read where they lie there: they take no arena.").await?;
        assert_eq!(page.eval(&fact("offset")).await?, json!(null));
        assert_eq!(page.eval("document.querySelector('.around') === null").await?, json!(true));
        Ok(())
    });
}

#[test]
fn a_sparse_tensor_says_so() {
    let mut model = graph_text::parse("in a:16\nconst w:16\nADD a w -> b:16\nout b");
    model.graphs[0].tensors[1].is_sparse = true;
    let bytes = model.build();
    with_page(DESKTOP, |page| async move {
        page.drop_file("sparse.tflite", &bytes).await?;
        page.opened().await?;
        select(&page, "t1").await?;
        page.wait(&format!("{}.includes('Stored sparsely')", fact("where"))).await
    });
}

#[test]
fn messages_are_decoded_in_chinese() {
    with_page(DESKTOP, |page| async move {
        page.eval(
            "[...document.querySelectorAll('#tools button')].find((button) => button.innerText === '中文').click()",
        )
        .await?;
        page.settle().await?;
        page.click("#start-decode").await?;
        let log = "Too many buffers (max is 12)\\nDidn't find op for builtin opcode 'CONV_2D' version '3'\\nFailed to resize buffer. Requested: 54400, available 31248, missing: 23152";
        page.eval(&format!("(() => {{ const field = document.querySelector('#decode-log'); field.value = \"{log}\"; field.dispatchEvent(new Event('input')); return true; }})()")).await?;
        page.wait("document.querySelectorAll('#decode-answer .findings li').length === 3").await?;
        let answer = page.text("#decode-answer").await?;
        for wanted in ["12 个缓冲区", "CONV_2D 未注册", "规划头部", "23,152 B"] {
            assert!(answer.contains(wanted), "{wanted} in {answer}");
        }
        for english in ["The ", "planner keeps", "planning", "registered"] {
            assert!(!answer.contains(english), "{english} in {answer}");
        }
        Ok(())
    });
}

#[test]
fn large_tensors_that_share_with_nobody_are_ranked() {
    with_page(DESKTOP, |page| async move {
        open(&page, BRANCHES).await?;
        let ranked =
            "[...document.querySelectorAll('.unshared li')].map((item) => item.innerText.replace(/\\s+/g, ' ').trim())";
        let wanted = json!([
            "t15 9.4 KiB (9 % of the arena) steps 4 to 9",
            "t9 6.2 KiB (6 % of the arena) steps 2 to 9",
            "t0 3.1 KiB (3 % of the arena) steps 0 to 10",
            "t21 3.1 KiB (3 % of the arena) steps 6 to 9"
        ]);
        assert_eq!(page.eval(ranked).await?, wanted);
        page.click(".unshared li button").await?;
        page.wait("document.querySelector('#details h2').innerText === 'Tensor 15'").await?;
        shows(&page, &fact("bytes used again by"), "no other").await?;
        Ok(())
    });
}

#[test]
fn the_explanation_speaks_chinese() {
    with_page(PHONE, |page| async move {
        open(&page, BRANCHES).await?;
        page.eval(
            "[...document.querySelectorAll('#tools button')].find((button) => button.innerText === '中文').click()",
        )
        .await?;
        page.click("#peak").await?;
        page.wait("document.querySelector('.peaknote p') !== null").await?;
        let text = page.text("#details").await?;
        assert!(text.contains("峰值在此") && text.contains("仅在等待"), "{text}");
        let english = ["alive", "wait", "arena is", "step", "needs", "begin", "nobody"];
        for word in english {
            assert!(!text.contains(word), "{word} in {text}");
        }
        Ok(())
    });
}

/// A model whose analysis takes long enough to be stopped: a chain of so many operators.
fn long_chain(ops: usize) -> Vec<u8> {
    let chain: Vec<String> = (0..ops).map(|at| format!("op t{at} -> t{}:16", at + 1)).collect();
    let chain = chain.join("\n");
    graph_text::parse(&format!("in t0:16\n{chain}\nout t{ops}")).build()
}

#[test]
fn what_is_shown_again_after_a_cancel_still_explains_itself() {
    with_page(DESKTOP, |page| async move {
        open(&page, BRANCHES).await?;
        page.eval("document.querySelector('#op-2').click()").await?;
        let needed = page.eval(&fact("needs alone")).await?;
        for way in [
            "document.querySelector('#start .loading button').click()",
            "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))",
        ] {
            // As soon as the worker has begun.
            let stop = format!(
                "(() => {{ window.stopped = 0; const watch = new MutationObserver(() => {{ if (!document.querySelector('#start .loading')?.innerText.includes('Planning')) return;
                    watch.disconnect(); window.stopped += 1; setTimeout(() => {way}); }}); watch.observe(document.querySelector('#start'), {{ childList: true, subtree: true }}); return true; }})()"
            );
            page.eval(&stop).await?;
            page.drop_file("long.tflite", &long_chain(6000)).await?;
            page.wait("window.stopped === 1 && document.documentElement.dataset.phase === 'ready'").await?;
            page.settle().await?;
            assert!(
                page.eval("document.title").await?.as_str().unwrap().starts_with(BRANCHES),
                "the plan before is back"
            );
            page.eval("document.querySelector('#op-0').click()").await?;
            page.wait(&format!("{} !== null", fact("needs alone"))).await?;
            select(&page, "t15").await?;
            page.wait("document.querySelector('#details .around') !== null && document.querySelector('#details').innerText.includes('Why it lies at')").await?;
            page.eval("document.querySelector('#op-2').click()").await?;
            page.wait(&format!("{} === {needed}", fact("needs alone"))).await?;
            page.eval("document.querySelector('#details .head button').click()").await?;
        }
        Ok(())
    });
}
