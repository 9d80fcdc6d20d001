//! Pairs of games of tried values against the current ones. The values of a pair depend on the
//! pairs finished before.

use super::log::TunedPair;
use super::model::{self, Model, ScoredPlaces};
use super::parameter::Parameter;
use crate::judge;
use crate::openings::Openings;
use crate::player::{GameStopped, Limits};
use crate::process::StopFlag;
use crate::programs::Programs;
use crate::runner::GameSchedule;
use crate::spec::PlayerSpec;
use hex_common::system::MachineError;
use hexbot::cell::Color;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

/// How many pairs have values drawn evenly from the ranges before the surface is used, for each of
/// its coefficients.
const EVEN_PAIRS: usize = 4;

/// The program that plays for both sides.
const BOTH_SIDES: [usize; 2] = [0, 0];

/// The name of the player with the tried values.
pub(crate) const TRIED: &str = "tried";

/// The name of the player with the current values.
pub(crate) const NOW: &str = "now";

/// The player, its parameters and the conditions of the games.
pub struct Tuning {
    /// The player, with the parameters' names in braces.
    pub text: String,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The openings.
    pub openings: Openings,
    /// The time limits of both players, unless the player's text has others.
    pub limits: Limits,
    /// The seed of the values.
    pub seed: u64,
    /// The conditions of the games as options of `hex match`.
    pub arguments: String,
}

impl Tuning {
    /// The player's text with these values.
    pub(crate) fn text_with(&self, values: &[f64]) -> String {
        let pairs = self.parameters.iter().zip(values);
        pairs.fold(self.text.clone(), |text, (parameter, &value)| {
            parameter.in_text(&text, value)
        })
    }

    /// The player with these values.
    ///
    /// # Errors
    /// If the player does not accept them.
    pub(crate) fn player(&self, name: &str, values: &[f64]) -> anyhow::Result<PlayerSpec> {
        let mut player = PlayerSpec::parse(&self.text_with(values), self.limits)?;
        player.name = name.to_owned();
        Ok(player)
    }

    /// The current values.
    pub(crate) fn now(&self) -> Vec<f64> {
        self.parameters.iter().map(Parameter::now).collect()
    }

    /// A pair as an observation for the model.
    pub(crate) fn scored_places(&self, pair: &TunedPair) -> ScoredPlaces {
        let places = self.parameters.iter().zip(&pair.values);
        ScoredPlaces {
            places: places.map(|(p, &value)| p.place(value)).collect(),
            score: f64::from(pair.wins) / 2.0,
        }
    }

    /// The values at these places.
    pub(crate) fn values(&self, places: &[f64]) -> Vec<f64> {
        let places = self.parameters.iter().zip(places);
        places.map(|(p, &place)| p.value(place)).collect()
    }

    /// The model after these pairs.
    pub(crate) fn model(&self, pairs: &[TunedPair]) -> Model {
        let scored: Vec<_> = pairs.iter().map(|pair| self.scored_places(pair)).collect();
        Model::new(self.parameters.len(), &scored)
    }

    /// `count` sets of values drawn evenly from the ranges.
    pub(crate) fn values_within(&self, count: usize) -> impl Iterator<Item = Vec<f64>> + '_ {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let bounds = self.bounds();
        (0..count).map(move |_| self.values(&model::random_places(&bounds, &mut rng)))
    }

    /// The places of the ends of the ranges.
    fn bounds(&self) -> Vec<RangeInclusive<f64>> {
        self.parameters.iter().map(Parameter::places).collect()
    }

    /// The values for pair `id` after `pairs` have been played.
    fn next_values(&self, id: u64, pairs: &[TunedPair]) -> Vec<f64> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ id.rotate_left(32));
        let bounds = self.bounds();
        let even = EVEN_PAIRS * model::coefficients(self.parameters.len());
        let places = if pairs.len() < even {
            model::random_places(&bounds, &mut rng)
        } else {
            let surface = self.model(pairs).draw(&mut rng);
            surface.highest(&bounds, &mut rng)
        };
        self.values(&places)
    }

    /// Plays pair `id` with these values.
    fn play(&self, id: u64, values: Vec<f64>, stop: &StopFlag) -> Result<TunedPair, GameStopped> {
        let checked = |name, values: &[f64]| {
            let player = self.player(name, values);
            player.expect("the ends of all ranges and values between have been tried")
        };
        let tried = checked(TRIED, &values);
        let now = checked(NOW, &self.now());
        let mut pair = TunedPair {
            id,
            values,
            wins: 0,
            faults: Vec::new(),
        };
        for color in Color::ALL {
            let specs = match color {
                Color::Red => [&tried, &now],
                Color::Blue => [&now, &tried],
            };
            let journals = Default::default();
            let judged = judge::start_and_play(specs, self.openings.game(id), stop, &journals)?;
            let won = judged.winner() == color;
            pair.wins += u32::from(won);
            if let Some(fault) = &judged.fault {
                let loser = if won { NOW } else { TRIED };
                pair.faults.push(format!("{loser}: {fault}"));
            }
        }
        Ok(pair)
    }
}

/// The pairs of a tuning: each tries values that the pairs before it suggest.
pub struct TunedPairs<'a> {
    tuning: &'a Tuning,
    programs: &'a Programs,
    /// The finished pairs. Locked only to take or to extend them, so that no thread waits for
    /// another one's model.
    finished: Mutex<Arc<Vec<TunedPair>>>,
}

impl<'a> TunedPairs<'a> {
    /// The pairs of a tuning; these are finished. `programs` has its player's files.
    pub fn new(tuning: &'a Tuning, programs: &'a Programs, finished: Vec<TunedPair>) -> Self {
        TunedPairs {
            tuning,
            programs,
            finished: Mutex::new(Arc::new(finished)),
        }
    }

    /// The finished pairs, in the order of their ends.
    pub fn finished(&self) -> Arc<Vec<TunedPair>> {
        self.finished.lock().expect("no panics").clone()
    }

    /// Adds a finished pair. Copies the others if a thread uses them.
    pub fn add(&self, pair: TunedPair) {
        Arc::make_mut(&mut self.finished.lock().expect("no panics")).push(pair);
    }
}

impl GameSchedule for TunedPairs<'_> {
    type Played = TunedPair;

    fn allows(&self, _id: u64) -> Result<bool, MachineError> {
        self.programs.allow(BOTH_SIDES)
    }

    fn play(&self, id: u64, stop: &StopFlag) -> Result<TunedPair, GameStopped> {
        let values = self.tuning.next_values(id, &self.finished());
        self.tuning.play(id, values, stop)
    }
}
