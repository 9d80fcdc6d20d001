//! The progress of a match: the running score and the test.

use super::report;
use super::tally::Tally;
use hex_common::progress::Progress;

/// The progress of a match.
pub struct MatchProgress {
    progress: Progress,
    names: Vec<String>,
    /// Games of the tally that other machines have played.
    elsewhere: u64,
}

impl MatchProgress {
    /// The progress of the `total` games of this machine. `played` of them have ended.
    pub fn new(names: Vec<String>, total: u64, played: u64, tally: &Tally) -> Self {
        let progress = Progress::new("games", total, played);
        let progress = match tally.test {
            Some(_) => progress.that_may_end_early(),
            None => progress,
        };
        MatchProgress {
            progress,
            names,
            elsewhere: tally.games - played,
        }
    }

    /// Shows the score so far.
    pub fn update(&mut self, tally: &Tally) {
        let message = self.message(tally);
        self.progress.update(tally.games - self.elsewhere, message);
    }

    /// Removes the progress bar.
    pub fn finish(self) {
        self.progress.finish();
    }

    fn message(&self, tally: &Tally) -> String {
        if let [score] = &tally.pairings[..] {
            let test = tally.test.map_or(String::new(), |test| format!(", {test}"));
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
