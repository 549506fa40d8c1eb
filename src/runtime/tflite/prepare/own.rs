//! The tensors that a kernel adds for itself: its temporaries, numbered behind the file's tensors.

use super::super::graph::{Class, TensorState};
use super::Context;
use crate::error::Result;
use crate::model::DataType;
use crate::units::{OperatorId, TensorId};

impl Context<'_, '_> {
    /// The kernel's tensor in `slot`: added to the subgraph (`AddTensors`) the first time, the same ever after.
    pub(in super::super) fn own_tensor(&mut self, slot: usize, purpose: &'static str) -> TensorId {
        let op = OperatorId::from_index(self.node);
        let graph = self.world.graph_mut(self.graph);
        let next = TensorId::from_index(graph.tensors.len());
        let slots = &mut graph.nodes[self.node].slots;
        if slots.len() <= slot {
            slots.resize(slot + 1, None);
        }
        let id = *slots[slot].get_or_insert(next);
        if id == next {
            graph.tensors.push(TensorState::added(op, purpose));
        } else if let Some(added) = &mut graph.tensors[id.index()].added {
            added.1 = purpose;
        }
        id
    }

    /// Sets up one of the kernel's tensors: type, place and dims at once.
    pub(in super::super) fn set_up(
        &mut self,
        id: TensorId,
        dtype: DataType,
        class: Class,
        dims: Vec<i32>,
    ) -> Result<()> {
        self.set_type(id, dtype);
        self.set_class(id, class);
        self.resize(id, dims)
    }

    /// Lists a tensor among the node's temporaries: it gets its bytes at this node.
    pub(in super::super) fn use_temporary(&mut self, id: TensorId) {
        let node = self.node;
        self.world.graph_mut(self.graph).nodes[node].temporaries.push(id);
    }

    /// A temporary in the arena, by one call: added in `slot`, listed, set up.
    pub(in super::super) fn temporary(
        &mut self,
        slot: usize,
        purpose: &'static str,
        dtype: DataType,
        dims: Vec<i32>,
    ) -> Result<TensorId> {
        self.temporary_in(Class::Arena, slot, purpose, dtype, dims)
    }

    /// A temporary of another class, by one call: added in `slot`, listed, set up.
    pub(in super::super) fn temporary_in(
        &mut self,
        class: Class,
        slot: usize,
        purpose: &'static str,
        dtype: DataType,
        dims: Vec<i32>,
    ) -> Result<TensorId> {
        let id = self.own_tensor(slot, purpose);
        self.use_temporary(id);
        self.set_up(id, dtype, class, dims)?;
        Ok(id)
    }

    /// Forgets what an earlier preparing said: the node's list of temporaries, and that it ends a batch.
    pub(in super::super) fn clear_temporaries(&mut self) {
        let node = self.node;
        let node = &mut self.world.graph_mut(self.graph).nodes[node];
        node.temporaries.clear();
        node.ends_batch = false;
    }
}
