//! Two plans beside each other: what is compared with what, the words, the tables, the charts in step, the pictures.

use serde_json::{Value, json};
use thirtyfour::error::WebDriverResult;

use crate::barriers::barriers;
use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};

/// Chooses something in the dialog of the Compare button.
async fn choose(page: &Page, id: &str) -> WebDriverResult<()> {
    page.click("#compare").await?;
    page.wait("document.querySelector('#dialog').open").await?;
    page.click(&format!("#compare-{id}")).await
}

/// The words of the line below the verdict, once the core has told.
async fn words(page: &Page, part: &str) -> WebDriverResult<String> {
    page.wait(&format!("document.querySelector('.difference')?.innerText.includes({part:?}) ?? false")).await?;
    page.text(".difference").await
}

/// The row of the figures: before, after, change, percent.
async fn figure(page: &Page, key: &str) -> WebDriverResult<Value> {
    page.eval(&format!(
        "[...document.querySelectorAll('[data-figure={key}] td')].map((cell) => cell.firstChild?.textContent ?? '')"
    ))
    .await
}

/// The rows of the tensors that exist, as texts.
async fn tensors(page: &Page) -> WebDriverResult<Vec<String>> {
    let rows = page.eval("[...document.querySelectorAll('#comparison .vrow')].map((row) => [...row.children].map((cell) => cell.textContent).join(' | '))").await?;
    Ok(rows.as_array().unwrap().iter().map(|row| row.as_str().unwrap().to_owned()).collect())
}

#[test]
fn the_other_runtime_is_told_in_words_figures_and_tensors() {
    for size in [DESKTOP, PHONE] {
        with_page(size, |page| async move {
            page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
            page.opened().await?;
            choose(&page, "runtime").await?;
            let line = words(&page, "arena −81.7 KiB (−74.1 %)").await?;
            assert!(line.contains("Against residual_block.tflite (TFLite):"), "{line}");
            assert!(line.contains("peak −83.2 KiB (−75.5 %)") && !line.contains("moved from"), "{line}");
            assert!(line.contains("6 moved, 2 of another life, 0 added, 3 gone, 0 the same"), "{line}");
            assert_eq!(figure(&page, "set").await?, json!(["112,896 B", "29,248 B", "−83,648 B", "−74.1 %"]));
            assert_eq!(figure(&page, "arena").await?, json!(["112,896 B", "27,648 B", "−85,248 B", "−75.5 %"]));
            assert_eq!(figure(&page, "minimum").await?, json!(["–", "29,248 B", "–", "–"]));
            assert_eq!(figure(&page, "at").await?, json!(["op 2 CONV_2D", "op 2 CONV_2D", "the same operation", ""]));
            let rows = tensors(&page).await?;
            assert!(
                rows.contains(&String::from("t9 | block/conv_2 | 9,216 | 103,680 → 9,216 | 2–4 → 3–4 | moved, life")),
                "{rows:?}"
            );
            assert!(
                rows.contains(&String::from("tmp16 → – | im2col | 82,944 → – | 2,304 → – | 1–1 → – | gone")),
                "{rows:?}"
            );
            let wide = page.eval("document.documentElement.scrollWidth <= innerWidth").await?;
            assert_eq!(wide, json!(true), "wider than the window");
            Ok(())
        });
    }
}

#[test]
fn both_charts_keep_one_scale_one_step_and_one_selection() {
    for size in [DESKTOP, PHONE] {
        with_page(size, |page| async move {
            page.drop_file("keyword_spotting.tflite", &sample("keyword_spotting.tflite")).await?;
            page.opened().await?;
            choose(&page, "runtime").await?;
            words(&page, "9 moved").await?;
            page.click("#lay-side").await?;
            page.wait("document.querySelector('#beside')?.checkVisibility() === true").await?;
            page.settle().await?;
            let title = page.text("#beside .panetitle").await?;
            assert!(
                title.contains("keyword_spotting.tflite")
                    && title.contains("TFLite")
                    && title.contains("arena 51.6 KiB (52,800 B)"),
                "{title}"
            );
            let later = page.text(".pane:not(#beside) .panetitle").await?;
            assert!(
                later.contains("TFLite Micro")
                    && later.contains("head 50.0 KiB (51,200 B)")
                    && later.contains("4 RELU"),
                "{later}"
            );
            // Where the charts stand: beside each other, or one above the other on a phone.
            let places = page.eval("[...document.querySelectorAll('.pane .over')].map((canvas) => { const box = canvas.getBoundingClientRect(); return [box.left, box.top, box.width, box.height].map(Math.round); })").await?;
            let at = |chart: usize, side: usize| places[chart][side].as_i64().unwrap();
            if size == PHONE {
                assert!(at(0, 1) + at(0, 3) <= at(1, 1) && at(0, 0) == at(1, 0), "{places}");
            } else {
                assert!(at(0, 0) + at(0, 2) <= at(1, 0) && at(0, 3) == at(1, 3), "{places}");
            }
            // A zoom in the kept plan's chart is one of both, and the other way round.
            let clipped = "document.querySelector('#clipped').innerText";
            assert_eq!(page.eval(clipped).await?, json!(""));
            let mut before = page.eval("document.querySelectorAll('.pane canvas.base').length").await?;
            assert_eq!(before, json!(2));
            for chart in ["#beside .over", ".pane:not(#beside) .over"] {
                page.eval(&format!("document.querySelector({chart:?}).scrollIntoView({{ block: 'center' }})")).await?;
                let (x, y) = page.middle(chart).await?;
                let picture = "[...document.querySelectorAll('.pane canvas.base')].map((canvas) => canvas.toDataURL())";
                let pictures = page.eval(picture).await?;
                page.mouse("mouseWheel", x, y, json!({ "deltaX": 0, "deltaY": -300, "modifiers": 1 })).await?;
                page.wait(&format!("{clipped} !== {before:?}", before = before.as_str().unwrap_or(""))).await?;
                page.settle().await?;
                let now = page.eval(picture).await?;
                assert!(now[0] != pictures[0] && now[1] != pictures[1], "both are drawn anew after a zoom in {chart}");
                before = page.eval(clipped).await?;
            }
            page.click("#fit").await?;
            // A click on a tensor of the kept plan selects it in the plan on screen.
            page.eval("document.querySelector('#comparison .vrow button').closest('.row').click()").await?;
            page.settle().await?;
            let name = page.eval("document.querySelector('#comparison .vrow.chosen .d-name').textContent").await?;
            assert!(page.text("#details .title").await?.contains(name.as_str().unwrap()), "{name}");
            if size == DESKTOP {
                // What the pointer is over is outlined in the other chart too.
                let pointed = "document.querySelector('#beside .pointed').checkVisibility()";
                assert_eq!(page.eval(pointed).await?, false);
                let (x, y) = page.middle(".pane:not(#beside) .over").await?;
                page.mouse("mouseMoved", x, y, json!({})).await?;
                page.settle().await?;
                assert_eq!(page.eval(pointed).await?, true, "nothing is outlined in the kept plan's chart");
            }
            // Steps are matched by operator: no step of TFLite is TFLite-Micro's start.
            page.press("Home", "Home", 0).await?;
            assert!(page.text("#now").await?.contains("START"), "{}", page.text("#now").await?);
            Ok(())
        });
    }
}

#[test]
fn a_click_in_the_kept_chart_selects_in_both() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("seven_buffers.csv", &sample("seven_buffers.csv")).await?;
        page.opened().await?;
        page.click("#compare").await?;
        page.eval("document.querySelector('#compare-planner').value = 'no-reuse'").await?;
        page.click("#compare-planner-go").await?;
        let line = words(&page, "arena +12.00 MiB (+66.7 %)").await?;
        assert!(line.contains("table of buffers") && line.contains("peak ±0"), "{line}");
        page.click("#lay-side").await?;
        page.wait("document.querySelector('#beside')?.checkVisibility() === true").await?;
        page.settle().await?;
        page.eval("document.querySelector('#beside .over').scrollIntoView({ block: 'center' })").await?;
        let middle = "(() => { const box = document.querySelector('#beside .over').getBoundingClientRect(); return [box.left + box.width * 0.62, box.top + box.height * 0.72]; })()";
        let at = page.eval(middle).await?;
        page.click_at(at[0].as_f64().unwrap(), at[1].as_f64().unwrap()).await?;
        page.wait("document.querySelector('#comparison .vrow.chosen') !== null || document.querySelector('#tensors .vrow.chosen') !== null").await?;
        // Swapped, the difference is the other way round; the choice of view stays, through another language too.
        page.click("#compare-swap").await?;
        words(&page, "arena −12.00 MiB (−40 %)").await?;
        page.click("#language").await?;
        page.wait("document.querySelector('.difference').innerText.includes('arena −12.00 MiB')").await?;
        page.click("#theme").await?;
        page.wait("document.querySelector('#beside')?.checkVisibility() === true && document.querySelector('#lay-side').ariaPressed === 'true'").await?;
        page.click("#compare-end").await?;
        page.wait("document.querySelector('.difference') === null && document.querySelector('#beside') === null && document.querySelector('#comparison').hidden").await?;
        Ok(())
    });
}

#[test]
fn pictures_of_two_plans_carry_both_captions() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        page.opened().await?;
        let save = async |kind: &str, name: &str| {
            page.click("#export").await?;
            page.click(&format!("#export-{kind}")).await?;
            Ok::<_, thirtyfour::error::WebDriverError>(page.downloaded(name).await)
        };
        let svg = String::from_utf8(save("svg", "residual_block.tflite.arena.svg").await?).unwrap();
        for fact in [
            "residual_block.tflite",
            "sha256 ",
            "TFLite, builtin kernels",
            "planner: the runtime’s own",
            "arena 110.2 KiB (112,896 B)",
            "peak 110.2 KiB (112,896 B)",
        ] {
            assert!(svg.contains(fact), "{fact}");
        }
        choose(&page, "runtime").await?;
        words(&page, "6 moved").await?;
        let facts = [
            "TFLite, builtin kernels",
            "TFLite Micro, reference kernels, ilp32",
            "arena 110.2 KiB (112,896 B)",
            "head 27.0 KiB (27,648 B)",
            "whole arena 28.6 KiB (29,248 B)",
            "peak 110.2 KiB (112,896 B)",
            "peak 27.0 KiB (27,648 B)",
        ];
        let over = String::from_utf8(save("svg", "residual_block.tflite.compare.svg").await?).unwrap();
        for fact in facts.iter().chain(&["before: residual_block.tflite"]) {
            assert!(over.contains(fact), "over each other: {fact}");
        }
        page.click("#lay-side").await?;
        page.wait("document.querySelector('#beside')?.checkVisibility() === true").await?;
        page.settle().await?;
        std::fs::remove_file(page.dir.join("residual_block.tflite.compare.svg")).unwrap();
        let side = String::from_utf8(save("svg", "residual_block.tflite.compare.svg").await?).unwrap();
        for fact in facts {
            assert!(side.contains(fact), "side by side: {fact}");
        }
        let png = save("png-1", "residual_block.tflite.compare.png").await?;
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!((&png[1..4], side(16), side(20)), (&b"PNG"[..], 1800, 760));
        page.click("#compare-csv").await?;
        let csv = String::from_utf8(page.downloaded("residual_block.tflite.compare.csv").await).unwrap();
        assert!(csv.contains("t9,t9,\"block/conv_2\",offset life,9216,9216,103680,9216,2,4,3,4\n"), "{csv}");
        Ok(())
    });
}

#[test]
fn a_second_file_that_fails_leaves_the_first() {
    with_page(DESKTOP, |page| async move {
        let whole = sample("residual_block.tflite");
        let paths = [("a.tflite", &whole[..]), ("b.tflite", &whole[..whole.len() / 2])].map(|(name, bytes)| {
            let path = page.dir.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        });
        page.drop_paths(&paths).await?;
        page.wait("document.querySelector('#dialog').open && document.querySelector('#dialog').innerText.includes('b.tflite is damaged')").await?;
        page.press("Escape", "Escape", 0).await?;
        page.wait("document.querySelector('#open').innerText === 'a.tflite' && document.documentElement.dataset.phase === 'ready'").await?;
        assert!(page.text("#verdict .number").await?.starts_with("112,896"));
        assert_eq!(page.eval("document.querySelector('.difference')").await?, Value::Null);
        Ok(())
    });
}

#[test]
fn names_stay_text_and_no_barrier_stands_in_the_way() {
    for size in [DESKTOP, PHONE] {
        with_page(size, |page| async move {
            let table = "id,lower,upper,size\n<img src=x onerror=hacked=1>,0,2,16\n\"=1+1\",1,3,32\n";
            page.drop_file("<b>names.csv", table.as_bytes()).await?;
            page.opened().await?;
            choose(&page, "planner-go").await?;
            words(&page, "the same").await?;
            page.click("#compare-only").await?;
            page.wait("document.querySelectorAll('#comparison .vrow').length === 2").await?;
            assert!(page.text("#comparison").await?.contains("<img src=x"), "{}", page.text("#comparison").await?);
            page.click("#lay-side").await?;
            page.wait("document.querySelector('#beside')?.checkVisibility() === true").await?;
            let found = page.eval("[window.hacked ?? null, document.querySelectorAll('main img, main b.names, .panetitle img').length]").await?;
            assert_eq!(found, json!([null, 0]));
            let Some(path) = std::env::var_os("ARENASCOPE_AXE") else { return Ok(()) };
            page.driver.execute(std::fs::read_to_string(path).unwrap(), Vec::new()).await?;
            for theme in ["light", "dark"] {
                let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
                page.cdp("Emulation.setEmulatedMedia", features).await?;
                page.settle().await?;
                barriers(&page, &format!("{theme}, side by side")).await?;
            }
            page.click("#lay-over").await?;
            page.settle().await?;
            barriers(&page, "over each other").await?;
            page.click("#compare").await?;
            barriers(&page, "the choice").await
        });
    }
}
