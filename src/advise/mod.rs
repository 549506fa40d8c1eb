//! Turns a `Program` and its plan into ranked what-ifs, each re-planned. Knows runtime, plan, schedule.

pub mod compare;
