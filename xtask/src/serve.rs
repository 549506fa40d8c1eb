//! Serves a directory on 127.0.0.1 with the headers that the page is made for. Knows nothing of what it serves.
//!
//! One thread for each connection, one answer for each connection. (`tiny_http` was tried: its pool of threads now and
//! then leaves a connection waiting behind idle ones, and the page hangs while loading.)

use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::shell::{self, say};
use crate::{Result, site};

/// The port that is tried first.
const PORT: u16 = 8080;
/// A longer request is none of a browser's.
const MAX_REQUEST_BYTES: usize = 64 << 10;
/// A connection that says nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(30);
/// The page may run its own scripts and wasm and reach nothing but itself; `index.html` says the same.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' blob: data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Builds the page and serves it until the process ends.
pub fn command(port: Option<u16>) -> Result<()> {
    let dir = shell::target_dir().join("site");
    site::build(&dir)?;
    let listener = match port {
        Some(port) => Listener::start(&dir, port)?,
        None => Listener::start(&dir, PORT).or_else(|_| Listener::start(&dir, 0))?,
    };
    say(&format!("open {} (Ctrl-C ends)", listener.address()));
    listener.wait();
    Ok(())
}

/// A running server.
#[derive(Debug)]
pub struct Listener {
    port: u16,
    requests: Arc<AtomicUsize>,
    worker: thread::JoinHandle<()>,
}

impl Listener {
    /// Serves `dir` on `port` of 127.0.0.1; 0 takes a free one.
    pub fn start(dir: &Path, port: u16) -> Result<Listener> {
        let trouble = |error: io::Error| format!("cannot serve on port {port}: {error}");
        let listener = TcpListener::bind(("127.0.0.1", port)).map_err(trouble)?;
        let port = listener.local_addr().map_err(trouble)?.port();
        let (requests, dir) = (Arc::new(AtomicUsize::new(0)), Arc::new(dir.to_path_buf()));
        let count = Arc::clone(&requests);
        let worker = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (dir, count) = (Arc::clone(&dir), Arc::clone(&count));
                // A browser that went away is no trouble of ours.
                thread::spawn(move || answer(stream, &dir, &count).unwrap_or_default());
            }
        });
        Ok(Listener { port, requests, worker })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// How many requests were answered so far.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// Returns when the server ends.
    pub fn wait(self) {
        // The thread ends only with the process; a panic in it has been printed already.
        let _ = self.worker.join();
    }
}

/// Reads one request and answers it.
fn answer(mut stream: TcpStream, dir: &Path, count: &AtomicUsize) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let head = read_head(&mut stream)?;
    let mut words = head.lines().next().unwrap_or_default().split(' ');
    let (method, url) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if method.is_empty() {
        return Ok(());
    }
    count.fetch_add(1, Ordering::Relaxed);
    let found = resolve(dir, url).and_then(|path| fs::read(&path).ok().map(|bytes| (path, bytes)));
    let (status, kind, body) = match found {
        _ if method != "GET" && method != "HEAD" => ("405 Method Not Allowed", "text/plain", Vec::new()),
        None => ("404 Not Found", "text/plain", b"not found".to_vec()),
        Some((path, bytes)) => ("200 OK", media_type(&path), bytes),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Content-Security-Policy: {POLICY}\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Embedder-Policy: require-corp\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCache-Control: no-cache\r\n\r\n",
        body.len()
    )?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    stream.flush()
}

/// The request's first lines, up to the empty one.
fn read_head(stream: &mut TcpStream) -> io::Result<String> {
    let (mut head, mut part) = (Vec::new(), [0_u8; 4096]);
    while head.len() < MAX_REQUEST_BYTES && !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = stream.read(&mut part)?;
        if count == 0 {
            break;
        }
        head.extend(part.iter().take(count));
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// The file behind a request's path, when it lies inside `dir`.
fn resolve(dir: &Path, url: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?.trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    // No file of ours has a name that needs decoding, so an escape can only lead elsewhere.
    let plain = !path.contains(['%', '\\', '\0']);
    let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    (plain && inside).then(|| dir.join(path)).filter(|path| path.is_file())
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("csv") => "text/csv; charset=utf-8",
        Some("ts") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failing step of a test may panic")]

    use super::*;

    /// What the server sends for one request line.
    fn ask(listener: &Listener, line: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", listener.port)).unwrap();
        write!(stream, "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn serves_files_of_its_directory_only_and_with_the_policy() {
        let dir = std::env::temp_dir().join(format!("arenascope-serve-{}", std::process::id()));
        fs::create_dir_all(dir.join("inner")).unwrap();
        fs::write(dir.join("inner/index.html"), "page").unwrap();
        fs::write(dir.join("inner/a.wasm"), "wasm").unwrap();
        fs::write(dir.join("secret"), "outside").unwrap();
        let listener = Listener::start(&dir.join("inner"), 0).unwrap();
        for (line, status, kind) in [
            ("GET /", "200", "text/html"),
            ("GET /?a=1", "200", "text/html"),
            ("GET /a.wasm", "200", "application/wasm"),
            ("POST /a.wasm", "405", ""),
            ("GET /missing", "404", ""),
            ("GET /../secret", "404", ""),
            ("GET /%2e%2e/secret", "404", ""),
            ("GET /..\\secret", "404", ""),
            ("GET //etc/passwd", "404", ""),
        ] {
            let answer = ask(&listener, line);
            assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{line}: {answer}");
            assert!(answer.contains(kind) && !answer.contains("outside"), "{line}: {answer}");
            assert!(answer.contains("wasm-unsafe-eval") && !answer.contains("unsafe-inline"), "{line}: {answer}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}
