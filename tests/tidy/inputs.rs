//! A rule of the house: one module opens the files of others, so that all commands refuse the same.

use super::{expect_none_in, in_crates, lines_with, rust_files, short};

/// What opens or reads a file, or lists a folder.
const OPENERS: [&str; 4] = [
    "fs::read(",
    "fs::read_to_string(",
    "File::open(",
    "fs::read_dir(",
];

/// Where that is allowed: what is read there is the system's or the project's own.
const OPENED_THERE: [&str; 9] = [
    "common/src/input.rs",
    "common/src/games_input.rs", // Lists folders, and lets `input` open what it finds.
    "common/src/system/unix/",
    "arena/src/check/folder.rs", // Lists the temporary folders by names alone.
    "arena/src/check/processes.rs",
    "arena/src/check/slow.rs",
    "arena/src/soak/waiting.rs",
    "lab/src/selfplay/shards.rs", // Lists its own folder by names alone.
    "web/src/page.rs",            // Its own source, in debug builds.
];

#[test]
fn one_module_opens_the_files_of_others() {
    let mut paths = rust_files(&in_crates("src"));
    let is_allowed = |name: &str| OPENED_THERE.iter().any(|there| name.starts_with(there));
    paths.retain(|path| !is_allowed(&short(path)));
    let cure = "open it by hex_common::input; what is found in a folder, with that folder";
    expect_none_in(paths, |_, code| lines_with(code, &OPENERS), cure);
}
