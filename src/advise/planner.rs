//! Advice that needs no other model: a better plan, a better order, one operator at a better place.

use crate::advise::context::Context;
use crate::advise::{Advice, Kind, reads_plans, words};
use crate::error::Result;
use crate::plan::{self, Problem, Solver};
use crate::runtime::{self, OperatorRef, Origin};
use crate::schedule::{self, OrderProblem};
use crate::units::{BufferId, OperatorId, SubgraphId};

/// Buffers above which the exact planner is not asked on the way to advice.
const MAX_SOLVED_BUFFERS: usize = 20_000;
/// Nodes of the exact planner between two looks at the budget.
const STEP_NODES: u64 = 1_000;
/// Tensors whose consumer or producer is tried elsewhere.
const MAX_MOVED: usize = 6;

/// Returns whether it is proven that no order of the main subgraph has a lower peak than the best one found.
pub(super) fn advise(context: &Context<'_>, list: &mut Vec<Advice>) -> Result<bool> {
    let solved = better_plan(context, list);
    let is_proven = better_order(context, solved, list)?;
    one_move(context, list)?;
    Ok(is_proven)
}

/// The lowest height that the solver finds.
fn solve(context: &Context<'_>, problem: &Problem) -> Option<u64> {
    if problem.requests().len() > MAX_SOLVED_BUFFERS {
        return None;
    }
    let mut solver = Solver::new(problem);
    loop {
        let progress = solver.step(STEP_NODES);
        if progress.is_done || progress.nodes >= context.effort.plan_nodes {
            return Some(progress.best_bytes);
        }
    }
}

fn better_plan(context: &Context<'_>, list: &mut Vec<Advice>) -> Option<u64> {
    if !reads_plans(&context.program.options) {
        return None;
    }
    let now = context.base.plan.height_bytes;
    let solved = if now > context.base.bound_bytes { solve(context, &context.base.arena.problem)? } else { now };
    if solved < now {
        let is_best = if solved == context.base.bound_bytes { ", and no plan of this order is lower" } else { "" };
        let sentence = format!("write a better plan into the file: {solved} bytes instead of {now}{is_best}");
        list.push(context.advice(Kind::BetterPlan, solved, sentence));
    }
    Some(solved)
}

/// Heights of another order: with the runtime's own planner, and with a plan in the file.
struct Placed {
    own_bytes: u64,
    solved_bytes: Option<u64>,
}

fn place(context: &Context<'_>, orders: &[Vec<OperatorId>]) -> Result<Option<Placed>> {
    let model = schedule::reordered(context.model, orders);
    let program = runtime::program(&model, context.bytes, &context.program.options)?;
    let Some(arena) = program.arenas.first() else { return Ok(None) };
    let own_bytes = plan::plan(&arena.problem, context.base.strategy).height_bytes;
    let wants_plan = reads_plans(&context.program.options);
    let solved_bytes = if wants_plan { solve(context, &arena.problem) } else { None };
    Ok(Some(Placed { own_bytes, solved_bytes }))
}

fn better_order(context: &Context<'_>, solved_now: Option<u64>, list: &mut Vec<Advice>) -> Result<bool> {
    let (states, mut go_on) = (context.effort.order_states, |_: &schedule::OrderProgress| true);
    let height = context.base.plan.height_bytes;
    let found = schedule::search_model(context.model, context.program, height, states, &mut go_on)?;
    let mut best_own: Option<(u64, &Vec<Vec<OperatorId>>)> = None;
    let mut best_solved = None;
    for orders in &found.candidates {
        let Some(placed) = place(context, orders)? else { continue };
        if best_own.is_none_or(|(bytes, _)| placed.own_bytes < bytes) {
            best_own = Some((placed.own_bytes, orders));
        }
        if let Some(solved) = placed.solved_bytes
            && best_solved.is_none_or(|(bytes, _): (u64, &Vec<_>)| solved < bytes)
        {
            best_solved = Some((solved, orders));
        }
    }
    let now = context.base.plan.height_bytes;
    if let Some((bytes, orders)) = best_own.filter(|(bytes, _)| *bytes < now) {
        list.push(order_advice(context, Kind::BetterOrder, bytes, orders, "run the operators in another order"));
    }
    let alone = best_own.map_or(now, |(bytes, _)| bytes).min(solved_now.unwrap_or(now));
    if let Some((bytes, orders)) = best_solved.filter(|(bytes, _)| *bytes < alone) {
        let what = "run the operators in another order, with a plan for it in the file";
        list.push(order_advice(context, Kind::BetterOrderAndPlan, bytes, orders, what));
    }
    Ok(found.peak_bytes == found.bound_bytes)
}

fn order_advice(context: &Context<'_>, kind: Kind, arena_bytes: u64, orders: &[Vec<OperatorId>], what: &str) -> Advice {
    let mut ops = Vec::new();
    for (index, order) in orders.iter().enumerate() {
        let subgraph = SubgraphId::from_index(index);
        ops.extend(moved(order).into_iter().map(|op| OperatorRef { subgraph, op }));
    }
    let names: Vec<String> = ops.iter().map(|op| context.op_name(*op)).collect();
    let verb = if names.len() == 1 { "moves" } else { "move" };
    let sentence = format!("{what}: {} {verb}", words::list(&names, 3));
    Advice { ops, ..context.advice(kind, arena_bytes, sentence) }
}

/// The fewest operators whose moving makes this order: all but a longest run of rising ids.
fn moved(order: &[OperatorId]) -> Vec<OperatorId> {
    // Patience sorting: `ends[k]` is the place where a rising run of k + 1 ids ends lowest.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; order.len()];
    for (place, op) in order.iter().enumerate() {
        let length = ends.partition_point(|end| order[*end] < *op);
        before[place] = length.checked_sub(1).map(|shorter| ends[shorter]);
        if length == ends.len() {
            ends.push(place);
        } else {
            ends[length] = place;
        }
    }
    let mut stays = vec![false; order.len()];
    let mut at = ends.last().copied();
    while let Some(place) = at {
        stays[place] = true;
        at = before[place];
    }
    let mut moved: Vec<OperatorId> =
        order.iter().zip(&stays).filter(|(_, stays)| !**stays).map(|(op, _)| *op).collect();
    moved.sort_unstable();
    moved
}

/// For tensors that lie in the way at the peak: their last reader earlier, or their maker later.
fn one_move(context: &Context<'_>, list: &mut Vec<Advice>) -> Result<()> {
    let (Some(peak), main) = (context.peak_moment(), SubgraphId(0)) else { return Ok(()) };
    if peak.op.subgraph != main {
        return Ok(());
    }
    let problem = schedule::problem_of(context.model, context.program, main)?;
    let given: Vec<usize> = (0..problem.ops().len()).collect();
    let Some(peak_bytes) = problem.peak_bytes(&given) else { return Ok(()) };
    let is_touched = |buffer: &BufferId| peak.reads.contains(buffer) || peak.writes.contains(buffer);
    let blockers = context.base.at_peak().into_iter().filter(|buffer| !is_touched(buffer));
    let is_tensor = |buffer: &BufferId| matches!(context.program.buffer(*buffer).origin, Origin::Tensor(_));
    let mut tried: Vec<(usize, usize)> = Vec::new();
    for buffer in blockers.filter(is_tensor).take(MAX_MOVED) {
        for step in moves(context, &problem, buffer, peak.op.op.index()) {
            if tried.contains(&(step.op, step.to)) {
                continue;
            }
            tried.push((step.op, step.to));
            let order = step.applied(&given);
            if problem.peak_bytes(&order).is_some_and(|bytes| bytes < peak_bytes) {
                list.extend(judged(context, buffer, &step, &order)?);
            }
        }
    }
    Ok(())
}

/// One operator that runs elsewhere.
struct Move {
    kind: Kind,
    op: usize,
    /// Its new place; what lies between moves on by one.
    to: usize,
}

impl Move {
    fn applied(&self, given: &[usize]) -> Vec<usize> {
        let mut order = given.to_vec();
        let op = order.remove(self.op);
        order.insert(self.to, op);
        order
    }
}

/// Moves that take the buffer out of the peak's way.
fn moves(context: &Context<'_>, problem: &OrderProblem, buffer: BufferId, peak: usize) -> Vec<Move> {
    let uses = context.uses(buffer);
    let main = |moments: &[usize]| -> Vec<usize> {
        let ops = moments.iter().map(|moment| context.moments[*moment].op);
        ops.filter(|op| op.subgraph == SubgraphId(0)).map(|op| op.op.index()).collect()
    };
    let (made_by, read_by) = (main(&uses.made_by), main(&uses.read_by));
    let mut moves = Vec::new();
    let after: Vec<usize> = read_by.iter().copied().filter(|op| *op > peak).collect();
    if let [reader] = after.as_slice() {
        let to = earliest(problem, *reader);
        if to <= peak {
            moves.push(Move { kind: Kind::EarlierConsumer, op: *reader, to });
        }
    }
    if let ([maker], Some(first)) = (made_by.as_slice(), read_by.iter().min())
        && *maker < peak
        && *first > peak
    {
        moves.push(Move { kind: Kind::LaterProducer, op: *maker, to: first - 1 });
    }
    moves
}

/// The first place to which an operator can move with all others in order.
fn earliest(problem: &OrderProblem, op: usize) -> usize {
    let given: Vec<usize> = (0..problem.ops().len()).collect();
    let is_sound =
        |to: usize| problem.peak_bytes(&Move { kind: Kind::EarlierConsumer, op, to }.applied(&given)).is_some();
    let (mut low, mut high) = (0, op);
    while low < high {
        let middle = usize::midpoint(low, high);
        if is_sound(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

fn judged(context: &Context<'_>, buffer: BufferId, step: &Move, order: &[usize]) -> Result<Option<Advice>> {
    let mut orders: Vec<Vec<OperatorId>> = vec![order.iter().map(|op| OperatorId::from_index(*op)).collect()];
    let others = context.model.subgraphs.iter().skip(1);
    orders.extend(others.map(|subgraph| (0..subgraph.operators.len()).map(OperatorId::from_index).collect()));
    let Some(placed) = place(context, &orders)? else { return Ok(None) };
    let bytes = placed.own_bytes;
    if bytes >= context.base.plan.height_bytes {
        return Ok(None);
    }
    let of = |op: usize| OperatorRef { subgraph: SubgraphId(0), op: OperatorId::from_index(op) };
    let (op, name) = (context.op_name(of(step.op)), context.name(buffer));
    let sentence = if step.kind == Kind::EarlierConsumer {
        let place = context.op_name(of(step.to));
        format!("{name} lies in the way at the peak until {op} has read it, which could run before {place}")
    } else {
        let place = context.op_name(of(step.to + 1));
        format!("{name} lies in the way at the peak, long before it is read: let {op} run right before {place}")
    };
    let advice = context.advice(step.kind, bytes, sentence);
    Ok(Some(Advice { buffers: vec![buffer], ops: vec![of(step.op)], ..advice }))
}
