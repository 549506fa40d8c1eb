//! The browser's way in: JavaScript values to calls. Thin; the only module that knows wasm-bindgen.
