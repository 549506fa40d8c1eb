//! How the arena fills while `AllocateTensors` runs: where head, temporaries and tail stand after each stage of each
//! operator. A picture of the same fold that [`arena_needs`](super::arena_needs) takes its figures from.

use super::arena::Fold;
use super::micro::{Category, Event, Micro, Stage};
use super::tables::Structs;
use crate::runtime::{OperatorRef, TensorRef};

/// One stage of one operator (or of the whole model).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The stage.
    pub stage: Stage,
    /// The operator, where the stage goes by operators.
    pub op: Option<OperatorRef>,
    /// Bytes of the head at its end.
    pub head_bytes: u64,
    /// Where the temporaries end that stood highest in it; the head's end when there are none.
    pub temp_end_bytes: u64,
    /// Bytes of the tail at its end.
    pub tail_bytes: u64,
}

/// One allocation from the tail, with what alignment adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// In which moment it is made: an index.
    pub moment: usize,
    /// What it is for.
    pub category: Category,
    /// What it holds.
    pub what: &'static str,
    /// The operator it serves, if any.
    pub op: Option<OperatorRef>,
    /// The tensor it serves, if any.
    pub tensor: Option<TensorRef>,
    /// Bytes asked for.
    pub bytes: u64,
    /// Bytes from the arena's end to its own end; it starts where the next one ends.
    pub above_bytes: u64,
}

/// The arena from the first struct to the last, for a size that is a multiple of the alignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The moments in order.
    pub moments: Vec<Moment>,
    /// The tail's allocations in order: from the arena's end downwards.
    pub pieces: Vec<Piece>,
}

/// How the arena of `micro` fills when its head is planned `head_bytes` high. Ends early when the model is refused.
pub fn cursor(micro: &Micro, head_bytes: u64) -> Cursor {
    let structs = Structs::of(micro.abi);
    let mut fold = Fold::empty(micro, head_bytes, 0);
    let mut cursor = Cursor::default();
    for event in &micro.events {
        let (stage, op) = when(event);
        let above_bytes = fold.tail;
        fold.step(micro, &structs, head_bytes, event);
        if let (Event::Planned, Some(planning)) = (event, cursor.moments.last_mut()) {
            planning.temp_end_bytes = planning.temp_end_bytes.max(fold.tables_end);
        }
        if cursor.moments.last().is_none_or(|last| (last.stage, last.op) != (stage, op)) {
            cursor.moments.push(Moment { stage, op, head_bytes: 0, temp_end_bytes: 0, tail_bytes: 0 });
        }
        if let Event::Tail(made) = event {
            let moment = cursor.moments.len() - 1;
            let (category, what, tensor, bytes) = (made.category, made.what, made.tensor, made.bytes);
            cursor.pieces.push(Piece { moment, category, what, op, tensor, bytes, above_bytes });
        }
        if let Some(moment) = cursor.moments.last_mut() {
            moment.temp_end_bytes = moment.temp_end_bytes.max(fold.temp).max(fold.head);
            moment.head_bytes = fold.head;
            moment.tail_bytes = fold.tail;
        }
    }
    cursor
}

/// The stage and operator that an event belongs to.
fn when(event: &Event) -> (Stage, Option<OperatorRef>) {
    match event {
        Event::Tail(made) => (made.stage, made.op.filter(|_| goes_by_op(made.stage))),
        Event::Requests { after: Some(op), .. } => (Stage::Prepare, Some(*op)),
        Event::Requests { after: None, .. } => (Stage::Start, None),
        Event::Temp(temp) => (Stage::Prepare, Some(temp.op)),
        Event::Planning => (Stage::Plan, None),
        // The plan has taken the head's place, and the tables are gone.
        Event::Planned => (Stage::Finish, None),
    }
}

fn goes_by_op(stage: Stage) -> bool {
    matches!(stage, Stage::Parse | Stage::Init | Stage::Prepare)
}
