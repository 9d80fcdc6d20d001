//! The folder of a match, which `hex match` writes and other commands read.

use std::path::{Path, PathBuf};

/// The log: a line for each game.
pub const LOG: &str = "games.jsonl";

/// The folder of the games' records.
pub const RECORDS: &str = "sgf";

/// The folder of the records of the match in `folder`; `None` if there is no match with records.
pub(crate) fn records_of(folder: &Path) -> Option<PathBuf> {
    let records = folder.join(RECORDS);
    (folder.join(LOG).is_file() && records.is_dir()).then_some(records)
}

/// Returns true if a file with this beginning is the log of a match. The first line of a log is
/// short enough to be in `beginning` completely.
pub fn is_log(beginning: &[u8]) -> bool {
    /// Some fields of the first line of a log.
    #[derive(serde::Deserialize)]
    struct Header {
        #[serde(rename = "format")]
        _format: u32,
        #[serde(rename = "players")]
        _players: Vec<serde::de::IgnoredAny>,
    }
    let line = beginning.split(|&byte| byte == b'\n').next();
    serde_json::from_slice::<Header>(line.unwrap_or_default()).is_ok()
}
