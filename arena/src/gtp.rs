//! A GTP engine for Hex (MoHex, Wolve, `hex gtp`, …) as a player.
//!
//! The engine receives the position of the game by `play` commands, independent of its own kind of
//! swap. In the convention [`SwapConvention::Sides`] a swap leaves the stone and exchanges the
//! players. CodinGame's swap leads to the mirror image of that, with colours exchanged. So after a
//! swap the arena sends the engine the mirrored game, without the swap. If the engine itself
//! swapped, its board is set up again:
//!
//! ```text
//!  CodinGame                    engine
//!  red a2, swap-pieces          play black a2
//!  (blue stone on b1)           (black stone on a2, White to move)
//!  red e5                       play white e5 mirrored
//!  blue's turn                  genmove black, the answer mirrored back
//! ```

use super::player::{ArenaPlayer, Decision, Failure, Fault, FaultKind, TimedAnswer};
use super::process::BotProcess;
use clap::ValueEnum;
use hex_core::record::{Game, Move, Side};
use hexbot::cell::Color;
use serde::Deserialize;
use std::time::{Duration, Instant};

/// The longest response of an engine, in bytes.
const MAX_RESPONSE: usize = 1024 * 1024;

/// The kind of swap that an engine plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SwapConvention {
    /// The stone stays, the players change sides: benzene, HexGui.
    #[default]
    Sides,
    /// The stone is mirrored and changes colour: CodinGame.
    Pieces,
}

/// The engine's name for the colour that moves first and joins top and bottom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FirstPlayer {
    /// Almost all engines.
    #[default]
    Black,
    /// morat.
    White,
}

/// The settings of an engine for a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GtpOptions {
    /// The kind of swap that it plays.
    pub(crate) swap: SwapConvention,
    /// Its name for the first player's colour.
    pub(crate) first_player: FirstPlayer,
    /// Lines sent before the game, in order.
    pub(crate) setup: Vec<String>,
    /// Time for each move.
    pub(crate) move_time: Option<Duration>,
    /// Simulations for each move.
    pub(crate) simulations: Option<u64>,
}

/// A player for one game that speaks GTP.
pub(crate) struct GtpPlayer {
    process: BotProcess,
    options: GtpOptions,
    /// The stones on the engine's board in order, in its view; `None` if the board has to be
    /// cleared.
    board: Option<Vec<GtpMove>>,
    /// True if the engine has a command that allows or forbids its swap.
    has_swap_switch: bool,
}

/// The time for some commands together.
#[derive(Clone, Copy)]
struct Allowance {
    begun: Instant,
    limit: Duration,
}

impl Allowance {
    /// The time that begins now.
    fn of(limit: Duration) -> Allowance {
        Allowance {
            begun: Instant::now(),
            limit,
        }
    }
}

/// An engine's response to a command.
struct Reply {
    /// The first line.
    status: String,
    /// All lines, without the sign before them.
    text: String,
    /// From the command to the end of the first line.
    time: Duration,
}

impl Reply {
    fn is_refusal(&self) -> bool {
        self.status.starts_with('?')
    }
}

/// A move in the engine's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GtpMove {
    color: Color,
    action: Move,
}

impl GtpPlayer {
    /// Sets the engine up for a game on a board of `side`. All commands for that may take `limit`
    /// together.
    ///
    /// # Errors
    /// If it ends, does not answer or refuses a command.
    pub(crate) fn new(
        process: BotProcess,
        side: Side,
        options: GtpOptions,
        limit: Duration,
    ) -> Result<Self, Failure> {
        let time = Allowance::of(limit);
        let mut player = GtpPlayer {
            process,
            options,
            board: None,
            has_swap_switch: false,
        };
        // Two numbers, because benzene's programs require the second. Others ignore or refuse it.
        let both = player.ask(&format!("boardsize {side} {side}"), time)?;
        if both.is_refusal() {
            player.command(&format!("boardsize {side}"), time)?;
        }
        let known = player.ask("known_command param_game", time)?;
        player.has_swap_switch = !known.is_refusal() && known.text.contains("true");
        for line in player.options.setup.clone() {
            player.command(&line, time)?;
        }
        player.set_pace(time)?;
        Ok(player)
    }

    /// Sends the engine its time or simulations for a move, by its own commands.
    fn set_pace(&mut self, time: Allowance) -> Result<(), Failure> {
        let (move_time, simulations) = (self.options.move_time, self.options.simulations);
        if move_time.is_none() && simulations.is_none() {
            return Ok(());
        }
        let name = self.command("name", time)?.text.to_ascii_lowercase();
        let parameter = ["mohex", "wolve"].into_iter().find(|&n| name.contains(n));
        if let Some(move_time) = move_time {
            let seconds = move_time.as_secs_f64();
            let line = match parameter {
                Some(engine) => format!("param_{engine} max_time {seconds}"),
                None => format!("time_settings 0 {} 1", seconds.ceil()),
            };
            self.command(&line, time)?;
        }
        match (simulations, parameter) {
            (None, _) => Ok(()),
            (Some(count), Some("mohex")) => {
                let line = format!("param_mohex max_games {count}");
                self.command(&line, time).map(drop)
            }
            (Some(_), _) => Err(Fault::new(
                FaultKind::Crash,
                format!("the command that sets simulations for {name:?} is unknown; give the line itself, \";; LINE\""),
            )
            .into()),
        }
    }

    /// Sends a command that the engine must carry out.
    fn command(&mut self, line: &str, time: Allowance) -> Result<Reply, Failure> {
        let reply = self.ask(line, time)?;
        if reply.is_refusal() {
            let fault = Fault::new(FaultKind::Illegal, format!("refused {line:?}"));
            return Err(fault.with_line(&reply.status).into());
        }
        Ok(reply)
    }

    /// Sends a command that the engine may refuse.
    fn ask(&mut self, line: &str, time: Allowance) -> Result<Reply, Failure> {
        self.process.drain();
        let reply = self.reply(line, time);
        reply.map_err(|failure| match failure {
            Failure::Fault(fault) => Failure::Fault(Fault {
                detail: format!("{line:?}: {}", fault.detail),
                ..fault
            }),
            stopped => stopped,
        })
    }

    fn reply(&mut self, line: &str, time: Allowance) -> Result<Reply, Failure> {
        let (Allowance { begun, limit }, asked) = (time, Instant::now());
        let mut question = format!("{line}\n");
        let status = loop {
            let reply = self.process.ask_since(begun, &question, limit)?;
            question.clear();
            // Empty lines and log messages may come before the response.
            if reply.text.starts_with(['=', '?']) {
                break reply.text;
            }
        };
        let time = asked.elapsed();
        let mut text = status[1..].trim().to_string();
        loop {
            let more = self.process.ask_since(begun, "", limit)?;
            if more.text.trim().is_empty() {
                break;
            }
            text = text + "\n" + &more.text;
            if text.len() > MAX_RESPONSE {
                let detail = format!("answered by more than {MAX_RESPONSE} bytes");
                return Err(Fault::new(FaultKind::Illegal, detail)
                    .with_line(&text)
                    .into());
            }
        }
        Ok(Reply { status, text, time })
    }

    /// Brings the engine's board to the position of `game`.
    fn synchronize(&mut self, game: &Game, time: Allowance) -> Result<(), Failure> {
        let wanted = self.view(game);
        let known = match &self.board {
            Some(known) if wanted.starts_with(known) => known.len(),
            _ => {
                self.command("clear_board", time)?;
                0
            }
        };
        for stone in &wanted[known..] {
            let color = self.color_name(stone.color);
            self.command(&format!("play {color} {}", stone.action), time)?;
        }
        self.board = Some(wanted);
        Ok(())
    }

    /// The game's moves in the engine's view.
    fn view(&self, game: &Game) -> Vec<GtpMove> {
        let mirrored = self.is_mirrored(game);
        let turns = game.turns().iter().enumerate();
        turns
            .filter(|(_, turn)| !(mirrored && turn.action == Move::SwapPieces))
            .map(|(number, turn)| {
                let stone = GtpMove {
                    color: turn.color,
                    action: turn.action,
                };
                if mirrored && number > 0 {
                    stone.mirrored()
                } else {
                    stone
                }
            })
            .collect()
    }

    fn is_mirrored(&self, game: &Game) -> bool {
        let swapped = |turn: &hex_core::record::PlayedMove| turn.action == Move::SwapPieces;
        self.options.swap == SwapConvention::Sides && game.turns().iter().any(swapped)
    }

    fn color_name(&self, color: Color) -> &'static str {
        match (color, self.options.first_player) {
            (Color::Red, FirstPlayer::Black) | (Color::Blue, FirstPlayer::White) => "black",
            (Color::Blue, FirstPlayer::Black) | (Color::Red, FirstPlayer::White) => "white",
        }
    }

    /// The decision that `answer` stands for in the game.
    fn decision(&self, answer: &str, game: &Game) -> Result<Decision, Fault> {
        let word = answer.trim().to_ascii_lowercase();
        let action = match word.as_str() {
            "resign" => return Ok(Decision::Resign),
            "swap-pieces" | "swap-sides" | "swap" => Move::SwapPieces,
            cell => {
                let point = game.side().parse_cell(cell);
                Move::Place(point.map_err(|error| {
                    let why = format!("genmove gave no move: {error}");
                    Fault::new(FaultKind::Illegal, why).with_line(answer)
                })?)
            }
        };
        Ok(Decision::Play(action))
    }
}

impl GtpMove {
    fn mirrored(self) -> GtpMove {
        GtpMove {
            color: self.color.opponent(),
            action: match self.action {
                Move::Place(point) => Move::Place(point.transposed()),
                other => other,
            },
        }
    }
}

impl ArenaPlayer for GtpPlayer {
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
        // The commands before it may take as long as the move, and do not count as its time.
        let before = Allowance::of(limit);
        self.synchronize(game, before)?;
        if self.has_swap_switch {
            let may_swap = u8::from(game.may_swap() && game.to_move() == Color::Blue);
            self.command(&format!("param_game allow_swap {may_swap}"), before)?;
        }
        let mirrored = self.is_mirrored(game);
        let color = if mirrored {
            game.to_move().opponent()
        } else {
            game.to_move()
        };
        let line = format!("genmove {}", self.color_name(color));
        let Reply { text, time, .. } = self.command(&line, Allowance::of(limit))?;
        let mut decision = self.decision(&text, game)?;
        if let (Decision::Play(action @ Move::Place(_)), Some(stones)) = (decision, &mut self.board)
        {
            let own = GtpMove { color, action };
            stones.push(own);
            if mirrored {
                decision = Decision::Play(own.mirrored().action);
            }
        } else {
            // After the engine's own swap we do not know its board.
            self.board = None;
        }
        Ok(TimedAnswer {
            decision,
            time,
            message: String::new(),
        })
    }
}
