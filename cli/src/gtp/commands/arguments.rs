//! Reads the arguments of commands. Errors contain the argument and its expected form.

use crate::gtp::protocol::CommandFailure;
use hex_core::record::{AnyCell, Side};
use hexbot::cell::Color;
use std::str::FromStr;
use std::time::Duration;

/// The arguments of a command, counted from 0.
pub(crate) struct GtpArguments<'a>(&'a [String]);

impl<'a> GtpArguments<'a> {
    /// These arguments.
    pub(crate) fn new(arguments: &'a [String]) -> Self {
        GtpArguments(arguments)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The argument as text.
    ///
    /// # Panics
    /// If there is none. The table of commands has the least number of arguments.
    pub(crate) fn text(&self, index: usize) -> &'a str {
        &self.0[index]
    }

    /// The failure that an argument is not `what`.
    pub(crate) fn wrong(&self, index: usize, what: &str) -> CommandFailure {
        let shown: String = self.text(index).chars().take(20).collect();
        CommandFailure(format!("argument {}: {shown:?} is not {what}", index + 1))
    }

    /// `b`, `black`, `w` or `white`, in either case.
    pub(crate) fn color(&self, index: usize) -> Result<Color, CommandFailure> {
        match self.text(index).to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Color::Red),
            "w" | "white" => Ok(Color::Blue),
            _ => Err(self.wrong(index, "black or white")),
        }
    }

    /// A cell of a board of `side`, in either case.
    pub(crate) fn point(&self, index: usize, side: Side) -> Result<AnyCell, CommandFailure> {
        let text = self.text(index).to_ascii_lowercase();
        side.parse_cell(&text)
            .map_err(|_| self.wrong(index, &format!("a cell of a board of side {side}")))
    }

    /// A number, or any other type that can be parsed; errors call it `what`.
    pub fn parse<T: FromStr>(&self, index: usize, what: &str) -> Result<T, CommandFailure> {
        let parsed = self.text(index).parse();
        parsed.map_err(|_| self.wrong(index, what))
    }

    /// The value of a command line's option with this text, with the same range and the same
    /// errors.
    pub(crate) fn option<T>(
        &self,
        index: usize,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, CommandFailure> {
        let option = read(self.text(index));
        option.map_err(|why| CommandFailure(format!("argument {}: {why}", index + 1)))
    }

    /// A number of seconds, 0 or more.
    pub(crate) fn seconds(&self, index: usize) -> Result<Duration, CommandFailure> {
        let seconds: f64 = self.parse(index, "a number of seconds")?;
        Duration::try_from_secs_f64(seconds).map_err(|_| self.wrong(index, "a number of seconds"))
    }

    /// `0`, `1`, `true` or `false`.
    pub(crate) fn truth(&self, index: usize) -> Result<bool, CommandFailure> {
        match self.text(index) {
            "1" | "true" => Ok(true),
            "0" | "false" => Ok(false),
            _ => Err(self.wrong(index, "0 or 1")),
        }
    }
}
