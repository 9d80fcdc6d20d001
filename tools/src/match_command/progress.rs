//! What the progress of a match says: the running score and the test.

use super::report;
use super::schedule::Schedule;
use super::tally::Tally;
use crate::progress::Progress;
use crate::stats::sprt::Sprt;

/// The progress of a match.
pub struct MatchProgress {
    progress: Progress,
    names: Vec<String>,
    sprt: Option<Sprt>,
}

impl MatchProgress {
    /// The progress of a match with `old_games` finished games.
    pub fn new(
        names: Vec<String>,
        schedule: &Schedule,
        old_games: u64,
        sprt: Option<Sprt>,
    ) -> Self {
        let progress = Progress::new("games", schedule.games(), old_games);
        MatchProgress {
            progress: match sprt {
                Some(_) => progress.that_may_end_early(),
                None => progress,
            },
            names,
            sprt,
        }
    }

    /// Tells of the games so far.
    pub fn update(&mut self, tally: &Tally) {
        let message = self.message(tally);
        self.progress.update(tally.games, message);
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.progress.finish();
    }

    fn message(&self, tally: &Tally) -> String {
        if let [score] = &tally.pairings[..] {
            let test = self.sprt.map_or(String::new(), |sprt| {
                format!(", {}", report::sprt_text(sprt, score.pairs))
            });
            format!(
                "{} {}-{} {}, Elo {}{test}",
                self.names[score.players.0],
                score.wins.iter().sum::<u64>(),
                score.losses.iter().sum::<u64>(),
                self.names[score.players.1],
                report::elo_text(score.pairs.elo()),
            )
        } else {
            report::standings_line(&self.names, tally)
        }
    }
}
