//! Records of games: SGF, HexWorld links and move lists, read, written and read again.

#[path = "../common/records.rs"]
mod records;

use crate::fields;
use hex_core::record::hexworld::{self, LinkToken};
use hex_core::record::{
    self, move_list, parse_game, parse_tree, sgf, texts, AnyBoard, AnyCell, Ending, Game, GameTree,
    Move, Outcome, Side,
};
use hexbot::cell::Color;
use proptest::prelude::*;
use records::any_record;
use std::fmt::Display;

fn side(side: usize) -> Side {
    Side::try_from(side).unwrap()
}

/// Any game: legal moves on a board of any side, perhaps a swap and passes, perhaps ended early.
pub fn any_game() -> impl Strategy<Value = Game> {
    let moves = prop::collection::vec((0u8..12, any::<prop::sample::Index>()), 0..60);
    let ending = prop::option::of((
        prop::sample::select(vec![Ending::Resignation, Ending::Forfeit]),
        prop::sample::select(Color::ALL.to_vec()),
    ));
    (2usize..=26, moves, 0u8..3, ending).prop_map(|(n, moves, swap, ending)| {
        let mut game = Game::new(side(n));
        for (number, (kind, index)) in moves.into_iter().enumerate() {
            let cells = game.side().cells();
            let is_empty = |&cell: &AnyCell| game.position().at(cell).is_none();
            let empty: Vec<AnyCell> = cells.filter(is_empty).collect();
            if game.outcome().is_some() || empty.is_empty() {
                break;
            }
            let action = match (number, swap) {
                (1, 1) if game.may_swap() => Move::SwapPieces,
                (1, 2) if game.may_swap() => Move::SwapSides,
                _ if kind == 0 => Move::Pass,
                _ => Move::Place(*index.get(&empty)),
            };
            game.play(action).unwrap();
        }
        if let Some((ending, winner)) = ending {
            game.end(Outcome { winner, ending });
        }
        game
    })
}

/// The stones, whoever is to move.
fn stones(position: &AnyBoard) -> Vec<(AnyCell, Color)> {
    record::stones(position).collect()
}

proptest! {
    #[test]
    fn what_is_accepted_comes_back_in_other_formats(record in any_record()) {
        let game = sgf::parse(&record).unwrap();
        let text = sgf::write(&game);
        let again = sgf::parse(&text).unwrap();
        prop_assert_eq!(again.turns(), game.turns(), "{}: {}", record, text);
        prop_assert_eq!(stones(again.position()), stones(game.position()), "{}: {}", record, text);
        prop_assert_eq!(again.outcome(), game.outcome(), "{}: {}", record, text);
        prop_assert_eq!(GameTree::of(&game).main_game(), game.clone(), "{}", record);
        let tree = sgf::parse_tree(&record);
        let tree = tree.unwrap_or_else(|error| panic!("{record}: {error}"));
        prop_assert_eq!(tree.main_game(), game.clone(), "{}", record);
        if game.position_after(0).winner().is_some() {
            // Links have turns in place of stones set up, and no turn follows a win.
            return Ok(());
        }
        let link = hexworld::write(&game);
        let again = hexworld::parse(&link);
        prop_assert!(again.is_ok(), "{}: {:?}", record, again);
        let again = again.unwrap();
        let end = |game: &Game| game.outcome().and_then(LinkToken::ending);
        prop_assert_eq!(stones(again.position()), stones(game.position()), "{}: {}", record, link);
        prop_assert_eq!(end(&again), end(&game), "{}: {}", record, link);
        if game.outcome().is_none() {
            prop_assert_eq!(again.to_move(), game.to_move(), "{}: {}", record, link);
        }
    }

    #[test]
    fn sgf_round_trip(
        mut game in any_game(),
        name in "[ -~é]{0,12}",
        comment in "[ -~\n]{0,20}",
        clocks in ["[ -~é]{0,8}", "[0-9]{1,4}\\.[0-9]{1,3}"],
    ) {
        game.players[0] = name;
        game.remark(comment);
        for (color, seconds) in Color::ALL.into_iter().zip(clocks) {
            game.set_clock(color, seconds);
        }
        let text = sgf::write(&game);
        prop_assert_eq!(sgf::parse(&text).unwrap(), game, "{}", text);
    }

    #[test]
    fn nothing_panics_the_readers(text in "\\PC*", ending in "[#(;A-Z\\[\\]a-z0-9,:\\\\ ]*") {
        for text in [
            text,
            ending.clone(),
            format!("(;GM[11]{ending}"),
            format!("(;SZ[4];B[a1]({ending}"),
            format!("#11,{ending}"),
        ] {
            let _ = (sgf::parse(&text), hexworld::parse(&text), move_list::parse(&text, side(11)));
            let _ = parse_game(&text, Side::CODINGAME);
            let _ = (sgf::parse_tree(&text).map(|tree| sgf::write_tree(&tree)), sgf::rewrite(&text, None));
        }
    }

    #[test]
    fn positions_can_be_looked_up_after_every_move(game in any_game()) {
        let mut again = Game::new(game.side());
        for (number, turn) in game.turns().iter().enumerate() {
            prop_assert_eq!(&game.position_after(number), again.position());
            again.play_as(turn.color, turn.action).unwrap();
        }
        prop_assert_eq!(game.position(), again.position());
    }
}

/// A game on one line: the link's end, the outcome, the players and the number of notes.
fn shown(game: &Game) -> String {
    let link = hexworld::write(game);
    let (_, link) = link.split_once('#').unwrap();
    let outcome = |end: Outcome| format!("{}, {:?}", end.winner, end.ending);
    let outcome = game.outcome().map_or("open".to_owned(), outcome);
    let (players, notes) = (game.players.join("/"), game.notes.len());
    format!("{link}; {outcome}; {players}; {notes} notes")
}

/// What is shown of a game, or the error.
fn read<E: Display>(game: Result<Game, E>, show: impl Fn(Game) -> String) -> String {
    game.map_or_else(|error| error.to_string(), show)
}

/// Cases as text: kind, input, then `->` and what comes out, or `!!` and the error.
#[test]
fn cases() {
    let cases = include_str!("../data/records.txt");
    let mut checked = 0;
    for (number, line) in cases.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (kind, rest) = line.split_once(' ').unwrap();
        let (input, wanted) = rest.split_once(" => ").unwrap();
        let input = input.replace("\\n", "\n");
        let show = |game: Game| format!("{} {}", move_list::write(&game), hexworld::write(&game));
        let show_all = |game: Game| {
            // What we write says the same.
            let again = sgf::parse(&sgf::write(&game)).unwrap();
            assert_eq!(again.outcome(), game.outcome());
            assert_eq!(again.players, game.players);
            shown(&game)
        };
        let got = match kind {
            "sgf" => read(sgf::parse(&input), show),
            "link" => read(hexworld::parse(&input), show),
            "moves" => read(move_list::parse(&input, side(5)), show),
            "any" => read(parse_game(&input, Side::CODINGAME), show_all),
            other => panic!("line {}: {other}?", number + 1),
        };
        assert_eq!(got, wanted, "tests/data/records.txt:{}", number + 1);
        checked += 1;
    }
    assert!(checked > 15, "the cases have gone missing");
}

#[test]
fn a_finished_game_in_sgf() {
    let mut game = move_list::parse("b1 swap-pieces b2 c1 b1 c2 b3", side(3)).unwrap();
    game.players = ["a]b".to_string(), "c".to_string()];
    game.remark("won\\");
    let expected =
        "(;FF[4]GM[11]AP[hexbot:VERSION]SZ[3]PB[a\\]b]PW[c]RE[B+]\n;B[b1]\n;W[swap-pieces]\n\
                    ;B[b2]\n;W[c1]\n;B[b1]\n;W[c2]\n;B[b3]C[won\\\\])\n";
    let expected = expected.replace("VERSION", env!("CARGO_PKG_VERSION"));
    assert_eq!(sgf::write(&game), expected);
}

/// The properties of a node come in any order; a remark is about the position after its moves. Both
/// readers keep the same, and the beginning of the game has a remark, too.
#[test]
fn remarks_belong_to_their_nodes_in_any_order() {
    for (record, written) in [
        (
            "(;GM[11]SZ[3];C[one]B[a1];C[two]W[b1];B[c1]C[three])",
            "SZ[3]\n;B[a1]C[one]\n;W[b1]C[two]\n;B[c1]C[three])\n",
        ),
        (
            "(;C[zero]GM[11]SZ[3];C[o\\]ne]PB[Ann]B[a1]C[more])",
            "SZ[3]PB[Ann]C[zero]\n;B[a1]C[o\\]ne\nmore])\n",
        ),
        (
            "(;SZ[3]C[no];C[move];C[one]B[a1];C[late];RE[B+R]C[end]W[b1])",
            "SZ[3]RE[B+R]C[no\nmove]\n;B[a1]C[one\nlate]\n;W[b1]C[end]\n;W[resign])\n",
        ),
        (
            "(;SZ[3]C[Blue to move]PL[W]AB[a1];C[one]W[b1])",
            "SZ[3]AB[a1]PL[W]C[Blue to move]\n;W[b1]C[one])\n",
        ),
        (
            "(;SZ[3];C[both]B[a1]W[b1]C[]C[of them]C[])",
            "SZ[3]\n;B[a1]\n;W[b1]C[both\nof them])\n",
        ),
    ] {
        let game = sgf::parse(record).unwrap();
        let text = sgf::write(&game);
        assert!(text.ends_with(&format!("]{written}")), "{record}: {text}");
        let tree = sgf::parse_tree(record).unwrap();
        assert_eq!(sgf::write_tree(&tree), text, "{record}");
        assert_eq!(sgf::parse(&text).unwrap(), game, "{text}");
    }
}

#[test]
fn stones_set_up_are_kept() {
    let game = sgf::parse("(;GM[11]SZ[4]AB[a1][b2]AW[c3];B[d1])").unwrap();
    let rows = "r . . r\n . r . .\n  . . b .\n   . . . .\n";
    assert_eq!(game.position().to_string(), rows);
    assert_eq!(sgf::parse(&sgf::write(&game)).unwrap(), game);
    let link = hexworld::write(&game);
    assert_eq!(link, "https://hexworld.org/board/#4c1,a1:pb2c3d1");
    assert_eq!(hexworld::parse(&link).unwrap().position(), game.position());
}

/// Records that other programs wrote, or the names of files with them: the main line as a link, and
/// how many notes come with it.
const FOREIGN: [(&str, &str, usize); 11] = [
    ("min-hexgui09-swap.sgf", "5c1,a4:Sc3", 0),
    ("hexgui09-with-hexbot.sgf", "11c1,a10:Sa11", 0),
    ("min-swap-word.sgf", "5c1,b3:sc3", 0),
    ("min-resign-after-win.sgf", "2c1,a1b1a2", 1),
    ("sabaki-swap.sgf", "11c1,c2:sf6", 0),
    ("lg-swap.sgf", "13c1,l12:sg7f9i8g4i4h10j9", 1),
    ("min-littlegolem.sgf", "13c1,a13:sg7:rw", 1),
    ("(;SZ[5]AP[HexGui:0.9];B[a4];W[swap-pieces])", "5c1,a4:S", 0),
    ("(;SZ[5];B[a4];W[swap-pieces])", "5c1,a4:s", 1),
    ("(;SZ[2]RE[W+];B[a1];W[b1];B[a2])", "2c1,a1b1a2", 1),
    (
        "(;SZ[5]AP[hexbot:1];B[a4];W[swap-pieces];W[c3])",
        "5c1,a4:s:pc3",
        0,
    ),
];

#[test]
fn records_of_other_programs() {
    for (record, link, notes) in FOREIGN {
        let record = &fields::record(record);
        let game = sgf::parse(record).unwrap_or_else(|error| panic!("{record}: {error}"));
        let wanted = format!("https://hexworld.org/board/#{link}");
        assert_eq!(hexworld::write(&game), wanted, "{record}");
        assert_eq!(game.notes.len(), notes, "{record}: {:?}", game.notes);
        let tree = sgf::parse_tree(record).unwrap();
        assert_eq!(tree.main_game(), game, "{record}");
        let again = sgf::parse(&sgf::write(&game)).unwrap();
        assert_eq!(again.turns(), game.turns(), "{record}");
    }
}

#[test]
fn public_records_are_read_to_their_end() {
    for name in ["hexgui10-swap-refused.sgf", "benzene-SWAP-refused.sgf"] {
        let record = fields::record(name);
        let game = sgf::parse(&record).unwrap();
        assert_eq!(game.turns()[1].action, Move::SwapSides, "{record}");
    }
}

/// PlayHex's data set: a list of games, with the fields that are read and others.
#[test]
fn games_of_playhex_are_read_from_their_list() {
    let list = include_str!("../data/playhex/games.json");
    let game = parse_game(list, Side::CODINGAME).unwrap();
    let comment = "https://playhex.org/games/1\n2025-12-27T19:12:10.070Z\n\
                   ratings 1717 (red) and 1993 (blue)";
    assert_eq!(game.comment, comment);
    assert_eq!(game.notes, ["the first of 2 games is read"]);
    assert_eq!(parse_tree(list, Side::CODINGAME).unwrap().main_game(), game);
    let (games, error) = texts(list);
    assert!(error.is_none());
    let shown = |text: &&str| shown(&parse_game(text, Side::CODINGAME).unwrap());
    let wanted = [
        "5c1,a4:sc3:p:fb; blue, Time; Ann/Bob]; 0 notes",
        "2c1,a1b1a2; red, Connection; /; 0 notes",
    ];
    assert_eq!(games.iter().map(shown).collect::<Vec<_>>(), wanted);
}
