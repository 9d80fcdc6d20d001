//! The parts of the command `hex`, in dependency order: a module imports only modules above it. A
//! subcommand is a module with its `Args` and a `run`; no subcommand imports another, and what two
//! of them need is a module of its own.

// What needs no operating system is a crate of its own.
pub use hex_core::{draw, engine, paths, record, solver};

// What commands say beside their results.
pub mod aside;
// One holder of a folder or a file at a time.
pub mod run_lock;
// A hash that stays the same from version to version.
pub mod fnv;
// Random numbers for the parts of a run.
pub mod seeds;
// Logs that grow by a line for each result.
pub mod append_log;
// How far a long run is.
pub mod progress;
// Many pieces of work, shared out among threads.
pub mod workers;
// Ctrl-C, and the exit status after it.
pub mod interruption;
// Text from a file or standard input, with the place of every line for error messages.
pub mod input;
// Numbers on the command line, each in its range.
pub mod options;
// A game from a file, a link or standard input, in whatever format it is.
pub mod record_input;
// Boards as text for a terminal.
pub mod diagram;
// What reports as web pages have in common.
pub mod report_page;
// Elo, SPRT, ratings, percentiles: pure functions.
pub mod stats;
// Networks from files, beside the shipped one.
pub mod weights_file;
// Shards of games for training, made by several threads.
pub mod shards;
// Games between engines in this process, for measurements.
pub mod engine_games;
// One game between programs: players, clocks, the referee, openings.
pub mod arena;

// hex bench: speed of the search, and its signature.
pub mod bench;
// hex blunders: how often the bot throws away a win.
pub mod blunders;
// hex bot: the CodinGame bot with its knobs as options.
pub mod bot;
// hex completions: what shells complete.
pub mod completions;
// hex analyze, tournament, duel and connect-four: programs from courses and contests.
pub mod contests;
// hex convert: records from one format into another.
pub mod convert;
// hex elo: the Elo difference that pairs of games tell.
pub mod elo_command;
// hex gtp: the bot as a GTP engine.
pub mod gtp;
// hex levels: how far the levels of hex gtp are apart.
pub mod levels;
// hex man: manual pages.
pub mod manual;
// hex massplay: games of the policy by the million, to train the network with.
pub mod massplay;
// hex match: many games, their log and their reports.
pub mod match_command;
// hex openings: how good each first move is.
pub mod openings_command;
// hex referee: one game for other people's runners.
pub mod referee;
// hex selfplay: games to train the network with.
pub mod selfplay;
// hex show: draws a position or a game.
pub mod show;
// hex solve: who wins a position, exactly.
pub mod solve_command;
// hex soak: whether answers come in time on a bad machine.
pub mod soak;
// hex tune: good values for the numbers of a bot.
pub mod tune;
// hex web: play, watch and understand in a browser.
pub mod web;
