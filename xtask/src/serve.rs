//! Serves a directory on 127.0.0.1 with the headers that the page is made for. Knows nothing of what it serves.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tiny_http::{Header, Method, Request, Response, Server};

use crate::shell::{self, say};
use crate::{Result, site};

/// The port that is tried first.
const PORT: u16 = 8080;
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
        let server =
            Server::http(("127.0.0.1", port)).map_err(|error| format!("cannot serve on port {port}: {error}"))?;
        let port = server.server_addr().to_ip().map_or(port, |address| address.port());
        let (requests, dir) = (Arc::new(AtomicUsize::new(0)), dir.to_path_buf());
        let count = Arc::clone(&requests);
        let worker = thread::spawn(move || {
            for request in server.incoming_requests() {
                count.fetch_add(1, Ordering::Relaxed);
                answer(request, &dir);
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

fn answer(request: Request, dir: &Path) {
    let found = resolve(dir, request.url()).and_then(|path| fs::read(&path).ok().map(|bytes| (path, bytes)));
    let mut response = match found {
        Some(_) if !matches!(request.method(), Method::Get | Method::Head) => {
            Response::from_data("method not allowed").with_status_code(405)
        }
        Some((path, bytes)) => Response::from_data(bytes).with_header(header("Content-Type", media_type(&path))),
        None => Response::from_data("not found").with_status_code(404),
    };
    for (name, value) in [
        ("Content-Security-Policy", POLICY),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Embedder-Policy", "require-corp"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cache-Control", "no-cache"),
    ] {
        response.add_header(header(name, value));
    }
    // A browser that went away is no trouble of ours.
    let _ = request.respond(response);
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

fn header(name: &str, value: &str) -> Header {
    match Header::from_bytes(name.as_bytes(), value.as_bytes()) {
        Ok(header) => header,
        Err(()) => unreachable!("our headers are plain ASCII"),
    }
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

    use std::io::{Read, Write};
    use std::net::TcpStream;

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
