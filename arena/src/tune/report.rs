//! The report of a tuning: the best values by the fitted surface, their uncertainty, and the match
//! that has to confirm them.

use super::games::Tuning;
use super::log::TunedPair;
use super::model::{Gain, Model};
use super::parameter::Parameter;
use hex_common::stats::elo::{elo_of_score, signed, Estimate, Z_95};
use hex_core::record::counted;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// How many surfaces are drawn to estimate the uncertainty of the best values.
const DRAWS: usize = 200;

/// The share of their highest places on either side that is outside the likely range.
const TAIL: f64 = 0.1;

/// The range that expected scores are limited to: a surface may leave 0 to 1, where Elo is
/// undefined.
const SCORES: RangeInclusive<f64> = 0.01..=0.99;

/// The widest a parameter's name may be in the table.
const NAME_WIDTH: usize = 24;

/// The results of a tuning.
pub(crate) struct TuneReport<'a> {
    /// The player and the parameters.
    pub(crate) tuning: &'a Tuning,
    /// The pairs of games.
    pub(crate) pairs: &'a [TunedPair],
    /// The fitted model.
    pub(crate) model: Model,
    /// The best values' places by the likeliest surface.
    pub(crate) best: Vec<f64>,
    /// For each parameter the likely places of the best value.
    likely: Vec<RangeInclusive<f64>>,
}

/// The Elo difference of an expected score, with its 95 % interval.
fn elo(gain: Gain) -> Estimate {
    let elo = |score: f64| elo_of_score((0.5 + score).clamp(*SCORES.start(), *SCORES.end()));
    Estimate {
        elo: elo(gain.score),
        low: elo(gain.score - Z_95 * gain.error),
        high: elo(gain.score + Z_95 * gain.error),
    }
}

/// A player's text without its name, so that it can be given another one.
fn unnamed(player: &str) -> String {
    let parts = player.split(";;").map(str::trim);
    let kept: Vec<&str> = parts.filter(|part| !part.starts_with("name=")).collect();
    kept.join(" ;; ")
}

/// How many games the tried values won in these pairs.
pub(crate) fn wins(pairs: &[TunedPair]) -> u64 {
    pairs.iter().map(|pair| u64::from(pair.wins)).sum()
}

/// `812-1188, 40.6 %`: games of this number of pairs won and lost by the tried values.
pub(crate) fn score_text(wins: u64, pairs: usize) -> String {
    let games = 2 * pairs as u64;
    let percent = 100.0 * wins as f64 / games.max(1) as f64;
    format!("{wins}-{}, {percent:.1} %", games - wins)
}

impl<'a> TuneReport<'a> {
    /// The report of these pairs.
    pub(crate) fn new(tuning: &'a Tuning, pairs: &'a [TunedPair]) -> Self {
        let model = tuning.model(pairs);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(tuning.seed);
        let bounds: Vec<_> = tuning.parameters.iter().map(Parameter::places).collect();
        let best = model.likeliest().highest(&bounds, &mut rng);
        let drawn = (0..DRAWS).map(|_| model.draw(&mut rng));
        let drawn: Vec<Vec<f64>> = drawn
            .map(|surface| surface.highest(&bounds, &mut Xoshiro256PlusPlus::seed_from_u64(1)))
            .collect();
        let likely = (0..best.len()).map(|index| {
            let mut places: Vec<f64> = drawn.iter().map(|places| places[index]).collect();
            places.sort_by(f64::total_cmp);
            let cut = (TAIL * DRAWS as f64) as usize;
            places[cut]..=places[DRAWS - 1 - cut]
        });
        TuneReport {
            tuning,
            pairs,
            likely: likely.collect(),
            model,
            best,
        }
    }

    /// The Elo difference that the surface predicts at these places.
    pub(crate) fn gain(&self, places: &[f64]) -> Estimate {
        elo(self.model.gain(places))
    }

    /// The range of values that contains the best one of a parameter in eight of ten likely
    /// surfaces.
    pub(crate) fn likely(&self, index: usize) -> String {
        let ends = [self.likely[index].start(), self.likely[index].end()];
        let [low, high] = ends.map(|&place| self.tuning.parameters[index].value(place));
        format!("{low} to {high}")
    }

    /// The report as text.
    pub(crate) fn text(&self) -> String {
        let tenth = &self.pairs[self.pairs.len() - self.pairs.len() / 10..];
        let mut text = format!(
            "{}, tried against current values {}",
            counted(self.pairs.len(), "pair"),
            score_text(wins(self.pairs), self.pairs.len())
        );
        if !tenth.is_empty() {
            let (count, score) = (
                counted(tenth.len(), "pair"),
                score_text(wins(tenth), tenth.len()),
            );
            let _ = write!(text, "; the last {count} {score}");
        }
        text += "\n";
        if self.pairs.is_empty() {
            return text;
        }
        text += "\n";
        text += &self.table();
        let Estimate { elo, low, high } = self.gain(&self.best);
        let [elo, low, high] = [elo, low, high].map(|elo| signed(elo, 0));
        let best = self.tuning.values(&self.best);
        let command = |name, values: &[f64]| {
            let player = unnamed(&self.tuning.text_with(values));
            let player = format!("{player} ;; name={name}");
            shell_words::quote(&player).into_owned()
        };
        let _ = write!(
            text,
            "\nbest against current values by the surface: Elo {elo}, 95 % from {low} to {high}\n\
             The best place of a fitted surface is too optimistic. Confirm it by a match:\n  \
             hex match {} {} {} --sprt 0,10\n",
            command("best", &best),
            command("now", &self.tuning.now()),
            self.tuning.arguments,
        );
        text + &self.faults()
    }

    /// A line for each parameter.
    fn table(&self) -> String {
        let names = self
            .tuning
            .parameters
            .iter()
            .map(|p| p.name.chars().count());
        let width = names.max().unwrap_or(0).clamp(9, NAME_WIDTH);
        let mut table = format!(
            "{:width$} {:>9} {:>9} {:>9} {:>9}  likely (8 of 10)\n",
            "parameter", "from", "now", "to", "best"
        );
        for (index, parameter) in self.tuning.parameters.iter().enumerate() {
            let (from, to) = (parameter.range().start(), parameter.range().end());
            let name: String = parameter.name.chars().take(width).collect();
            let _ = writeln!(
                table,
                "{name:width$} {from:>9} {:>9} {to:>9} {:>9}  {}",
                parameter.now(),
                parameter.value(self.best[index]),
                self.likely(index),
            );
        }
        table
    }

    /// How many games were lost by faults, if any, and the last one.
    fn faults(&self) -> String {
        let faults = || self.pairs.iter().flat_map(|pair| &pair.faults);
        match faults().last() {
            None => String::new(),
            Some(last) => format!(
                "games lost by fault: {}, the last {last}\n",
                faults().count()
            ),
        }
    }
}
