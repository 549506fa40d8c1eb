//! Links and the address: what they carry, what comes back after a reload, with Back and with Forward, and that nothing
//! which cannot be read takes away what is on screen.

use arenascope::model::{BuiltinOp, DataType, OpOptions};
use arenascope::units::SubgraphId;
use serde_json::{Value, json};

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};
use crate::support::{Graph, Model, Op};
use thirtyfour::error::WebDriverResult;

/// A link of the first version: step 5, the third box, coloured by size.
const FIRST: &str = "#p=1.fdJNa4QwEAbgv1LmHEq-E3Prx7bXQnsri9jdsQjqLsbuoeJ_L7uaaKB4e2Pik5khA5zrogU3QNFhW_jD6Yz59IkRaIsGwYHHC7b5109ZYufvD_4CBIq6-m4bbPvbwXkP3OcQfnoAAr76RXCcZoYpTqCsOt_nvsczOEqgLuKKETiVpcceHB1JNB6jIZhUhtvUYInBF2O-cSU9RUmyTAoqU4knklgkxSW3dl3Tc5Q0z5hUOpVEIslFYlRaZfSa2m2PSCaU-n9EL9GYS00NlRhma0SvUbLCWk3tVmN61Zg2xnCmxz2B6-b1FcD7x-7tjgKZAguBhyBCkCGoEHQIBvbjRN76aE7H22O8lkjAY42HHo_g-PgH";
/// One whose names were dropped.
const FIRST_BARE: &str = "#p=1.jdK7bsMgFAbgV6nOzMAdzN49UrtVUUST48oSxpZxllp-98pxqINqtd1-Lvo4HJigDz6Cm8APGH06dz2e1ilGIPoWwQEQ8KH5iC3G8Tb_fq1rHBK4t-lhT2o-ERynlWGKE6ibIY2nNGIPjhII_nvECHR1nXAER2fykxBMKsNtSbCC4BtxP3APkqySgsoS4gUkNkhxya3drUjzikmlS0gUkNwgRqVVRu9Ku-2RhaT-aM-9zpJQBWH-1R4rrNXU_nYr_XArbYzhTM9HAsvi8vzw8vp8eKJA1sBy4DmIHGQOKgedg4HjvJK3j9J2l6XKoQu4VIoBzyNewMVrCPMX";
/// One of the second version, of two buffers; step 1, the second one selected.
const SECOND: &str = "#p=2.PZDBasQwDER_pcxZBztsQ9GtNOfurRdjSpZoiSFxjK2l3Yb8e3ECOWlAT08wKyIY-rO8FJVUQOjBtiVMYEMoYIeP6-fXd9OB8N518IQAdoasJyw7datUiCDMYajAH9i1F7KmuXjCc8eNJ9zPNJyKtKe2grl61ICgtmr08Oob6BieMIKdszvv7PHBE-Qg00MPVPIsQ-hV6skveN0IM3hFGfvmtQUDhNtTpYAtYUkF3BBUYlnykfMjapiltnOfggoIaepjlAw-l4QkuYSiEnWvYpQ-gc22_QM&step=1&sel=t1";
/// What the view is, in what a user sees: step, selection, part in sight, colours.
const VIEW: &str = "[document.querySelector('#ops [aria-selected=true] .index')?.innerText ?? null,
    document.querySelector('#details h2')?.textContent ?? null, document.querySelector('#clipped').innerText,
    document.querySelector('#mode').value, document.querySelector('#toggle-gaps').getAttribute('aria-pressed')]";

/// The value of an asynchronous expression in which `share` is the module of links.
async fn with_links(page: &Page, expression: &str) -> WebDriverResult<Value> {
    let script = format!(
        "const done = arguments[0]; import(new URL('www/share.js', location.href.split('#')[0]).href)
            .then(async (share) => {expression}).then(done, (error) => done('thrown: ' + error));"
    );
    Ok(page.driver.execute_async(script, Vec::new()).await?.json().clone())
}

async fn address(page: &Page) -> WebDriverResult<String> {
    Ok(page.eval("location.href").await?.as_str().unwrap().to_owned())
}

/// Waits until the address says this.
async fn says(page: &Page, part: &str) -> WebDriverResult<()> {
    page.wait(&format!("location.hash.startsWith('#p=3.') && location.hash.includes({part:?})")).await
}

/// A visit that knows nothing of the one before.
async fn visit(page: &Page, link: &str) -> WebDriverResult<()> {
    page.driver.goto("about:blank").await?;
    page.driver.goto(link).await?;
    page.opened().await
}

async fn reload(page: &Page) -> WebDriverResult<()> {
    page.eval("(window.isOld = true)").await?;
    page.driver.refresh().await?;
    page.wait("window.isOld !== true && document.documentElement.dataset.ready === 'true'").await
}

/// Opens a model and looks at a part of it: another step, a tensor, closer, other colours, no gaps.
async fn look_around(page: &Page, name: &str) -> WebDriverResult<Value> {
    page.drop_file(name, &sample(name)).await?;
    page.opened().await?;
    page.press("Home", "Home", 0).await?;
    for _ in 0..3 {
        page.press("ArrowRight", "ArrowRight", 0).await?;
    }
    page.press("ArrowUp", "ArrowUp", 0).await?;
    page.press("+", "Equal", 0).await?;
    page.press("4", "Digit4", 0).await?;
    page.press("g", "KeyG", 0).await?;
    says(page, "gaps=0").await?;
    page.eval(VIEW).await
}

fn a_reload_keeps_the_view_on(size: (u32, u32)) {
    with_page(size, |page| async move {
        let view = look_around(&page, "keyword_spotting.tflite").await?;
        assert_eq!((&view[0], &view[3], &view[4]), (&json!("3"), &json!("size"), &json!("false")), "{view}");
        assert!(view[1].is_string() && view[2] != "", "{view}");
        let verdict = page.text("#verdict .number").await?;
        reload(&page).await?;
        page.opened().await?;
        page.wait("!document.querySelector('#work').hidden").await?;
        page.settle().await?;
        assert_eq!(page.eval(VIEW).await?, view);
        assert_eq!(page.text("#verdict .number").await?, verdict);
        let note = page.text("#from").await?;
        assert!(note.contains("keyword_spotting.tflite, from a link") && note.contains("not the model"), "{note}");
        assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth").await?, json!(true));
        // The file again: everything of it, at the same view.
        page.press("ArrowRight", "ArrowRight", 0).await?;
        let view = page.eval(VIEW).await?;
        page.drop_file("again.tflite", &sample("keyword_spotting.tflite")).await?;
        page.wait(
            "document.querySelector('#open').innerText === 'again.tflite' && document.querySelector('#from').hidden",
        )
        .await?;
        page.settle().await?;
        assert_eq!(page.eval(VIEW).await?, view);
        assert!(page.text("#verdict").await?.contains("XNNPACK"), "{}", page.text("#verdict").await?);
        Ok(())
    });
}

#[test]
fn a_reload_keeps_the_view() {
    a_reload_keeps_the_view_on(DESKTOP);
}

#[test]
fn a_reload_keeps_the_view_on_a_phone() {
    a_reload_keeps_the_view_on(PHONE);
}

#[test]
fn back_and_forward_go_between_runtimes_files_and_the_start() {
    with_page(DESKTOP, |page| async move {
        let view = look_around(&page, "keyword_spotting.tflite").await?;
        let first = page.text("#verdict .number").await?;
        page.click("#runtime-tflm + span").await?;
        page.wait("!document.querySelector('#micro').hidden").await?;
        says(&page, "runtime=tflm").await?;
        let second = page.text("#verdict .number").await?;
        assert_ne!(first, second);
        page.drop_file("four_branches.tflite", &sample("four_branches.tflite")).await?;
        page.wait("document.querySelector('#open').innerText === 'four_branches.tflite'").await?;
        page.opened().await?;
        page.driver.back().await?;
        page.wait(&format!("document.querySelector('#verdict .number').innerText === {second:?} && !document.querySelector('#micro').hidden")).await?;
        assert_eq!(page.text("#open").await?, "keyword_spotting.tflite");
        page.driver.back().await?;
        page.wait(&format!("document.querySelector('#verdict .number').innerText === {first:?} && document.querySelector('#micro').hidden")).await?;
        page.settle().await?;
        assert_eq!(page.eval(VIEW).await?, view);
        // From memory: nothing is missing.
        assert_eq!(page.eval("document.querySelector('#from').hidden").await?, json!(true));
        assert!(page.text("#verdict").await?.contains("XNNPACK"));
        page.driver.back().await?;
        page.wait("document.documentElement.dataset.phase === 'empty' && location.hash === ''").await?;
        page.driver.forward().await?;
        page.wait("document.documentElement.dataset.phase === 'ready'").await?;
        page.settle().await?;
        assert_eq!(page.eval(VIEW).await?, view);
        page.driver.forward().await?;
        page.driver.forward().await?;
        page.wait("document.querySelector('#open').innerText === 'four_branches.tflite'").await?;
        Ok(())
    });
}

#[test]
fn back_ends_a_comparison() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("seven_buffers.csv", &sample("seven_buffers.csv")).await?;
        page.opened().await?;
        says(&page, "step=").await?;
        page.press("c", "KeyC", 0).await?;
        page.wait("document.querySelector('#verdict .difference') !== null").await?;
        page.choose("#set-planner", "no-reuse").await?;
        says(&page, "planner=no-reuse").await?;
        page.wait("document.querySelector('#verdict .difference').innerText.includes('+12.00 MiB')").await?;
        page.driver.back().await?;
        page.wait("document.querySelector('#verdict .difference') === null && document.querySelector('#set-planner').value === 'runtime'").await?;
        page.driver.forward().await?;
        page.wait("(document.querySelector('#verdict .difference')?.innerText ?? '').includes('+12.00 MiB')").await?;
        Ok(())
    });
}

#[test]
fn a_link_opens_over_a_model_and_back_returns_to_it() {
    with_page(DESKTOP, |page| async move {
        let view = look_around(&page, "residual_block.tflite").await?;
        page.eval(&format!("(location.hash = {FIRST:?})")).await?;
        page.wait("document.querySelector('#open').innerText === 'seven_buffers.csv'").await?;
        page.opened().await?;
        assert_eq!(page.text("#verdict .number").await?, "25,165,824 B");
        page.driver.back().await?;
        page.wait("document.querySelector('#open').innerText === 'residual_block.tflite' && document.documentElement.dataset.phase === 'ready'").await?;
        page.settle().await?;
        assert_eq!(page.eval(VIEW).await?, view);
        assert_eq!(page.eval("document.querySelector('#from').hidden").await?, json!(true));
        page.driver.forward().await?;
        page.wait("document.querySelector('#open').innerText === 'seven_buffers.csv' && !document.querySelector('#from').hidden").await?;
        Ok(())
    });
}

#[test]
fn links_of_the_first_version_open() {
    with_page(DESKTOP, |page| async move {
        visit(&page, &format!("{}{FIRST}", page.server.address())).await?;
        assert_eq!(page.text("#verdict .number").await?, "25,165,824 B");
        assert_eq!(page.eval("document.querySelector('#mode').value").await?, json!("size"));
        assert_eq!(page.eval(&format!("{VIEW}[1]")).await?, json!("Tensor 2"));
        assert!(page.text("#now").await?.contains("STEP 5"), "{}", page.text("#now").await?);
        // It is written anew in the form of today.
        says(&page, "mode=size").await?;
        visit(&page, &format!("{}{FIRST_BARE}", page.server.address())).await?;
        assert_eq!(page.text("#verdict .number").await?, "25,165,824 B");
        assert_eq!(page.text("#open").await?, "unnamed plan");
        Ok(())
    });
}

#[test]
fn links_of_the_second_version_open() {
    with_page(DESKTOP, |page| async move {
        visit(&page, &format!("{}{SECOND}", page.server.address())).await?;
        assert_eq!(page.text("#verdict .number").await?, "1,088 B");
        assert_eq!(page.eval(&format!("{VIEW}[1]")).await?, json!("Tensor 1"));
        says(&page, "sel=t1").await?;
        Ok(())
    });
}

#[test]
fn a_changed_character_never_shows_other_figures() {
    with_page(DESKTOP, |page| async move {
        for name in ["keyword_spotting.tflite", "residual_block.tflite"] {
            page.drop_file(name, &sample(name)).await?;
            page.wait(&format!("document.querySelector('#open').innerText === {name:?}")).await?;
            page.opened().await?;
            says(&page, "step=").await?;
            let fragment = page.eval("location.hash").await?.as_str().unwrap().to_owned();
            // Each character as its neighbour, and as one far away; the link is refused, or says the same.
            let changed = format!(
                "{{ const link = share.linkOf({fragment:?});
                    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
                    const {{ plan }} = await share.unpacked(3, link.packed);
                    const counts = {{ refused: 0, same: 0, other: 0 }};
                    for (let at = 0; at < link.packed.length; at += 1) {{
                        for (const turn of [1, 29]) {{
                            const letter = letters[(letters.indexOf(link.packed[at]) + turn) % 64];
                            const read = await share.unpacked(3, link.packed.slice(0, at) + letter + link.packed.slice(at + 1));
                            counts[read === null ? 'refused' : read.plan === plan ? 'same' : 'other'] += 1;
                        }}
                    }}
                    return counts; }}"
            );
            let counts = with_links(&page, &changed).await?;
            assert_eq!(counts["other"], 0, "{name}: {counts}");
            assert!(counts["refused"].as_u64() > Some(1000) && counts["same"].as_u64() < Some(20), "{name}: {counts}");
            // The version before would take some of them: it has no checksum.
            for other in ["#p=1.", "#p=2."] {
                let version = &other[3..4];
                let read =
                    with_links(&page, &format!("share.unpacked({version}, share.linkOf({fragment:?}).packed)")).await?;
                assert_eq!(read, Value::Null, "{name} as {other}");
            }
        }
        Ok(())
    });
}

#[test]
fn a_link_that_opens_nothing_says_what_it_is() {
    with_page(DESKTOP, |page| async move {
        for (fragment, english, chinese) in [
            ("#p=3.AAAA", "This link is damaged", "此链接已损坏"),
            ("#p=2.AAAA", "This link is damaged", "此链接已损坏"),
            ("#p=4.anything~else", "A newer Arenascope made this link", "此链接由更新版本的 Arenascope 生成"),
        ] {
            page.driver.goto("about:blank").await?;
            page.driver.goto(format!("{}{fragment}", page.server.address())).await?;
            page.wait("document.documentElement.dataset.phase === 'failed'").await?;
            assert_eq!(page.text("#start h2").await?, english);
            let hint = if english.starts_with("A newer") { "Reload this page" } else { "ask for it again" };
            assert!(page.text("#start .next").await?.to_lowercase().contains(&hint.to_lowercase()));
            page.click("#language").await?;
            page.wait(&format!("document.querySelector('#start h2').innerText === {chinese:?}")).await?;
            page.click("#language").await?;
        }
        Ok(())
    });
}

#[test]
fn what_cannot_be_read_leaves_what_is_on_screen() {
    with_page(DESKTOP, |page| async move {
        let view = look_around(&page, "keyword_spotting.tflite").await?;
        let good = address(&page).await?;
        let good = good.split_once('#').unwrap().1;
        let bad = [
            ("#p=3.AAAA".to_owned(), "does not carry a plan"),
            ("#p=2.AAAA".to_owned(), "does not carry a plan"),
            (format!("#{}", &good[..good.len() / 3]), "does not carry a plan"),
            ("#p=9999.S0lPVQ".to_owned(), "newer version"),
            ("#v=3&step=3".to_owned(), "does not carry a plan"),
            (format!("#{}", good.replacen("p=3.", "p=1.", 1)), "does not carry a plan"),
            (format!("#{}", good.replacen("p=3.", "p=2.", 1)), "does not carry a plan"),
        ];
        for (fragment, sentence) in bad {
            page.eval(&format!("(location.hash = {fragment:?})")).await?;
            page.wait(&format!("(document.querySelector('#from-trouble')?.innerText ?? '').includes({sentence:?})"))
                .await?;
            page.settle().await?;
            assert_eq!(page.eval(VIEW).await?, view, "{fragment}");
            // And a reload would bring it back.
            says(&page, "gaps=0").await?;
            page.click("#from-trouble-close").await?;
            page.wait("document.querySelector('#from').hidden").await?;
        }
        Ok(())
    });
}

#[test]
fn garbage_is_never_thrown_and_never_hangs() {
    with_page(DESKTOP, |page| async move {
        for fragment in ["", "#", "#ops", "#q=1.S0lPVQ", "#p", "p=2.AAAA"] {
            let link = with_links(&page, &format!("share.linkOf({fragment:?})")).await?;
            assert_eq!(link, json!({ "kind": "none" }), "{fragment}");
        }
        for fragment in [
            "#p=",
            "#p=1",
            "#p=1.",
            "#p=0.S0lPVQ",
            "#p=2.!!!",
            "#p=-1.AAAA",
            "#p=1e3.AAAA",
            "#p=2.AA AA",
            "#v=1&step=2",
            "#v=3.AAAA&step=2",
            "#v=",
        ] {
            let link = with_links(&page, &format!("share.linkOf({fragment:?})")).await?;
            assert_eq!(link, json!({ "kind": "bad", "why": "damaged" }), "{fragment}");
        }
        let long = with_links(&page, "share.linkOf('#p=2.' + 'A'.repeat(3 << 20))").await?;
        assert_eq!(long["kind"], "bad");
        // Of what a newer version writes behind its number nothing is known.
        for fragment in ["#p=4.S0lPVQ&step=1", "#p=4.~~", "#v=9", "#p=9999.S0lPVQ"] {
            let newer = with_links(&page, &format!("share.linkOf({fragment:?})")).await?;
            assert_eq!(newer, json!({ "kind": "bad", "why": "newer" }), "{fragment}");
        }
        // Packed as a link is, of what no page packs.
        let pack = "const pack = async (text) => { const bytes = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());
            let out = ''; for (const byte of bytes) out += String.fromCharCode(byte); return btoa(out).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''); };
            const row = (more) => JSON.stringify({ n: 'x', a: 1, l: 0, s: ['A'], i: [0], o: 0, b: ['t'], z: [4], y: [0], f: [0], d: [0], p: [0], r: ['t0'], t: [''], h: [[]], e: [''], m: null, ...more });";
        for text in [
            "'null'",
            "'[]'",
            "'7'",
            "'{'",
            "'\"text\"'",
            "'{}'",
            "row({ b: 7 })",
            "row({ z: ['4'] })",
            "row({ z: [1e400] })",
            "row({ f: ['x'.repeat(1000)] })",
            "row({ d: [null] })",
            "row({ i: [0.5] })",
            "row({ b: ['t', 'u'] })",
            "row({ h: null })",
            "row({ i: 'many' })",
            "row({ i: Array(300000).fill(0) })",
            "row({ x: { stays: 7 } })",
            "row({ x: { stays: [true, true] } })",
            "row({ x: [[]] })",
            "JSON.stringify('x'.repeat(40 << 20))",
        ] {
            let read =
                with_links(&page, &format!("{{ {pack} return share.unpacked(2, await pack({text})); }}")).await?;
            assert_eq!(read, Value::Null, "{text}");
        }
        for value in [
            "null",
            "{}",
            "{ plan: 7 }",
            "{ plan: { buffers: [null] } }",
            "{ plan: { buffers: [{ first_step: 'x', last_step: [] }] }, step: NaN }",
        ] {
            let read = with_links(
                &page,
                &format!("{{ {pack} return share.unpacked(1, await pack(JSON.stringify({value}))); }}"),
            )
            .await?;
            assert_eq!(read, Value::Null, "{value}");
        }
        // What a later plan file says of a buffer goes along, but no text that could be a name.
        let later = "JSON.stringify({ arenascope_plan: 1, name: 'n', buffers: [{ name: 'a', size: 1, first_step: 0, last_step: 0, stays: true, batch: 3, note: 'secret' }, { name: 'b', size: 2, first_step: 1, last_step: 1 }] })";
        let read = with_links(&page, &format!("{{ const {{ plan }} = await share.unpacked(3, await share.packed({later}, 'kept')); return JSON.parse(plan).buffers.map((one) => [one.stays ?? null, one.batch ?? null, one.note ?? null]); }}")).await?;
        assert_eq!(read, json!([[true, 3, null], [null, null, null]]));
        // Numbers that only the core can judge: one clear sentence.
        for more in ["{ f: [-3] }", "{ d: [-1] }", "{ z: [0] }", "{ a: -7 }", "{ p: [-1] }", "{ f: [4000000000] }"] {
            let fragment =
                with_links(&page, &format!("{{ {pack} return `#p=2.${{await pack(row({more}))}}`; }}")).await?;
            page.eval(&format!("(location.hash = {fragment})")).await?;
            page.wait("document.documentElement.dataset.phase === 'failed'").await?;
            let said = page.text("#start .what").await?;
            assert!(said.len() > 20 && !said.contains('\n'), "{more}: {said}");
            page.eval("(location.hash = '')").await?;
            page.wait("document.documentElement.dataset.phase === 'empty'").await?;
        }
        Ok(())
    });
}

#[test]
fn an_odd_view_of_a_good_plan_is_a_sound_view() {
    with_page(DESKTOP, |page| async move {
        look_around(&page, "keyword_spotting.tflite").await?;
        let link = address(&page).await?;
        let plan = link.split('&').next().unwrap().to_owned();
        for query in [
            "step=-4&sel=<img src=x onerror=alert(1)>&view=NaN,1,2,3&mode=constructor&tab=__proto__&sort=x-y",
            "step=99999999999999999999&box=-1&view=Infinity,-Infinity,1e308,-1e308&margin=1e9&budget=-5&align=7",
            "step=4000&at=17&view=,,,&runtime=windows&planner=__proto__&kernels=x&abi=&board=nowhere&filter=%E0%A4%A",
            "view=5,1,-1e300,1e300&resize=t0=9,9&edit=t1:bytes=4&gaps=2&bound=&hex=7&inner=../../x",
        ] {
            visit(&page, &format!("{plan}&{query}")).await?;
            assert_eq!(page.eval("document.documentElement.dataset.phase").await?, json!("ready"), "{query}");
            let clipped = page.text("#clipped").await?;
            assert!(!clipped.contains("NaN") && !clipped.contains("Infinity"), "{clipped}");
            assert_eq!(page.eval("document.querySelectorAll('main img').length").await?, json!(0));
            page.press("ArrowRight", "ArrowRight", 0).await?;
            assert!(!page.text("#now").await?.contains("undefined"));
        }
        Ok(())
    });
}

#[test]
fn names_are_not_in_a_link_that_must_not_have_them() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("keyword_spotting.tflite", &sample("keyword_spotting.tflite")).await?;
        page.opened().await?;
        page.enter("#filter", "pointwise").await?;
        says(&page, "filter=pointwise").await?;
        page.click("#share").await?;
        page.wait("(document.querySelector('#link')?.value ?? '').includes('#p=3.')").await?;
        let unfold = |link: &str| {
            format!(
                "{{ const link = share.linkOf(new URL({link:?}).hash); return link.view + (await share.unpacked(3, link.packed)).plan; }}"
            )
        };
        let link = page.eval("document.querySelector('#link').value").await?.as_str().unwrap().to_owned();
        let whole = with_links(&page, &unfold(&link)).await?.to_string();
        assert!(whole.contains("pointwise") && whole.contains("keyword_spotting") && whole.contains("spectrogram"));
        let mut last = link;
        for names in ["hashed", "dropped"] {
            page.click(&format!("#dialog input[value={names}]")).await?;
            page.wait(&format!("document.querySelector('#link').value !== {last:?}")).await?;
            last = page.eval("document.querySelector('#link').value").await?.as_str().unwrap().to_owned();
            let whole = with_links(&page, &unfold(&last)).await?.to_string();
            for name in ["pointwise", "keyword_spotting", "spectrogram", "logits"] {
                assert!(!whole.contains(name), "{names}: {name} in {whole}");
            }
            assert!(
                whole.contains("DEPTHWISE_CONV_2D") && whole.contains("int8") | whole.contains("float32"),
                "{whole}"
            );
            // The address bar too: it is copied as often.
            page.wait(&format!("location.href === {last:?}")).await?;
        }
        // What is opened from it says so by its length of names, and the figures are the same.
        let verdict = page.text("#verdict .number").await?;
        visit(&page, &last).await?;
        assert_eq!(page.text("#verdict .number").await?, verdict);
        assert!(!page.text("#tensors").await?.contains("pointwise"));
        Ok(())
    });
}

#[test]
fn sharing_again_gives_the_same_link() {
    with_page(DESKTOP, |page| async move {
        look_around(&page, "keyword_spotting.tflite").await?;
        page.click("#runtime-tflm + span").await?;
        says(&page, "runtime=tflm").await?;
        page.choose("#set-planner", "optimal").await?;
        says(&page, "planner=optimal").await?;
        page.press("ArrowRight", "ArrowRight", 0).await?;
        page.press("ArrowUp", "ArrowUp", 0).await?;
        says(&page, "sel=").await?;
        // The address is at rest.
        tokio::time::sleep(std::time::Duration::from_millis(800)).await;
        let link = address(&page).await?;
        let verdict = page.text("#verdict .number").await?;
        let view = page.eval(VIEW).await?;
        visit(&page, &link).await?;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        assert_eq!(address(&page).await?, link);
        // TFLite-Micro's size to set is no poorer, and the note says who computed it.
        assert_eq!(page.text("#verdict .number").await?, verdict);
        assert!(page.text("#from").await?.contains("computed where the link was made"));
        assert_eq!(page.eval("document.querySelector('#set-planner').value").await?, json!("optimal"));
        assert_eq!(page.eval(VIEW).await?, view);
        Ok(())
    });
}

#[test]
fn a_plan_too_long_for_an_address_leaves_the_way_back_to_its_file() {
    let rows: Vec<String> = (0..9_000)
        .map(|row| format!("buffer_{},{},{},{}\n", row * 7919 % 10007, row, row + 3 + row % 5, 1 + row * 7919 % 65_521))
        .collect();
    let table = format!("id,lower,upper,size\n{}", rows.concat()).into_bytes();
    with_page(DESKTOP, move |page| async move {
        page.drop_file("long.csv", &table).await?;
        page.wait("document.documentElement.dataset.phase === 'ready'").await?;
        for _ in 0..4 {
            page.press("ArrowRight", "ArrowRight", 8).await?;
        }
        page.press("3", "Digit3", 0).await?;
        page.wait("location.hash.startsWith('#v=3&') && location.hash.includes('mode=op') && location.hash.includes('name=long.csv')").await?;
        page.click("#share").await?;
        page.wait("(document.querySelector('#link-length')?.innerText ?? '').includes('Share the plan file instead')")
            .await?;
        page.press("Escape", "Escape", 0).await?;
        let view = page.eval(VIEW).await?;
        reload(&page).await?;
        page.wait("!document.querySelector('#from').hidden").await?;
        let note = page.text("#from").await?;
        assert!(note.contains("leads to long.csv (SHA-256 ") && note.contains("too long for an address"), "{note}");
        page.drop_file("long.csv", &table).await?;
        page.wait("document.documentElement.dataset.phase === 'ready' && document.querySelector('#from').hidden")
            .await?;
        page.settle().await?;
        assert_eq!(page.eval(VIEW).await?, view);
        // Another file is just another file.
        reload(&page).await?;
        page.wait("!document.querySelector('#from').hidden").await?;
        page.drop_file("seven_buffers.csv", &sample("seven_buffers.csv")).await?;
        page.opened().await?;
        page.wait("document.querySelector('#from').hidden").await?;
        assert_eq!(page.text("#open").await?, "seven_buffers.csv");
        Ok(())
    });
}

#[test]
fn the_link_is_copied_at_once() {
    with_page(PHONE, |page| async move {
        let origin = page.eval("location.origin").await?;
        page.cdp(
            "Browser.grantPermissions",
            json!({ "origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
        )
        .await?;
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        page.opened().await?;
        says(&page, "step=").await?;
        page.press("y", "KeyY", 0).await?;
        page.wait("!document.querySelector('#word').hidden && document.querySelector('#live').innerText.startsWith('Link copied')").await?;
        let script = "const done = arguments[0]; navigator.clipboard.readText().then(done, (error) => done('thrown: ' + error));";
        let copied = page.driver.execute_async(script, Vec::new()).await?.json().clone();
        assert_eq!(copied, json!(address(&page).await?));
        Ok(())
    });
}

#[test]
fn the_browser_keeps_nothing_of_a_model() {
    with_page(DESKTOP, |page| async move {
        look_around(&page, "residual_block.tflite").await?;
        let kept = page.eval("JSON.stringify([localStorage, sessionStorage, document.cookie, history.state])").await?;
        let kept = kept.as_str().unwrap();
        assert!(!kept.contains("residual") && !kept.contains("CONV") && kept.len() < 400, "{kept}");
        Ok(())
    });
}

/// The comparison in a few figures: what is laid over what does not matter for them.
const DIFFERENCE: &str = "(document.querySelector('.difference')?.innerText ?? '').replace(/\\s+/g, ' ')";

/// Whether the page says which other file to open.
const WAITS: &str = "(document.querySelector('#from-absent')?.offsetParent ?? null) !== null";

/// The line below the verdict, once the core has told.
async fn compared(page: &Page) -> WebDriverResult<String> {
    page.wait(&format!("/arena [−+±]/.test({DIFFERENCE})")).await?;
    page.settle().await?;
    Ok(page.eval(DIFFERENCE).await?.as_str().unwrap().to_owned())
}

#[test]
fn a_comparison_with_other_options_survives_a_reload() {
    with_page(DESKTOP, |page| async move {
        let name = "four_branches.tflite";
        page.drop_file(name, &sample(name)).await?;
        page.opened().await?;
        page.press("c", "KeyC", 0).await?;
        page.choose("#set-planner", "no-reuse").await?;
        let words = compared(&page).await?;
        assert!(words.contains("arena +121.9 KiB"), "{words}");
        page.click("#lay-side").await?;
        says(&page, "lay=side").await?;
        says(&page, "beside=-").await?;
        reload(&page).await?;
        page.opened().await?;
        assert!(compared(&page).await?.contains("arena +121.9 KiB"), "a link's plan gives both again");
        page.wait("document.body.dataset.lay === 'side'").await?;
        page.click("#lay-over").await?;
        page.wait("!location.hash.includes('lay=')").await?;
        // The other runtime needs the model itself: it is said, and comes back with it.
        page.driver.goto("about:blank").await?;
        page.driver.goto(page.server.address()).await?;
        page.wait("document.documentElement.dataset.ready === 'true'").await?;
        page.drop_file(name, &sample(name)).await?;
        page.opened().await?;
        page.click("#compare").await?;
        page.click("#compare-runtime").await?;
        let words = compared(&page).await?;
        says(&page, "beside=-").await?;
        says(&page, "runtime=tflm").await?;
        reload(&page).await?;
        page.opened().await?;
        page.wait("document.querySelector('#from-link')?.innerText.includes('The comparison with other options comes back with the file too.') ?? false").await?;
        page.drop_file(name, &sample(name)).await?;
        assert_eq!(compared(&page).await?, words);
        page.wait("document.querySelector('#from').hidden").await?;
        // Back and Forward keep working across it.
        says(&page, "beside=-").await?;
        page.press("c", "KeyC", 0).await?;
        page.wait("!location.hash.includes('beside=')").await?;
        page.eval("history.back()").await?;
        assert_eq!(compared(&page).await?, words);
        Ok(())
    });
}

#[test]
fn a_comparison_with_another_file_says_which_one_to_open() {
    with_page(DESKTOP, |page| async move {
        let [before, after] = ["four_branches.tflite", "residual_block.tflite"];
        page.drop_file(before, &sample(before)).await?;
        page.opened().await?;
        page.press("c", "KeyC", 0).await?;
        page.drop_file(after, &sample(after)).await?;
        let words = compared(&page).await?;
        says(&page, "other=").await?;
        reload(&page).await?;
        page.opened().await?;
        let told = page.text("#from-absent").await?;
        assert!(told.contains("It was compared with four_branches.tflite (SHA-256 "), "{told}");
        assert!(told.contains("Open it again, and the two lie over each other as before."), "{told}");
        says(&page, "other=").await?;
        page.drop_file(before, &sample(before)).await?;
        let again = compared(&page).await?;
        assert!(
            words.contains("Against four_branches.tflite") && again.contains("Against residual_block.tflite"),
            "{words}\n{again}"
        );
        assert_eq!(page.eval(WAITS).await?, json!(false));
        // Any other file ends the wait for it.
        let link = address(&page).await?;
        assert!(link.contains("other="), "{link}");
        reload(&page).await?;
        page.opened().await?;
        page.wait(WAITS).await?;
        page.drop_file("greedy_gap.tflite", &sample("greedy_gap.tflite")).await?;
        page.wait(&format!("document.title.startsWith('greedy_gap') && !({WAITS})")).await?;
        Ok(())
    });
}

#[test]
fn odd_comparisons_in_a_link_are_passed_over() {
    with_page(DESKTOP, |page| async move {
        let name = "four_branches.tflite";
        page.drop_file(name, &sample(name)).await?;
        page.opened().await?;
        says(&page, "step=").await?;
        let link = address(&page).await?;
        let odd = [
            "&beside=%00%26&lay=diagonal&arena=-4",
            "&beside=planner%3Dnone%26align%3D7%26pedit%3Dx&arena=99999999999999999999",
            "&beside=edit%3Dt999%3Akeep%26beside%3D-",
            "&other=zz&othername=%3Cb%3E",
        ];
        for odd in odd {
            visit(&page, &format!("{link}{odd}")).await?;
            assert_eq!(page.eval("document.documentElement.dataset.phase").await?, json!("ready"), "{odd}");
            assert_eq!(page.eval(WAITS).await?, json!(false), "{odd}");
            page.wait("!document.querySelector('#work').hidden").await?;
            assert_eq!(page.text("#verdict .number").await?, "112,000 B", "{odd}");
        }
        Ok(())
    });
}

/// IF over a branch with an arena of its own.
fn branching() -> Vec<u8> {
    let shape = [1, 64];
    let mut main = Graph::new("main");
    let (which, input) = (main.input("which", &[1], DataType::Bool), main.input("input", &shape, DataType::Float32));
    let chosen = main.tensor("chosen", &shape, DataType::Float32);
    let branches = OpOptions::If { then_subgraph: SubgraphId(1), else_subgraph: SubgraphId(1) };
    main.op(Op::new(BuiltinOp::IF, &[which, input], &[chosen]).with(branches));
    main.outputs = vec![chosen];
    let mut branch = Graph::new("branch");
    let x = branch.input("x", &shape, DataType::Float32);
    let [between, y] = ["between", "y"].map(|name| branch.tensor(name, &shape, DataType::Float32));
    branch.op(Op::new(BuiltinOp::NEG, &[x], &[between]));
    branch.op(Op::new(BuiltinOp::NEG, &[between], &[y]));
    branch.outputs = vec![y];
    Model::new(vec![main, branch]).build()
}

#[test]
fn the_chosen_subgraph_is_in_the_address() {
    with_page(DESKTOP, |page| async move {
        let model = branching();
        page.drop_file("two.tflite", &model).await?;
        page.opened().await?;
        page.eval("document.querySelector('#subgraphs summary').click()").await?;
        page.wait("document.querySelectorAll('#subgraphs [role=tab]').length > 1").await?;
        let second = "[...document.querySelectorAll('#subgraphs [role=tab]')][1]";
        page.eval(&format!("{second}.click()")).await?;
        page.wait(&format!("{second}.getAttribute('aria-selected') === 'true'")).await?;
        let facts = page.text("#arena-facts").await?;
        page.wait("/arena=[1-9]/.test(location.hash)").await?;
        // A link holds no other arenas; with the file the panel is open at the same one.
        reload(&page).await?;
        page.opened().await?;
        page.drop_file("two.tflite", &model).await?;
        page.wait(&format!("document.querySelector('#subgraphs').open && document.querySelector('#arena-facts')?.innerText === {facts:?}")).await?;
        page.wait("/arena=[1-9]/.test(location.hash)").await?;
        page.eval("document.querySelector('#subgraphs summary').click()").await?;
        page.wait("!location.hash.includes('arena=')").await?;
        Ok(())
    });
}
