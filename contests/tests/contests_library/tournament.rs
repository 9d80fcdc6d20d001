//! The table of `hex tournament`: who may play where, and who has won.

use hex_contests::tournament::table::{Table, TablePlayer, SIDE};

#[test]
fn every_move_but_the_pie_must_be_on_an_empty_cell() {
    let mut table = Table::new(TablePlayer::Them);
    table.play_at(0, 0).unwrap();
    assert_eq!(table.to_move(), TablePlayer::Us);
    assert!(table.swappable().is_some());
    table.play_at(0, 0).unwrap();
    assert_eq!(table.to_move(), TablePlayer::Them, "who began is black now");
    assert!(table.swappable().is_none());
    assert!(table.play_at(0, 0).is_err());
    assert!(table.play_at(14, 0).is_err());
    assert!(table.play_at(0, -1).is_err());
    for row in 1..SIDE.get() as i64 {
        table.play_at(row, 5).unwrap();
        table.play_at(row, 0).unwrap();
    }
    let winner = table.winner().unwrap().player;
    assert_eq!(
        winner,
        TablePlayer::Us,
        "white's column is ours by the swap"
    );
}
