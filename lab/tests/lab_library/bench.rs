//! The signature of `hex lab bench` is a good checksum, and its positions differ.

use hex_lab::bench::{positions, BenchPosition, Signature};
use std::collections::HashSet;

/// The hash's published examples (RFC 9923, appendix with test vectors; Noll's page on FNV).
#[test]
fn the_hash_is_fnv_1a() {
    let cases = [
        ("", 0xcbf2_9ce4_8422_2325_u64),
        ("a", 0xaf63_dc4c_8601_ec8c),
        ("foobar", 0x8594_4171_f739_67e8),
    ];
    for (bytes, expected) in cases {
        let mut signature = Signature::new();
        signature.add_bytes(bytes.as_bytes());
        assert_eq!(signature.hash(), expected, "{bytes:?}");
    }
}

#[test]
fn every_part_of_a_number_counts() {
    let of = |number: u64| {
        let mut signature = Signature::new();
        signature.add(number);
        signature.number()
    };
    let numbers: HashSet<u32> = (0..64).map(|bit| of(1 << bit)).chain([of(0)]).collect();
    assert_eq!(numbers.len(), 65);
}

#[test]
fn the_positions_are_24_different_undecided_ones() {
    let positions = positions().expect("the positions can be read");
    assert_eq!(positions.len(), 24);
    for (index, position) in positions.iter().enumerate() {
        assert_eq!(position.board.winner(), None, "{}", position.name);
        let same =
            |other: &&BenchPosition| other.board == position.board || other.name == position.name;
        let first = positions.iter().position(|other| same(&other));
        assert_eq!(first, Some(index), "{} is there twice", position.name);
    }
}
