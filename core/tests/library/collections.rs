//! Whole files of SGF: `hex convert --to sgf` loses nothing that SGF can hold, and other formats
//! say what they leave out.

use crate::fields;
use hex_core::record::conversion::{convert, left_out, write, WrittenFormat};
use hex_core::record::sgf::{self, SwapMeaning};
use hex_core::record::{GameTree, Outcome, Side, TreeNode};
use proptest::prelude::*;
use std::fmt::Write;

/// A record rewritten as SGF, and the notes that come with it.
fn rewritten(text: &str) -> (String, Vec<String>) {
    let converted = convert(text, WrittenFormat::Sgf, Side::CODINGAME, None);
    converted.unwrap_or_else(|error| panic!("{error:#}: {text}"))
}

/// What ours begins with, up to the side of the board.
fn head() -> String {
    format!("(;FF[4]GM[11]AP[hexbot:{}]", env!("CARGO_PKG_VERSION"))
}

#[test]
fn records_of_other_programs_stay_whole() {
    for (record, wanted) in [
        (
            "hexgui-setup-pl-variation.sgf",
            "SZ[11]PL[W]AB[e5]AW[f6]\n;W[c3]\n(\n;B[d7]C[a \\[b\\] \\\\c ; end])\n(\n;B[h8]\n;W[h7]))\n",
        ),
        (
            "rainbowhex.sgf",
            "SZ[11]PL[W]PW[P1]PB[P2]\n;W[a2]\n;B[f6]\n;W[c3])\n",
        ),
        (
            "sabaki-swap.sgf",
            "SZ[11]\n;B[c2]\n;W[swap-pieces]\n;B[f6])\n",
        ),
        (
            "min-resign-after-win.sgf",
            "SZ[2]RE[B+]\n;B[a1]\n;W[b1]\n;B[a2])\n",
        ),
        (
            "lg-swap.sgf",
            "SZ[13]EV[hex.mc.2011.feb.1.10]PB[P1]PW[P2]GC[ game #1301977]SO[http://www.littlegolem.com]\
             \n;B[l12]\n;W[swap-pieces]\n;B[g7]\n;W[f9]\n;B[i8]\n;W[g4]\n;B[i4]\n;W[h10]\n;B[j9])\n",
        ),
        (
            "words (of the sender): (;GM[11]SZ[4];AB[a1]B[b2]W[c3]N[x]C[y])\nmore (;words",
            "SZ[4]\n;AB[a1]\n;B[b2]\n;W[c3]N[x]C[y])\n",
        ),
        ("(;SZ[5]RE[B+T];;)", "SZ[5]RE[B+T])\n"),
        ("(;SZ[5]PL[W];B[resign])", "SZ[5]RE[W+R]PL[W]\n;B[resign])\n"),
        (
            "((;SZ[5]AB[a1];W[b1])(;AW[a1];B[b1]))",
            "SZ[5]\n(\n;AB[a1]\n;W[b1])\n(\n;AW[a1]\n;B[b1]))\n",
        ),
        (
            "(;SZ[4]B[b2]W[c3]GN[g]N[n])",
            "SZ[4]GN[g]\n;B[b2]\n;W[c3]N[n])\n",
        ),
    ] {
        let record = fields::record(record);
        let record = record.trim_end_matches("more (;words");
        let (written, _) = rewritten(record);
        assert_eq!(written, head() + wanted, "{record}");
        assert_eq!(rewritten(&written).0, written, "{record}");
    }
    let (written, _) = rewritten(&fields::record("multi.sgf"));
    assert_eq!(written.matches("GM[11]").count(), 2, "{written}");
    assert!(written.contains("B[a1]"), "{written}");
    assert!(written.contains("B[b2]"), "{written}");
}

/// Stones that are set up after moves begin the game anew; in one of several variations a file can
/// hold them, and no tree.
#[test]
fn later_stones_are_a_new_beginning() {
    let record = "(;SZ[5];B[a1];W[b2];AE[a1]AB[c3]AW[d4]PL[W];W[e5])";
    let game = sgf::parse(record).unwrap();
    let tree = sgf::parse_tree(record).unwrap();
    assert_eq!(game.notes, tree.notes);
    assert!(game.notes[0].starts_with("stones are set up after move 2: "));
    let rows = ". . . . .\n . b . . .\n  . . r . .\n   . . . b .\n    . . . . b\n";
    assert_eq!(game.position().to_string(), rows);
    let line = tree.main_line();
    assert_eq!(tree.game(line[line.len() - 1]).position(), game.position());
    assert_eq!(game.turns().len(), 1);
    let (written, notes) = rewritten(record);
    let end = "\n;B[a1]\n;W[b2]\n;AE[a1]AB[c3]AW[d4]PL[W]\n;W[e5])\n";
    assert!(written.ends_with(end), "{written}");
    assert!(notes.is_empty(), "{notes:?}");

    let record = "(;SZ[5];B[a1](;W[b2])(;AE[a1];B[a1](;W[c3])(;W[d4])))";
    let error = sgf::parse_tree(record).unwrap_err().to_string();
    let begin = "line 1, column 27: AE[a1] is in one of several variations";
    assert!(error.starts_with(begin), "{error}");
    let end = "\n(\n;AE[a1]\n;B[a1]\n(\n;W[c3])\n(\n;W[d4])))\n";
    assert!(rewritten(record).0.ends_with(end));
    // What is behind them is looked at, too.
    let record = "(;SZ[5];B[a1](;W[b2])(;AE[a1];B[a1];W[a1]))";
    let error = sgf::rewrite(record, None).unwrap_err().to_string();
    assert_eq!(error, "line 1, column 39: a1 holds a red stone already");
}

#[test]
fn the_user_says_what_an_undecided_swap_means() {
    let record = "(;SZ[5];B[a4];W[swap-pieces])";
    for (meaning, word, notes) in [
        (None, "swap-pieces", 1),
        (Some(SwapMeaning::Pieces), "swap-pieces", 0),
        (Some(SwapMeaning::Sides), "swap-sides", 0),
    ] {
        let converted = convert(record, WrittenFormat::Moves, Side::CODINGAME, meaning);
        let (moves, told) = converted.unwrap();
        assert_eq!(moves, format!("a4 {word}\n"));
        // One note is about the board's side.
        assert_eq!(told.len(), notes + 1, "{told:?}");
    }
    // The next move shows the meaning; the option does not count then.
    let record = "(;SZ[11];B[a4];W[swap-pieces];B[c3])";
    let meaning = Some(SwapMeaning::Sides);
    let converted = convert(record, WrittenFormat::Moves, Side::CODINGAME, meaning);
    assert_eq!(converted.unwrap().0, "a4 swap-pieces c3\n");
}

#[test]
fn what_a_format_cannot_hold_is_named() {
    let record =
        "(;SZ[9]PB[A]DT[2020]RE[B+]AB[c3];B[a1]LB[a1:x](;W[b2]C[c])(;W[c2]))(;SZ[5];B[a1])";
    for (record, format, note) in [
        (
            record,
            WrittenFormat::HexWorld,
            "a link cannot hold all; left out: 1 other game, 1 variation, the result, \
             the properties PB DT LB C",
        ),
        (
            "(;SZ[9]FF[4]RE[W+R];B[a1](;W[b2])(;W[c2])(;W[d2]))",
            WrittenFormat::Moves,
            "a list of moves cannot hold all; left out: 2 variations, the board's side 9",
        ),
        (
            "#11,a1b2:fb",
            WrittenFormat::Moves,
            "a list of moves cannot hold all; left out: the result",
        ),
    ] {
        let (_, notes) = convert(record, format, Side::CODINGAME, None).unwrap();
        assert_eq!(notes, [note], "{record}");
    }
    let resigned = "(;SZ[11]FF[4]CA[UTF-8]RE[W+R];B[a1];W[b2];B[resign])";
    let forfeited = "(;SZ[7]AB[c3]PL[W];W[b2];B[forfeit])";
    for (record, format) in [
        (resigned, WrittenFormat::Moves),
        (forfeited, WrittenFormat::HexWorld),
    ] {
        let (_, notes) = convert(record, format, Side::CODINGAME, None).unwrap();
        assert!(notes.is_empty(), "{record}: {notes:?}");
    }
    // Of a game alone, as among many.
    let game = sgf::parse("(;PB[A];B[a1]BL[5]C[x])").unwrap();
    let link = write(&game, WrittenFormat::HexWorld).unwrap();
    let note = left_out(&game, None, WrittenFormat::HexWorld, &link).unwrap();
    let end = "left out: the players' names, the remarks, the clocks";
    assert!(note.ends_with(end), "{note}");
    // A file whose end is broken still has its main line.
    let broken = "(;B[a1](;W[b2])(;W[c2]";
    let converted = convert(broken, WrittenFormat::Moves, Side::CODINGAME, None);
    let (moves, notes) = converted.unwrap();
    assert_eq!(moves, "a1 b2\n");
    let begin = "the text after the main line is not SGF: line 1, ";
    assert!(notes[0].starts_with(begin), "{notes:?}");
}

#[test]
fn links_that_only_name_a_game_say_so() {
    for link in [
        "https://playhex.org/games/0d1f8e8c-3000-49ff-831a-84c20e514528",
        "https://www.littlegolem.net/jsp/game/game.jsp?gid=1612755",
        "playhex.org/games/0d1f8e8c-3000-49ff-831a-84c20e514528",
        "https://example.org/hex/1",
    ] {
        let error = convert(link, WrittenFormat::Sgf, Side::CODINGAME, None).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("only names a game"), "{error}");
        assert!(error.contains("as SGF"), "{error}");
    }
    // What the site exports is read.
    let record = "(;FF[4]CA[UTF-8]AP[PlayHex:0.0.0]SO[PlayHex.org]PC[https://playhex.org/games/1]\
                  GM[11]SZ[11]PB[Bot]PW[a]HA[0]RE[Void]TM[600]OT[fischer 5 capped];B[a2]BL[600];\
                  W[swap-pieces]WL[595])";
    let (written, notes) = rewritten(record);
    assert!(notes.is_empty(), "{notes:?}");
    let kept =
        "SZ[11]SO[PlayHex.org]PC[https://playhex.org/games/1]PB[Bot]PW[a]HA[0]RE[Void]TM[600]\
                OT[fischer 5 capped]\n;B[a2]BL[600]\n;W[swap-pieces]WL[595])\n";
    assert_eq!(written, head() + kept);
}

/// A node of a random record.
#[derive(Clone, Debug)]
struct Node {
    /// Which of several kinds of properties it has, a bit each.
    properties: u16,
    below: Vec<Node>,
}

fn any_tree() -> impl Strategy<Value = Node> {
    let leaf = any::<u16>().prop_map(|properties| Node {
        properties,
        below: Vec::new(),
    });
    leaf.prop_recursive(6, 60, 3, |inner| {
        let below = prop::collection::vec(inner, 0..3);
        (any::<u16>(), below).prop_map(|(properties, below)| Node { properties, below })
    })
}

/// Writes records whose values are all different, and keeps what they should have when they have
/// been read and written.
#[derive(Default)]
struct Writer {
    text: String,
    wanted: Vec<String>,
    number: usize,
}

impl Writer {
    /// The next cell of a board of side 19.
    fn cell(&mut self) -> String {
        self.number += 1;
        let column = (b'a' + (self.number % 19) as u8) as char;
        format!("{column}{}", self.number / 19 + 1)
    }

    fn node(&mut self, node: &Node, mover: &'static str, may_set_up: bool) {
        self.text.push(';');
        let has = |bit: u16| node.properties & 1 << bit != 0;
        let cell = self.cell();
        let mut other = "B";
        if has(0) && has(1) && may_set_up {
            self.property(&format!("AB[{cell}]"));
            let cell = self.cell();
            self.property(&format!("AE[{cell}]"));
        } else {
            let _ = write!(self.text, "\n{mover} [{}]", cell.to_uppercase());
            self.wanted.push(format!(";{mover}[{cell}]"));
            other = if mover == "B" { "W" } else { "B" };
        }
        let number = self.number;
        let values = [
            format!("N[name {number}]"),
            format!("C[a \\] b \\\\ \\[c\\] {number}]"),
            format!("LB[{cell}:x\\:{number}]"),
            format!("TR[{cell}]"),
            format!("XY[{number}][more {number}]"),
            format!("V[{number}.5]"),
            format!("C[line\\\n{number}]"),
            format!("BL[{number}.5]"),
            format!("WL[-{number} or so]"),
        ];
        for (bit, value) in values.iter().enumerate() {
            if has(bit as u16 + 2) {
                self.property(value);
            }
        }
        let is_branching = node.below.len() > 1;
        for below in &node.below {
            if is_branching {
                self.text.push('(');
            }
            self.node(below, other, may_set_up);
            if is_branching {
                self.text.push_str(") ");
            }
        }
    }

    fn property(&mut self, text: &str) {
        self.text.push_str(text);
        self.wanted.push(text.to_owned());
    }
}

/// What a tree says: its nodes, stones and who begins, the players and the outcome.
type Said<'a> = (Vec<TreeNode>, Vec<String>, &'a [String; 2], Option<Outcome>);

fn said(tree: &GameTree) -> Said<'_> {
    let mut nodes = tree.nodes().to_vec();
    for node in &mut nodes {
        node.labels.sort_by_key(|label| format!("{label:?}"));
    }
    let setup = tree
        .setup()
        .iter()
        .map(|(cell, color)| format!("{cell} {color}"));
    let mut setup: Vec<String> = setup.collect();
    setup.sort();
    setup.push(tree.first().to_string());
    (nodes, setup, &tree.players, tree.outcome())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// All properties of all games come back, and what was written reads and writes the same.
    #[test]
    fn nothing_is_lost(games in prop::collection::vec(any_tree(), 1..3), sets_up in any::<bool>()) {
        let mut writer = Writer::default();
        for game in &games {
            writer.number = 0;
            writer.text.push_str("(;GM[11]SZ[19]");
            writer.property("EV[e]");
            writer.property("DT[2020-01-01]");
            writer.property("OT[5 \\] x]");
            writer.node(game, "B", sets_up);
            writer.text.push_str(")\n");
        }
        let written = sgf::rewrite(&writer.text, None);
        prop_assert!(written.is_ok(), "{:?}: {}", written, writer.text);
        let (written, _) = written.unwrap();
        for wanted in &writer.wanted {
            let (one, other) = (written.matches(wanted).count(), writer.wanted.iter());
            prop_assert_eq!(one, other.filter(|w| *w == wanted).count(), "{}: {}", wanted, written);
        }
        let again = sgf::rewrite(&written, None);
        prop_assert!(again.is_ok(), "{:?}: {}", again, written);
        prop_assert_eq!(&again.unwrap().0, &written);
        if let Ok(tree) = sgf::parse_tree(&writer.text) {
            let other = sgf::parse_tree(&written).unwrap();
            prop_assert_eq!(said(&other), said(&tree), "{}", &written);
            // A tree is written and read again likewise.
            let third = sgf::parse_tree(&sgf::write_tree(&tree)).unwrap();
            prop_assert_eq!(said(&third), said(&tree), "{}", &written);
        }
    }
    /// Stones and moves that share a node are distinguished.
    #[test]
    fn a_node_of_stones_and_moves_is_rewritten_once(
        nodes in prop::collection::vec(
            prop::collection::vec("(A[BWE]|[BW])\\[[ab][12]\\]", 1..4).prop_map(|node| node.concat()),
            0..3,
        ),
        first in "B\\[[ab][12]\\]",
        program in prop::option::of(Just("AP[benzene]")),
    ) {
        let record = format!("(;GM[11]SZ[2]{};{first}", program.unwrap_or_default());
        let record = nodes.iter().fold(record, |record, node| format!("{record};{node}")) + ")";
        let Ok((written, _)) = sgf::rewrite(&record, None) else {
            return Ok(());
        };
        let again = sgf::rewrite(&written, None);
        prop_assert_eq!(&again.unwrap().0, &written, "{}", record);
        let (read, again) = (sgf::parse(&record).unwrap(), sgf::parse(&written).unwrap());
        prop_assert_eq!(again.turns(), read.turns(), "{}: {}", record, written);
        prop_assert_eq!(again.setup(), read.setup(), "{}: {}", record, written);
    }
}
