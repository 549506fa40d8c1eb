//! How `TFLite` (`LiteRT`) plans memory: which tensors live where, when, and what kernels add.
