//! The page's settings, by the names of the command line, into the report's.

use serde::Deserialize;
use tsify::Tsify;

use crate::error::Result;
use crate::report::{self, ResizeTensor, Settings};
use crate::runtime::RuntimeKind;
use crate::runtime::edit::Edit;

/// What the user chose on the page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Tsify)]
#[tsify(missing_as_null)]
pub struct SettingsValue {
    /// The runtime.
    #[tsify(type = "'tflite' | 'tflm'")]
    pub runtime: String,
    /// The planner; `runtime` is the runtime's own.
    pub planner: String,
    /// Alignment in bytes; null: the runtime's own.
    pub alignment: Option<u64>,
    /// Keep every tensor to the end.
    pub preserve_all_tensors: bool,
    /// TFLite-Micro's kernels.
    pub kernels: String,
    /// TFLite-Micro's struct sizes.
    pub abi: String,
    /// The arena the user has, in bytes.
    pub budget: Option<u64>,
    /// The board that kernels, struct sizes and budget were taken from, by its id.
    pub board: Option<String>,
    /// New dims of inputs (TFLite only), each as `t3=1,2,3`.
    pub resize: Vec<String>,
    /// Which model of a file that holds several: its name, or `#2` for the second.
    pub inner: Option<String>,
    /// What-ifs, each as `t31:bytes=4096`.
    pub edits: Vec<String>,
}

impl SettingsValue {
    /// The report's settings.
    pub(super) fn settings(&self) -> Result<Settings> {
        let mut settings = Settings::new(report::runtime_from_name(&self.runtime)?);
        settings.planner = Settings::planner_from_name(&self.planner)?;
        settings.inner.clone_from(&self.inner);
        settings.alignment = self.alignment;
        settings.preserve_all_tensors = self.preserve_all_tensors;
        settings.kernels = report::kernels_from_name(&self.kernels)?;
        settings.abi = report::abi_from_name(&self.abi)?;
        if settings.runtime == RuntimeKind::Tflite {
            settings.resize = self.resize.iter().map(|text| ResizeTensor::parse(text)).collect::<Result<_>>()?;
        }
        settings.edits = self.edits.iter().map(|text| Edit::parse(text)).collect::<Result<_>>()?;
        Ok(settings)
    }
}
