//! The worked examples that the project began with, by their figures.

use serde_json::Value;

use crate::{arenascope, folder, models};

/// The report about `bytes` as JSON.
fn report(name: &str, bytes: &[u8], args: &[&str]) -> Value {
    let folder = folder(&format!("seed-{name}"));
    std::fs::write(folder.join("model"), bytes).unwrap();
    let args: Vec<&str> = ["plan", "model", "--format", "json"].iter().chain(args).copied().collect();
    let done = arenascope(&folder, &args, None);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    serde_json::from_str(&done.stdout).unwrap()
}

/// The offset of the buffer with that name.
fn offset(report: &Value, name: &str) -> u64 {
    buffer(report, name)["offset"].as_u64().unwrap()
}

fn buffer<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["buffers"].as_array().unwrap().iter().find(|buffer| buffer["name"] == name).unwrap()
}

/// Seven tensors of 2, 3, 4, 6, 2, 5 and 8 MB.
const SEVEN: &str = "id,lower,end,size\nA,0,1,2000000\nB,1,2,3000000\nC,2,3,4000000\nD,3,4,6000000\nE,4,5,2000000\n\
    F,5,7,5000000\nG,3,6,8000000\n";

#[test]
fn seven_tensors_need_18_mb() {
    let table = SEVEN.as_bytes();
    assert_eq!(report("seven-none", table, &["--planner", "no-reuse"])["arena_bytes"], 30_000_000);
    let found = report("seven", table, &["--planner", "tflm"]);
    assert_eq!(found["lower_bound_bytes"], 18_000_000);
    assert_eq!(found["peak"]["step"], 3);
    assert_eq!(found["peak"]["tensors"], serde_json::json!(["t6", "t3", "t2"]));
    assert_eq!((&found["arena_bytes"], &found["optimal"]), (&Value::from(18_000_000), &Value::from(true)));
    assert_eq!(buffer(&found, "G")["last_step"], 6);
    assert_eq!(found["steps"].as_array().unwrap().len(), 8);
}

/// Input, six activations, pooled, flat, dense: the tensors of the keyword-spotting graph.
const KEYWORD: [(&str, u64); 9] = [
    ("input", 1600),
    ("conv1", 12_800),
    ("relu1", 12_800),
    ("depthwise", 12_800),
    ("conv2", 25_600),
    ("relu2", 25_600),
    ("pool", 64),
    ("flat", 64),
    ("dense", 40),
];

#[test]
fn keyword_spotting_in_tflite() {
    let bytes = models::named("keyword-spotting");
    let kept = report("keyword-kept", &bytes, &["--preserve-all-tensors"]);
    let sum: u64 = KEYWORD.iter().map(|(name, _)| buffer(&kept, name)["bytes"].as_u64().unwrap()).sum();
    assert_eq!(sum, 91_368, "without any reuse");
    let found = report("keyword", &bytes, &[]);
    for (name, bytes) in KEYWORD {
        assert_eq!(buffer(&found, name)["bytes"], bytes, "{name}");
    }
    // As ai-edge-litert 2.3.0 places them (builtin kernels, no delegate), relative to the input; im2col of the first
    // convolution is a temporary of 14,400 bytes.
    let offsets: Vec<_> = KEYWORD.iter().map(|(name, _)| offset(&found, name)).collect();
    assert_eq!(offsets, TFLITE_OFFSETS);
    assert_eq!(found["arena_bytes"], TFLITE_ARENA);
    assert_eq!(buffer(&found, "flat")["alias_of"], buffer(&found, "pool")["ref"]);
}

const TFLITE_OFFSETS: [u64; 9] = [0, 16_000, 1600, 27_200, 1600, 27_200, 1600, 1600, 1664];
const TFLITE_ARENA: u64 = 52_800;

#[test]
fn keyword_spotting_in_tflite_micro() {
    let found = report("keyword-micro", &models::named("keyword-spotting"), &["--runtime", "tflm"]);
    let offsets: Vec<_> = KEYWORD.iter().map(|(name, _)| offset(&found, name)).collect();
    assert_eq!(offsets, [12_800, 0, 12_800, 0, 25_600, 0, 25_600, 0, 64]);
    // The two tensors around the second RELU: the tflite-micro wheel reports a head of as many bytes.
    assert_eq!((&found["arena_bytes"], &found["optimal"]), (&Value::from(51_200), &Value::from(true)));
    assert_eq!(found["peak"]["step"], 5);
    let apart =
        report("keyword-apart", &models::named("keyword-spotting"), &["--runtime", "tflm", "--planner", "no-reuse"]);
    // 40 bytes are rounded up to 48.
    assert_eq!(apart["arena_bytes"], 91_368 + 8);
}

#[test]
fn chain_of_five_reuses_every_second_place() {
    // T0 to T5: each op reads one tensor and makes the next; a tensor may take the place of any that died before it.
    let table = "id,lower,upper,size\nT0,0,1,100\nT1,0,2,100\nT2,1,3,100\nT3,2,4,100\nT4,3,5,100\nT5,4,5,100\n";
    let found = report("chain", table.as_bytes(), &["--planner", "tflm"]);
    assert_eq!((&found["arena_bytes"], &found["lower_bound_bytes"]), (&Value::from(200), &Value::from(200)));
    let offsets: Vec<_> = (0..6).map(|index| offset(&found, &format!("T{index}"))).collect();
    for (index, own) in offsets.iter().enumerate() {
        // Those alive at another time in the same bytes: every second one.
        let others = offsets.iter().filter(|other| *other == own).count() - 1;
        assert_eq!(buffer(&found, &format!("T{index}"))["share_count"], others, "T{index}");
        assert_eq!(others, 2);
    }
}
