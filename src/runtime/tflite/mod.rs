//! How `TFLite` (`LiteRT`) plans memory: which tensors live where, when, and what kernels add.
//!
//! ```text
//! Model ─ graph::World ─ allocate ─ (prepare, one file a family; lifetimes; order) ─ assemble ─ Program
//! ```
//!
//! [`graph`] holds what the interpreter holds while it prepares; [`allocate`] runs the preparing of operators batch by
//! batch; [`lifetimes`] says when each tensor is alive and what shares bytes; [`assemble`] makes the [`Program`].
//! Rules mirror `LiteRT` f67457790c9c, as released in `ai-edge-litert` 2.3.0, with the builtin kernels and no delegate.

mod allocate;
mod assemble;
mod bytes;
mod graph;
mod lifetimes;
mod order;
mod prepare;

use crate::error::{Error, ErrorKind, Result, Warning};
use crate::model::{DataType, Model};
use crate::runtime::{Options, Program, Resize};
use crate::units::SubgraphId;
use graph::{Class, World};

/// What must stand beside every `TFLite` number: what the default delegate changes.
pub const DELEGATE_NOTE: &str = "Shown is TFLite with its builtin kernels. With XNNPACK on, the default of most builds, \
    the operators that it takes over become one node: the tensors between them leave the arena and live in XNNPACK's \
    own workspace.";

/// What `TFLite` would do with the model whose bytes are `bytes`.
///
/// Arenas come in pairs, arena and persistent arena: the main subgraph's first, then those of the others in order.
pub fn program(model: &Model, bytes: &[u8], options: &Options) -> Result<Program> {
    let mut world = World::load(model, bytes, options)?;
    let ids = (0..model.subgraphs.len()).map(SubgraphId::from_index);
    for id in ids.clone() {
        prepare::add_at_load(&mut world, id);
    }
    for resize in &options.resize {
        resize_input(&mut world, resize)?;
    }
    for external in &options.external {
        bind_external(&mut world, *external)?;
    }
    allocate::allocate(&mut world, SubgraphId(0))?;
    for id in ids {
        allocate_uncalled(&mut world, id);
    }
    assemble::program(world)
}

/// Bytes of a tensor of this type and these dims; `None` when it has no size of its own. Types below 8 bits are packed.
pub fn tensor_bytes(dtype: DataType, dims: &[i32]) -> Option<u64> {
    bytes::tensor_bytes(dtype, dims)
}

/// Plans a subgraph that nothing of the main one has run: another signature's.
fn allocate_uncalled(world: &mut World<'_>, id: SubgraphId) {
    if world.graph(id).placed.is_some() {
        return;
    }
    if let Err(error) = allocate::allocate(world, id) {
        let message = format!("subgraph {id} is not run by the main one, and cannot be planned alone: {error}");
        world.warnings.push(Warning::new("unplanned-subgraph", message));
    }
}

/// `ResizeInputTensor`: new dims for a graph input of the main subgraph.
fn resize_input(world: &mut World<'_>, resize: &Resize) -> Result<()> {
    let main = SubgraphId(0);
    let bad = |message: String| Error::new(ErrorKind::BadOption, message);
    if !world.graph(main).inputs.contains(&Some(resize.tensor)) {
        return Err(bad(format!("tensor {} is not a graph input and cannot be resized", resize.tensor)));
    }
    let tensor = world.graph_mut(main).tensor_mut(resize.tensor);
    if tensor.class == Class::File {
        return Err(bad(format!("tensor {} lies in the file and cannot be resized", resize.tensor)));
    }
    let size = match tensor.dtype {
        Some(dtype) if bytes::is_heap_type(dtype) => Some(0),
        Some(dtype) => bytes::tensor_bytes(dtype, &resize.dims),
        None => None,
    };
    tensor.bytes = size.ok_or_else(|| bad(format!("tensor {} cannot have dims {:?}", resize.tensor, resize.dims)))?;
    tensor.dims.clone_from(&resize.dims);
    Ok(())
}

/// A custom allocation: the tensor lies in the user's memory.
fn bind_external(world: &mut World<'_>, external: crate::runtime::TensorRef) -> Result<()> {
    let bad = |message: String| Error::new(ErrorKind::BadOption, message);
    let graph = world.graphs.get_mut(external.subgraph.index());
    let tensor = graph.and_then(|graph| graph.tensors.get_mut(external.tensor.index()));
    let tensor =
        tensor.ok_or_else(|| bad(format!("subgraph {} has no tensor {}", external.subgraph, external.tensor)))?;
    match tensor.class {
        Class::Arena | Class::Persistent | Class::Custom => tensor.class = Class::Custom,
        _ => {
            let message = format!("tensor {} does not lie in an arena and cannot be external", external.tensor);
            return Err(bad(message));
        }
    }
    Ok(())
}
