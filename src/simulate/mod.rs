//! Turns a `Program`, its plans and a step into a [`Frame`]: who owns each byte, who is born, read, written, dies.
//! Also proves that no byte is overwritten while it is still needed. Knows runtime and plan.
//!
//! - [`Timeline`] is made once and answers for every step: births, deaths, live bytes, the peak, call depth.
//! - [`Timeline::frame_at`] is the arena at one step.
//! - [`Timeline::surroundings`] and [`Timeline::needs_at`] say what lies around a buffer, and what a step needs alone.
//! - [`prove`] walks the whole execution over a map of the memory.

mod frame;
mod layout;
mod memory;
mod needs;
mod neighbours;
mod proof;
mod timeline;

pub use frame::{Frame, Gap, GapKind, Slot};
pub use layout::{Layout, Placed};
pub use needs::{Alive, Moved, Needs};
pub use neighbours::{Between, Neighbour, Surroundings};
pub use proof::{Clobber, InPlace, Proof, prove};
pub use timeline::{Peak, Timeline};
