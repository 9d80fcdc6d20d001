//! Games between programs under a referee and a clock: players in their own processes or in this
//! one, openings, what can go wrong, and the commands that play many games. A module imports only
//! modules above it; the commands do not know each other.

// What a player is asked, and how it can fail.
pub mod player;
// How far times can be trusted.
pub mod noise;
// Processes: what they speak, what they said, what they are made of.
pub mod journal;
pub mod process;
pub mod programs;
// The players: those of CodinGame's protocol and of GTP, and our own bot with its knobs.
pub mod codingame;
pub mod gtp;
pub mod knobs;
pub mod builtin;
pub mod spec;
// The game: how it begins, its referee, its start and end, its record.
pub mod openings;
pub mod game_options;
pub mod judge;
pub mod bout;
pub mod scoresheet;
// What the engine thinks of single moves.
pub mod opinion;

// hex bot: the CodinGame bot with its knobs as options.
pub mod bot;
// hex check: whether a bot is fit to be uploaded.
pub mod check;
// hex lab elo: the Elo difference that pairs of games tell.
pub mod elo_command;
// hex match: many games, their log and their reports.
pub mod match_command;
// hex referee: one game for other people's runners.
pub mod referee;
// hex openings: what opponents open with.
pub mod repertoire;
// hex replay: a bot's moves in a game that has been played.
pub mod replay;
// hex review: the games that a player lost, and the moves that lost them.
pub mod review;
// hex soak: whether answers come in time on a bad machine.
pub mod soak;
// hex tune: good values for the numbers of a bot.
pub mod tune;
