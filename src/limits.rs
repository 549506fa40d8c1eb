//! Every cap on input, each with its reason. Knows nothing else.

/// Bytes of a model: FlatBuffers offsets are 32 bits wide and wasm slices end at 2 GiB.
pub const MAX_MODEL_BYTES: u64 = i32::MAX as u64;
/// Tensors in a whole model: ten times the largest public graph we know; keeps memory bounded.
pub const MAX_TENSORS: usize = 1_000_000;
/// Operators in a whole model: as for tensors.
pub const MAX_OPERATORS: usize = 1_000_000;
/// Subgraphs in a model.
pub const MAX_SUBGRAPHS: usize = 65_536;
/// Dimensions of one tensor: the runtimes' kernels end at 8; some files carry more.
pub const MAX_RANK: usize = 64;
/// Steps of one execution: calls multiply, so a small file could unroll to a huge list.
pub const MAX_STEPS: usize = 4_000_000;
/// Operators of called subgraphs that are prepared, or stepped through, for one plan, each once a call: nested calls
/// multiply, and real models stay far below.
pub const MAX_CALLED_OPERATORS: usize = 200_000;
/// Elements of a constant whose values are looked at: those that decide shapes are small.
pub const MAX_VALUES: usize = 1 << 20;
/// What-ifs of one analysis: more than anyone makes by hand.
pub const MAX_EDITS: usize = 1_000;
/// Warnings of one runtime model: enough to see what is wrong.
pub const MAX_WARNINGS: usize = 200;
/// Depth of calls between subgraphs: real models nest a handful.
pub const MAX_CALL_DEPTH: usize = 64;
/// Bytes of one tensor or arena: sums of this many sizes still fit a `u64` and JavaScript's safe integers.
pub const MAX_BYTES: u64 = 1 << 48;
/// Requests in one planning problem.
pub const MAX_REQUESTS: usize = 4_000_000;
/// Alignment in bytes: far above any real one; keeps sums bounded.
pub const MAX_ALIGNMENT: u64 = 1 << 20;
/// Buffers of TFLite-Micro's linear planner: its own limit (`linear_memory_planner.h`, tflite-micro 90b983c2).
pub const MAX_LINEAR_BUFFERS: usize = 1024;
/// Allocations of TFLite-Micro in one model when an operator may ask for any number of them: a microcontroller's memory
/// ends long before.
pub const MAX_MICRO_ALLOCATIONS: u64 = 1_000_000;
/// Depth of tables in a model: model, subgraph, operator, options, and room for one more.
pub const MAX_TABLE_DEPTH: usize = 8;
/// Tables in a model, counted as often as they are named: a second's work, and enough for [`MAX_TENSORS`] and
/// [`MAX_OPERATORS`] with their quantisation and options.
pub const MAX_TABLES: usize = 4_000_000;
/// Warnings of one kind; a damaged file could have millions, which nobody reads.
pub const MAX_WARNINGS_PER_CODE: usize = 20;
/// Elements of a constant that is decoded to learn shapes: no shape, axis or index list is longer.
pub const MAX_DECODED_ELEMENTS: usize = 1 << 16;
/// Depth of containers in one another: a `.task` in a zip in a gzip, and one more.
pub const MAX_CONTAINER_DEPTH: usize = 4;
/// Entries of one archive that are looked at: each costs the start of a decompressor.
pub const MAX_ARCHIVE_ENTRIES: usize = 16_384;
/// Models offered out of one file; a list that a person can choose from.
pub const MAX_CANDIDATES: usize = 1_000;
/// Bytes that any file may unfold to, all containers in it together: models full of zeros compress a thousandfold,
/// and still open.
pub const MAX_INFLATED_BASE: u64 = 256 << 20;
/// Beyond [`MAX_INFLATED_BASE`], bytes out per byte in: real weights hardly compress, so more is a bomb.
pub const MAX_INFLATED_RATIO: u64 = 8;
/// Bytes of a JSON file: a plan of [`MAX_REQUESTS`] buffers is far beyond what anyone looks at.
pub const MAX_JSON_BYTES: usize = 64 << 20;
