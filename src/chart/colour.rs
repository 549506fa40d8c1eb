//! Colours: contrast, the cividis scale, and what a box's colour can say.

use std::sync::LazyLock;

/// The light of each value of a channel, 0 to 1: powers are slow, and every box of a picture asks for some.
static LINEAR: LazyLock<[f64; 256]> = LazyLock::new(|| {
    std::array::from_fn(|channel| {
        let value = channel as f64 / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
});

/// An opaque colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

impl Colour {
    /// The colour `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Colour {
        Colour { red: (rgb >> 16 & 255) as u8, green: (rgb >> 8 & 255) as u8, blue: (rgb & 255) as u8 }
    }

    /// As in CSS: `#0072b2`.
    pub fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }

    /// As a pixel.
    pub fn rgba(self) -> [u8; 4] {
        [self.red, self.green, self.blue, 255]
    }

    /// This colour with `share` (0 to 1) of another in it.
    #[must_use]
    pub fn mixed(self, other: Colour, share: f64) -> Colour {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share.clamp(0.0, 1.0) + 0.5) as u8;
        Colour { red: mix(self.red, other.red), green: mix(self.green, other.green), blue: mix(self.blue, other.blue) }
    }

    /// Relative luminance as WCAG 2 defines it, 0 to 1.
    pub fn luminance(self) -> f64 {
        let linear = |channel: u8| LINEAR[usize::from(channel)];
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }

    /// Contrast as WCAG 2 defines it, 1 to 21.
    pub fn contrast(self, other: Colour) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Black or white, whichever reads better on this colour.
    #[must_use]
    pub fn ink(self) -> Colour {
        if self.contrast(BLACK) >= self.contrast(WHITE) { BLACK } else { WHITE }
    }
}

/// Ink on light fills.
pub const BLACK: Colour = Colour::hex(0x10_1418);
/// Ink on dark fills.
pub const WHITE: Colour = Colour::hex(0xff_ffff);

/// What a box's colour says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColourMode {
    /// What it is in the graph.
    #[default]
    Role,
    /// Its element type.
    Type,
    /// The kind of operator that makes it.
    Op,
    /// Its bytes, on a logarithmic scale.
    Size,
    /// How many steps it lives.
    Lifetime,
    /// How many other buffers lie over its bytes.
    Shares,
}

impl ColourMode {
    /// All modes, in the order of their number keys.
    pub const ALL: &[ColourMode] = &[
        ColourMode::Role,
        ColourMode::Type,
        ColourMode::Op,
        ColourMode::Size,
        ColourMode::Lifetime,
        ColourMode::Shares,
    ];

    /// The mode's name in options and links.
    pub fn name(self) -> &'static str {
        match self {
            ColourMode::Role => "role",
            ColourMode::Type => "type",
            ColourMode::Op => "op",
            ColourMode::Size => "size",
            ColourMode::Lifetime => "lifetime",
            ColourMode::Shares => "shares",
        }
    }

    /// The mode of that name.
    pub fn from_name(name: &str) -> Option<ColourMode> {
        ColourMode::ALL.iter().copied().find(|mode| mode.name() == name)
    }
}

/// The cividis scale (readable with any colour vision), ten points of it; between them we mix.
const CIVIDIS: [Colour; 10] = [
    Colour::hex(0x00_204d),
    Colour::hex(0x00_336f),
    Colour::hex(0x39_486b),
    Colour::hex(0x57_5c6d),
    Colour::hex(0x70_7173),
    Colour::hex(0x8a_8779),
    Colour::hex(0xa6_9d75),
    Colour::hex(0xc4_b56c),
    Colour::hex(0xe4_cf5b),
    Colour::hex(0xff_ea46),
];

/// The colour of a share (0 to 1) on the cividis scale.
pub fn cividis(share: f64) -> Colour {
    let place = if share.is_finite() { share.clamp(0.0, 1.0) * 9.0 } else { 0.0 };
    let low = (place.floor() as usize).min(8);
    CIVIDIS[low].mixed(CIVIDIS[low + 1], place - low as f64)
}

/// The fills for kinds of things, after Okabe and Ito: readable with any colour vision, black left out.
pub const OKABE_ITO: [Colour; 7] = [
    Colour::hex(0x56_b4e9), // sky blue
    Colour::hex(0xe6_9f00), // orange
    Colour::hex(0x00_9e73), // bluish green
    Colour::hex(0xf0_e442), // yellow
    Colour::hex(0xcc_79a7), // reddish purple
    Colour::hex(0x00_72b2), // blue
    Colour::hex(0xd5_5e00), // vermillion
];
