//! The names of the two colours in JSON.

use hexbot::cell::Color;
use serde::{Deserialize, Serialize};

/// A colour, `"red"` or `"blue"` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColorName {
    /// [`Color::Red`].
    Red,
    /// [`Color::Blue`].
    Blue,
}

impl From<Color> for ColorName {
    fn from(color: Color) -> Self {
        match color {
            Color::Red => ColorName::Red,
            Color::Blue => ColorName::Blue,
        }
    }
}

impl From<ColorName> for Color {
    fn from(name: ColorName) -> Self {
        match name {
            ColorName::Red => Color::Red,
            ColorName::Blue => Color::Blue,
        }
    }
}
