//! What the builder writes, the reader gives back: every field.

use arenascope::model::{self, BufferData, DataType, OpOptions, Quantization as Read};
use arenascope::units::TensorId;

use crate::support::{DataPlace, Graph, Model, OMITTED, Op, Quantization, Signature, Tensor};

#[test]
fn fields_come_back() {
    let mut graph = Graph::new("the graph");
    let x = graph.input("x", &[1, 4], DataType::Int8);
    graph.tensors[0].shape_signature = Some(vec![-1, 4]);
    graph.tensors[0].has_rank = true;
    graph.quantize(x, &[0.5], 0);
    let weights = graph.constant("w", &[2, 4], DataType::Int8, (0..8).collect());
    graph.tensors[1].quantization =
        Some(Quantization { scales: vec![0.25, 0.75], zero_points: vec![0, -3], dimension: 1 });
    graph.tensors[1].is_sparse = true;
    let state = graph.variable("state", &[], DataType::BFloat16);
    let y = graph.add(Tensor { shape: None, ..Tensor::new("y", &[], DataType::Int4) });
    let mut op = Op { version: 7, ..Op::custom("mine", &[x, weights, OMITTED], &[y]) };
    op.intermediates = vec![state];
    op.custom_options = Some(b"abc".to_vec());
    graph.op(op);
    graph.outputs = vec![y];
    let mut text = Model::new(vec![graph, Graph::new("")]);
    text.description = "a description".to_owned();
    let inputs = vec![("in".to_owned(), 0)];
    text.signatures = vec![Signature { key: "serve".to_owned(), graph: 0, inputs, outputs: Vec::new() }];
    text.offline_plan(&[0, -1, -1, 16]);
    let bytes = text.build();
    let model = model::read(&bytes).unwrap();

    assert_eq!((model.version, model.description.as_str(), model.file_bytes), (3, "a description", bytes.len() as u64));
    let graph = model.main();
    assert_eq!(
        (graph.name.as_str(), &graph.inputs[..], &graph.outputs[..]),
        ("the graph", &[Some(TensorId(0))][..], &[Some(TensorId(3))][..])
    );
    let [x, weights, state, y] = &graph.tensors[..] else { panic!("four tensors") };
    assert_eq!((x.name.as_str(), x.dtype, x.has_shape, x.has_rank), ("x", DataType::Int8, true, true));
    assert_eq!((&x.shape[..], &x.shape_signature[..]), (&[1, 4][..], &[-1, 4][..]));
    let one = Read {
        scales: 1,
        zero_points: 1,
        first_scale: Some(0.5),
        first_zero_point: Some(0),
        symmetric: true,
        ..Read::default()
    };
    assert_eq!(x.quantization, Some(one));
    let two = Read {
        scales: 2,
        zero_points: 2,
        first_scale: Some(0.25),
        first_zero_point: Some(0),
        scales_differ: true,
        dimension: 1,
        ..Read::default()
    };
    assert_eq!(weights.quantization, Some(two));
    assert!(weights.is_sparse && !x.is_sparse && state.is_variable && !y.has_shape);
    assert_eq!((state.dtype, y.dtype), (DataType::BFloat16, DataType::Int4));
    let op = &graph.operators[0];
    assert_eq!(
        (op.inputs.as_slice(), op.outputs.as_slice()),
        (&[Some(TensorId(0)), Some(TensorId(1)), None][..], &[Some(TensorId(3))][..])
    );
    assert_eq!(
        (op.intermediates.as_slice(), model.op_name(op), model.code(op).version),
        (&[Some(TensorId(2))][..], "mine", 7)
    );
    let OpOptions::Custom { bytes: range } = &op.options else { panic!("custom options") };
    assert_eq!(&bytes[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()], b"abc");
    assert_eq!(model.signatures[0].inputs, [("in".to_owned(), TensorId(0))]);
    assert_eq!(model.metadata[0].name, "OfflineMemoryAllocation");
    let BufferData::File(plan) = &model.buffers[model.metadata[0].buffer as usize].data else { panic!("a plan") };
    assert_eq!(plan.end - plan.start, 4 * 7);
    assert_eq!(model.warnings, []);
}

#[test]
fn constants_are_ranges_inside_and_outside() {
    let mut graph = Graph::new("main");
    graph.constant_i32("shape", &[1, -1, 70_000]);
    graph.constant(
        "floats",
        &[2],
        DataType::Float32,
        [1.5_f32, -2.0].iter().flat_map(|value| value.to_le_bytes()).collect(),
    );
    graph.constant("longs", &[1], DataType::Int64, (-(1_i64 << 40)).to_le_bytes().to_vec());
    graph.constant("big", &[1 << 17], DataType::UInt8, vec![1; 1 << 17]);
    graph.tensor("not constant", &[1], DataType::Int32);
    for data in [DataPlace::Inline, DataPlace::Behind] {
        let bytes = Model { data, ..Model::new(vec![graph.clone()]) }.build();
        let model = model::read(&bytes).unwrap();
        let tensors = &model.main().tensors;
        assert_eq!(model.constant_ints(&bytes, &tensors[0]), Some(vec![1, -1, 70_000]));
        assert_eq!(model.constant_dims(&bytes, &tensors[0]), Some(vec![1, -1, 70_000]));
        assert_eq!(model.constant_floats(&bytes, &tensors[1]), Some(vec![1.5, -2.0]));
        assert_eq!(model.constant_ints(&bytes, &tensors[1]), None);
        assert_eq!(model.constant_dims(&bytes, &tensors[2]), None);
        assert_eq!(model.constant_ints(&bytes, &tensors[2]), Some(vec![-(1 << 40)]));
        assert_eq!(model.constant_ints(&bytes, &tensors[3]), None, "weights are not decoded");
        assert_eq!(model.constant_bytes(&bytes, &tensors[3]).map(<[u8]>::len), Some(1 << 17));
        assert_eq!(model.constant(&tensors[4]), None);
        assert_eq!(model.buffers[1].is_outside, data == DataPlace::Behind);
    }
}

#[test]
fn each_runtime_finds_its_own_constants() {
    let mut graph = Graph::new("main");
    graph.constant("nothing", &[0], DataType::Int32, Vec::new());
    graph.constant("something", &[1], DataType::Int8, vec![7]);
    graph.add(Tensor { buffer: Some(0), ..Tensor::new("in buffer 0", &[1], DataType::Int8) });
    // Whether (TFLite, TFLite-Micro) take each tensor for a constant.
    for (data, expected) in [
        (DataPlace::Inline, [(true, false), (true, true), (false, false)]),
        (DataPlace::Behind, [(false, false), (true, false), (false, false)]),
    ] {
        let bytes = Model { data, ..Model::new(vec![graph.clone()]) }.build();
        let model = model::read(&bytes).unwrap();
        let found = model
            .main()
            .tensors
            .iter()
            .map(|tensor| (model.constant(tensor).is_some(), model.micro_constant(tensor).is_some()));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{data:?}");
    }
}

#[test]
fn element_types_have_their_numbers() {
    for number in i8::MIN..=i8::MAX {
        let dtype = DataType::from_number(number);
        assert_eq!(dtype.number(), number);
        assert_eq!(matches!(dtype, DataType::Unknown(_)), !(0..=22).contains(&number), "{number}");
    }
}
