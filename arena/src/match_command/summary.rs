//! The results of a match for scripts: `summary.json` in its folder. docs/arena.md has the schema,
//! field by field. New fields may be added at any time; changing one raises [`FORMAT`].

use super::log::{MatchHeader, PlayerLine};
use super::report;
use super::tally::{AnswerTimes, PairingScore, PlayerScore, Tally};
use crate::noise::{Lateness, Noise};
use crate::player::FaultKind;
use crate::programs::{ProgramChange, ProgramFile};
use crate::scoresheet::milliseconds;
use hex_common::stats::elo::{Estimate, Pairs};
use hex_common::stats::sprt::{SequentialTest, Sprt, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the schema.
const FORMAT: u32 = 1;

/// The clock noise of a match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockNoise {
    /// Before the games.
    pub(crate) before: Noise,
    /// During the games; `None` if they were too short to measure it.
    pub(crate) during: Option<Lateness>,
}

/// Why a match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EndedBy {
    /// The test has a verdict.
    Verdict,
    /// All games have been played.
    Games,
    /// The players only repeated games.
    Repeats,
}

/// The whole file.
#[derive(Serialize)]
pub(crate) struct MatchSummary<'a> {
    format: u32,
    side: usize,
    openings: &'a str,
    seed: u64,
    schedule: &'a str,
    ended_by: Option<EndedBy>,
    games: u64,
    repeated_games: u64,
    players: Vec<PlayerSummary<'a>>,
    program_changes: &'a [ProgramChange],
    stopped_by: Option<&'a ProgramChange>,
    pairings: Vec<PairingSummary>,
    test: Option<TestSummary>,
    clock_noise: Option<NoiseSummary>,
}

#[derive(Serialize)]
struct PlayerSummary<'a> {
    name: &'a str,
    text: &'a str,
    programs: &'a [ProgramFile],
    rating: Option<Estimate>,
    faults: BTreeMap<String, u64>,
    stalled: u64,
    answers: BTreeMap<&'static str, AnswerSummary>,
}

#[derive(Serialize)]
struct AnswerSummary {
    count: usize,
    limit_ms: f64,
    p50_ms: Option<f64>,
    p99_ms: Option<f64>,
    p999_ms: Option<f64>,
    max_ms: Option<f64>,
    late: u64,
}

#[derive(Serialize)]
struct PairingSummary {
    players: [usize; 2],
    games: u64,
    wins: u64,
    losses: u64,
    wins_as_red: u64,
    losses_as_red: u64,
    wins_as_blue: u64,
    losses_as_blue: u64,
    pairs: Pairs,
    elo: Option<Estimate>,
    los: Option<f64>,
}

#[derive(Serialize)]
struct TestSummary {
    #[serde(flatten)]
    sprt: Sprt,
    lower: f64,
    upper: f64,
    llr: f64,
    pairs: u64,
    verdict: Option<&'static str>,
}

#[derive(Serialize)]
struct NoiseSummary {
    worst_gap_ms: f64,
    lost_share: f64,
    late_p99_ms: Option<f64>,
    late_max_ms: Option<f64>,
}

/// The summary of a match.
pub(crate) fn of<'a>(
    header: &'a MatchHeader,
    tally: &Tally,
    ended_by: Option<EndedBy>,
    stopped_by: Option<&'a ProgramChange>,
    noise: Option<ClockNoise>,
) -> MatchSummary<'a> {
    let mut ratings: Vec<Option<Estimate>> = vec![None; header.players.len()];
    if tally.pairings.iter().any(|score| score.pairs.count() > 0) {
        for (player, rating) in report::standings(tally) {
            ratings[player] = Some(rating);
        }
    }
    let players = header.players.iter().enumerate().zip(&tally.players);
    let players = players.map(|((number, line), score)| {
        let answers = tally.answer_times(number);
        PlayerSummary::new(line, score, ratings[number], answers)
    });
    MatchSummary {
        format: FORMAT,
        side: header.side,
        openings: &header.openings,
        seed: header.seed,
        schedule: &header.schedule,
        ended_by,
        games: tally.games,
        repeated_games: tally.repeated,
        players: players.collect(),
        program_changes: &header.changes,
        stopped_by,
        pairings: tally.pairings.iter().map(PairingSummary::new).collect(),
        test: tally.test.map(TestSummary::new),
        clock_noise: noise.map(NoiseSummary::new),
    }
}

impl<'a> PlayerSummary<'a> {
    fn new(
        line: &'a PlayerLine,
        score: &PlayerScore,
        rating: Option<Estimate>,
        answers: [AnswerTimes; 2],
    ) -> Self {
        let faults = FaultKind::ALL.iter().zip(score.faults);
        PlayerSummary {
            name: &line.name,
            text: &line.text,
            programs: &line.programs,
            rating,
            faults: faults
                .map(|(kind, count)| (kind.to_string(), count))
                .collect(),
            stalled: score.stalled,
            answers: answers
                .iter()
                .map(|times| (times.kind, AnswerSummary::new(times)))
                .collect(),
        }
    }
}

impl AnswerSummary {
    fn new(times: &AnswerTimes) -> AnswerSummary {
        let summary = times.summary;
        AnswerSummary {
            count: summary.map_or(0, |summary| summary.count),
            limit_ms: milliseconds(times.limit),
            p50_ms: summary.map(|summary| milliseconds(summary.p50)),
            p99_ms: summary.map(|summary| milliseconds(summary.p99)),
            p999_ms: summary.map(|summary| milliseconds(summary.p999)),
            max_ms: summary.map(|summary| milliseconds(summary.max)),
            late: summary.map_or(0, |summary| summary.late),
        }
    }
}

impl PairingSummary {
    fn new(score: &PairingScore) -> PairingSummary {
        let (wins, losses) = score.won_and_lost();
        PairingSummary {
            players: [score.players.0, score.players.1],
            games: wins + losses,
            wins,
            losses,
            wins_as_red: score.wins[0],
            losses_as_red: score.losses[0],
            wins_as_blue: score.wins[1],
            losses_as_blue: score.losses[1],
            pairs: score.pairs,
            elo: score.pairs.elo(),
            los: score.pairs.superiority(),
        }
    }
}

impl TestSummary {
    fn new(test: SequentialTest) -> TestSummary {
        let (lower, upper) = test.sprt().bounds();
        TestSummary {
            sprt: test.sprt(),
            lower,
            upper,
            llr: test.llr(),
            pairs: test.decisive().count(),
            verdict: match test.verdict() {
                Verdict::Open => None,
                Verdict::H0 => Some("H0"),
                Verdict::H1 => Some("H1"),
            },
        }
    }
}

impl NoiseSummary {
    fn new(noise: ClockNoise) -> NoiseSummary {
        NoiseSummary {
            worst_gap_ms: milliseconds(noise.before.worst),
            lost_share: noise.before.lost_permille as f64 / 1e3,
            late_p99_ms: noise.during.map(|late| milliseconds(late.p99)),
            late_max_ms: noise.during.map(|late| milliseconds(late.worst)),
        }
    }
}
