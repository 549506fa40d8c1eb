//! When tensors are alive, which share bytes in place, and in which order they go to the arena: what
//! `ArenaPlanner` does (`tflite/arena_planner.cc`, `LiteRT` f67457790c9c), up to but without the offsets.

use super::graph::{Class, Graph};
use super::order::{self, NodeSet};
use crate::units::TensorId;

/// How an operator may give its first output the bytes of an input (`inplace_operator` of its registration).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InPlace {
    /// Never.
    No,
    /// Input 0, whose contents stay as they are.
    Same,
    /// Input 0, overwritten.
    First,
    /// Input 0, else input 1, overwritten.
    Either,
}

/// A tensor of at most this many bytes is not overwritten in place: its shape may still be open.
const SCALAR_BYTES: u64 = 4;

/// What the planner finds out at the first plan of a graph, and keeps.
#[derive(Clone, Debug)]
pub(super) struct Lifetimes {
    /// The node at which each tensor gets its bytes.
    pub(super) first: Vec<Option<u32>>,
    /// The node after which they are free; `None`: never.
    pub(super) last: Vec<Option<u32>>,
    /// The tensor whose bytes it takes.
    pub(super) shares: Vec<Option<TensorId>>,
    /// Tensors that get their bytes at each node, at least one set.
    sets: Vec<NodeSet>,
}

/// A tensor with bytes of its own, in the order in which the arena takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// The tensor.
    pub(super) tensor: TensorId,
    /// Its bytes.
    pub(super) bytes: u64,
    /// Node of its birth.
    pub(super) first: u32,
    /// Node of its death; `None`: never.
    pub(super) last: Option<u32>,
    /// Never freed in the planner's books, by which it orders; those of a persistent temporary name its node.
    pub(super) stays: bool,
    /// In the persistent arena.
    pub(super) persistent: bool,
    /// The batch it was planned in.
    pub(super) batch: u32,
}

impl Lifetimes {
    /// Plans the lifetimes of all tensors but temporaries. `in_place` says it for each node.
    pub(super) fn plan(graph: &Graph, in_place: &[InPlace], preserve_all: bool) -> Lifetimes {
        let count = graph.tensors.len();
        let mut own = Lifetimes {
            first: vec![None; count],
            last: vec![None; count],
            shares: vec![None; count],
            sets: vec![NodeSet::default(); graph.nodes.len().max(1)],
        };
        let mut kept = vec![0_u32; count];
        for tensor in graph.outputs.iter().flatten() {
            kept[tensor.index()] += 1;
        }
        for &tensor in graph.variables.iter().chain(graph.inputs.iter().flatten()) {
            kept[tensor.index()] += 1;
            own.allocate(0, tensor);
        }
        own.share(graph, in_place, &kept, preserve_all);
        let mut references = kept;
        for &tensor in graph.nodes.iter().flat_map(|node| node.inputs.iter().flatten()) {
            references[own.root(tensor).index()] += 1;
        }
        for (index, node) in (0_u32..).zip(&graph.nodes) {
            for &tensor in node.outputs.iter().flatten() {
                own.allocate(index, tensor);
            }
            if preserve_all {
                continue;
            }
            for &tensor in node.inputs.iter().flatten() {
                let root = own.root(tensor).index();
                references[root] -= 1;
                if references[root] == 0 && own.first[root].is_some() && own.last[root].is_none() {
                    own.last[root] = Some(index);
                }
            }
        }
        own
    }

    /// The tensor whose bytes `tensor` takes: itself, or the root of its chain.
    pub(super) fn root(&self, tensor: TensorId) -> TensorId {
        self.shares.get(tensor.index()).copied().flatten().unwrap_or(tensor)
    }

    fn allocate(&mut self, node: u32, tensor: TensorId) {
        self.first[tensor.index()].get_or_insert(node);
        self.sets[node as usize].insert(tensor.0);
    }

    /// Finds the outputs that take an input's bytes (`IdentifyInPlaceTensors`).
    fn share(&mut self, graph: &Graph, in_place: &[InPlace], kept: &[u32], preserve_all: bool) {
        let mut references = kept.to_vec();
        for tensor in graph.nodes.iter().flat_map(|node| node.inputs.iter().flatten()) {
            references[tensor.index()] += 1;
        }
        if preserve_all {
            return;
        }
        let mut is_input = vec![false; graph.tensors.len()];
        let mut is_output = vec![false; graph.tensors.len()];
        graph.inputs.iter().flatten().for_each(|tensor| is_input[tensor.index()] = true);
        graph.outputs.iter().flatten().for_each(|tensor| is_output[tensor.index()] = true);
        for (node, &rule) in graph.nodes.iter().zip(in_place) {
            let candidates = match rule {
                InPlace::No => continue,
                InPlace::Same | InPlace::First => 1,
                InPlace::Either => 2,
            };
            let overwrites = rule != InPlace::Same;
            let Some(&Some(output)) = node.outputs.first() else { continue };
            if is_output[output.index()] {
                continue;
            }
            let fits = |input: TensorId| {
                let (from, to) = (graph.tensor(input), graph.tensor(output));
                let sizes = from.bytes == to.bytes && from.bytes > SCALAR_BYTES && references[input.index()] <= 1;
                !is_input[input.index()]
                    && (!overwrites || sizes)
                    && (from.class == to.class || from.class == Class::Arena)
            };
            let input = node.inputs.iter().take(candidates).flatten().copied().find(|&input| fits(input));
            let Some(root) = input.map(|input| self.root(input)) else { continue };
            if !overwrites || references[root.index()] <= 1 {
                self.shares[output.index()] = Some(root);
            }
        }
    }

    /// The tensors that the nodes `nodes` (one batch) bring into the arenas, in the arena's order
    /// (`ExecuteAllocations`). Drops shares that do not hold any more.
    pub(super) fn execute(
        &mut self,
        graph: &Graph,
        nodes: std::ops::Range<usize>,
        batch: u32,
        preserve_all: bool,
    ) -> Vec<Placed> {
        let count = graph.tensors.len();
        self.first.resize(count, None);
        self.last.resize(count, None);
        self.shares.resize(count, None);
        for index in nodes.clone() {
            let Some(node) = graph.nodes.get(index) else { continue };
            let at = u32::try_from(index).unwrap_or(u32::MAX);
            for &temporary in &node.temporaries {
                self.first[temporary.index()] = Some(at);
                self.sets[index].insert(temporary.0);
                if !preserve_all {
                    self.last[temporary.index()] = Some(at);
                }
            }
        }
        let sets = self.sets.get(nodes).unwrap_or_default();
        let in_arena = |id: &u32| match graph.tensors[*id as usize].class {
            Class::Arena => graph.tensors[*id as usize].bytes > 0,
            Class::Persistent => true,
            _ => false,
        };
        let mut tensors: Vec<u32> = sets.iter().flat_map(NodeSet::iter).filter(in_arena).collect();
        order::sort(&mut tensors, &|a, b| self.goes_before(graph, a as usize, b as usize));
        let mut placed = Vec::with_capacity(tensors.len());
        for id in tensors {
            let (tensor, state) = (TensorId(id), &graph.tensors[id as usize]);
            if let Some(root) = self.shares[tensor.index()] {
                let root = graph.tensor(root);
                if root.class == Class::Arena && root.bytes == state.bytes {
                    continue;
                }
                self.shares[tensor.index()] = None;
            }
            if state.bytes == 0 {
                continue;
            }
            let persistent = state.class == Class::Persistent;
            let first = self.first[tensor.index()].unwrap_or(0);
            let last = self.last[tensor.index()];
            let stays = last.is_none();
            let last = last.filter(|_| !persistent);
            placed.push(Placed { tensor, bytes: state.bytes, first, last, stays, persistent, batch });
        }
        placed
    }

    /// Whether tensor `a` is placed before `b`: those alive throughout by index, the others by size, then by birth.
    fn goes_before(&self, graph: &Graph, a: usize, b: usize) -> bool {
        let throughout = |tensor: usize| self.first[tensor] == Some(0) && self.last[tensor].is_none();
        match (throughout(a), throughout(b)) {
            (true, true) => a < b,
            (true, false) => true,
            (false, true) => false,
            (false, false) => {
                let (size_a, size_b) = (graph.tensors[a].bytes, graph.tensors[b].bytes);
                if size_a == size_b { self.first[a] < self.first[b] } else { size_a > size_b }
            }
        }
    }
}
