//! A number in a player's text that is tuned, and its range.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The suffix of a range of whole numbers.
const WHOLE: &str = ":whole";

/// The limits of ranges.
const NUMBERS: RangeInclusive<f64> = -1e9..=1e9;

/// Significant digits of a value.
const DIGITS: i32 = 4;

/// A number, `{NAME}` in a player's text: `NAME=FROM..NOW..TO`, with the suffix `:whole` for whole
/// numbers.
///
/// Models use *places* for its values: 0 is the current value, and the whole range is 2 wide. If
/// the range is above 0, equal ratios of values are equally far apart; else equal differences are.
///
/// ```
/// use hex_arena::tune::parameter::Parameter;
/// let c: Parameter = "c=0.6..1.2..2.4".parse().unwrap();
/// assert_eq!([-1.0, 0.0, 1.0].map(|place| c.value(place)), [0.6, 1.2, 2.4]);
/// assert_eq!(c.in_text("builtin:c-puct={c}", 0.9), "builtin:c-puct=0.9");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name in the text.
    pub(crate) name: String,
    /// The range.
    range: RangeInclusive<f64>,
    /// The current value.
    now: f64,
    is_whole: bool,
}

impl Parameter {
    /// The current value.
    pub(crate) fn now(&self) -> f64 {
        self.now
    }

    /// The least and the largest value.
    pub(crate) fn range(&self) -> &RangeInclusive<f64> {
        &self.range
    }

    /// The places of the ends of the range.
    pub fn places(&self) -> RangeInclusive<f64> {
        self.place(*self.range.start())..=self.place(*self.range.end())
    }

    /// The place of a value.
    pub fn place(&self, value: f64) -> f64 {
        let [start, end] = [self.range.start(), self.range.end()].map(|&end| self.scaled(end));
        2.0 * (self.scaled(value) - self.scaled(self.now)) / (end - start)
    }

    /// The value at a place, to four significant digits and within the range.
    pub fn value(&self, place: f64) -> f64 {
        let [start, end] = [self.range.start(), self.range.end()].map(|&end| self.scaled(end));
        let scaled = self.scaled(self.now) + place * (end - start) / 2.0;
        let value = if self.goes_by_ratios() {
            scaled.exp()
        } else {
            scaled
        };
        let value = if self.is_whole {
            value.round()
        } else {
            rounded(value)
        };
        value.clamp(*self.range.start(), *self.range.end())
    }

    /// The text with a value in place of the placeholder.
    pub fn in_text(&self, text: &str, value: f64) -> String {
        text.replace(&self.placeholder(), &value.to_string())
    }

    /// The placeholder in the text, `{NAME}`.
    pub(crate) fn placeholder(&self) -> String {
        format!("{{{}}}", self.name)
    }

    /// Returns true for a value within the range, and whole if it has to be.
    pub fn allows(&self, value: f64) -> bool {
        self.range.contains(&value) && (!self.is_whole || value.fract() == 0.0)
    }

    fn goes_by_ratios(&self) -> bool {
        *self.range.start() > 0.0
    }

    fn scaled(&self, value: f64) -> f64 {
        if self.goes_by_ratios() {
            value.ln()
        } else {
            value
        }
    }
}

/// The value rounded to [`DIGITS`] significant digits.
fn rounded(value: f64) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let unit = 10f64.powi(DIGITS - 1 - value.abs().log10().floor() as i32);
    (value * unit).round() / unit
}

impl FromStr for Parameter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parameter = parse(text).ok_or_else(|| {
            format!(
                "{text:?} is not NAME=FROM..NOW..TO, such as c=0.6..1.2..2.4, with or without \
                 {WHOLE} at its end"
            )
        })?;
        let (from, to) = (*parameter.range.start(), *parameter.range.end());
        if from >= to || !parameter.range.contains(&parameter.now) {
            let now = parameter.now;
            return Err(format!(
                "{text:?}: {from}, {now} and {to} do not rise; give the least, the current and the \
                 largest value"
            ));
        }
        match [from, parameter.now, to].map(|value| parameter.allows(value)) {
            [true, true, true] => Ok(parameter),
            _ => Err(format!("{text:?}: {WHOLE} is for whole numbers")),
        }
    }
}

fn parse(text: &str) -> Option<Parameter> {
    let (text, is_whole) = match text.strip_suffix(WHOLE) {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (name, range) = text.split_once('=')?;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if name.is_empty() || !name.chars().all(is_letter) {
        return None;
    }
    let mut numbers = range.split("..").map(|number| {
        let number: f64 = number.parse().ok()?;
        NUMBERS.contains(&number).then_some(number)
    });
    let [from, now, to] = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then(|| Parameter {
        name: name.to_owned(),
        range: from..=to,
        now,
        is_whole,
    })
}

/// The command line's form.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (name, now) = (&self.name, self.now);
        let (from, to) = (self.range.start(), self.range.end());
        let whole = if self.is_whole { WHOLE } else { "" };
        write!(f, "{name}={from}..{now}..{to}{whole}")
    }
}
