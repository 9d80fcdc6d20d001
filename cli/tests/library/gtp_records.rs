//! What is read as a record is loaded into a session of GTP.

#[path = "../../../core/tests/common/records.rs"]
mod records;

use hex_cli::gtp::game::GtpGame;
use hex_core::record::{sgf, stones};
use proptest::prelude::*;
use records::any_record;

proptest! {
    #[test]
    fn records_are_loaded(record in any_record()) {
        let game = sgf::parse(&record).unwrap();
        let loaded = GtpGame::from_record(&game, usize::MAX);
        let loaded = loaded.unwrap_or_else(|failure| panic!("{record}: {failure:?}"));
        prop_assert!(stones(loaded.position()).eq(stones(game.position())), "{}", record);
    }
}
