//! The readers of outside text, each with a check that must hold for all bytes whatever: it does
//! not panic, hang or eat memory, what it has read and written it reads again, an error names the
//! place, and long records take no more time a byte than short ones. The fuzzer makes up bytes for
//! them; cli/tests/library/fuzz_findings.rs gives them the seeds and what the fuzzer has found.

mod files;
mod long;
mod positions;
mod protocols;
mod records;
mod seeds;

/// A reader of outside text.
pub struct Reader {
    /// What scripts and folders call it.
    pub name: &'static str,
    /// Panics if the reader does not do what it should with these bytes.
    pub check: fn(&[u8]),
    /// What to begin with beside cli/tests/data/fuzz/NAME: good inputs and near misses.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

const fn reader(name: &'static str, check: fn(&[u8]), seeds: fn() -> Vec<Vec<u8>>) -> Reader {
    Reader { name, check, seeds }
}

/// All of them.
pub const READERS: &[Reader] = &[
    reader("turn", positions::turn, seeds::turn),
    reader("sgf", records::sgf, seeds::sgf),
    reader("hexworld", records::hexworld, seeds::hexworld),
    reader("moves", records::moves, seeds::moves),
    reader("site-game", records::site_game, seeds::site_game),
    reader("playhex", records::playhex, seeds::playhex),
    reader("turn-input", records::turn_input, seeds::turn_input),
    reader("record", records::any, seeds::record),
    reader("games", files::games, seeds::games),
    reader("replay", records::replay, seeds::record),
    reader("long-record", long::long, seeds::none),
    reader("gtp", protocols::gtp, seeds::gtp),
    reader("page", protocols::page, seeds::hexworld),
    reader("tournament", protocols::tournament, seeds::none),
    reader("duel", protocols::duel, seeds::duel),
    reader("analyze", positions::analyze, seeds::analyze),
    reader("connect-four", positions::connect_four, seeds::connect_four),
    reader("weights", files::weights, seeds::weights),
    reader("shard", files::shard, seeds::none),
    reader("match-log", files::match_log, seeds::none),
    reader("review-log", files::review_log, seeds::none),
    reader("players", files::players, seeds::none),
    reader("study", files::study, seeds::study),
];

/// The bytes as text, as the commands take bytes that are no UTF-8.
fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}
