//! Any bytes: opening them, unwrapping what is inside and reading it never panics and never takes long.
#![no_main]

use arenascope::container::{self, Contents};
use arenascope::model;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(Contents::Models(candidates)) = container::open(bytes, None) {
        for candidate in candidates {
            if let Ok(inner) = candidate.bytes(bytes) {
                let _model_or_error = model::read(&inner);
            }
        }
    }
    let _model_or_error = model::read(bytes);
});
