//! TFLite-Micro's clock (`MarkAllocationLifetimes`, `micro_allocation_info.cc`, tflite-micro 90b983c2).
//!
//! - Time is one counter, the allocation scope; it starts at 0 and only goes up, through called subgraphs too.
//! - A graph input lives from the scope in which its subgraph starts; an operator's outputs from the operator's scope.
//! - An operator that calls subgraphs keeps its inputs and outputs until the last scope inside them.
//! - What is never visited keeps first = last = −1, the scope before the first.

use std::collections::BTreeMap;

use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::model::{BuiltinOp, Model, OpOptions, Operator};
use crate::runtime::{OperatorRef, TensorRef};
use crate::units::{OperatorId, SubgraphId, TensorId};

/// First and last scope of a buffer, both inclusive; −1 where it was never set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Life {
    pub(super) first: i64,
    pub(super) last: i64,
}

impl Life {
    const UNVISITED: Life = Life { first: -1, last: -1 };

    fn starts(&mut self, scope: i64) {
        if self.first == -1 {
            self.first = scope;
        }
    }

    fn ends(&mut self, scope: i64) {
        self.last = scope;
    }
}

/// One allocation scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) subgraph: SubgraphId,
    /// The operator that begins here; `None` at the start and where a subgraph is entered.
    pub(super) op: Option<OperatorId>,
    /// The scope of the calling operator.
    pub(super) caller: Option<usize>,
}

/// All lifetimes of a model.
#[derive(Debug)]
pub(super) struct Timeline {
    /// The scopes in order; index = number.
    pub(super) scopes: Vec<Scope>,
    lives: Vec<Vec<Life>>,
    /// First and last scope of each operator that was visited; a scratch buffer lives as long.
    operators: BTreeMap<OperatorRef, Life>,
}

impl Timeline {
    /// The lifetimes in `model`.
    ///
    /// # Errors
    /// When calls nest too deeply or too often.
    pub(super) fn of(model: &Model) -> Result<Timeline> {
        let lives = model.subgraphs.iter().map(|subgraph| vec![Life::UNVISITED; subgraph.tensors.len()]).collect();
        let main = Scope { subgraph: SubgraphId(0), op: None, caller: None };
        let mut timeline = Timeline { scopes: vec![main], lives, operators: BTreeMap::new() };
        timeline.walk(model, SubgraphId(0), None, 0)?;
        Ok(timeline)
    }

    /// The life of a tensor.
    pub(super) fn life(&self, tensor: TensorRef) -> Life {
        self.lives[tensor.subgraph.index()][tensor.tensor.index()]
    }

    /// The life of an operator's scratch buffers; `None` when the operator is never reached.
    pub(super) fn scratch_life(&self, op: OperatorRef) -> Option<Life> {
        self.operators.get(&op).copied()
    }

    fn now(&self) -> i64 {
        i64::try_from(self.scopes.len()).unwrap_or(i64::MAX) - 1
    }

    fn advance(&mut self, scope: Scope) -> Result<()> {
        if self.scopes.len() >= limits::MAX_STEPS {
            let message = format!("the model runs through more than {} steps", limits::MAX_STEPS);
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        self.scopes.push(scope);
        Ok(())
    }

    fn walk(&mut self, model: &Model, id: SubgraphId, caller: Option<usize>, depth: usize) -> Result<()> {
        if depth > limits::MAX_CALL_DEPTH {
            let message = format!("subgraph {id} is called more than {} levels deep", limits::MAX_CALL_DEPTH);
            return Err(Error::new(ErrorKind::TooLarge, message).in_field(format!("subgraphs[{id}]")));
        }
        let subgraph = model.subgraph(id);
        self.touch(id, &subgraph.inputs, true, true);
        for (op, operator) in model.operators(id) {
            self.advance(Scope { subgraph: id, op: Some(op), caller })?;
            self.touch(id, &operator.outputs, true, false);
            let first = self.now();
            let here = self.scopes.len() - 1;
            for callee in callees(model, operator) {
                self.advance(Scope { subgraph: callee, op: None, caller: Some(here) })?;
                self.walk(model, callee, Some(here), depth + 1)?;
            }
            self.touch(id, &operator.inputs, false, true);
            self.touch(id, &operator.outputs, false, true);
            let life = self.operators.entry(OperatorRef { subgraph: id, op }).or_insert(Life { first, last: first });
            life.last = i64::try_from(self.scopes.len()).unwrap_or(i64::MAX) - 1;
        }
        self.touch(id, &subgraph.outputs, true, true);
        Ok(())
    }

    fn touch(&mut self, subgraph: SubgraphId, tensors: &[Option<TensorId>], starts: bool, ends: bool) {
        let now = self.now();
        for tensor in tensors.iter().flatten() {
            let life = &mut self.lives[subgraph.index()][tensor.index()];
            if starts {
                life.starts(now);
            }
            if ends {
                life.ends(now);
            }
        }
    }
}

/// The subgraphs that an operator calls, in order. Only the new field of the operator's code counts here, while running
/// goes by the larger of the two: the subgraphs of an old file are planned as if nobody called them.
pub(super) fn callees(model: &Model, operator: &Operator) -> Vec<SubgraphId> {
    let code = BuiltinOp(model.code(operator).builtin_code);
    match operator.options {
        OpOptions::If { then_subgraph, else_subgraph } if code == BuiltinOp::IF => vec![then_subgraph, else_subgraph],
        OpOptions::While { cond_subgraph, body_subgraph } if code == BuiltinOp::WHILE => {
            vec![cond_subgraph, body_subgraph]
        }
        OpOptions::CallOnce { init_subgraph } if code == BuiltinOp::CALL_ONCE => vec![init_subgraph],
        _ => Vec::new(),
    }
}
