//! Reading: what models, damaged models, containers and other bytes give.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

#[path = "reading/containers.rs"]
mod containers;
#[path = "reading/corpus.rs"]
mod corpus;
#[path = "reading/damage.rs"]
mod damage;
#[path = "reading/mutation.rs"]
mod mutation;
#[path = "reading/options.rs"]
mod options;
#[path = "reading/patch.rs"]
mod patch;
#[path = "reading/round_trip.rs"]
mod round_trip;
mod support;
