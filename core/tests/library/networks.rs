//! The shipped networks: which board is played with which.

use hex_core::engine::{network, network_warning, shipped_file, Networks, SIDES};
use hex_core::record::Side;
use hexbot::network::{weights, Network};
use std::sync::Arc;

fn sides() -> impl Iterator<Item = Side> {
    SIDES.map(|side| Side::try_from(side).unwrap())
}

/// The largest board that is played with the upload's network.
const LARGEST_SMALL: Side = Side::of(16);

#[test]
fn boards_up_to_16_have_the_network_of_the_upload() {
    for side in sides() {
        let is_small = side <= LARGEST_SMALL;
        let is_that_of_the_upload = shipped_file(side) == weights::shipped().as_ref();
        assert_eq!(is_that_of_the_upload, is_small, "side {side}");
    }
}

#[test]
fn a_network_is_unpacked_once_and_serves_all_its_sides() {
    for pair in sides().collect::<Vec<_>>().windows(2) {
        let [smaller, larger] = [pair[0], pair[1]].map(|side| network(side).unwrap());
        let is_the_border = pair[0] == LARGEST_SMALL;
        assert_eq!(Arc::ptr_eq(&smaller, &larger), !is_the_border, "{pair:?}");
        assert_eq!(network_warning(pair[1]), "");
    }
}

#[test]
fn networks_are_chosen_for_each_side() {
    let chosen = Arc::new(Network::read(weights::shipped().as_ref()).unwrap());
    for side in sides() {
        let shipped = Networks::Shipped.on(side).unwrap();
        assert!(Arc::ptr_eq(&shipped, &network(side).unwrap()));
        let single = Networks::Single(chosen.clone()).on(side).unwrap();
        assert!(Arc::ptr_eq(&single, &chosen));
        assert!(Networks::PlayoutsOnly.on(side).is_none());
    }
}
