//! Drives the real page in a real browser. `cargo xtask test` builds the site and names it in `ARENASCOPE_SITE`; without
//! that the tests say so and pass. Models come from the test builder; real ones are tried too where
//! `ARENASCOPE_CORPUS` names a directory of them.
#![expect(clippy::unwrap_used, reason = "a failing step of a test may panic")]

#[path = "browser/harness.rs"]
mod harness;
#[path = "../../tests/support/mod.rs"]
mod support;

#[path = "browser/back.rs"]
mod back;
#[path = "browser/barriers.rs"]
mod barriers;
#[path = "browser/compare.rs"]
mod compare;
#[path = "browser/everyone.rs"]
mod everyone;
#[path = "browser/explain.rs"]
mod explain;
#[path = "browser/explore.rs"]
mod explore;
#[path = "browser/files.rs"]
mod files;
#[path = "browser/filters.rs"]
mod filters;
#[path = "browser/folder.rs"]
mod folder;
#[path = "browser/formats.rs"]
mod formats;
#[path = "browser/improve.rs"]
mod improve;
#[path = "browser/links.rs"]
mod links;
#[path = "browser/micro.rs"]
mod micro;
#[path = "browser/open.rs"]
mod open;
#[path = "browser/plans.rs"]
mod plans;
#[path = "browser/questions.rs"]
mod questions;
#[path = "browser/share.rs"]
mod share;
#[path = "browser/speed.rs"]
mod speed;
#[path = "browser/take.rs"]
mod take;
#[path = "browser/terms.rs"]
mod terms;
#[path = "browser/tour.rs"]
mod tour;
#[path = "browser/whatif.rs"]
mod whatif;
#[path = "browser/words.rs"]
mod words;
