//! Resource variables (`var_handle.cc`, `read_variable.cc`, `assign_variable.cc`). Their values lie on the heap, outside
//! every arena; what lies in the persistent arena is the handle, a number.

use super::super::graph::Class;
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType};

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::VAR_HANDLE, var_handle),
    Kernel::new(BuiltinOp::READ_VARIABLE, read_variable),
    Kernel::new(BuiltinOp::ASSIGN_VARIABLE, assign_variable),
];

/// Bytes of a handle.
const HANDLE_BYTES: u64 = 4;

fn var_handle(context: &mut Context<'_, '_>) -> Result<()> {
    let output = context.output(0)?;
    context.set_class(output, Class::Persistent);
    context.set_bytes(output, HANDLE_BYTES);
    Ok(())
}

fn read_variable(context: &mut Context<'_, '_>) -> Result<()> {
    check_handle(context)?;
    let output = context.output(0)?;
    if context.rank(output) == 0 {
        context.set_dynamic(output);
    }
    Ok(())
}

fn assign_variable(context: &mut Context<'_, '_>) -> Result<()> {
    check_handle(context)?;
    context.input(1).map(|_| ())
}

fn check_handle(context: &Context<'_, '_>) -> Result<()> {
    let handle = context.input(0)?;
    let typed = context.is(handle, DataType::Resource) || context.is(handle, DataType::Int32);
    context.ensure(typed && context.elements(handle) == 1, "input 0 is not a handle")
}
