//! The pipeline from bytes to an [`Analysis`], and what is printed of one: JSON (stable, for programs), CSV, text. Knows
//! all of the core; the serialised types live here, as twins of the core's.

mod analysis;
pub mod compare;
mod diagnosis;
mod facts;
mod html;
mod improve;
mod json;
mod micro;
mod picture;
mod plan_file;
mod settings;
mod share;
mod side;
mod table;
mod text;
mod verdict;
pub mod view;
mod what_if;
mod words;

pub use analysis::{Analysis, ArenaPlan, analyse, analyse_model, analyse_table};
pub use compare::{Comparison, compare};
pub use diagnosis::diagnosis_text;
pub use facts::{BufferFacts, Facts};
pub use html::{PageTexts, to_html, to_html_in};
pub use improve::{advice, advice_to_text, bake, baked_to_text, buffer_plan, own_plan};
pub use micro::{to_buffer_plan, to_cpp, to_memory_plan};
pub use picture::{caption, scene, to_svg};
pub use plan_file::{to_base_plan, to_plan_file};
pub use settings::{
    ResizeTensor, Settings, abi_from_name, abi_name, kernels_from_name, kernels_name, parse_op_bytes,
    runtime_from_name, runtime_name,
};
pub use side::{Side, SideBuffer, SideMicro, SideModel, SidePeak, SideStep};
pub use table::{to_csv, to_table};
pub use text::to_text;
pub use verdict::{Difference, Verdict, check, diff, runtimes_to_text};
pub use view::to_json;
pub use what_if::{Figures, PeakFigure, WhatIf};
pub use words::{bytes_exact, bytes_words, clean, grouped, step_words};
