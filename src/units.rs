//! The units everything else is counted in: ids, steps and spans. Knows nothing else.

use std::fmt;

/// Defines a newtype over an index, so that ids of different things cannot be mixed up.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as a slice index.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the element at `index` of a slice.
            ///
            /// # Panics
            /// When `index` is above `u32::MAX`, which no capped list reaches (see `limits`).
            pub fn from_index(index: usize) -> Self {
                match u32::try_from(index) {
                    Ok(id) => Self(id),
                    Err(_) => unreachable!("list longer than u32::MAX"),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A tensor's index in its subgraph's list of tensors.
    TensorId
);
id!(
    /// An operator's index in its subgraph's list of operators (the order of execution).
    OperatorId
);
id!(
    /// A subgraph's index in the model; 0 is the main subgraph.
    SubgraphId
);
id!(
    /// A buffer's index in a `runtime::Program`: a tensor, a kernel's temporary or a scratch buffer.
    BufferId
);
id!(
    /// An arena's index in a `runtime::Program`.
    ArenaId
);
id!(
    /// A request's index in a `plan::Problem`.
    RequestId
);
id!(
    /// A moment of an arena's discrete time. What a step means is said by the owner of the clock.
    Step
);

/// Steps `[first, end)` during which something must keep its bytes; never empty.
///
/// ```text
/// step   0   1   2   3
///            ├───────┤        Span { first: 1, end: 3 }: alive at steps 1 and 2
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    first: Step,
    end: Step,
}

impl Span {
    /// The half-open span `[first, end)`, or `None` when it would be empty.
    pub fn new(first: Step, end: Step) -> Option<Span> {
        (first < end).then_some(Span { first, end })
    }

    /// The span of a reference that counts both ends: alive at `first`, at `last` and between.
    /// This is the one place where inclusive ends become half-open ones.
    ///
    /// # Panics
    /// When `last < first`: a bug of ours.
    pub fn from_inclusive(first: Step, last: Step) -> Span {
        assert!(first <= last, "span from {first} to {last} is empty");
        Span { first, end: Step(last.0 + 1) }
    }

    /// The first step at which the bytes are needed.
    pub fn first(self) -> Step {
        self.first
    }

    /// The first step at which the bytes are free again.
    pub fn end(self) -> Step {
        self.end
    }

    /// The last step at which the bytes are needed.
    pub fn last(self) -> Step {
        Step(self.end.0 - 1)
    }

    /// How many steps the span lasts; at least 1.
    pub fn steps(self) -> u32 {
        self.end.0 - self.first.0
    }

    /// Whether `step` lies inside.
    pub fn contains(self, step: Step) -> bool {
        self.first <= step && step < self.end
    }

    /// Whether the two share a step.
    pub fn overlaps(self, other: Span) -> bool {
        self.first < other.end && other.first < self.end
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn hull(self, other: Span) -> Span {
        Span { first: self.first.min(other.first), end: self.end.max(other.end) }
    }
}

/// `bytes` rounded up to a multiple of `alignment` (in bytes, at least 1), or `None` above `u64::MAX`.
pub fn align_up(bytes: u64, alignment: u64) -> Option<u64> {
    bytes.checked_next_multiple_of(alignment)
}
