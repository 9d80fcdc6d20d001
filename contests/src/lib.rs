//! Four programs from courses and contests, each to a protocol that somebody else has fixed. They
//! share the rules, the shortest paths and the drawings with the other subcommands, and nothing
//! with one another.

// hex analyze: shortest paths of positions in a contest's format.
pub mod analyze;
// hex connect-four: judges boards of Connect Four.
pub mod connect_four;
// hex duel: two people at one terminal.
pub mod duel;
// hex tournament: a player for a 14x14 championship.
pub mod tournament;
