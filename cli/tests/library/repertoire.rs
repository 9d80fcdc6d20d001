//! `hex openings` as a program.

use crate::common::{ends, refused, Place};

#[test]
fn the_report_names_openings_and_few_games() {
    let place = Place::new();
    let games = ["W[swap-pieces];B[f6]", "W[f6]"];
    let games = games.map(|rest| format!("(;GM[11]SZ[11]PB[me]PW[a]RE[B+R];B[c2];{rest})"));
    place.write("all/games.sgf", games.concat().repeat(6));
    let other = "(;GM[11]SZ[11]PB[b]PW[me]RE[W+R];B[f6];W[swap-pieces];B[c3])";
    place.write("all/other.sgf", other);
    place.write("all/broken.json", "{");
    let words = [
        "me: 13 games counted, 0 not; engine: 20 simulations an opening",
        "opponents open, 1 game, few games",
        "first moves against them, 12 games\n",
        "left out: ",
        "open with ",
    ];
    let counted = "openings --simulations 20 --from all";
    let told = ends(place.hex(counted), 0, &words);
    let row = |cell: &str| {
        let row = told
            .lines()
            .find(|line| line.trim_start().starts_with(cell));
        let words = row.unwrap_or_else(|| panic!("{told}")).split_whitespace();
        words.take(5).collect::<Vec<&str>>().join(" ")
    };
    assert_eq!(row("f6 "), "f6 1 1 1/1 0/0");
    assert_eq!(row("c2 "), "c2 12 6 6/6 6/6");
    // A player has to be found.
    let words = "plays none of the games; the players are \"a\", \"b\", \"me\"";
    refused(place.hex(&format!("{counted} --player x")), &[words]);
    let own = "openings --simulations 1 --from all/games.sgf";
    refused(place.hex(own), &["give --player"]);
    place.run(&format!("{own} --player a --threads 1"));
}
