//! Plans without their model: whose runtime and figures they show, what they cannot tell, and what is said of one that is not
//! sound.

use arenascope::report::{self, Analysis, Settings};
use arenascope::runtime::RuntimeKind;
use arenascope::runtime::edit::Edit;
use serde_json::json;
use thirtyfour::error::WebDriverResult;

use crate::files::export;
use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};

const MODEL: &str = "keyword_spotting.tflite";
/// Two that are alive at step 1 and share bytes 5 to 9.
const OVERLAPPING: &str = "id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,5\n";

fn analysed(runtime: RuntimeKind) -> Analysis {
    report::analyse(&sample(MODEL), MODEL, &Settings::new(runtime)).unwrap()
}

/// `12,345 B`
fn exact(bytes: u64) -> String {
    format!("{} B", report::grouped(bytes))
}

async fn open(page: &Page, name: &str, bytes: &[u8]) -> WebDriverResult<()> {
    page.drop_file(name, bytes).await?;
    page.wait(&format!("document.querySelector('#open').innerText === {name:?}")).await?;
    page.opened().await
}

async fn choose(page: &Page, runtime: &str) -> WebDriverResult<()> {
    page.eval(&format!("(document.querySelector('#runtime-{runtime}').click(), true)")).await.map(|_| ())
}

/// The runtime that the switch shows, and whether it can be changed.
const SWITCH: &str =
    "[document.querySelector('input[name=runtime]:checked').value, document.querySelector('#runtime-tflm').disabled]";

#[test]
fn a_plan_file_shows_the_figures_it_was_made_with() {
    with_page(DESKTOP, |page| async move {
        for (made, other) in [(RuntimeKind::Tflm, "tflite"), (RuntimeKind::Tflite, "tflm")] {
            let first = analysed(made);
            let file = report::to_plan_file(&first);
            choose(&page, other).await?;
            open(&page, "again.plan.json", file.as_bytes()).await?;
            let (own, is_micro) = (report::runtime_name(made), made == RuntimeKind::Tflm);
            assert_eq!(page.eval(SWITCH).await?, json!([own, true]));
            let verdict = page.text("#verdict").await?;
            let set = first.needs.as_ref().map_or(first.arena_bytes(), |needs| needs.recommended_bytes(0));
            assert_eq!(page.text("#verdict .number").await?, exact(set), "{verdict}");
            assert_eq!(verdict.contains("Set the arena to at least"), is_micro, "{verdict}");
            let name = if is_micro { "TFLite Micro" } else { "TFLite" };
            assert!(verdict.contains(&format!("Planned for {name} and opened without its model")), "{verdict}");
            assert_eq!(verdict.contains("persistent"), is_micro, "{verdict}");
            // A link of it says so too, wherever it is opened.
            page.wait(&format!(
                "location.hash.startsWith('#p=3.') && location.hash.includes('runtime=tflm') === {is_micro}"
            ))
            .await?;
            // Another planner: the whole arena is not known any more, and no number pretends to be it.
            page.choose("#set-planner", "no-reuse").await?;
            page.wait(&format!("document.querySelector('#verdict .number').innerText !== {:?}", exact(set))).await?;
            let verdict = page.text("#verdict").await?;
            assert!(!verdict.contains("Set the arena to at least"), "{verdict}");
            assert!(verdict.contains("only the model tells."), "{verdict}");
            assert_eq!(verdict.contains("Planned part"), is_micro, "{verdict}");
            // A model again: the choice is as it was.
            page.choose("#set-planner", "runtime").await?;
            open(&page, MODEL, &sample(MODEL)).await?;
            assert_eq!(page.eval(SWITCH).await?, json!([other, false]));
            assert!(!page.text("#verdict").await?.contains("without its model"));
        }
        Ok(())
    });
}

#[test]
fn a_table_of_buffers_is_never_a_size_to_set() {
    with_page(DESKTOP, |page| async move {
        choose(&page, "tflm").await?;
        open(&page, "seven_buffers.csv", &sample("seven_buffers.csv")).await?;
        let verdict = page.text("#verdict").await?;
        assert!(verdict.contains("Planned part") && !verdict.contains("Set the arena to at least"), "{verdict}");
        assert!(verdict.contains("arena holds more than this part"), "{verdict}");
        // A step of a table is called what it is called there.
        assert!(verdict.contains("STEP ") && !verdict.contains("op STEP") && !verdict.contains("op  "), "{verdict}");
        choose(&page, "tflite").await?;
        page.wait("document.querySelector('#verdict .headline').innerText.startsWith('Arena')").await?;
        assert!(!page.text("#verdict").await?.contains("Planned part"));
        Ok(())
    });
}

fn an_overlapping_plan_is_said_on(size: (u32, u32)) {
    with_page(size, |page| async move {
        open(&page, "two.csv", OVERLAPPING.as_bytes()).await?;
        let sentence =
            "This plan overwrites live tensors: at STEP 1, t1 b is written over 5 B of t0 a that are still needed.";
        page.wait("document.querySelector('#overwritten') !== null").await?;
        assert_eq!(page.text("#overwritten").await?, sentence);
        let colours = "(() => { const probe = document.createElement('i'); probe.style.color = 'var(--peak)'; document.body.append(probe);
            const peak = getComputedStyle(probe).color; probe.remove(); return getComputedStyle(document.querySelector('#overwritten')).color === peak; })()";
        assert_eq!(page.eval(colours).await?, json!(true));
        assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth").await?, json!(true));
        page.click("#peak").await?;
        page.wait("document.querySelector('#details').textContent.includes('lie over each other')").await?;
        let said = page
            .eval("document.querySelector('#verdict').textContent + document.querySelector('#details').textContent")
            .await?;
        let said = said.as_str().unwrap();
        for lie in ["no plan of this order is smaller", "no plan of this order is lower", "no byte is lost"] {
            assert!(!said.contains(lie), "{lie}: {said}");
        }
        Ok(())
    });
}

#[test]
fn an_overlapping_plan_is_said() {
    an_overlapping_plan_is_said_on(DESKTOP);
}

#[test]
fn an_overlapping_plan_is_said_on_a_phone() {
    an_overlapping_plan_is_said_on(PHONE);
}

#[test]
fn a_file_of_an_overlapping_plan_says_so() {
    with_page(DESKTOP, |page| async move {
        open(&page, "two.csv", OVERLAPPING.as_bytes()).await?;
        export(&page, "html").await?;
        let html = String::from_utf8(page.downloaded("two.csv.arena.html").await).unwrap();
        assert!(html.contains("This plan overwrites live tensors: at STEP 1") && html.contains("Not sound"), "{html}");
        assert!(!html.contains("no plan of this order"), "{html}");
        Ok(())
    });
}

#[test]
fn a_what_if_says_so_in_its_files_and_in_its_plan_opened_again() {
    with_page(DESKTOP, |page| async move {
        let settings =
            Settings { edits: vec![Edit::parse("t3:bytes=16").unwrap()], ..Settings::new(RuntimeKind::Tflite) };
        let name = "residual_block.tflite";
        let changed = report::analyse(&sample(name), name, &settings).unwrap();
        open(&page, "changed.plan.json", report::to_plan_file(&changed).as_bytes()).await?;
        let made = page.text("#whatif-made").await?;
        assert!(
            made.contains("what-if")
                && made.contains("planned with 1 change")
                && made.contains("t3")
                && made.contains("16 B"),
            "{made}"
        );
        export(&page, "html").await?;
        let html = String::from_utf8(page.downloaded("changed.plan.json.arena.html").await).unwrap();
        assert!(html.contains("<dt>What if</dt>") && html.contains("what-if: 1 change (t3"), "{html}");
        // Of the model itself, changed here.
        open(&page, name, &sample(name)).await?;
        assert_eq!(page.eval("document.querySelector('#whatif-made')").await?, json!(null));
        page.choose("#set-planner", "no-reuse").await?;
        page.wait("document.querySelector('#whatif-badge') !== null").await?;
        export(&page, "html").await?;
        let html = String::from_utf8(page.downloaded("residual_block.tflite.what-if.arena.html").await).unwrap();
        assert!(html.contains("<dt>What if</dt><dd>Planner no-reuse (+"), "{html}");
        Ok(())
    });
}

#[test]
fn large_figures_are_grouped_and_a_foreign_table_is_told_what_is_missing() {
    with_page(DESKTOP, |page| async move {
        open(&page, "large.csv", b"id,lower,upper,size,offset\na,0,2,100000000000000,0\nb,1,3,5,100000000000000\n")
            .await?;
        assert!(page.text("#verdict").await?.contains("93,132.26 GiB"), "{}", page.text("#verdict").await?);
        page.drop_file("rows.csv", b"id;lower;upper;size\na;0;2;10\n").await?;
        page.wait("document.documentElement.dataset.phase === 'failed'").await?;
        let said = page.text("#start").await?;
        assert!(said.contains("id,lower,upper,size") && !said.contains("C source"), "{said}");
        Ok(())
    });
}
