//! What the user chooses, by the names of the command line and the page. Turned into a runtime's options once the
//! model's tensors are known.

use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::model::Model;
use crate::plan::Strategy;
use crate::runtime::edit::Edit;
use crate::runtime::tflm::MicroOptions;
use crate::runtime::{Abi, Kernels, Options, Resize, RuntimeKind, TensorRef, split_reference};
use crate::units::{SubgraphId, TensorId};

/// New dims for one input, by the tensor's name in reports (`t3`), its index (`3`) or its name in the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResizeTensor {
    /// Which tensor.
    pub tensor: String,
    /// Its new dims.
    pub dims: Vec<i32>,
}

impl ResizeTensor {
    /// Reads `TENSOR=1,2,3`.
    pub fn parse(text: &str) -> Result<ResizeTensor> {
        let wrong = || {
            Error::new(ErrorKind::BadOption, format!("resize {text:?} is not TENSOR=1,2,3"))
                .with_hint("give a tensor's name or index and all its dims")
        };
        let (tensor, dims) = text.rsplit_once('=').ok_or_else(wrong)?;
        let dims = dims.trim_matches(|c| c == '[' || c == ']').split(['x', ',']).map(|dim| dim.trim().parse());
        let dims: Vec<i32> = dims.collect::<std::result::Result<_, _>>().map_err(|_| wrong())?;
        if tensor.is_empty() || dims.iter().any(|dim| *dim < 0) {
            return Err(wrong());
        }
        Ok(ResizeTensor { tensor: tensor.to_owned(), dims })
    }
}

/// Reads `OP=16,32`: an operator's name and sizes in bytes, for what a kernel that is not known allocates.
pub fn parse_op_bytes(text: &str) -> Result<(String, Vec<u64>)> {
    let wrong = || Error::new(ErrorKind::BadOption, format!("{text:?} is not OP=BYTES or OP=BYTES,BYTES"));
    let (op, sizes) = text.rsplit_once('=').ok_or_else(wrong)?;
    let sizes: Vec<u64> =
        sizes.split(',').map(|size| size.trim().parse()).collect::<std::result::Result<_, _>>().map_err(|_| wrong())?;
    let is_sound = !op.is_empty() && sizes.iter().all(|size| *size <= limits::MAX_BYTES);
    if is_sound { Ok((op.to_owned(), sizes)) } else { Err(wrong()) }
}

/// Everything the user can choose for one analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The runtime.
    pub runtime: RuntimeKind,
    /// Which model of a file that holds several: its name or `#2`; `None`: the only one.
    pub inner: Option<String>,
    /// The planner of the arena; `None`: the runtime's own.
    pub planner: Option<Strategy>,
    /// Alignment in bytes; `None`: the runtime's own.
    pub alignment: Option<u64>,
    /// Keep every tensor to the end.
    pub preserve_all_tensors: bool,
    /// New input dims.
    pub resize: Vec<ResizeTensor>,
    /// Tensors in memory of the user's own, named as in [`ResizeTensor`].
    pub external: Vec<String>,
    /// TFLite-Micro's kernels.
    pub kernels: Kernels,
    /// TFLite-Micro's struct sizes.
    pub abi: Abi,
    /// What else is said about a TFLite-Micro build.
    pub micro: MicroOptions,
    /// How much is added, in percent, where a size to set is suggested.
    pub margin_percent: u64,
    /// What-ifs, made in this order before anything is placed.
    pub edits: Vec<Edit>,
}

impl Settings {
    /// The defaults for a runtime.
    pub fn new(runtime: RuntimeKind) -> Settings {
        let Options { runtime, alignment, preserve_all_tensors, kernels, abi, micro, .. } = Options::new(runtime);
        Settings {
            runtime,
            inner: None,
            planner: None,
            alignment,
            preserve_all_tensors,
            resize: Vec::new(),
            external: Vec::new(),
            kernels,
            abi,
            micro,
            margin_percent: 0,
            edits: Vec::new(),
        }
    }

    /// The planner's name in options and reports.
    pub fn planner_name(&self) -> &'static str {
        self.planner.map_or("runtime", Strategy::name)
    }

    /// The planner that a name stands for; `None` for `runtime`.
    pub fn planner_from_name(name: &str) -> Result<Option<Strategy>> {
        if name == "runtime" { Ok(None) } else { Strategy::from_name(name).map(Some) }
    }

    /// The runtime's options for `model`.
    pub(super) fn options(&self, model: &Model) -> Result<Options> {
        if self.alignment == Some(0) {
            return Err(Error::new(ErrorKind::BadOption, "alignment 0, but it must be at least 1"));
        }
        if self.runtime == RuntimeKind::Tflm && !self.resize.is_empty() {
            return Err(Error::new(ErrorKind::BadOption, "TFLite-Micro cannot resize inputs")
                .with_hint("choose --runtime tflite, or give the model its dims when it is converted"));
        }
        let resize = self.resize.iter().map(|resize| {
            let tensor = find_tensor(model, &resize.tensor)?;
            if tensor.subgraph != SubgraphId(0) || !model.main().inputs.contains(&Some(tensor.tensor)) {
                let message = format!("tensor {:?} is no input of the model", resize.tensor);
                return Err(Error::new(ErrorKind::BadOption, message).with_hint(inputs_hint(model)));
            }
            Ok(Resize { tensor: tensor.tensor, dims: resize.dims.clone() })
        });
        let mut options = Options::new(self.runtime);
        options.resize = resize.collect::<Result<_>>()?;
        options.external = self.external.iter().map(|name| find_tensor(model, name)).collect::<Result<_>>()?;
        options.alignment = self.alignment;
        options.preserve_all_tensors = self.preserve_all_tensors;
        options.kernels = self.kernels;
        options.abi = self.abi;
        options.micro = self.micro.clone();
        Ok(options)
    }
}

/// The tensor that `name` means: `3` or `t3` of the main subgraph, `s1:t3`, or the first of that name.
fn find_tensor(model: &Model, name: &str) -> Result<TensorRef> {
    if let Some(found) = tensor_by_number(model, name) {
        return Ok(found);
    }
    for (subgraph, graph) in model.subgraphs.iter().enumerate() {
        if let Some(tensor) = graph.tensors.iter().position(|tensor| tensor.name == name) {
            return Ok(TensorRef { subgraph: SubgraphId::from_index(subgraph), tensor: TensorId::from_index(tensor) });
        }
    }
    Err(Error::new(ErrorKind::BadOption, format!("no tensor {name:?}")).with_hint(inputs_hint(model)))
}

fn tensor_by_number(model: &Model, name: &str) -> Option<TensorRef> {
    let (subgraph, rest) = split_reference(name)?;
    let tensor = TensorId(rest.strip_prefix('t').unwrap_or(rest).parse().ok()?);
    let count = model.subgraphs.get(subgraph.index())?.tensors.len();
    (tensor.index() < count).then_some(TensorRef { subgraph, tensor })
}

/// The model's inputs by number and name, for a hint.
fn inputs_hint(model: &Model) -> String {
    const SHOWN: usize = 4;
    let main = model.main();
    let inputs = main.inputs.iter().flatten();
    let mut words: Vec<_> =
        inputs.clone().take(SHOWN).map(|id| format!("t{id} {:?}", main.tensors[id.index()].name)).collect();
    if inputs.count() > SHOWN {
        words.push(String::from("…"));
    }
    format!("the inputs are {}", words.join(", "))
}

/// A runtime's name in options and reports.
pub fn runtime_name(runtime: RuntimeKind) -> &'static str {
    match runtime {
        RuntimeKind::Tflite => "tflite",
        RuntimeKind::Tflm => "tflm",
    }
}

/// The runtime of that name.
pub fn runtime_from_name(name: &str) -> Result<RuntimeKind> {
    from_name("runtime", name, &[RuntimeKind::Tflite, RuntimeKind::Tflm], runtime_name)
}

/// The kernels' name in options and reports.
pub fn kernels_name(kernels: Kernels) -> &'static str {
    match kernels {
        Kernels::Reference => "reference",
        Kernels::CmsisNn => "cmsis-nn",
        Kernels::CmsisNnDsp => "cmsis-nn-dsp",
        Kernels::CmsisNnMve => "cmsis-nn-mve",
    }
}

/// The kernels of that name.
pub fn kernels_from_name(name: &str) -> Result<Kernels> {
    let all = [Kernels::Reference, Kernels::CmsisNn, Kernels::CmsisNnDsp, Kernels::CmsisNnMve];
    from_name("kernels", name, &all, kernels_name)
}

/// The ABI's name in options and reports.
pub fn abi_name(abi: Abi) -> &'static str {
    match abi {
        Abi::Lp64 => "lp64",
        Abi::Ilp32 => "ilp32",
        Abi::Arm => "arm",
    }
}

/// The ABI of that name.
pub fn abi_from_name(name: &str) -> Result<Abi> {
    from_name("abi", name, &[Abi::Lp64, Abi::Ilp32, Abi::Arm], abi_name)
}

fn from_name<T: Copy>(what: &str, name: &str, all: &[T], name_of: fn(T) -> &'static str) -> Result<T> {
    all.iter().copied().find(|value| name_of(*value) == name).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|value| name_of(*value)).collect();
        Error::new(ErrorKind::BadOption, format!("{what} {name:?} is not known"))
            .with_hint(format!("choose one of {}", names.join(", ")))
    })
}
