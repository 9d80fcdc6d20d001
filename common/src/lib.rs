//! What the commands of `hex` have in common, and what they need of the operating system, in
//! dependency order: a module imports only modules above it.

// Messages on standard error.
pub mod aside;
// What differs between operating systems.
pub mod system;
// One holder of a folder or a file at a time.
pub mod run_lock;
// A hash that stays the same from version to version.
pub mod fnv;
// Limits of time that tests shorten.
pub mod patience;
// Random numbers for the parts of a run.
pub mod seeds;
// Logs that grow by a line for each result.
pub mod append_log;
// The progress of a long run.
pub mod progress;
// Distributes items of work over threads.
pub mod workers;
// A command's finding as an exit status, for scripts.
pub mod finding;
// Ctrl-C, and the exit status after it.
pub mod interruption;
// Text from a file or standard input, with line numbers for error messages.
pub mod input;
// The winners after each first move, as `hex solve` keeps them.
pub mod solved_openings;
// Numbers on the command line, each in its range.
pub mod options;
// A game from a file, a link or standard input, in any format.
pub mod record_input;
// The layout of the folder of a match.
pub mod match_folder;
// Many games: from files, folders, zip files, lines of JSON and collections of SGF.
pub mod games_input;
// Boards as text for a terminal.
pub mod diagram;
// Elo, SPRT, ratings, percentiles: pure functions.
pub mod stats;
// The common parts of reports as web pages.
pub mod report_page;
// Networks from files instead of the shipped one.
pub mod weights_file;
