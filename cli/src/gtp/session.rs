//! The state of a GTP engine between commands: the game, the engine with its tree, clocks and
//! settings.

use super::game::{GtpGame, SwapRule};
use super::graphics;
use super::protocol::CommandFailure;
use super::time_control::TimeControl;
use hex_core::engine::game_clock::GameClock;
use hex_core::engine::strength::Level;
use hex_core::engine::{
    engine_with, Analysis, Effort, Engine, Networks, SideNotPlayed, Stop, Task,
};
use hex_core::record::{AnyBoard, Move, Side};
use hexbot::cell::Color;
use hexbot::opening::{self, Answer, Swaps};
use hexbot::params::{OpeningBook, Params};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

/// The settings on the command line, or by `param_hexbot` and `param_game`.
#[derive(Clone, Debug)]
pub struct GtpSettings {
    /// How long to search for a move if the controller sets no time.
    pub effort: Effort,
    /// The level of strength.
    pub level: Level,
    /// The meaning of a swap, and whether swaps are possible.
    pub swap: SwapRule,
    /// Seed of playouts and of the choices of low levels.
    pub seed: u64,
    /// Whether a search sends HexGui drawings while it runs, several times a second.
    pub live: bool,
    /// The networks.
    pub networks: Networks,
    /// How many threads search.
    pub threads: usize,
    /// Whether they search while the opponent thinks, only at full strength: the weaker levels
    /// would become stronger.
    pub ponder: bool,
}

impl GtpSettings {
    /// A new engine for boards of `side`.
    fn engine(&self, side: Side, seed: u64) -> Result<Engine, SideNotPlayed> {
        engine_with(side, &Params::default(), seed, self.networks.on(side))
    }
}

/// The longest search while the opponent thinks.
const LONGEST_PONDERING: Duration = Duration::from_secs(3600);

/// What a command receives besides its arguments.
pub struct Context<'a> {
    /// Set when the controller interrupts the command.
    pub stop: Stop,
    /// Writes a text before the response, at once.
    pub show: &'a mut dyn FnMut(&str),
}

/// Writes a block of graphics for an analysis with this colour to move.
pub(crate) type GraphicsWriter = fn(&Analysis, Color) -> String;

/// The state in which the search for a move starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStart {
    /// Uses the opening book, and else continues with the tree of the last search, by the clock or
    /// the settings.
    Ordinary,
    /// Starts with a new engine and the seed: the same answer every time for fixed simulations.
    Reproducible,
}

/// The state of the engine.
pub struct GtpSession {
    /// The settings.
    pub(crate) settings: GtpSettings,
    /// Whether the controller allows swaps. The settings keep the meaning of a swap meanwhile.
    pub(crate) allows_swaps: bool,
    game: GtpGame,
    engine: Engine,
    rng: Xoshiro256PlusPlus,
    /// The controller's time for each game.
    time_control: TimeControl,
    /// Time left for the rest of this game, by [`Color::index`], if a controller limits it.
    clocks: [Option<GameClock>; 2],
    /// The last analysis of the present position, and its player to move.
    known: Option<(Color, Analysis)>,
    /// The opponent whose answer to our move we wait for.
    awaited: Option<Color>,
}

impl GtpSession {
    /// A new game on a board of `side`.
    ///
    /// # Errors
    /// If the engine does not play on it.
    pub fn new(side: Side, settings: GtpSettings) -> Result<Self, CommandFailure> {
        Ok(GtpSession {
            engine: settings.engine(side, settings.seed)?,
            rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
            game: GtpGame::new(side),
            settings,
            allows_swaps: true,
            time_control: TimeControl::Free,
            clocks: TimeControl::Free.clocks(),
            known: None,
            awaited: None,
        })
    }

    /// The game.
    pub(crate) fn game(&self) -> &GtpGame {
        &self.game
    }

    /// Starts another game, with full clocks.
    ///
    /// # Errors
    /// If the engine does not play on its board; the session is then unchanged.
    pub(crate) fn set_game(&mut self, game: GtpGame) -> Result<(), CommandFailure> {
        self.engine = self.settings.engine(game.side(), self.settings.seed)?;
        self.game = game;
        self.clocks = self.time_control.clocks();
        self.known = None;
        self.awaited = None;
        Ok(())
    }

    /// Restarts all random numbers with this seed, and makes a new engine.
    ///
    /// # Errors
    /// Never, as the engine plays on the present board.
    pub(crate) fn set_seed(&mut self, seed: u64) -> Result<(), CommandFailure> {
        self.settings.seed = seed;
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.engine = self.settings.engine(self.game.side(), seed)?;
        self.known = None;
        Ok(())
    }

    /// Plays for `color`.
    ///
    /// # Errors
    /// If the move is not possible.
    pub fn play(&mut self, color: Color, action: Move) -> Result<(), CommandFailure> {
        let is_swap = matches!(action, Move::SwapPieces | Move::SwapSides);
        if is_swap && self.swap_action().is_none() {
            return Err(CommandFailure("swaps are switched off".to_owned()));
        }
        self.game.apply(color, action)?;
        self.known = None;
        self.awaited = None;
        Ok(())
    }

    /// Takes the last move back.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo(&mut self) -> Result<(), CommandFailure> {
        self.known = None;
        self.awaited = None;
        self.game.undo()
    }

    /// Notes that the opponent of `color` now thinks about the position after our move.
    pub(crate) fn await_answer(&mut self, color: Color) {
        self.awaited = Some(color.opponent());
    }

    /// Searches the opponent's position until `stop`, if the opponent is thinking and the settings
    /// allow it; else returns at once. The engine keeps the tree.
    pub fn ponder(&mut self, stop: Stop) {
        let Some(color) = self.awaited else { return };
        let strongest = self.settings.level == Level::STRONGEST;
        if !self.settings.ponder || !strongest {
            return;
        }
        let task = Task {
            effort: Effort::Time(LONGEST_PONDERING),
            stop,
            threads: self.settings.threads,
        };
        let position = self.position(color);
        self.engine.think(&position, &task, &mut |_| {});
    }

    /// The move for a swap under the present rule; `None` if swaps are not possible.
    pub fn swap_action(&self) -> Option<Move> {
        match self.settings.swap {
            SwapRule::Pieces if self.allows_swaps => Some(Move::SwapPieces),
            SwapRule::Sides if self.allows_swaps => Some(Move::SwapSides),
            _ => None,
        }
    }

    /// The controller's time for each game.
    pub(crate) fn time_control(&self) -> TimeControl {
        self.time_control
    }

    /// Sets the time of this game and later ones.
    pub(crate) fn set_time_control(&mut self, control: TimeControl) {
        self.time_control = control;
        self.clocks = control.clocks();
    }

    /// Sets the time of `color` for the rest of this game.
    pub(crate) fn set_clock(&mut self, color: Color, left: Duration) {
        self.clocks[color.index()] = Some(GameClock::new(left));
    }

    /// The time of `color` for the rest of the game, if it is limited.
    pub(crate) fn time_left(&self, color: Color) -> Option<Duration> {
        self.clocks[color.index()].map(|clock| clock.left())
    }

    /// Decides on a move for `color`, without playing it. `None` if and only if the game is over.
    /// A [`SearchStart::Ordinary`] search takes its time off the clock of `color`; no other does.
    pub fn choose(
        &mut self,
        color: Color,
        search: SearchStart,
        context: &mut Context,
    ) -> Result<Option<Move>, CommandFailure> {
        if self.game.position().winner().is_some() {
            return Ok(None);
        }
        let book = match search {
            SearchStart::Ordinary => self.settings.level.opening_book(),
            SearchStart::Reproducible => OpeningBook::Ignored,
        };
        if let Some(action) = self.opening_answer(color, book) {
            return Ok(Some(action));
        }
        if search == SearchStart::Reproducible {
            self.set_seed(self.settings.seed)?;
        }
        let started = Instant::now();
        let analysis = self.think(color, context)?;
        if let (Some(clock), SearchStart::Ordinary) = (&mut self.clocks[color.index()], search) {
            clock.spend(started.elapsed());
        }
        let handicap = self.settings.level.handicap();
        let cell = handicap.choose(&analysis, &mut self.rng);
        Ok(Some(Move::Place(cell)))
    }

    /// The move of `color` that needs no search, if there is one.
    fn opening_answer(&self, color: Color, book: OpeningBook) -> Option<Move> {
        let swap = self.swap_action();
        let may_follow = self.game.is_empty() || self.game.may_swap(color);
        let swaps = match swap {
            Some(_) if may_follow => Swaps::Allowed,
            _ => Swaps::Off,
        };
        match opening::decide(&self.position(color), swaps, book)? {
            Answer::SwapPieces => swap,
            stone => Some(stone.into()),
        }
    }

    /// Searches the position with `color` to move, by the clock or the settings. Shows live
    /// graphics if they are on.
    ///
    /// # Errors
    /// If the game is over.
    pub(crate) fn think(
        &mut self,
        color: Color,
        context: &mut Context,
    ) -> Result<Analysis, CommandFailure> {
        let live = self.settings.live;
        let drawing = live.then_some(graphics::uct as GraphicsWriter);
        self.think_drawing(color, drawing, context)
    }

    /// [`GtpSession::think`] that shows a `drawing` of the analysis several times a second.
    ///
    /// # Errors
    /// If the game is over.
    pub(crate) fn think_drawing(
        &mut self,
        color: Color,
        drawing: Option<GraphicsWriter>,
        context: &mut Context,
    ) -> Result<Analysis, CommandFailure> {
        let task = self.task(color, &context.stop);
        let position = self.position(color);
        let analysis = self.engine.think(&position, &task, &mut |analysis| {
            if let Some(draw) = drawing {
                (context.show)(&draw(analysis, color));
            }
        });
        let analysis = analysis.ok_or_else(|| CommandFailure("the game is over".to_owned()))?;
        self.known = Some((color, analysis.clone()));
        Ok(analysis)
    }

    /// The position with `color` to move.
    fn position(&self, color: Color) -> AnyBoard {
        self.game.position().with_to_move(color)
    }

    /// The task of a search for `color` now.
    fn task(&self, color: Color, stop: &Stop) -> Task {
        let empty_cells = self.game.position().empty_cells().len();
        let effort = match (self.clocks[color.index()], self.time_control) {
            (Some(clock), _) => Effort::Time(clock.share(empty_cells)),
            (None, TimeControl::Move(time)) => Effort::Time(time),
            (None, _) => self.settings.effort,
        };
        Task {
            effort: self.settings.level.handicap().limit(effort),
            stop: stop.clone(),
            threads: self.settings.threads,
        }
    }

    /// The last analysis of the position with `color` to move. Searches if there is none.
    ///
    /// # Errors
    /// If the game is over.
    pub(crate) fn analysis(
        &mut self,
        color: Color,
        context: &mut Context,
    ) -> Result<Analysis, CommandFailure> {
        match &self.known {
            Some((known_color, analysis)) if *known_color == color => Ok(analysis.clone()),
            _ => self.think(color, context),
        }
    }
}
