//! What surrounds a buffer and what a step needs: scenes by hand, and random ones against a search of every byte at every
//! moment.

use std::collections::BTreeSet;

use arenascope::runtime::{Program, Role};
use arenascope::simulate::{Between, Neighbour, Surroundings, Timeline};
use arenascope::units::{ArenaId, BufferId, Step};

use crate::graph::{Fixture, Made, Op, build, fixture};

const STACK: &str = "
    in a:16@0
    op CONV a -> b:30@32
    op CONV b -> c:16@64
    op ADD a c -> d:16@16
    out d";

fn id(program: &Program, name: &str) -> BufferId {
    let at = program.buffers.iter().position(|buffer| buffer.name == name).unwrap();
    BufferId::from_index(at)
}

fn around(fixture: &Fixture, name: &str) -> Surroundings {
    let timeline = Timeline::new(&fixture.program, &fixture.plans);
    timeline.surroundings(id(&fixture.program, name)).unwrap()
}

/// Neighbours in a few characters: name, gap, first and last tick.
fn shown(program: &Program, list: &[Neighbour]) -> String {
    let one = |near: &Neighbour| {
        let name = near.buffer.map_or("edge", |id| program.buffer(id).name.as_str());
        format!("{name}+{}@{}-{}", near.gap_bytes, near.ticks.first(), near.ticks.last())
    };
    list.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn neighbours_are_those_at_each_moment_of_a_life() {
    let found = fixture(STACK);
    let of = |name: &str| {
        let around = around(&found, name);
        (shown(&found.program, &around.below), shown(&found.program, &around.above))
    };
    // b lies over a at both its steps, with c over it at the second.
    assert_eq!(of("b"), ("a+16@0-1".into(), "c+2@1-1 edge+18@0-0".into()));
    assert_eq!(of("a"), ("edge+0@0-2".into(), "d+0@2-2 b+16@0-1".into()));
    assert_eq!(of("c"), ("b+2@1-1 d+32@2-2".into(), "edge+0@1-2".into()));
    let b = around(&found, "b");
    assert_eq!((b.free_below_bytes, b.free_above_bytes, b.rounding_bytes), (16, 2, 0));
    assert_eq!(b.below[0].between, Between::Free);
    assert_eq!(around(&found, "d").below[0].between, Between::Nothing);
}

#[test]
fn padding_is_what_alignment_alone_keeps_free() {
    let mut found = fixture("in a:20@0\nop CONV a -> b:8@32\nop CONV b -> c:8@64\nout c");
    let arena = &mut found.program.arenas[0];
    arena.problem = arenascope::plan::Problem::new(arena.problem.requests().to_vec(), 16).unwrap();
    let b = around(&found, "b");
    assert_eq!((b.below[0].gap_bytes, b.below[0].between), (12, Between::Padding));
    // The input has gone when c is made, so under b all is free then; the least of both is padding.
    assert_eq!((b.free_below_bytes, b.is_padding_below), (12, true));
    let c = around(&found, "c");
    assert_eq!((c.free_below_bytes, c.is_padding_below), (24, false));
    assert_eq!(around(&found, "a").above[0].between, Between::Padding);
}

#[test]
fn bytes_are_held_for_those_who_share_them_in_place() {
    let found = fixture("in a:8@0\nop CONV a -> b:8@8\nop RESHAPE b -> c:8=b\nop ADD c c -> d:8@0\nout d");
    let b = around(&found, "b");
    assert_eq!((b.held.first(), b.held.last(), b.held_for), (Step(0), Step(2), Some(id(&found.program, "c"))));
    assert_eq!(around(&found, "c").held_for, None);
    let timeline = Timeline::new(&found.program, &found.plans);
    // Shared in place is one piece of memory: needed once, and not waiting.
    assert_eq!(timeline.alone_bytes(), [16, 8, 16]);
    let sharers = |name: &str| timeline.sharers(id(&found.program, name));
    assert_eq!(sharers("d"), [id(&found.program, "a")]);
    assert_eq!(sharers("b"), []);
}

#[test]
fn a_step_needs_what_it_touches_and_the_rest_waits_for_someone() {
    let text = "in a:16@0\nop CONV a -> b:32@16 ~s:8@96\nop CONV b -> c:16@48\nop ADD a c -> d:16@64\nout d";
    let found = fixture(text);
    let timeline = Timeline::new(&found.program, &found.plans);
    assert_eq!(timeline.alone_bytes(), [16 + 32 + 8, 32 + 16, 16 + 16 + 16]);
    let needs = timeline.needs_at(Step(1)).unwrap();
    assert_eq!((needs.live_bytes, needs.alone_bytes, needs.waiting_bytes), (64, 48, 16));
    let alive: Vec<_> = (needs.alive.iter())
        .map(|item| (found.program.buffer(item.buffer).name.as_str(), item.bytes, item.is_waiting(), item.next))
        .collect();
    assert_eq!(alive, [("b", 32, false, None), ("a", 16, true, Some(Step(2))), ("c", 16, false, Some(Step(2)))]);
    let moved = needs.moved.unwrap();
    assert_eq!((moved.born_bytes, moved.freed_bytes), (16, 8));
    assert_eq!(needs.height_bytes, 104);
    assert!(timeline.needs_at(Step(0)).unwrap().moved.is_none());
    assert!(timeline.needs_at(Step(3)).is_none());
}

/// A scene of `count` buffers with random lives and offsets; most collide, which no answer may mind.
fn random_scene(mut random: impl FnMut(u64) -> u64, steps: u32) -> Fixture {
    let count = 1 + random(9);
    let mut ops: Vec<Op> = (0..steps).map(|_| Op { name: "OP".into(), ..Op::default() }).collect();
    let made: Vec<Made> = (0..count)
        .map(|index| {
            let first = u32::try_from(random(u64::from(steps))).unwrap();
            let last = (first + u32::try_from(random(4)).unwrap()).min(steps - 1);
            let at = usize::try_from(index).unwrap();
            ops[first as usize].writes.push(at);
            ops[last as usize].reads.push(at);
            let (bytes, offset) = (1 + random(6), random(20));
            Made { name: format!("b{index}"), bytes, offset, alias_of: None, role: Role::Intermediate, first, last }
        })
        .collect();
    build(&made, &ops)
}

#[test]
fn random_scenes_agree_with_a_search_of_every_byte() {
    let mut state = 11_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..400 {
        let Fixture { program, plans } = random_scene(&mut random, 7);
        let timeline = Timeline::new(&program, &plans);
        let (problem, offsets, height) = (&program.arenas[0].problem, &plans[0].offsets, plans[0].height_bytes);
        let holds = |id: usize, step: Step, byte: u64| {
            let asked = &problem.requests()[id];
            asked.live.contains(step) && (offsets[id]..offsets[id] + asked.size_bytes).contains(&byte)
        };
        for (id, asked) in problem.requests().iter().enumerate() {
            let (low, high) = (offsets[id], offsets[id] + asked.size_bytes);
            let around = timeline.surroundings(BufferId::from_index(id)).unwrap();
            let (mut least_below, mut least_above) = (u64::MAX, u64::MAX);
            for step in (asked.live.first().0..asked.live.end().0).map(Step) {
                let others: Vec<usize> = (0..offsets.len()).filter(|other| *other != id).collect();
                // Those that reach into the buffer from below or above are no neighbours but lie over it.
                let apart = |other: &&usize| {
                    let end = offsets[**other] + problem.requests()[**other].size_bytes;
                    end <= low || offsets[**other] >= high
                };
                let owned = |byte: u64| others.iter().filter(apart).any(|other| holds(*other, step, byte));
                let down = (0..low).rev().take_while(|byte| !owned(*byte)).count() as u64;
                let up = (high..height).take_while(|byte| !owned(*byte)).count() as u64;
                (least_below, least_above) = (least_below.min(down), least_above.min(up));
                let has = |list: &[Neighbour], gap: u64| {
                    list.iter().any(|near| near.gap_bytes == gap && near.ticks.contains(step))
                };
                assert!(has(&around.below, down) && has(&around.above, up), "{program:?} {around:?}");
            }
            assert_eq!((around.free_below_bytes, around.free_above_bytes), (least_below, least_above));
            let bytes: BTreeSet<u64> = (low..high).collect();
            let meets = |other: &usize| {
                *other != id && (0..7).any(|step| bytes.iter().any(|byte| holds(*other, Step(step), *byte)))
            };
            let (at_once, later): (Vec<usize>, Vec<usize>) = (0..offsets.len())
                .filter(meets)
                .partition(|other| problem.requests()[*other].live.overlaps(asked.live));
            let ids = |list: Vec<usize>| list.into_iter().map(BufferId::from_index).collect::<BTreeSet<_>>();
            assert_eq!(around.over.iter().copied().collect::<BTreeSet<_>>(), ids(at_once));
            let sharers = timeline.sharers(BufferId::from_index(id));
            assert_eq!(sharers.into_iter().collect::<BTreeSet<_>>(), ids(later));
        }
        for (index, step) in (0..7).map(|step| (step as usize, Step(step))) {
            let needs = timeline.needs_at(step).unwrap();
            assert_eq!(needs.live_bytes, timeline.live_bytes(ArenaId(0), step));
            assert_eq!(needs.live_bytes, needs.alone_bytes + needs.waiting_bytes);
            assert_eq!(needs.alone_bytes, timeline.alone_bytes()[index]);
            let waiting: u64 = needs.alive.iter().filter(|item| item.is_waiting()).map(|item| item.bytes).sum();
            assert_eq!(waiting, needs.waiting_bytes);
        }
    }
}
