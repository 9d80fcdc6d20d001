//! Four programs for courses and contests. Each follows a protocol that a course or a contest has
//! fixed. They share the rules, the shortest paths and the drawings with the other subcommands, but
//! nothing with each other.

// hex analyze: shortest paths of positions in a contest's format.
pub mod analyze;
// hex connect-four: judges boards of Connect Four.
pub mod connect_four;
// hex duel: two people at one terminal.
pub mod duel;
// hex tournament: a player for a 14x14 championship.
pub mod tournament;
