//! Generated FlatBuffers code for `schema/tflite.fbs`: the only place where `unsafe` is allowed.
