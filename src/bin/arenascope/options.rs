//! The options that choose a runtime and a planner, shared by the subcommands.

use arenascope::error::Error;
use arenascope::plan::Strategy;
use arenascope::report::{self, ResizeTensor, Settings};
use arenascope::runtime::edit::Edit;
use arenascope::runtime::tflm::{self, Arenas, KernelNeeds, MicroOptions};
use arenascope::runtime::{Abi, Kernels, RuntimeKind};

/// Options of one analysis.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Whose memory is shown: tflite (LiteRT, builtin kernels, no delegate) or tflm (TensorFlow Lite Micro)
    #[arg(long, value_name = "tflite|tflm", default_value = "tflite", value_parser = said(report::runtime_from_name))]
    runtime: RuntimeKind,
    /// Which model of a file that holds several: its name, or #2 for the second
    #[arg(long, value_name = "NAME")]
    model_name: Option<String>,
    /// How the arena is planned: runtime (its own), tflite, tflm, no-reuse, linear, first-fit, best-fit, by-size,
    /// by-breadth, by-conflicts or optimal
    #[arg(long, value_name = "NAME", default_value = "runtime", value_parser = said(planner))]
    planner: Planner,
    /// Alignment of offsets in bytes [default: the runtime's own, 64 or 16]
    #[arg(long, value_name = "N")]
    alignment: Option<u64>,
    /// Keep every tensor to the end
    #[arg(long)]
    preserve_all_tensors: bool,
    /// Give an input other dims before allocating (tflite; may be repeated)
    #[arg(long, value_name = "TENSOR=1,2,3", value_parser = said(ResizeTensor::parse))]
    resize: Vec<ResizeTensor>,
    /// A tensor that lies in memory of your own (may be repeated)
    #[arg(long, value_name = "TENSOR")]
    external: Vec<String>,
    /// Kernels of tflm: reference, cmsis-nn, cmsis-nn-dsp or cmsis-nn-mve
    #[arg(long, value_name = "NAME", default_value = "reference", value_parser = said(report::kernels_from_name))]
    kernels: Kernels,
    /// Struct sizes of tflm: lp64 (64-bit host), ilp32 (Xtensa, RISC-V, x86-32) or arm (arm-none-eabi)
    #[arg(long, value_name = "NAME", default_value = "ilp32", value_parser = said(report::abi_from_name))]
    abi: Abi,
    /// How tflm was built (may be repeated): compression, for-size, armclang, recording
    #[arg(long, value_enum, value_name = "HOW")]
    build: Vec<Build>,
    /// tflm gets two arenas, one persistent and one not
    #[arg(long)]
    two_arenas: bool,
    /// Entries of tflm's table of resource variables [default: one for each variable]
    #[arg(long, value_name = "N")]
    resource_variables: Option<u32>,
    /// Scratch buffers of a tflm kernel that is not known, or on top of a known one's (may be repeated)
    #[arg(long, value_name = "OP=BYTES,BYTES", value_parser = said(report::parse_op_bytes))]
    kernel_scratch: Vec<(String, Vec<u64>)>,
    /// Persistent allocations of such a kernel (may be repeated)
    #[arg(long, value_name = "OP=BYTES,BYTES", value_parser = said(report::parse_op_bytes))]
    kernel_persistent: Vec<(String, Vec<u64>)>,
    /// What if: plan as if a tensor had other bytes, another type, another end, were kept to the end, or lay outside the
    /// arena: t31:bytes=4096, t31:type=int8, t31:last=9, t31:keep, t31:outside (may be repeated)
    #[arg(long, value_name = "EDIT", value_parser = said(Edit::parse))]
    what_if: Vec<Edit>,
    /// Percent added to the arena size that tflm is suggested
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=1000))]
    margin: u64,
}

/// One thing about a TFLite-Micro build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Build {
    Compression,
    ForSize,
    Armclang,
    Recording,
}

/// A chosen planner; `None` inside: the runtime's own.
#[derive(Clone, Copy, Debug)]
struct Planner(Option<Strategy>);

fn planner(name: &str) -> Result<Planner, Error> {
    Settings::planner_from_name(name).map(Planner)
}

/// A parser for clap from one of ours; the kind of an error is told by clap itself.
fn said<T: Clone + Send + Sync + 'static>(
    parse: fn(&str) -> Result<T, Error>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| parse(text).map_err(|error| error.to_string())
}

impl Options {
    /// The settings that these options make.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            inner: self.model_name.clone(),
            planner: self.planner.0,
            alignment: self.alignment,
            preserve_all_tensors: self.preserve_all_tensors,
            resize: self.resize.clone(),
            external: self.external.clone(),
            kernels: self.kernels,
            abi: self.abi,
            micro: self.micro(),
            margin_percent: self.margin,
            edits: self.what_if.clone(),
            ..Settings::new(self.runtime)
        }
    }

    fn micro(&self) -> MicroOptions {
        let is = |build| self.build.contains(&build);
        let mut kernels: Vec<KernelNeeds> = Vec::new();
        for (op, sizes) in &self.kernel_scratch {
            let needs = KernelNeeds { op: op.clone(), scratch_bytes: sizes.clone(), ..KernelNeeds::default() };
            kernels.push(needs);
        }
        for (op, sizes) in &self.kernel_persistent {
            if let Some(kernel) = kernels.iter_mut().find(|kernel| kernel.op == *op) {
                kernel.persistent_bytes.extend(sizes);
            } else {
                let persistent_bytes = sizes.clone();
                kernels.push(KernelNeeds { op: op.clone(), persistent_bytes, ..KernelNeeds::default() });
            }
        }
        MicroOptions {
            resource_variables: self.resource_variables,
            build: tflm::Build {
                compression: is(Build::Compression),
                for_size: is(Build::ForSize),
                armclang: is(Build::Armclang),
                recording: is(Build::Recording),
            },
            arenas: if self.two_arenas { Arenas::Two } else { Arenas::One },
            kernels,
        }
    }
}

/// `65536`, `64K`, `64KiB`, `1M`.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => Some(1),
        "k" | "kib" => Some(1024),
        "m" | "mib" => Some(1024 * 1024),
        _ => None,
    };
    let number = digits.parse::<u64>().ok();
    let bytes = number.zip(factor).and_then(|(number, factor)| number.checked_mul(factor));
    bytes.ok_or_else(|| String::from("expected a number of bytes, perhaps with K or M behind it"))
}
