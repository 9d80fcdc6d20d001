//! What measures and trains the engine, in dependency order: a module imports only modules above
//! it. A module with `Args` and a `run` is a subcommand of `hex`.

// Shards of games for training, made by several threads.
pub mod shards;
// hex selfplay: games to train the network with.
pub mod selfplay;
// hex massplay: games of the policy by the million, to train the network with.
pub mod massplay;
// Games between engines in this process, for measurements.
pub mod engine_games;
// hex bench: speed of the search, and its signature.
pub mod bench;
// hex blunders: how often the bot throws away a win.
pub mod blunders;
// hex levels: how far the levels of hex gtp are apart.
pub mod levels;
// hex openings: how good each first move is.
pub mod openings_command;
