//! The page for everyone: on paper, by keyboard, in the reader's own colours, on any width, installed and without a network.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use thirtyfour::prelude::WebDriverResult;
use xtask::serve::Listener;

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};

const READY: &str = "document.documentElement.dataset.phase === 'ready'";

async fn open(page: &Page, name: &str) -> WebDriverResult<()> {
    page.drop_file(name, &sample(name)).await?;
    page.wait(READY).await?;
    page.settle().await
}

#[test]
fn paper_gets_the_verdict_the_picture_and_every_row_in_light_colours() {
    with_page(DESKTOP, |page| async move {
        let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
        page.cdp("Emulation.setEmulatedMedia", dark).await?;
        open(&page, "four_branches.tflite").await?;
        let arena = page.text("#verdict .number").await?;
        // What is printed is made for the printer, and gone afterwards.
        page.eval("(window.printed = '', new MutationObserver(() => { const { textContent } = document.querySelector('#print'); if (textContent) window.printed = textContent; }).observe(document.querySelector('#print'), { childList: true }), true)").await?;
        let pdf = page.cdp("Page.printToPDF", json!({ "printBackground": false })).await?;
        let pdf = STANDARD.decode(pdf["data"].as_str().unwrap()).unwrap();
        assert!(pdf.starts_with(b"%PDF") && pdf.len() > 10_000, "{} bytes", pdf.len());
        let printed = page.eval("window.printed").await?;
        let printed = printed.as_str().unwrap();
        assert!(printed.contains(&arena) && printed.contains("CONCATENATION"), "{printed}");
        page.wait("document.querySelector('#print').childElementCount === 0").await?;
        let paper = json!({ "media": "print", "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
        page.cdp("Emulation.setEmulatedMedia", paper).await?;
        page.wait(
            "document.querySelector('#print svg') !== null && document.querySelector('#print').checkVisibility()",
        )
        .await?;
        let seen = "[['#bar', '#verdict', '#work', '#tensors', '#more'].filter((id) => document.querySelector(id).checkVisibility()),
            document.querySelectorAll('#print button, #print input').length, getComputedStyle(document.body).backgroundColor,
            document.querySelectorAll('#print table')[0].tBodies[0].rows.length, document.querySelector('#print svg').textContent.includes('sha256')]";
        assert_eq!(page.eval(seen).await?, json!([[], 0, "rgb(255, 255, 255)", 11, true]));
        page.cdp("Emulation.setEmulatedMedia", json!({ "media": "" })).await?;
        page.wait("document.querySelector('#work').checkVisibility()").await?;
        Ok(())
    });
}

#[test]
fn each_colour_follows_the_theme_from_one_place() {
    with_page(DESKTOP, |page| async move {
        let look = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color, getComputedStyle(document.documentElement).getPropertyValue('--cursor').trim()]";
        let mut seen = Vec::new();
        for (scheme, theme) in [("light", "system"), ("dark", "system"), ("light", "dark"), ("dark", "light")] {
            let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            page.cdp("Emulation.setEmulatedMedia", features).await?;
            page.eval(&format!("document.documentElement.dataset.theme = {theme:?}, true")).await?;
            seen.push(page.eval(look).await?);
        }
        assert_eq!(seen[0], seen[3], "light");
        assert_eq!(seen[1], seen[2], "dark");
        assert_ne!(seen[0], seen[1]);
        // Scripts paint with what they read, so it has to be a colour and not a choice of two.
        assert!(seen[0][2].as_str().unwrap().starts_with("rgb"), "{}", seen[0]);
        Ok(())
    });
}

#[test]
fn nothing_moves_for_those_who_asked_for_that() {
    with_page(DESKTOP, |page| async move {
        let features = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        page.cdp("Emulation.setEmulatedMedia", features).await?;
        open(&page, "residual_block.tflite").await?;
        let moving = "[...document.querySelectorAll('*')].filter((element) => { const style = getComputedStyle(element); return style.animationIterationCount === 'infinite' || parseFloat(style.transitionDuration) > 0.01 || style.scrollBehavior === 'smooth'; }).length + document.getAnimations().length";
        assert_eq!(page.eval(moving).await?, json!(0));
        Ok(())
    });
}

#[test]
fn in_the_readers_own_colours_boxes_choice_and_focus_can_still_be_told() {
    with_page(DESKTOP, |page| async move {
        let features = json!({ "features": [{ "name": "forced-colors", "value": "active" }] });
        page.cdp("Emulation.setEmulatedMedia", features).await?;
        open(&page, "four_branches.tflite").await?;
        page.press("ArrowUp", "ArrowUp", 0).await?;
        let backgrounds = "new Set([...document.querySelectorAll('#now .piece')].map((piece) => getComputedStyle(piece).backgroundColor)).size";
        assert!(page.eval(backgrounds).await?.as_u64().unwrap() >= 3);
        let outlined = "['.piece.chosen', '.op[aria-selected=true]', '#tensors .vrow.chosen'].map((one) => getComputedStyle(document.querySelector(one)).outlineStyle)";
        assert_eq!(page.eval(outlined).await?, json!(["solid", "solid", "solid"]));
        let pressed = "getComputedStyle(document.querySelector('#toggle-gaps')).backgroundColor !== getComputedStyle(document.querySelector('#toggle-hex')).backgroundColor";
        assert_eq!(page.eval(pressed).await?, json!(true));
        Ok(())
    });
}

/// One press of the Tab key, as a keyboard sends it.
async fn tab(page: &Page) -> WebDriverResult<()> {
    for kind in ["rawKeyDown", "keyUp"] {
        let event =
            json!({ "type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9, "nativeVirtualKeyCode": 9 });
        page.cdp("Input.dispatchKeyEvent", event).await?;
    }
    Ok(())
}

#[test]
fn the_keyboard_reaches_everything_and_focus_is_always_seen() {
    for size in [DESKTOP, PHONE] {
        with_page(size, |page| async move {
            open(&page, "residual_block.tflite").await?;
            page.eval("(document.activeElement.blur(), window.scrollTo(0, 0), true)").await?;
            // Where the focus is: a number for each element, and what is wrong with it.
            let look = "(() => {
                const seen = (window.tabbed ??= new Map()), element = document.activeElement;
                if (element === document.body || element === document.documentElement) return [-1, null, ''];
                const known = seen.has(element);
                if (!known) seen.set(element, seen.size);
                // A hidden radio button shows its focus on the words beside it.
                const shown = element.matches('.switch input') ? element.nextElementSibling : element;
                const style = getComputedStyle(shown), box = shown.getBoundingClientRect();
                const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
                const inside = box.width > 0 && box.height > 0 && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
                return [seen.get(element), known, (outlined ? '' : 'no outline ') + (inside ? '' : 'out of sight ' + JSON.stringify(box)), element.id || element.outerHTML.slice(0, 90)];
            })()";
            let (mut reached, mut wrong, mut before) = (Vec::new(), Vec::new(), Value::Null);
            for _ in 0..300 {
                tab(&page).await?;
                let at = page.eval(look).await?;
                assert_ne!(at[0], before, "the focus stays at {at}");
                before = at[0].clone();
                // Round: back to the page itself, or to the first.
                if at[0] == json!(-1) || at[1] == json!(true) {
                    break;
                }
                reached.push(at[3].as_str().unwrap().to_owned());
                if at[2] != json!("") {
                    wrong.push(at);
                }
            }
            assert!(wrong.is_empty(), "{wrong:?}");
            for id in [
                "open",
                "open-folder",
                "board",
                "set-summary",
                "compare",
                "share",
                "export",
                "language",
                "theme",
                "help",
                "filter",
            ] {
                // The table has a tab of its own on a phone.
                let is_elsewhere = id == "filter" && size == PHONE;
                assert!(is_elsewhere || reached.iter().any(|one| one == id), "#{id} is not reached: {reached:?}");
            }
            assert!(reached.len() < 300, "no end: {reached:?}");
            Ok(())
        });
    }
}

#[test]
fn from_a_phone_to_the_largest_screen_nothing_is_cut_or_lost() {
    with_page(DESKTOP, |page| async move {
        open(&page, "four_branches.tflite").await?;
        for (width, height) in [(390, 844), (768, 1024), (1400, 900), (1920, 1080), (3840, 2160)] {
            let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
            page.cdp("Emulation.setDeviceMetricsOverride", metrics).await?;
            page.settle().await?;
            page.wait("document.querySelector('canvas.base').clientWidth > 0").await?;
            let look = "(() => {
                const wide = document.documentElement.scrollWidth - innerWidth;
                const cut = [...document.querySelectorAll('#bar button, #bar summary, #bar select, #verdict .value, #chart .head button')]
                    .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 2 && getComputedStyle(element).textOverflow !== 'ellipsis' && element.clientWidth > 0)
                    .map((element) => element.id || element.className);
                const size = parseFloat(getComputedStyle(document.querySelector('.op .name')).fontSize);
                const columns = ['ops', 'details'].map((id) => document.getElementById(id).clientWidth);
                return [wide <= 0, cut, size, ...columns];
            })()";
            let seen = page.eval(look).await?;
            assert_eq!((&seen[0], &seen[1]), (&json!(true), &json!([])), "{width}: {seen}");
            if width == 3840 {
                assert!(
                    seen[2].as_f64().unwrap() >= 16.0
                        && seen[3].as_u64().unwrap() > 450
                        && seen[4].as_u64().unwrap() > 500,
                    "{seen}"
                );
            }
        }
        Ok(())
    });
}

#[test]
fn the_page_can_be_installed() {
    with_page(DESKTOP, |page| async move {
        page.wait("navigator.serviceWorker.controller !== null").await?;
        let manifest = page.cdp("Page.getAppManifest", json!({})).await?;
        assert_eq!(manifest["errors"], json!([]), "{manifest}");
        let errors = page.cdp("Page.getInstallabilityErrors", json!({})).await?;
        // A window without a history is all that tests lack.
        let errors: Vec<_> = errors["installabilityErrors"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|error| error["errorId"] != "in-incognito")
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
        // Each icon is there, and as large as it says.
        let icons = "const done = arguments[0]; fetch('www/app.webmanifest').then((answer) => answer.json()).then(({ icons }) => Promise.all(icons.map(async ({ src, sizes, purpose }) => {
            const image = new Image(); image.src = new URL(src, new URL('www/app.webmanifest', location.href)); await image.decode();
            return [purpose, sizes === 'any' || sizes === `${image.naturalWidth}x${image.naturalHeight}`]; }))).then(done, (error) => done(String(error)));";
        let icons = page.driver.execute_async(icons, Vec::new()).await?.json().clone();
        assert_eq!(icons, json!([["any", true], ["any", true], ["any", true], ["maskable", true]]));
        Ok(())
    });
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_newer_page_is_offered_and_taken_when_asked_for() {
    with_page(DESKTOP, |page| async move {
        let site = page.dir.join("site");
        copy(Path::new(&std::env::var_os("ARENASCOPE_SITE").unwrap()), &site);
        let server = Listener::start(&site, 0).unwrap();
        page.driver.goto(server.address()).await?;
        page.wait("document.documentElement.dataset.ready === 'true' && navigator.serviceWorker.controller !== null")
            .await?;
        assert_eq!(page.eval("document.querySelector('#notice').hidden").await?, json!(true));
        let index = std::fs::read_to_string(site.join("index.html")).unwrap();
        std::fs::write(site.join("index.html"), index.replace("<body>", "<body data-newer=\"yes\">")).unwrap();
        let worker = std::fs::read_to_string(site.join("sw.js")).unwrap();
        std::fs::write(site.join("sw.js"), worker.replacen("VERSION = \"", "VERSION = \"1", 1)).unwrap();
        page.eval("navigator.serviceWorker.getRegistration().then((one) => one.update()), true").await?;
        page.wait("!document.querySelector('#notice').hidden").await?;
        assert_eq!(page.eval("document.body.dataset.newer ?? null").await?, Value::Null);
        page.click("#notice button").await?;
        page.wait("document.body?.dataset.newer === 'yes' && document.documentElement.dataset.ready === 'true'")
            .await?;
        Ok(())
    });
}
