//! Which kernel runs each operator, and what the runtime says when there is none (`micro_op_resolver.cc`,
//! `micro_interpreter.cc`, tflite-micro 90b983c2).

use super::machine::Machine;
use super::micro::{Category, KernelNeeds, Refusal, Stage};
use super::play::{Outcome, all_operators};
use super::tables::{self, OpRow};
use crate::model::{BuiltinOp, Model, OpOptions, Operator};

/// A kernel: one of TFLite-Micro's own, or one that the user describes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kernel<'m> {
    Own(&'static OpRow, Option<&'m KernelNeeds>),
    Given(&'m KernelNeeds),
    Unknown,
}

/// Finds each operator's kernel and reads its parameters.
pub(super) fn parse<'m>(machine: &mut Machine<'m>, outcome: &mut Outcome) -> Result<Vec<Kernel<'m>>, Refusal> {
    let model = machine.model;
    let found: Vec<Kernel<'m>> = model.operator_codes.iter().map(|code| kernel(machine, code)).collect();
    for (at, operator) in all_operators(model) {
        let code = model.code(operator);
        let stop = |reason: String, log: Vec<String>| Refusal {
            stage: Stage::Parse,
            op: Some(at),
            reason,
            log,
            crashes: false,
        };
        match found.get(operator.code as usize) {
            Some(Kernel::Own(row, _)) => {
                if code.builtin != BuiltinOp::CUSTOM && matches!(operator.options, OpOptions::Custom { .. }) {
                    let line =
                        format!("Unsupported behavior: found builtin operator {} with custom options.", row.name);
                    return Err(stop("a builtin operator has the options of a custom one".into(), vec![line]));
                }
                let (bytes, alignment) = row.parse(machine.abi, machine.options.build.compression);
                if bytes > 0 {
                    machine.tail_for(at, Stage::Parse, Category::Parameters, "parameters", (bytes, alignment));
                }
            }
            Some(Kernel::Given(_)) => {}
            Some(Kernel::Unknown) | None => {
                outcome.unknown_ops = unknown_names(model, &found);
                let (reason, log) = unknown_words(model, operator);
                return Err(stop(reason, log));
            }
        }
    }
    Ok(found)
}

fn kernel<'m>(machine: &Machine<'m>, code: &crate::model::OperatorCode) -> Kernel<'m> {
    let custom = code.builtin == BuiltinOp::CUSTOM;
    let name = if custom { code.custom_name.as_deref().unwrap_or_default() } else { code.builtin.name() };
    let given = machine.options.kernels.iter().find(|needs| needs.op == name);
    let own = if custom { tables::custom(name) } else { tables::row(code.builtin) };
    match (own, given) {
        (Some(row), given) => Kernel::Own(row, given),
        (None, Some(given)) => Kernel::Given(given),
        (None, None) => Kernel::Unknown,
    }
}

/// The names of all operators without a known kernel, each once.
fn unknown_names(model: &Model, found: &[Kernel<'_>]) -> Vec<String> {
    let mut names: Vec<String> = all_operators(model)
        .filter(|(_, operator)| matches!(found.get(operator.code as usize), Some(Kernel::Unknown) | None))
        .map(|(_, operator)| model.op_name(operator).to_owned())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Why an operator has no kernel, and what the runtime says.
fn unknown_words(model: &Model, operator: &Operator) -> (String, Vec<String>) {
    let code = model.code(operator);
    let name = code.builtin.name();
    let failed = format!("Failed to get registration from op code {name}");
    if code.builtin == BuiltinOp::CUSTOM {
        let reason = match &code.custom_name {
            Some(name) => {
                format!("the custom operator {name} is not one of TFLite-Micro's; the application must add it")
            }
            None => "a custom operator has no name".to_owned(),
        };
        return (reason, vec![failed]);
    }
    if !code.builtin.is_known() {
        let number = code.builtin.0;
        let line = format!("Op builtin_code out of range: {number}.");
        return (format!("operator {number} is newer than this version of TFLite-Micro"), vec![line, failed]);
    }
    let line = format!("Didn't find op for builtin opcode '{name}'");
    (format!("TFLite-Micro has no kernel for {name}"), vec![line, failed])
}

/// The kernel of an operator.
pub(super) fn of<'m>(kernels: &[Kernel<'m>], operator: &Operator) -> Kernel<'m> {
    kernels.get(operator.code as usize).copied().unwrap_or(Kernel::Unknown)
}
