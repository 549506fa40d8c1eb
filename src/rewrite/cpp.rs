//! A plan as C++: the struct that TFLite-Micro's planner for plans from outside takes, and plain constants.
//! Text is made of numbers and our own references only, never of the model's names.

use std::fmt::Write;

use crate::plan::Plan;
use crate::runtime::{Arena, Buffer, Place, Program};
use crate::units::BufferId;

/// A `BufferPlan` for `NonPersistentMemoryPlannerShim`
/// (`memory_planner/memory_plan_struct.h`, tflite-micro 90b983c2): one offset per buffer in the order in which the
/// allocator asks: tensors of all subgraphs, then scratch. `plan` is that of the program's first arena.
///
/// The struct ends in a list declared with one element, so the data are written as a struct of the same layout.
pub fn buffer_plan(program: &Program, plan: &Plan) -> String {
    let entries = entries(program, plan);
    let mut text = String::new();
    heading(&mut text, plan);
    text.push_str(
        "#include <cstdint>\n\n\
         #include \"tensorflow/lite/micro/memory_planner/memory_plan_struct.h\"\n\
         #include \"tensorflow/lite/micro/memory_planner/non_persistent_buffer_planner_shim.h\"\n\n\
         // The planner does not reserve these bytes itself: it reports a size of 0.\n",
    );
    line(&mut text, format_args!("constexpr int kPlannedBytes = {};", plan.height_bytes));
    line(&mut text, format_args!("constexpr int kBufferCount = {};\n", entries.len()));
    text.push_str("// Has the layout of tflite::BufferPlan with kBufferCount entries.\n");
    text.push_str("struct ArenaPlan {\n  int32_t buffer_count;\n  tflite::BufferDescriptor buffer_plan_entries");
    line(&mut text, format_args!("[{}];\n}};", entries.len().max(1)));
    text.push_str("static_assert(sizeof(ArenaPlan) == tflite::SizeOfBufferPlan(kBufferCount), \"layout\");\n\n");
    text.push_str("constexpr ArenaPlan kArenaPlan = {\n    kBufferCount,\n    {\n");
    for Entry { buffer, offset } in &entries {
        let bytes = buffer.size_bytes.unwrap_or(0);
        line(&mut text, format_args!("        {{{offset}}},  // {}, {bytes} bytes", buffer.reference()));
    }
    text.push_str("    },\n};\n\n");
    text.push_str("inline const tflite::BufferPlan* ArenaBufferPlan() {\n");
    text.push_str("  return reinterpret_cast<const tflite::BufferPlan*>(&kArenaPlan);\n}\n");
    text
}

/// The plan as constants: its height, and offset and size of each buffer. `plan` is that of the program's first
/// arena; `minimum_arena_bytes` is what the runtime needs in all, where that is known.
pub fn constants(program: &Program, plan: &Plan, minimum_arena_bytes: Option<u64>) -> String {
    let mut text = String::new();
    heading(&mut text, plan);
    text.push_str("#include <cstdint>\n\n");
    if let Some(bytes) = minimum_arena_bytes {
        text.push_str("// The smallest arena with which the model loads, from an address that is a multiple of 16.\n");
        line(&mut text, format_args!("constexpr int kTensorArenaSize = {bytes};"));
    }
    line(&mut text, format_args!("constexpr int kPlannedBytes = {};\n", plan.height_bytes));
    text.push_str(
        "struct PlannedBuffer {\n  int32_t subgraph;\n  int32_t index;  // of the tensor, or of the scratch buffer\n",
    );
    text.push_str("  int32_t offset;\n  int32_t bytes;\n};\n\nconstexpr PlannedBuffer kPlannedBuffers[] = {\n");
    for Entry { buffer, offset } in entries(program, plan) {
        let (subgraph, index, bytes) = (buffer.subgraph(), buffer.index(), buffer.size_bytes.unwrap_or(0));
        line(&mut text, format_args!("    {{{subgraph}, {index}, {offset}, {bytes}}},  // {}", buffer.reference()));
    }
    text.push_str("};\n");
    text
}

struct Entry<'p> {
    buffer: &'p Buffer,
    offset: u64,
}

/// All buffers of the head in the order of requests; those without bytes get offset 0.
fn entries<'p>(program: &'p Program, plan: &Plan) -> Vec<Entry<'p>> {
    let arena: Option<&Arena> = program.arenas.first();
    let mut offsets = vec![None; program.buffers.len()];
    for (buffer, offset) in arena.map(|arena| arena.buffers.as_slice()).unwrap_or_default().iter().zip(&plan.offsets) {
        offsets[buffer.index()] = Some(*offset);
    }
    let is_planned = |id: &usize| {
        let buffer = program.buffer(BufferId::from_index(*id));
        offsets[*id].is_some() || (buffer.place == Place::Arena && buffer.size_bytes == Some(0))
    };
    let planned = (0..program.buffers.len()).filter(is_planned);
    planned.map(|id| Entry { buffer: &program.buffers[id], offset: offsets[id].unwrap_or(0) }).collect()
}

fn heading(text: &mut String, plan: &Plan) {
    line(text, format_args!("// Made by Arenascope {}.", env!("CARGO_PKG_VERSION")));
    line(
        text,
        format_args!(
            "// {} buffers in {} bytes, relative to the arena's aligned start.",
            plan.offsets.len(),
            plan.height_bytes
        ),
    );
    text.push_str("#pragma once\n\n");
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(arguments);
    text.push('\n');
}
