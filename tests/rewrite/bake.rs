//! Baking: never worse, as promised, and left alone with a reason where nothing helps.

use std::path::{Path, PathBuf};
use std::time::Instant;

use arenascope::model::{self, Activation, BuiltinOp, DataType, OpOptions};
use arenascope::rewrite::{BakeOptions, Baked, Progress, bake};
use arenascope::runtime::{Options, RuntimeKind};

use crate::corpus;
use crate::real::{self, Job};
use crate::support::{self, graph_text};

fn baked(bytes: &[u8], runtime: RuntimeKind, wanted: &BakeOptions) -> Option<Baked> {
    let model = model::read(bytes).ok()?;
    match bake(bytes, &model, &Options::new(runtime), wanted, &mut |_| true) {
        Ok(baked) => Some(baked),
        Err(error) => {
            println!("{error}");
            None
        }
    }
}

/// The graph in the text as a model that real kernels can run: weights that are not all alike, joins along columns.
fn runnable(text: &str) -> support::Model {
    let mut model = graph_text::parse(text);
    let mut state = 1_u32;
    for tensor in model.graphs.iter_mut().flat_map(|graph| &mut graph.tensors) {
        for value in tensor.data.iter_mut().flat_map(|data| data.chunks_exact_mut(4)) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let small = f32::from(u8::try_from(state >> 24).unwrap()) / 128.0 - 1.0;
            value.copy_from_slice(&small.to_le_bytes());
        }
    }
    let activation = Activation::None;
    for op in model.graphs.iter_mut().flat_map(|graph| &mut graph.ops) {
        op.options = match op.builtin {
            BuiltinOp::CONCATENATION => OpOptions::Concatenation { axis: 1, activation },
            BuiltinOp::ADD => OpOptions::Arithmetic { activation, pot_scale_int16: false },
            BuiltinOp::FULLY_CONNECTED => OpOptions::FullyConnected {
                activation,
                weights_format: 0,
                keep_num_dims: false,
                asymmetric_quantize_inputs: false,
                quantized_bias_type: DataType::Float32,
            },
            _ => continue,
        };
    }
    model
}

/// Bakes a model for TFLite-Micro, with everything allowed.
fn tflm(bytes: &[u8]) -> Baked {
    baked(bytes, RuntimeKind::Tflm, &BakeOptions::default()).unwrap()
}

/// The greedy planner puts the two largest buffers first and needs 544 bytes for what fits in 368.
const GREEDY_GAP: &str = "in x:f32[1,48]\n\
    const wa:f32[20,48] wb:f32[24,48] wd:f32[48,44]\n\
    FULLY_CONNECTED x wa _ -> a:f32[1,20]\n\
    FULLY_CONNECTED x wb _ -> b:f32[1,24]\n\
    CONCATENATION a b -> c:f32[1,44]\n\
    FULLY_CONNECTED c wd _ -> d:f32[1,48]\n\
    out d";

/// Both wide tensors are made before either is narrowed.
const WIDE_FIRST: &str = "in x:f32[1,8]\n\
    const w:f32[64,8] v:f32[4,64]\n\
    FULLY_CONNECTED x w _ -> a:f32[1,64]\n\
    FULLY_CONNECTED x w _ -> b:f32[1,64]\n\
    FULLY_CONNECTED a v _ -> c:f32[1,4]\n\
    FULLY_CONNECTED b v _ -> d:f32[1,4]\n\
    ADD c d -> e:f32[1,4]\n\
    out e";

#[test]
fn a_better_plan_is_written() {
    let baked = tflm(&runnable(GREEDY_GAP).build());
    assert!(baked.plan.is_some() && baked.orders.is_none(), "{:?}", baked.notes);
    assert_eq!((baked.before.arena_bytes, baked.after.arena_bytes, baked.bound_bytes), (544, 368, 368));
    assert_eq!(baked.saved_bytes(), 176);
    assert!(baked.after.minimum_arena_bytes <= baked.before.minimum_arena_bytes);
    let again = tflm(&baked.bytes);
    assert!(!again.is_changed(), "what is as low as can be stays");
    assert!(again.notes[0].contains("only another model can be smaller"), "{:?}", again.notes);
}

#[test]
fn a_better_order_is_written() {
    let bytes = runnable(WIDE_FIRST).build();
    for runtime in [RuntimeKind::Tflm, RuntimeKind::Tflite] {
        let baked = baked(&bytes, runtime, &BakeOptions { plan: false, ..BakeOptions::default() }).unwrap();
        assert!(baked.plan.is_none() && baked.orders.is_some(), "{:?}", baked.notes);
        assert!(baked.after.arena_bytes < baked.before.arena_bytes);
        assert_eq!(baked.bytes.len(), bytes.len());
    }
    let both = tflm(&bytes);
    assert_eq!((both.before.arena_bytes, both.after.arena_bytes), (544, 304));
}

#[test]
fn only_what_is_allowed_is_changed() {
    let (gap, wide) = (runnable(GREEDY_GAP).build(), runnable(WIDE_FIRST).build());
    let order_only = BakeOptions { plan: false, ..BakeOptions::default() };
    let plan_only = BakeOptions { reorder: false, ..BakeOptions::default() };
    let nothing = BakeOptions { plan: false, reorder: false, ..BakeOptions::default() };
    for (bytes, wanted) in [(&gap, order_only), (&wide, plan_only), (&gap, nothing), (&wide, nothing)] {
        let baked = baked(bytes, RuntimeKind::Tflm, &wanted).unwrap();
        assert!(!baked.is_changed() && baked.bytes == *bytes && baked.before == baked.after, "{wanted:?}");
        assert!(!baked.notes.is_empty());
    }
}

#[test]
fn a_worse_plan_in_the_file_is_replaced() {
    let mut model = runnable(WIDE_FIRST);
    let count = i32::try_from(model.graphs[0].tensors.len()).unwrap();
    let apart: Vec<i32> = (0..count).map(|index| 256 * index).collect();
    model.offline_plan(&apart);
    let baked = tflm(&model.build());
    assert!(baked.plan.is_some(), "{:?}", baked.notes);
    assert_eq!(baked.after.arena_bytes, 304);
}

#[test]
fn a_plan_in_the_file_keeps_its_order() {
    let mut model = runnable(WIDE_FIRST);
    model.offline_plan(&[-1; 8]);
    let wanted = BakeOptions { plan: false, ..BakeOptions::default() };
    for runtime in [RuntimeKind::Tflm, RuntimeKind::Tflite] {
        let baked = baked(&model.build(), runtime, &wanted).unwrap();
        assert!(!baked.is_changed() && baked.notes.iter().any(|note| note.contains("offline plan")));
    }
}

#[test]
fn where_nothing_may_change_the_reason_is_said() {
    let note = |text: &str, word: &str| {
        let baked = tflm(&graph_text::parse(text).build());
        assert!(!baked.is_changed() && baked.notes.iter().any(|note| note.contains(word)), "{:?}", baked.notes);
    };
    note("in x:str[1]\nRESHAPE x -> y:str[1]\nout y", "refuses");
    let mut options = Options::new(RuntimeKind::Tflm);
    options.preserve_all_tensors = true;
    let bytes = runnable(GREEDY_GAP).build();
    let model = model::read(&bytes).unwrap();
    let baked = bake(&bytes, &model, &options, &BakeOptions::default(), &mut |_| true).unwrap();
    assert!(!baked.is_changed() && baked.notes[0].contains("preserved"), "{:?}", baked.notes);
}

#[test]
fn work_can_be_stopped_at_any_time() {
    let bytes = runnable(WIDE_FIRST).build();
    let model = model::read(&bytes).unwrap();
    let options = Options::new(RuntimeKind::Tflm);
    for allowed in 0..6 {
        let mut told = 0;
        let mut go_on = |progress: &Progress| {
            assert!(progress.done <= progress.of);
            told += 1;
            told <= allowed
        };
        let baked = bake(&bytes, &model, &options, &BakeOptions::default(), &mut go_on).unwrap();
        assert!(baked.after.arena_bytes <= baked.before.arena_bytes);
    }
}

#[test]
fn our_own_models_run_alike_in_the_real_runtimes() {
    let Some(python) = real::python() else { return };
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("baked-own");
    std::fs::create_dir_all(&target).unwrap();
    let mut jobs = Vec::new();
    for (name, text) in [("greedy-gap", GREEDY_GAP), ("wide-first", WIDE_FIRST)] {
        let bytes = runnable(text).build();
        let baked = tflm(&bytes);
        let (original, written) = (target.join(format!("{name}.tflite")), target.join(format!("{name}-new.tflite")));
        std::fs::write(&original, &bytes).unwrap();
        std::fs::write(&written, &baked.bytes).unwrap();
        jobs.push(Job { original, written, heads: Some([baked.before.arena_bytes, baked.after.arena_bytes]) });
    }
    let tally = real::run(&python, &jobs, &["tflm", "tflite"]);
    assert!(tally.failed.is_empty(), "{:#?}", tally.failed);
    assert_eq!((tally.tflm, tally.tflite, tally.refused), (jobs.len(), jobs.len(), 0));
}

/// What TFLite-Micro's head must come down to at least, by file name, for models that registry packages bring.
const REACHED: &[(&str, u64)] = &[
    ("pymicro_wakeword/models/alexa.tflite", 14_208),
    ("pymicro_wakeword/models/hey_jarvis.tflite", 14_208),
    ("pymicro_wakeword/models/okay_nabu.tflite", 14_208),
    ("holistic_landmark/hand_recrop.tflite", 1_310_720),
];

/// Bakes these models for one runtime, and runs old and new in the real runtimes.
fn all_get_smaller(files: &[PathBuf], runtime: RuntimeKind, folder: &str, wanted: &BakeOptions) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&target).unwrap();
    let mut jobs = Vec::new();
    let (mut count, mut slowest) = (0, 0.0_f64);
    for (index, path) in files.iter().enumerate() {
        let bytes = std::fs::read(path).unwrap();
        let start = Instant::now();
        let Some(baked) = baked(&bytes, runtime, wanted) else { continue };
        let seconds = start.elapsed().as_secs_f64();
        count += 1;
        slowest = slowest.max(seconds);
        assert!(baked.after.arena_bytes <= baked.before.arena_bytes, "{}", path.display());
        assert!(baked.is_changed() != (baked.bytes == bytes), "{}", path.display());
        assert!(baked.is_changed() || !baked.notes.is_empty(), "{}: why it is left alone", path.display());
        let name = path.to_string_lossy();
        let reached = REACHED.iter().find(|(model, _)| runtime == RuntimeKind::Tflm && name.ends_with(model));
        assert!(reached.is_none_or(|(_, bytes)| baked.after.arena_bytes <= *bytes), "{name}: {:?}", baked.after);
        if !baked.is_changed() {
            continue;
        }
        println!(
            "{:9} -> {:9} ({:9} bound) arena {:?} -> {:?} {}{} {seconds:.2} s {} {:?}",
            baked.before.arena_bytes,
            baked.after.arena_bytes,
            baked.bound_bytes,
            baked.before.minimum_arena_bytes,
            baked.after.minimum_arena_bytes,
            if baked.plan.is_some() { "P" } else { "-" },
            if baked.orders.is_some() { "O" } else { "-" },
            path.file_name().unwrap().to_string_lossy(),
            baked.notes,
        );
        let written = target.join(format!("{index}.tflite"));
        std::fs::write(&written, &baked.bytes).unwrap();
        let heads = (runtime == RuntimeKind::Tflm).then_some([baked.before.arena_bytes, baked.after.arena_bytes]);
        jobs.push(Job { original: path.clone(), written, heads });
    }
    println!("{} of {count} models made smaller, the slowest took {slowest:.2} s", jobs.len());
    let Some(python) = real::python() else { return };
    let tally = real::run(&python, &jobs, &["tflm", "tflite"]);
    println!(
        "{} equal in TFLM, {} in TFLite, {} refused, {} unstable",
        tally.tflm, tally.tflite, tally.refused, tally.unstable
    );
    assert!(tally.failed.is_empty(), "{:#?}", tally.failed);
}

#[test]
fn corpus_gets_smaller_in_tflm() {
    if let Some(files) = corpus::files() {
        all_get_smaller(&files, RuntimeKind::Tflm, "baked-tflm", &BakeOptions::default());
    }
}

#[test]
fn corpus_gets_smaller_in_tflite() {
    if let Some(files) = corpus::files() {
        all_get_smaller(&files, RuntimeKind::Tflite, "baked-tflite", &BakeOptions::default());
    }
}

/// Less effort than a user's, for a build without optimisation: what is solved is solved at once.
const QUICK: BakeOptions = BakeOptions { plan: true, reorder: true, order_states: 5_000, plan_nodes: 5_000 };

#[test]
fn models_of_registry_packages_get_smaller_in_tflm() {
    if let Some(files) = corpus::packages() {
        all_get_smaller(&files, RuntimeKind::Tflm, "packages-tflm", &QUICK);
    }
}

#[test]
fn models_of_registry_packages_get_smaller_in_tflite() {
    if let Some(files) = corpus::packages() {
        all_get_smaller(&files, RuntimeKind::Tflite, "packages-tflite", &QUICK);
    }
}
