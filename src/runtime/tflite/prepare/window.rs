//! Sizes of windows over images (`padding.h`), shared by convolutions and pools.

use crate::model::Padding;

/// One axis of an image with the window that moves along it.
pub(super) struct Axis {
    /// Pixels of the image.
    pub(super) image: i32,
    /// Taps of the window.
    pub(super) kernel: i32,
    /// Pixels from one position to the next.
    pub(super) stride: i32,
    /// Pixels from one tap to the next.
    pub(super) dilation: i32,
}

/// How many positions the window has; `None` where the runtime refuses.
pub(super) fn output_size(padding: Padding, axis: &Axis) -> Option<i32> {
    let Axis { image, kernel, stride, dilation } = *axis;
    if image < 0 || kernel <= 0 || stride <= 0 || dilation <= 0 {
        return None;
    }
    let (image, stride) = (i64::from(image), i64::from(stride));
    let effective = (i64::from(kernel) - 1) * i64::from(dilation) + 1;
    let positions = match padding {
        Padding::Same => (image + stride - 1) / stride,
        Padding::Valid => (image + stride - effective) / stride,
    };
    i32::try_from(positions).ok().filter(|&positions| positions >= 0)
}
