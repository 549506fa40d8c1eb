//! Models of one recurrent operator each.

use arenascope::model::DataType::{self, Float32, Int8, Int16, Int32, UInt8};
use arenascope::model::{Activation, BuiltinOp, OpOptions};

use super::single::Slot::{Fixed, Live, Omitted, State};
use super::single::{Case, Slot, case, integer_case};

const TANH: Activation = Activation::Tanh;

/// All cases.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = rnn();
    cases.extend(lstm());
    cases.extend(bidirectional_lstm());
    cases
}

fn rnn() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, weights) in [("float", Float32), ("hybrid", Int8), ("hybrid_uint8", UInt8)] {
        let parts = |units: i32| {
            vec![
                Fixed(vec![units, 4], weights),
                Fixed(vec![units, units], weights),
                Fixed(vec![units], Float32),
                State(vec![2, units], Float32),
            ]
        };
        let options = OpOptions::Rnn { activation: TANH, asymmetric_quantize_inputs: true };
        let inputs: Vec<Slot> = [Live(vec![2, 4], Float32)].into_iter().chain(parts(6)).collect();
        cases.push(case(name, BuiltinOp::RNN, options, &inputs, &[Live(vec![1], Float32)]));
        for time_major in [false, true] {
            let op = BuiltinOp::UNIDIRECTIONAL_SEQUENCE_RNN;
            let options = OpOptions::SequenceRnn { time_major, activation: TANH, asymmetric_quantize_inputs: true };
            let data = if time_major { vec![3, 2, 4] } else { vec![2, 3, 4] };
            let inputs: Vec<Slot> = [Live(data.clone(), Float32)].into_iter().chain(parts(6)).collect();
            cases.push(case(&format!("{name}_{time_major}"), op, options, &inputs, &[Live(vec![1], Float32)]));
            let options = OpOptions::BidirectionalSequenceRnn {
                time_major,
                merge_outputs: time_major,
                activation: TANH,
                asymmetric_quantize_inputs: true,
            };
            let aux = [Omitted, Omitted, Omitted];
            let inputs: Vec<Slot> =
                [Live(data, Float32)].into_iter().chain(parts(6)).chain(parts(8)).chain(aux).collect();
            let outputs = vec![Live(vec![1], Float32); if time_major { 1 } else { 2 }];
            let op = BuiltinOp::BIDIRECTIONAL_SEQUENCE_RNN;
            cases.push(case(&format!("{name}_{time_major}"), op, options, &inputs, &outputs));
        }
    }
    for (name, data, weights) in [("float", Float32, Float32), ("hybrid", Float32, Int8), ("int8", Int8, Int8)] {
        let integer = data == Int8;
        let inputs = [
            Live(vec![2, 4], data),
            Fixed(vec![6, 4], weights),
            Fixed(vec![6, 5], if integer { Int16 } else { weights }),
            Fixed(vec![3], if integer { Int32 } else { Float32 }),
            State(vec![2, 30], if integer { Int16 } else { Float32 }),
        ];
        let options = OpOptions::Svdf { rank: 2, activation: Activation::None, asymmetric_quantize_inputs: true };
        cases.push(case(name, BuiltinOp::SVDF, options, &inputs, &[Live(vec![1], data)]));
    }
    cases
}

/// The inputs of a full LSTM of 4 inputs, 6 cells and `outputs` outputs for two batches.
fn full_inputs(data: Slot, weights: DataType, coupled: bool, outputs: i32) -> Vec<Slot> {
    let integer = matches!(data, Live(_, Int8));
    let optional = |slot: Slot, wanted: bool| if wanted { slot } else { Omitted };
    let input = || Fixed(vec![6, 4], weights);
    let recurrent = || Fixed(vec![6, outputs], weights);
    let bias = || Fixed(vec![6], if integer { Int32 } else { Float32 });
    let projected = outputs != 6;
    let mut slots = vec![data, optional(input(), !coupled), input(), input(), input()];
    slots.extend([optional(recurrent(), !coupled), recurrent(), recurrent(), recurrent()]);
    slots.extend([Omitted, Omitted, Omitted]);
    slots.extend([optional(bias(), !coupled), bias(), bias(), bias()]);
    slots.extend([optional(Fixed(vec![outputs, 6], weights), projected), Omitted]);
    let (output_state, cell_state) = if integer { (Int8, Int16) } else { (Float32, Float32) };
    slots.extend([State(vec![2, outputs], output_state), State(vec![2, 6], cell_state)]);
    slots.extend([Omitted, Omitted, Omitted, Omitted]);
    slots
}

fn lstm() -> Vec<Case> {
    let mut cases = Vec::new();
    let full = OpOptions::Lstm {
        activation: TANH,
        cell_clip: 0.0,
        proj_clip: 0.0,
        kernel_type: 0,
        asymmetric_quantize_inputs: true,
    };
    let sequence = |time_major| OpOptions::UnidirectionalSequenceLstm {
        activation: TANH,
        cell_clip: 0.0,
        proj_clip: 0.0,
        time_major,
        asymmetric_quantize_inputs: true,
        diagonal_recurrent_tensors: false,
    };
    for (name, data, weights, coupled, outputs) in [
        ("float", Float32, Float32, false, 6),
        ("coupled", Float32, Float32, true, 6),
        ("projected", Float32, Float32, false, 8),
        ("hybrid", Float32, Int8, false, 6),
        ("hybrid_coupled", Float32, Int8, true, 8),
        ("hybrid_uint8", Float32, UInt8, false, 4),
        ("int8", Int8, Int8, false, 6),
    ] {
        let output = [Live(vec![1], data)];
        let named: &[DataType] = if data == Int8 { &[Int16, Int16, Int16, Int16, Int8] } else { &[] };
        let inputs = full_inputs(Live(vec![2, 4], data), weights, coupled, outputs);
        cases.push(integer_case(name, BuiltinOp::LSTM, full.clone(), &inputs, &output, named));
        for time_major in [false, true] {
            let shape = if time_major { vec![3, 2, 4] } else { vec![2, 3, 4] };
            let inputs = full_inputs(Live(shape, data), weights, coupled, outputs);
            let op = BuiltinOp::UNIDIRECTIONAL_SEQUENCE_LSTM;
            cases.push(integer_case(
                &format!("{name}_{time_major}"),
                op,
                sequence(time_major),
                &inputs,
                &output,
                named,
            ));
        }
    }
    let basic = OpOptions::Lstm {
        activation: TANH,
        cell_clip: 0.0,
        proj_clip: 0.0,
        kernel_type: 1,
        asymmetric_quantize_inputs: false,
    };
    let inputs = [
        Live(vec![1, 4], Float32),
        State(vec![1, 6], Float32),
        Fixed(vec![24, 10], Float32),
        Fixed(vec![24], Float32),
        State(vec![1, 6], Float32),
    ];
    let outputs = vec![Live(vec![1], Float32); 4];
    cases.push(case("basic", BuiltinOp::LSTM, basic, &inputs, &outputs));
    cases
}

fn bidirectional_lstm() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, weights, merge_outputs, coupled) in
        [("float", Float32, true, false), ("hybrid", Int8, false, false), ("hybrid_coupled", Int8, true, true)]
    {
        let data = Live(vec![2, 3, 4], Float32);
        let direction = || full_inputs(data.clone(), weights, coupled, 6).into_iter().skip(1).take(17);
        let mut inputs = vec![data.clone()];
        inputs.extend(direction());
        inputs.extend(direction());
        inputs.extend(vec![State(vec![2, 6], Float32); 4]);
        inputs.extend(vec![Omitted; 9]);
        let options = OpOptions::BidirectionalSequenceLstm {
            activation: TANH,
            cell_clip: 0.0,
            proj_clip: 0.0,
            merge_outputs,
            time_major: false,
            asymmetric_quantize_inputs: true,
        };
        let outputs = vec![Live(vec![1], Float32); if merge_outputs { 1 } else { 2 }];
        cases.push(case(name, BuiltinOp::BIDIRECTIONAL_SEQUENCE_LSTM, options, &inputs, &outputs));
    }
    cases
}
