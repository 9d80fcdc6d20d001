//! Tests that run the programs of others, browsers and Python, a module each, in one program: what
//! one of them waits for, another uses. Where such a program is missing its tests are skipped, or
//! fail with HEX_IF_MISSING=fail. A new file is a line here.
//! `cargo test --release -p hex-cli --test foreign web_play::` runs one of them.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../core/tests/common/long_records.rs"]
mod long_records;
#[path = "../common/server.rs"]
mod server;
#[macro_use]
mod support;

mod npm;
mod python;
mod report_page;
mod training;
mod web_axe;
mod web_comfort;
mod web_demonstration;
mod web_firefox;
mod web_grades;
mod web_lessons;
mod web_local;
mod web_local_study;
mod web_page;
mod web_play;
mod web_puzzles;
mod web_records;
mod web_screens;
mod web_start;
mod web_state;
mod web_study;
mod web_threads;
mod web_views;
mod web_watch;
