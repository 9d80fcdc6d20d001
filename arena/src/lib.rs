//! Games between programs under a referee and a clock: players in processes of their own or in this
//! one, openings, faults, and the commands that play many games. A module imports only modules
//! above it, and no command imports another.

// The interface of players, and how they can fail.
pub mod player;
// How reliable measured times are on this machine.
pub mod noise;
// Bots' processes: their input and output, the logs of it, and the files of their programs.
pub mod journal;
pub mod process;
pub mod programs;
// The players: bots with CodinGame's protocol, GTP engines, and our own bot with its knobs.
pub mod codingame;
mod gtp;
pub mod knobs;
mod builtin;
pub mod spec;
// The game: its opening, its referee, its start and end, its record.
pub mod openings;
mod game_options;
mod judge;
pub mod scoresheet;
// Many games at a time.
pub mod runner;
// The engine's evaluation of single moves.
mod opinion;
// The names of players in records.
mod player_names;
// The facts about a machine that the upload with a probe reports.
pub mod probe_report;

// hex bot: the CodinGame bot with its knobs as options.
pub mod bot;
// hex check: checks a bot before its upload.
pub mod check;
// hex match: many games, their log and their reports.
pub mod match_command;
// hex referee: one game for other people's runners.
pub mod referee;
// hex openings: the openings of opponents.
pub mod repertoire;
// hex replay: a bot's moves in a game that was played before.
pub mod replay;
// hex review: the games that a player lost, and the losing moves.
pub mod review;
// hex soak: late answers of a bot that is stopped at random, and their causes.
pub mod soak;
// hex tune: good values for the numbers of a bot.
pub mod tune;
