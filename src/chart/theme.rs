//! How the chart looks, in one place and as data: the light and the dark theme, patterns, and the paint of each box.

use std::borrow::Cow;

use crate::chart::colour::{Colour, ColourMode, OKABE_ITO, cividis};
use crate::chart::scene::{Kind, Scene, SceneBox};

/// A pattern over a fill, so that colour is never the only sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// No pattern.
    Plain,
    /// Lines from bottom left to top right.
    Rising,
    /// Lines from top left to bottom right.
    Falling,
    /// Points.
    Dots,
    /// Horizontal lines.
    Rows,
    /// Vertical lines.
    Columns,
    /// Both diagonals.
    Cross,
}

impl Pattern {
    /// All patterns, in the order they are given to kinds of things.
    pub const ALL: &[Pattern] = &[
        Pattern::Plain,
        Pattern::Rising,
        Pattern::Dots,
        Pattern::Rows,
        Pattern::Falling,
        Pattern::Columns,
        Pattern::Cross,
    ];

    /// Whether the pattern marks the pixel (in CSS pixels).
    pub fn marks(self, x: u32, y: u32) -> bool {
        let (x, y) = (x % 8, y % 8);
        match self {
            Pattern::Plain => false,
            Pattern::Rising => (x + y) % 8 == 0,
            Pattern::Falling => x == y,
            Pattern::Dots => x % 4 == 1 && y % 4 == 1,
            Pattern::Rows => y == 3,
            Pattern::Columns => x == 3,
            Pattern::Cross => x == y || (x + y) % 8 == 0,
        }
    }
}

/// A fill with its pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Paint {
    /// The fill.
    pub fill: Colour,
    /// The pattern over it.
    pub pattern: Pattern,
}

impl Paint {
    /// The paint of a kind of thing by its rank: seven colours, then the same with a pattern.
    pub fn nth(rank: u32) -> Paint {
        let pattern = Pattern::ALL[(rank as usize / OKABE_ITO.len()) % Pattern::ALL.len()];
        Paint { fill: OKABE_ITO[rank as usize % OKABE_ITO.len()], pattern }
    }

    /// The paint of a kind of buffer.
    pub fn of_kind(kind: Kind) -> Paint {
        let (fill, pattern) = match kind {
            Kind::Input => (2, Pattern::Rising),
            Kind::Intermediate | Kind::Buffer => (0, Pattern::Plain),
            Kind::Output => (1, Pattern::Falling),
            Kind::Variable => (4, Pattern::Dots),
            Kind::Temporary => (3, Pattern::Rows),
            Kind::Scratch => (6, Pattern::Columns),
            Kind::Constant => (5, Pattern::Cross),
        };
        Paint { fill: OKABE_ITO[fill], pattern }
    }

    /// The colour of the pattern's marks: the fill, a little towards its ink.
    pub fn mark(self) -> Colour {
        self.fill.mixed(self.fill.ink(), 0.22)
    }

    /// The colour of the border: darker than a bright fill, brighter than a dark one.
    pub fn border(self) -> Colour {
        self.fill.mixed(self.fill.ink(), 0.45)
    }
}

/// The colours of everything but boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Theme {
    pub name: &'static str,
    /// Around the plot.
    pub page: Colour,
    /// Behind the boxes.
    pub plot: Colour,
    pub grid: Colour,
    pub axis: Colour,
    pub text: Colour,
    pub faint_text: Colour,
    /// The hatching of gaps.
    pub gap: Colour,
    pub peak: Colour,
    pub bound: Colour,
    pub budget: Colour,
    pub arena_top: Colour,
    pub cursor: Colour,
    pub selection: Colour,
    pub live_line: Colour,
    pub live_fill: Colour,
    /// A box of no category, or dimmed by a filter.
    pub dimmed: Colour,
    pub born: Colour,
    pub dying: Colour,
}

/// Dark on light.
pub const LIGHT: Theme = Theme {
    name: "light",
    page: Colour::hex(0xff_ffff),
    plot: Colour::hex(0xf7_f8fa),
    grid: Colour::hex(0xdf_e3e8),
    axis: Colour::hex(0x5b_6570),
    text: Colour::hex(0x1b_2026),
    faint_text: Colour::hex(0x56_606b),
    gap: Colour::hex(0xc2_c9d2),
    peak: Colour::hex(0xc0_2050),
    bound: Colour::hex(0x00_6b4e),
    budget: Colour::hex(0x9a_3a00),
    arena_top: Colour::hex(0x1b_2026),
    cursor: Colour::hex(0x1f_5fd6),
    selection: Colour::hex(0x10_1418),
    live_line: Colour::hex(0x1f_5fd6),
    live_fill: Colour::hex(0xc5_d8f7),
    dimmed: Colour::hex(0xcf_d4da),
    born: Colour::hex(0x00_6b4e),
    dying: Colour::hex(0xc0_2050),
};

/// Light on dark.
pub const DARK: Theme = Theme {
    name: "dark",
    page: Colour::hex(0x14_181d),
    plot: Colour::hex(0x1b_2027),
    grid: Colour::hex(0x2f_3741),
    axis: Colour::hex(0x93_9eab),
    text: Colour::hex(0xe8_ecf1),
    faint_text: Colour::hex(0xa5_afbb),
    gap: Colour::hex(0x41_4a55),
    peak: Colour::hex(0xff_7a9c),
    bound: Colour::hex(0x4f_d6ab),
    budget: Colour::hex(0xff_a866),
    arena_top: Colour::hex(0xe8_ecf1),
    cursor: Colour::hex(0x7f_b0ff),
    selection: Colour::hex(0xff_ffff),
    live_line: Colour::hex(0x7f_b0ff),
    live_fill: Colour::hex(0x2a_3f63),
    dimmed: Colour::hex(0x3c_444e),
    born: Colour::hex(0x4f_d6ab),
    dying: Colour::hex(0xff_7a9c),
};

impl Theme {
    /// The theme of that name.
    pub fn from_name(name: &str) -> Option<&'static Theme> {
        [&LIGHT, &DARK].into_iter().find(|theme| theme.name == name)
    }
}

/// The words in the picture, so that the page can translate them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is one word of the picture")]
pub struct Words {
    pub step_axis: Cow<'static, str>,
    pub byte_axis: Cow<'static, str>,
    pub peak: Cow<'static, str>,
    pub lower_bound: Cow<'static, str>,
    pub budget: Cow<'static, str>,
    pub arena: Cow<'static, str>,
    /// The arena is as small as its lower bound.
    pub arena_at_bound: Cow<'static, str>,
    pub gap: Cow<'static, str>,
    /// The earlier arena of an overlay.
    pub before: Cow<'static, str>,
    /// What a step's number counts, when that is not operations; empty: it stands before the operation's name.
    pub scope: Cow<'static, str>,
    /// The legend's entry for boxes of no category.
    pub none: Cow<'static, str>,
    /// What `+37` in the plot means.
    pub folded: Cow<'static, str>,
    pub more: Cow<'static, str>,
    /// One word for each of [`Kind::ALL`].
    pub kinds: Vec<Cow<'static, str>>,
    /// One word for each of [`ColourMode::ALL`].
    pub modes: Vec<Cow<'static, str>>,
}

impl Default for Words {
    fn default() -> Words {
        let modes = ["role", "type", "made by", "size", "steps alive", "shares bytes with"];
        Words {
            step_axis: "step (operation)".into(),
            byte_axis: "offset in the arena".into(),
            peak: "peak".into(),
            lower_bound: "lower bound".into(),
            budget: "budget".into(),
            arena: "arena".into(),
            arena_at_bound: "arena = bound".into(),
            gap: "gap".into(),
            before: "before".into(),
            scope: "".into(),
            none: "none".into(),
            folded: "+N: N more boxes, too small to be seen".into(),
            more: "more".into(),
            kinds: Kind::ALL.iter().map(|kind| kind.name().into()).collect(),
            modes: modes.into_iter().map(Cow::from).collect(),
        }
    }
}

/// How a scene is to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Colours.
    pub theme: &'static Theme,
    /// What a box's colour says.
    pub mode: ColourMode,
    /// Whether gaps are hatched.
    pub gaps: bool,
    /// Whether the lower bound is drawn.
    pub bound: bool,
    /// Whether offsets are hexadecimal.
    pub hex: bool,
    /// The words.
    pub words: Words,
    /// Boxes (by index) that a search or filter leaves bright, one flag per box; empty: all.
    pub bright: Vec<bool>,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            theme: &LIGHT,
            mode: ColourMode::Role,
            gaps: true,
            bound: true,
            hex: false,
            words: Words::default(),
            bright: Vec::new(),
        }
    }
}

/// The ends of a mode's scale, for boxes coloured by a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// The scale of a scene's sizes, lifetimes or shares; logarithmic.
    pub fn of(scene: &Scene, mode: ColourMode) -> Scale {
        if matches!(mode, ColourMode::Role | ColourMode::Type | ColourMode::Op) {
            return Scale { low: 0.0, high: 0.0 };
        }
        let values = scene.boxes.iter().map(|item| number(item, mode));
        let (low, high) = values.fold((f64::INFINITY, 0.0), |(low, high), value| (value.min(low), value.max(high)));
        Scale { low: low.min(high), high }
    }

    /// The smallest and the largest number.
    pub fn ends(self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The colour at a fraction of the scale.
    pub fn colour_at(self, fraction: f64) -> Colour {
        cividis(if self.high > self.low { fraction } else { 0.5 })
    }

    /// The colour of a number.
    pub fn colour(self, value: f64) -> Colour {
        let log = |value: f64| (value + 1.0).ln();
        let length = log(self.high) - log(self.low);
        cividis(if length > 0.0 { (log(value) - log(self.low)) / length } else { 0.5 })
    }
}

/// The number that a mode shows.
fn number(item: &SceneBox, mode: ColourMode) -> f64 {
    match mode {
        ColourMode::Size => item.size_bytes as f64,
        ColourMode::Lifetime => f64::from(item.live.steps()),
        ColourMode::Shares => f64::from(item.share_count),
        ColourMode::Role | ColourMode::Type | ColourMode::Op => 0.0,
    }
}

/// Gives each box of a scene its paint.
#[derive(Clone, Debug)]
pub struct Painter<'a> {
    style: &'a Style,
    scale: Scale,
}

impl<'a> Painter<'a> {
    /// The painter for a scene in a style.
    pub fn new(scene: &Scene, style: &'a Style) -> Painter<'a> {
        Painter { style, scale: Scale::of(scene, style.mode) }
    }

    /// The paint of box `id`.
    pub fn paint(&self, id: u32, item: &SceneBox) -> Paint {
        let plain = |fill| Paint { fill, pattern: Pattern::Plain };
        if self.style.bright.get(id as usize) == Some(&false) {
            return plain(self.style.theme.dimmed);
        }
        match self.style.mode {
            ColourMode::Role => Paint::of_kind(item.kind),
            ColourMode::Type => item.dtype.map_or(plain(self.style.theme.dimmed), Paint::nth),
            ColourMode::Op => item.op.map_or(plain(self.style.theme.dimmed), Paint::nth),
            ColourMode::Size | ColourMode::Lifetime | ColourMode::Shares => {
                plain(self.scale.colour(number(item, self.style.mode)))
            }
        }
    }
}
