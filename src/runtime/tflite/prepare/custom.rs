//! Custom operators: the few that the builtin resolver registers by name, and all others, of which only their own code
//! knows what they do (`core/kernels/register.cc`, `detection_postprocess.cc`, `mfcc.cc`, `audio_spectrogram.cc`,
//! `numeric_verify.cc`, `hadamard_rotation.cc`).

use super::super::graph::Class;
use super::{Context, Prepare};
use crate::error::{Result, Warning};
use crate::model::DataType;

/// A custom operator that the builtin resolver knows.
pub(super) struct Custom {
    /// Its name in the file.
    pub(super) name: &'static str,
    /// Its preparing.
    pub(super) prepare: Prepare,
    /// Tensors that it adds when the model is loaded.
    pub(super) added_at_load: u32,
}

/// All that are registered.
const REGISTERED: &[Custom] = &[
    Custom { name: "TFLite_Detection_PostProcess", prepare: detection_postprocess, added_at_load: 2 },
    Custom { name: "Mfcc", prepare: mfcc, added_at_load: 0 },
    Custom { name: "AudioSpectrogram", prepare: keeps_shape, added_at_load: 0 },
    Custom { name: "NumericVerify", prepare: numeric_verify, added_at_load: 0 },
    Custom { name: "aeq.hadamard_rotation", prepare: keeps_shape, added_at_load: 0 },
];

/// The registered custom operator of that name.
pub(super) fn registered(name: &str) -> Option<&'static Custom> {
    REGISTERED.iter().find(|custom| custom.name == name)
}

/// Prepares a custom operator; of one that is not registered the outputs are taken as in the file.
pub(super) fn prepare(context: &mut Context<'_, '_>) -> Result<()> {
    let name = context.op_name();
    if let Some(custom) = registered(name) {
        return (custom.prepare)(context);
    }
    let message = format!(
        "{name}: a custom operator; its outputs are taken as in the file, its temporaries are not known: the plan is a \
         lower bound"
    );
    context.warn(Warning::new("custom-op", message));
    Ok(())
}

/// The shapes of the file stand: they do not depend on the inputs' shapes, or hang on options that are not followed.
#[expect(clippy::unnecessary_wraps, reason = "it has the form of a kernel")]
fn keeps_shape(_context: &mut Context<'_, '_>) -> Result<()> {
    Ok(())
}

/// How many boxes are given is said by options, and so by the file's shapes; the work area depends on the inputs.
fn detection_postprocess(context: &mut Context<'_, '_>) -> Result<()> {
    let (boxes, classes) = (context.input(0)?, context.input(1)?);
    context.ensure(context.rank(boxes) == 3 && context.rank(classes) == 3, "boxes and classes must have three dims")?;
    for index in 0..context.output_count() {
        let output = context.output(index)?;
        context.set_type(output, DataType::Float32);
    }
    let decoded = vec![context.dim(boxes, 1)?, 4];
    let scores = vec![context.dim(classes, 1)?, context.dim(classes, 2)?];
    context.temporary(0, "decoded boxes", DataType::Float32, decoded)?;
    context.temporary(1, "scores", DataType::Float32, scores)?;
    Ok(())
}

fn mfcc(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let mut dims = context.dims(input).to_vec();
    context.ensure(dims.len() == 3, "the spectrogram must have three dims")?;
    if let Some(&coefficients) = context.dims(output).last() {
        dims[2] = coefficients;
    }
    context.resize(output, dims)
}

/// The dequantised copy lies on the heap, the difference in the persistent arena.
fn numeric_verify(context: &mut Context<'_, '_>) -> Result<()> {
    let input = context.input(0)?;
    let dims = context.dims(input).to_vec();
    context.temporary_in(Class::Dynamic, 0, "dequantised", DataType::Float32, dims.clone())?;
    if let Some(output) = context.optional_output(0) {
        context.set_type(output, DataType::Float32);
        context.set_class(output, Class::Persistent);
        context.resize(output, dims)?;
    }
    Ok(())
}
