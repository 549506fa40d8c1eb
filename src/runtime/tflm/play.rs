//! Plays `AllocateTensors` through on a model: every allocation in the runtime's own order (`micro_allocator.cc`,
//! `micro_interpreter.cc`, tflite-micro 90b983c2), up to its end or to the point where the runtime refuses the model.

use super::kernels::{self, Kernel};
use super::machine::{self, Machine, Stop};
use super::micro::{Arenas, Build, Category, Event, Planner, Refusal, Stage, TailAllocation};
use super::node::Node;
use super::offline::{self, OfflinePlan};
use super::prepare;
use super::tables::{REQUESTS_PER_OP, Structs};
use super::types;
use crate::model::{Model, OpOptions, Operator, Tensor};
use crate::runtime::{Abi, OperatorRef, TensorRef};
use crate::units::{SubgraphId, TensorId};

/// What is known at the end.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The offline plan, if the file carries one.
    pub(super) offline: Option<OfflinePlan>,
    /// Why the runtime stopped, if it did.
    pub(super) refusal: Option<Refusal>,
    /// Operators whose kernels are not known.
    pub(super) unknown_ops: Vec<String>,
    /// Variables without memory, where the build clears them at address 0 unnoticed.
    pub(super) null_variables: Vec<String>,
}

/// Every operator of every subgraph, in the order of the file.
pub(super) fn all_operators(model: &Model) -> impl Iterator<Item = (OperatorRef, &Operator)> {
    (0..model.subgraphs.len()).map(SubgraphId::from_index).flat_map(move |subgraph| {
        model.operators(subgraph).map(move |(op, operator)| (OperatorRef { subgraph, op }, operator))
    })
}

/// Every tensor of every subgraph, in the order of the file.
pub(super) fn all_tensors(model: &Model) -> impl Iterator<Item = (TensorRef, &Tensor)> {
    model.subgraphs.iter().enumerate().flat_map(|(subgraph, graph)| {
        graph.tensors.iter().enumerate().map(move |(tensor, data)| {
            let at = TensorRef { subgraph: SubgraphId::from_index(subgraph), tensor: TensorId::from_index(tensor) };
            (at, data)
        })
    })
}

/// Plays everything through.
pub(super) fn play(machine: &mut Machine<'_>, planner: Planner) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.refusal = run(machine, planner, &mut outcome).err();
    outcome
}

fn run(machine: &mut Machine<'_>, planner: Planner, outcome: &mut Outcome) -> Result<(), Refusal> {
    create(machine, planner);
    start(machine)?;
    let kernels = kernels::parse(machine, outcome)?;
    init(machine, &kernels)?;
    let prepared = prepare_all(machine, &kernels);
    // The plan is read even when a kernel refuses: the picture of the head shows it.
    let offline = offline::read(machine.model, machine.bytes);
    prepared?;
    outcome.offline = offline?;
    outcome.null_variables = plan(machine, outcome.offline.as_ref(), planner)?;
    finish(machine);
    Ok(())
}

/// Allocator, planner, and what the application makes before it allocates.
fn create(machine: &mut Machine<'_>, planner: Planner) {
    let structs = machine.structs;
    let pointer = structs.pointer;
    let Build { recording, compression, .. } = machine.options.build;
    let arenas = machine.options.arenas;
    let mut object = |what, bytes| machine.tail(Stage::Create, Category::Runtime, what, bytes, pointer);
    match arenas {
        Arenas::One => {
            object("arena allocator", if recording { structs.recording_arena } else { structs.single_arena });
        }
        Arenas::Two => {
            object("persistent arena allocator", structs.persistent_arena);
            object("non-persistent arena allocator", structs.non_persistent_arena);
        }
    }
    match planner {
        Planner::Greedy => object("memory planner", structs.greedy_planner),
        Planner::Linear => object("memory planner", structs.linear_planner),
    }
    // With compression it records one more kind of allocation: three sizes.
    let recorder = structs.recording_allocator + if compression { 3 * pointer } else { 0 };
    object("allocator", if recording { recorder } else { structs.micro_allocator });
    if let Some(count) = resource_table(machine) {
        let alignment = machine.alignment;
        let category = Category::Resources;
        machine.tail(Stage::Create, category, "resource variables", structs.resource_manager, alignment);
        let bytes = structs.resource_variable * count;
        machine.tail(Stage::Create, category, "table of resource variables", bytes, alignment);
    }
}

/// The length of the application's table of resource variables, if it makes one.
fn resource_table(machine: &Machine<'_>) -> Option<u64> {
    if let Some(count) = machine.options.resource_variables {
        return Some(u64::from(count));
    }
    let mut names: Vec<(&str, &str)> = all_operators(machine.model)
        .filter_map(|(_, operator)| match &operator.options {
            OpOptions::VarHandle { container, shared_name } => Some((container.as_str(), shared_name.as_str())),
            _ => None,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then_some(names.len() as u64)
}

/// Tables for subgraphs, tensors and operators.
fn start(machine: &mut Machine<'_>) -> Result<(), Refusal> {
    let Structs { pointer, .. } = machine.structs;
    let structs = machine.structs;
    let model = machine.model;
    let mut table = |category, what, bytes| machine.tail(Stage::Start, category, what, bytes, pointer);
    table(Category::Runtime, "builtin data allocator", structs.builtin_allocator);
    let subgraph = structs.subgraph + if machine.options.build.compression { pointer } else { 0 };
    machine.events.push(Event::Requests { entries: REQUESTS_PER_OP, after: None });
    let mut table = |category, what, bytes| machine.tail(Stage::Start, category, what, bytes, pointer);
    table(Category::Nodes, "table of subgraphs", subgraph * model.subgraphs.len() as u64);
    for graph in &model.subgraphs {
        table(Category::EvalTensors, "eval tensors", structs.eval_tensor * graph.tensors.len() as u64);
    }
    let unknown = all_tensors(model).find(|(_, tensor)| matches!(tensor.dtype, crate::model::DataType::Unknown(_)));
    if let Some((at, tensor)) = unknown {
        let reason = format!("{} has a type that is not known: {}", reference(at), types::name(tensor.dtype));
        let log =
            vec![format!("Failed to initialize tensor {}", at.tensor), "Failed starting model allocation.".into()];
        return Err(Refusal { stage: Stage::Start, op: None, reason, log, crashes: false });
    }
    for graph in &model.subgraphs {
        table(Category::Nodes, "nodes and registrations", structs.node * graph.operators.len() as u64);
    }
    Ok(())
}

/// A tensor's name in reports.
pub(super) fn reference(at: TensorRef) -> String {
    if at.subgraph.0 == 0 { format!("t{}", at.tensor) } else { format!("s{}:t{}", at.subgraph, at.tensor) }
}

fn init(machine: &mut Machine<'_>, kernels: &[Kernel<'_>]) -> Result<(), Refusal> {
    let model = machine.model;
    for (at, operator) in all_operators(model) {
        let Kernel::Own(row, _) = kernels::of(kernels, operator) else { continue };
        let bytes = row.init(machine.abi, machine.kernels, machine.options.build.compression);
        if bytes > 0 {
            let alignment = machine.alignment;
            machine.tail_for(at, Stage::Init, Category::Kernels, "operator data", (bytes, alignment));
        }
        let mut node = Node { machine, at, op: operator };
        prepare::init(&mut node, row)
            .map_err(|stop| Refusal { stage: Stage::Init, ..machine::refusal(model, at, stop) })?;
    }
    Ok(())
}

fn prepare_all(machine: &mut Machine<'_>, kernels: &[Kernel<'_>]) -> Result<(), Refusal> {
    let model = machine.model;
    for (at, operator) in all_operators(model) {
        let kernel = kernels::of(kernels, operator);
        let mut node = Node { machine, at, op: operator };
        prepare_one(&mut node, kernel).map_err(|stop| machine::refusal(model, at, stop))?;
        check_dynamic(machine, at, operator)?;
        let entries = REQUESTS_PER_OP + machine.scratch.len() as u64;
        machine.events.push(Event::Requests { entries, after: Some(at) });
    }
    Ok(())
}

fn prepare_one(node: &mut Node<'_, '_>, kernel: Kernel<'_>) -> Result<(), Stop> {
    let given = match kernel {
        Kernel::Own(row, given) => {
            let builtin = node.machine.model.code(node.op).builtin;
            prepare::prepare(node, row, builtin)?;
            given
        }
        Kernel::Given(given) => Some(given),
        Kernel::Unknown => None,
    };
    for bytes in given.map_or(&[][..], |needs| &needs.persistent_bytes) {
        node.persistent("kernel data, as given", *bytes);
    }
    for bytes in given.map_or(&[][..], |needs| &needs.scratch_bytes) {
        node.scratch("scratch, as given", *bytes)?;
    }
    Ok(())
}

/// An output with a dim that is not positive, unless it is the old scalar shape `[0]` (`CheckDynamicTensors`).
fn check_dynamic(machine: &Machine<'_>, at: OperatorRef, operator: &Operator) -> Result<(), Refusal> {
    for tensor in operator.outputs.iter().flatten() {
        let dims = machine.dims(TensorRef { subgraph: at.subgraph, tensor: *tensor });
        if dims == [0] || dims.iter().all(|dim| *dim > 0) {
            continue;
        }
        let name = machine.model.op_name(operator);
        let reference = reference(TensorRef { subgraph: at.subgraph, tensor: *tensor });
        let reason = format!("the output {reference} has the shape {dims:?}: TFLite-Micro knows no dynamic tensors");
        let log = vec![
            format!("Op#{} ({name}) of subgraph {} has dynamic tensor #{tensor}", at.op, at.subgraph),
            "Dynamic tensors are not supported".to_owned(),
        ];
        return Err(Refusal { stage: Stage::Prepare, op: Some(at), reason, log, crashes: false });
    }
    Ok(())
}

/// Handles, variables, and the plan itself. Gives the variables that get no memory where that goes unnoticed.
fn plan(machine: &mut Machine<'_>, offline: Option<&OfflinePlan>, planner: Planner) -> Result<Vec<String>, Refusal> {
    let structs = machine.structs;
    let stop = |reason: String| Refusal { stage: Stage::Plan, op: None, reason, log: Vec::new(), crashes: false };
    let handles = structs.scratch_handle * machine.scratch.len() as u64;
    if handles > 0 {
        machine.tail(Stage::Plan, Category::Scratch, "scratch handles", handles, structs.pointer);
    }
    machine.events.push(Event::Planning);
    let unplaced = variables(machine, offline)?;
    let model = machine.model;
    check_intermediates(machine)?;
    for (at, tensor) in all_tensors(model) {
        if types::bytes(tensor.dtype, machine.dims(at)).is_none() {
            let reason = format!("{} is of type {} and has no size", reference(at), types::name(tensor.dtype));
            return Err(stop(reason));
        }
    }
    check_offsets(model, offline, planner)?;
    machine.events.push(Event::Planned);
    Ok(unplaced)
}

/// Variables that the offline plan does not place. A quirk leaves some without any memory: then the runtime clears them
/// at address 0, which crashes, but not on many Cortex-M.
fn variables(machine: &mut Machine<'_>, offline: Option<&OfflinePlan>) -> Result<Vec<String>, Refusal> {
    let stop = |reason: String, crashes| Refusal { stage: Stage::Plan, op: None, reason, log: Vec::new(), crashes };
    let mut unplaced = Vec::new();
    for (at, tensor) in all_tensors(machine.model).filter(|(_, tensor)| tensor.is_variable) {
        if offline.is_some_and(|plan| plan.offset_as_variable(at.tensor).is_some()) {
            if offline.is_some_and(|plan| plan.offset(at).is_none()) {
                unplaced.push(format!(
                    "the variable {} gets no memory: its index inside its subgraph hits another tensor's offline offset",
                    reference(at)
                ));
            }
            continue;
        }
        let bytes = types::bytes(tensor.dtype, machine.dims(at))
            .ok_or_else(|| stop(format!("the variable {} has no size", reference(at)), false))?;
        machine.events.push(Event::Tail(TailAllocation {
            stage: Stage::Plan,
            category: Category::Variables,
            op: None,
            what: "variable tensor",
            tensor: Some(at),
            bytes,
            alignment: machine.alignment,
        }));
    }
    match unplaced.first() {
        Some(reason) if machine.abi != Abi::Arm => Err(stop(reason.clone(), true)),
        _ => Ok(unplaced),
    }
}

/// Intermediate tensors must be empty (`ValidateSubgraph`).
fn check_intermediates(machine: &Machine<'_>) -> Result<(), Refusal> {
    for (at, operator) in all_operators(machine.model) {
        for tensor in operator.intermediates.iter().flatten() {
            let tensor = TensorRef { subgraph: at.subgraph, tensor: *tensor };
            let bytes = types::bytes(machine.tensor(tensor).dtype, machine.dims(tensor));
            if bytes == Some(0) {
                continue;
            }
            let size = bytes.map_or_else(|| "an unknown number of".to_owned(), |bytes| bytes.to_string());
            let reason = format!("the intermediate tensor {} has {size} bytes, but must be empty", reference(tensor));
            let log = vec![format!("Does not support intermediate tensor with non-zero size: {size}")];
            return Err(Refusal { stage: Stage::Plan, op: Some(at), reason, log, crashes: false });
        }
    }
    Ok(())
}

/// Offsets that lead out of the arena, or that the linear planner does not take.
fn check_offsets(model: &Model, offline: Option<&OfflinePlan>, planner: Planner) -> Result<(), Refusal> {
    let Some(plan) = offline else { return Ok(()) };
    for (at, _) in all_tensors(model) {
        let Some(offset) = plan.offset(at) else { continue };
        let stop = |reason: String, crashes| Refusal { stage: Stage::Plan, op: None, reason, log: Vec::new(), crashes };
        if planner == Planner::Linear {
            return Err(stop("the linear planner (preserve_all_tensors) takes no offline plan".to_owned(), false));
        }
        if offset < 0 {
            let reason = format!("the offline plan puts {} at {offset}, before the arena", reference(at));
            return Err(stop(reason, true));
        }
    }
    Ok(())
}

/// The structs of the model's inputs and outputs.
fn finish(machine: &mut Machine<'_>) {
    let model = machine.model;
    let structs = machine.structs;
    let main = model.main();
    let lists = [(&main.inputs, "pointers to the inputs"), (&main.outputs, "pointers to the outputs")];
    for (tensors, what) in lists {
        let bytes = structs.pointer * tensors.len() as u64;
        let alignment = machine.alignment;
        machine.tail(Stage::Finish, Category::InputsOutputs, what, bytes, alignment);
        for tensor in tensors.iter().flatten() {
            let at = TensorRef { subgraph: SubgraphId(0), tensor: *tensor };
            let mut part = |what, bytes, alignment| {
                machine.events.push(Event::Tail(TailAllocation {
                    stage: Stage::Finish,
                    category: Category::InputsOutputs,
                    op: None,
                    what,
                    tensor: Some(at),
                    bytes,
                    alignment,
                }));
            };
            part("tensor struct", structs.tensor, structs.pointer);
            let scales = types::scales(&main.tensors[tensor.index()]);
            if scales > 0 {
                part("quantisation struct", structs.quantization, structs.pointer);
                part("zero points", Structs::int_array(scales), 4);
            }
        }
    }
}
