//! The bot as a player: the opening's answer, else the search's, else a move of the shortest paths.

use crate::board::Board;
use crate::budget::{Budget, Clock};
use crate::cell_set::CellSet;
use crate::evaluation::Evaluator;
use crate::opening::{self, Answer, Swaps};
use crate::params::CLOCK_RESOLUTION;
use crate::search::{Search, SearchResult};
use crate::settings::Settings;
use crate::shipped::{shipped_evaluator, ShippedEvaluator};
use crate::shortest_path::heuristic_move;
use std::fmt;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Duration;

/// Plays one side of one game with evaluations by `E`.
pub struct Player<const N: usize, E = ShippedEvaluator<N>> {
    settings: Settings,
    /// A line for stderr if the network is damaged; else empty.
    warning: String,
    search: Search<N, E>,
    answers: usize,
    /// When the last [`Player::tidy_up`] began and ended.
    tidied: Range<Duration>,
    /// The largest delay of an answer after its planned time. It is added to the safety margin of
    /// later answers.
    lag: Duration,
}

/// An answer, and the search's result.
#[derive(Clone, Debug)]
pub struct Reply<const N: usize> {
    /// The answer.
    pub answer: Answer<N>,
    /// The search's result; `None` if the opening answered or the search failed.
    pub result: Option<SearchResult<N>>,
}

impl<const N: usize> Reply<N> {
    /// A line for stderr with the search's result; empty without one.
    pub fn report(&self) -> String {
        self.result
            .as_ref()
            .map_or(String::new(), |result| format!("{result}\n"))
    }
}

/// The line for the judge: the answer and, after a searched move, a short message.
impl<const N: usize> fmt::Display for Reply<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.answer.fmt(f)?;
        match &self.result {
            None => Ok(()),
            Some(result) => write!(f, " {}", result.summary()),
        }
    }
}

impl<const N: usize> Player<N> {
    /// The uploaded player at the beginning of a game.
    pub fn new(settings: Settings) -> Self {
        let (evaluator, warning) = shipped_evaluator::<N>(&settings.params, settings.rng());
        Player {
            warning,
            ..Self::with_evaluator(settings, evaluator)
        }
    }
}

impl<const N: usize, E: Evaluator<N>> Player<N, E> {
    /// A player at the beginning of a game that uses `evaluator`, and ignores
    /// [`crate::params::Params::evaluator`].
    pub fn with_evaluator(settings: Settings, evaluator: E) -> Self {
        Player {
            search: Search::new(settings.params, evaluator),
            warning: String::new(),
            settings,
            answers: 0,
            tidied: Duration::ZERO..Duration::ZERO,
            lag: Duration::ZERO,
        }
    }

    /// A line for stderr if the network is damaged; else empty.
    pub fn warning(&self) -> &str {
        &self.warning
    }

    /// Decides what to do on `board` within the time limit, which runs from `arrival`, a reading of
    /// `clock`. `None` if and only if there is no cell to play on.
    ///
    /// The answer is the opening's, if there is one ([`Player::opening_answer`]), else the
    /// search's. If the search panics or has no result, it is the move of the shortest paths, or
    /// one of the `forbidden` cells if no other cell is empty. If an answer is ready later than
    /// planned, because the machine stalled, all later answers get less time by the same amount.
    ///
    /// The opening's answer takes as long as a search. The first answer has ten times as much time
    /// as later ones, so the position after it is searched now, and the tree is kept.
    pub fn reply(
        &mut self,
        board: &Board<N>,
        forbidden: CellSet<N>,
        clock: &impl Clock,
        arrival: Duration,
    ) -> Option<Reply<N>> {
        // A turn that is there already may have arrived during `tidy_up`. After longer than a turn
        // it is late, or the judge has stopped the process meanwhile.
        let from = self.tidied.start;
        let until = (self.tidied.end + CLOCK_RESOLUTION).min(from + self.settings.turn_limit);
        let arrival = if arrival < until { from } else { arrival };
        let limit = self.settings.thinking_time(self.answers, self.lag);
        self.answers += 1;
        let budget = match self.settings.simulations {
            Some(count) => Budget::simulations(clock, count),
            None => Budget::until(clock, arrival, limit),
        };
        let opening = self.opening_answer(board);
        let searched = opening.map(|answer| answer.played_on(board));
        let result = self.think(searched.as_ref().unwrap_or(board), budget);
        // At most the limit: a stopped clock shows `Duration::MAX`.
        let planned = arrival.saturating_add(limit);
        let late = clock.now().saturating_sub(planned).min(limit);
        self.lag = self.lag.max(late);
        if let Some(answer) = opening {
            return Some(Reply {
                answer,
                result: None,
            });
        }
        let best = result.as_ref().map(|result| result.best);
        let cell = best
            .or_else(|| heuristic_move(board))
            .or_else(|| forbidden.iter().next())?;
        Some(Reply {
            answer: Answer::Play(cell),
            result,
        })
    }

    /// The opening's answer to `board`, if there is one: [`opening::decide`] by CodinGame's rules.
    pub fn opening_answer(&self, board: &Board<N>) -> Option<Answer<N>> {
        opening::decide(board, Swaps::Allowed, self.settings.params.opening_book)
    }

    /// Discards tree nodes that can no longer be reached after `answer`. Call it after sending the
    /// answer to `board`, while the opponent thinks; otherwise the next [`Player::reply`] does it
    /// in its own time. If the next turn arrives meanwhile, its time limit runs from the beginning
    /// of this call.
    pub fn tidy_up(&mut self, board: &Board<N>, answer: Answer<N>, clock: &impl Clock) {
        let start = clock.now();
        self.search.retain_reachable_from(&answer.played_on(board));
        self.tidied = start..clock.now();
    }

    /// The search, for callers that run simulations on several threads before [`Player::reply`].
    /// The uploads leave it out.
    pub fn search_mut(&mut self) -> &mut Search<N, E> {
        &mut self.search
    }

    /// The time limit of the next search, if the number of simulations is not fixed. For the same
    /// callers; the uploads leave it out too.
    pub fn next_limit(&self) -> Duration {
        self.settings.thinking_time(self.answers, self.lag)
    }

    fn think(
        &mut self,
        board: &Board<N>,
        mut budget: Budget<impl Clock>,
    ) -> Option<SearchResult<N>> {
        let search = AssertUnwindSafe(|| self.search.think(board, &mut budget));
        catch_unwind(search).unwrap_or_else(|_| {
            // The tree may be half written. The panic's message is on stderr already.
            self.search.forget();
            None
        })
    }
}
