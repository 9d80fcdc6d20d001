//! Random records of games. The tests of cli use it, too.

use hex_core::record::sgf;
use proptest::prelude::*;

/// Any record in SGF that is accepted: nodes in any order, without those that make it no game.
pub fn any_record() -> impl Strategy<Value = String> {
    let node = prop_oneof![
        6 => "[BW]\\[[a-d][1-4]\\]",
        2 => "[BW]\\[swap-(pieces|sides)\\]",
        1 => "[BW]\\[pass\\]",
        1 => "[BW]\\[(resign|forfeit)\\]",
        1 => "PL\\[[BW]\\]",
        1 => "A[BWE]\\[[a-d][1-4]\\]",
        1 => "RE\\[[BW]\\+[RTF]?\\]",
    ];
    prop::collection::vec(node, 0..12).prop_map(|nodes| {
        let mut record = String::from("(;GM[11]SZ[4]");
        for node in nodes {
            let longer = format!("{record};{node}");
            if sgf::parse(&format!("{longer})")).is_ok() {
                record = longer;
            }
        }
        record + ")"
    })
}
