//! Tests of commands that play bots against each other, and of the server, a module each, in one
//! program: to link one takes longer than most of the tests. A new file is a line here.
//! `cargo test -p hex-cli --test programs killed::` runs one of them.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../tests/common/missing.rs"]
mod missing;
#[path = "../common/server.rs"]
mod server;

mod bench;
mod byte_order_marks;
mod check_beginners;
mod checks;
mod damaged_lines;
mod documented_output;
mod ends;
mod faults;
mod gtp_players;
mod holding;
mod killed;
mod lacks;
mod leftovers;
mod match_arguments;
mod match_logs;
mod match_programs;
mod match_summary;
mod matches;
mod probes;
mod progress;
mod referee;
mod repeats;
mod replays;
mod report;
mod resumed;
mod reviews;
mod schema;
mod shared_runs;
mod signals;
mod site_answers;
mod soak;
mod stalls;
mod starters;
mod tunes;
mod web_clients;
mod web_games;
mod web_guard;
mod web_opened;
mod web_page_files;
mod web_requests;
mod web_sizes;
