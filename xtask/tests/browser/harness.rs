//! A page in a browser: a server, a driver, a session, and the few things that tests do with them.

use std::cell::RefCell;
use std::future::Future;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use xtask::serve::Listener;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::graph_text;

/// The desktop's window.
pub(crate) const DESKTOP: (u32, u32) = (1400, 900);
/// A phone's.
pub(crate) const PHONE: (u32, u32) = (390, 844);

/// How long anything on the page may take; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// An opened page.
pub(crate) struct Page {
    pub(crate) driver: WebDriver,
    pub(crate) server: Listener,
    pub(crate) dir: PathBuf,
    chromedriver: RefCell<Child>,
}

/// Runs a test on a fresh page of this size; at its end nothing may stand on the console.
pub(crate) fn with_page<F: Future<Output = WebDriverResult<()>> + 'static>(
    size: (u32, u32),
    test: impl FnOnce(Rc<Page>) -> F,
) {
    let Some(built) = std::env::var_os("ARENASCOPE_SITE") else {
        println!("skipped: ARENASCOPE_SITE names no built site (cargo xtask test sets it)");
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let tasks = tokio::task::LocalSet::new();
    tasks.block_on(&runtime, async {
        let page = Rc::new(Page::open(Path::new(&built), size).await);
        // A task of its own, so that the browser is closed after a failure too.
        let outcome = tokio::task::spawn_local(test(Rc::clone(&page))).await;
        let loud = page.close().await;
        match outcome {
            Ok(result) => result.unwrap(),
            Err(failure) => std::panic::resume_unwind(failure.into_panic()),
        }
        assert!(loud.is_empty(), "on the console: {loud:?}");
    });
}

impl Page {
    async fn open(site: &Path, (width, height): (u32, u32)) -> Page {
        let server = Listener::start(site, 0).unwrap();
        let address = server.address();
        let port = address.rsplit(':').next().unwrap().trim_end_matches('/');
        let dir = std::env::temp_dir().join(format!("arenascope-browser-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let (chromedriver, port) = chromedriver(&dir);
        let mut caps = DesiredCapabilities::chrome();
        for arg in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--force-device-scale-factor=1"] {
            caps.add_arg(arg).unwrap();
        }
        caps.add_arg(&format!("--window-size={width},{height}")).unwrap();
        caps.set_browser_log_level(thirtyfour::common::log::LoggingPrefsLogLevel::All).unwrap();
        let driver = WebDriver::new(format!("http://127.0.0.1:{port}"), caps).await.unwrap();
        let page = Page { driver, server, dir, chromedriver: RefCell::new(chromedriver) };
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        page.cdp("Emulation.setDeviceMetricsOverride", metrics).await.unwrap();
        let behaviour = json!({ "behavior": "allow", "downloadPath": page.dir });
        page.cdp("Browser.setDownloadBehavior", behaviour).await.unwrap();
        page.driver.goto(page.server.address()).await.unwrap();
        page.wait("document.documentElement.dataset.ready === 'true'").await.unwrap();
        page
    }

    /// Closes the browser; gives what stood on the console.
    async fn close(&self) -> Vec<String> {
        let log = self.driver.browser_log().await.unwrap_or_default();
        let loud = log.into_iter().filter(|entry| entry.level != "DEBUG" && entry.level != "INFO");
        let loud = loud.map(|entry| format!("{}: {}", entry.level, entry.message)).collect();
        // What is left of browser and driver after a failure has to go as well, so no step here may stop the next.
        let _ = self.driver.clone().quit().await;
        let mut chromedriver = self.chromedriver.borrow_mut();
        let _ = chromedriver.kill();
        let _ = chromedriver.wait();
        let _ = std::fs::remove_dir_all(&self.dir);
        loud
    }

    /// One command of the browser's own protocol.
    pub(crate) async fn cdp(&self, method: &str, params: Value) -> WebDriverResult<Value> {
        self.driver.cdp().send_raw(method, params).await
    }

    /// The value of an expression on the page.
    pub(crate) async fn eval(&self, expression: &str) -> WebDriverResult<Value> {
        Ok(self.driver.execute(format!("return ({expression});"), Vec::new()).await?.json().clone())
    }

    /// Waits until an expression holds.
    pub(crate) async fn wait(&self, expression: &str) -> WebDriverResult<()> {
        let started = Instant::now();
        loop {
            let value = self.eval(expression).await?;
            if value == Value::Bool(true) {
                return Ok(());
            }
            assert!(started.elapsed() < PATIENCE, "never true: {expression} (last: {value})");
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// The text of an element.
    pub(crate) async fn text(&self, selector: &str) -> WebDriverResult<String> {
        let value = self.eval(&format!("document.querySelector({selector:?})?.innerText ?? null")).await?;
        Ok(value.as_str().unwrap_or_else(|| panic!("no {selector}")).to_owned())
    }

    /// The middle of an element.
    pub(crate) async fn middle(&self, selector: &str) -> WebDriverResult<(f64, f64)> {
        let rect = format!(
            "(() => {{ const r = document.querySelector({selector:?}).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let value = self.eval(&rect).await?;
        Ok((value[0].as_f64().unwrap(), value[1].as_f64().unwrap()))
    }

    /// A click of the pointer on an element, wherever it stands.
    pub(crate) async fn click(&self, selector: &str) -> WebDriverResult<()> {
        self.eval(&format!("document.querySelector({selector:?}).scrollIntoView({{ block: 'nearest' }})")).await?;
        let (x, y) = self.middle(selector).await?;
        self.click_at(x, y).await
    }

    /// A click of the pointer at a point.
    pub(crate) async fn click_at(&self, x: f64, y: f64) -> WebDriverResult<()> {
        self.mouse("mouseMoved", x, y, json!({})).await?;
        self.mouse("mousePressed", x, y, json!({ "button": "left", "clickCount": 1 })).await?;
        self.mouse("mouseReleased", x, y, json!({ "button": "left", "clickCount": 1 })).await
    }

    /// One event of the pointer.
    pub(crate) async fn mouse(&self, kind: &str, x: f64, y: f64, more: Value) -> WebDriverResult<()> {
        let mut event = json!({ "type": kind, "x": x, "y": y });
        let fields = event.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        self.cdp("Input.dispatchMouseEvent", event).await.map(|_| ())
    }

    /// One press of a key, by its name and its place; with `modifiers` (1 Alt, 2 Ctrl, 8 Shift).
    pub(crate) async fn press(&self, key: &str, code: &str, modifiers: u32) -> WebDriverResult<()> {
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": code, "modifiers": modifiers });
            self.cdp("Input.dispatchKeyEvent", event).await?;
        }
        self.settle().await
    }

    /// Gives a list or a field another value, as the user would who then leaves it.
    pub(crate) async fn choose(&self, selector: &str, value: &str) -> WebDriverResult<()> {
        self.fill(selector, value, "change").await
    }

    /// Puts text into a field, as typing or pasting does.
    pub(crate) async fn enter(&self, selector: &str, text: &str) -> WebDriverResult<()> {
        self.fill(selector, text, "input").await
    }

    async fn fill(&self, selector: &str, value: &str, event: &str) -> WebDriverResult<()> {
        let script = format!(
            "(() => {{ const field = document.querySelector({selector:?}); field.value = {}; field.dispatchEvent(new Event({event:?})); return true; }})()",
            json!(value)
        );
        self.eval(&script).await.map(|_| ())
    }

    /// Two frames: what was asked for has been drawn.
    pub(crate) async fn settle(&self) -> WebDriverResult<()> {
        let script = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(true)));";
        self.driver.execute_async(script, Vec::new()).await.map(|_| ())
    }

    /// Writes a file and drops it on the page as the user would.
    pub(crate) async fn drop_file(&self, name: &str, bytes: &[u8]) -> WebDriverResult<()> {
        let path = self.dir.join(name);
        std::fs::write(&path, bytes).unwrap();
        self.drop_path(&path).await
    }

    /// Drops a file on the page as the user would.
    pub(crate) async fn drop_path(&self, path: &Path) -> WebDriverResult<()> {
        self.drop_paths(&[path.to_path_buf()]).await
    }

    /// Drops files on the page as the user would.
    pub(crate) async fn drop_paths(&self, paths: &[PathBuf]) -> WebDriverResult<()> {
        let data = json!({ "items": [], "files": paths, "dragOperationsMask": 1 });
        for kind in ["dragEnter", "dragOver", "drop"] {
            self.cdp("Input.dispatchDragEvent", json!({ "type": kind, "x": 300, "y": 300, "data": data })).await?;
        }
        Ok(())
    }

    /// Waits until a model is on screen, or a failure.
    pub(crate) async fn opened(&self) -> WebDriverResult<()> {
        self.wait("['ready', 'failed'].includes(document.documentElement.dataset.phase)").await?;
        self.settle().await
    }

    /// Waits for a download of that name, and reads it.
    pub(crate) async fn downloaded(&self, name: &str) -> Vec<u8> {
        let (path, started) = (self.dir.join(name), Instant::now());
        while !path.exists() {
            let found: Vec<_> = std::fs::read_dir(&self.dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            assert!(started.elapsed() < PATIENCE, "{name} was not downloaded; found {found:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        std::fs::read(path).unwrap()
    }
}

/// Starts chromedriver on a port of its own choice; another program may take that port first, so it is tried again.
/// What the browser leaves behind when it is ended stands in `dir`, and goes with it.
fn chromedriver(dir: &Path) -> (Child, u16) {
    (0..4).find_map(|_| started_driver(dir)).unwrap()
}

fn started_driver(dir: &Path) -> Option<(Child, u16)> {
    let mut child = Command::new("chromedriver")
        .arg("--port=0")
        .env("TMPDIR", dir)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("chromedriver (Debian: apt-get install chromium chromium-driver): {error}"));
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in lines {
        let line = line.unwrap();
        if let Some(port) = line.split("on port ").nth(1).filter(|_| line.contains("successfully")) {
            return Some((child, port.trim_end_matches('.').trim().parse().unwrap()));
        }
    }
    let _ = child.wait();
    None
}

/// A small model in which every tensor and operator has this name.
pub(crate) fn model_of(name: &str) -> Vec<u8> {
    let mut model = graph_text::parse("in a:16\nop a -> b:32\nop a b -> c:16\nout c");
    for tensor in &mut model.graphs[0].tensors {
        name.clone_into(&mut tensor.name);
    }
    for op in &mut model.graphs[0].ops {
        op.custom_name = Some(name.to_owned());
    }
    model.build()
}

/// A zip with these files inside.
pub(crate) fn zip_of<'a>(files: impl IntoIterator<Item = (&'a str, Vec<u8>)>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// One of the page's own samples.
pub(crate) fn sample(name: &str) -> Vec<u8> {
    std::fs::read(xtask::shell::root().join("www/samples").join(name)).unwrap()
}
