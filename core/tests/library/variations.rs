//! Games with variations: reading and writing SGF, and texts that are not games.

use hex_core::record::hexworld::{self, LinkToken};
use hex_core::record::{sgf, Ending, GameError, GameTree, Move, Outcome, Side};
use hex_core::service::questions::{self, SaveQuestion};
use hexbot::cell::Color;
use proptest::prelude::*;
use serde_json::json;
use std::time::{Duration, Instant};

const STUDY: &str = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Bob]C[Before it began.]AB[a1][b2]AW[c3]LB[e5:A]
;B[d4]C[Mine];W[c4](;B[e1]C[Main];W[resign])(;B[e2]TR[a5]AR[e2:d4](;W[e3])(;W[pass];B[e4])))";

/// All ways from the root to a leaf, as links, and what is said on the way.
fn ways(tree: &GameTree) -> Vec<(String, Vec<String>)> {
    let nodes = tree.nodes();
    let is_leaf = |&index: &usize| nodes.iter().all(|node| node.parent != Some(index));
    let way = |index: usize| {
        let mut comments = Vec::new();
        let mut at = Some(index);
        while let Some(node) = at {
            comments.insert(0, nodes[node].comment.clone());
            at = nodes[node].parent;
        }
        (hexworld::write(&tree.game(index)), comments)
    };
    (0..nodes.len()).filter(is_leaf).map(way).collect()
}

#[test]
fn sgf_keeps_variations_remarks_and_marks() {
    let tree = sgf::parse_tree(STUDY).unwrap();
    assert_eq!(tree.players, ["Ann", "Bob"].map(str::to_owned));
    assert_eq!(tree.nodes()[0].comment, "Before it began.");
    let [main, second, third] = &ways(&tree)[..] else {
        panic!("{:?}", ways(&tree));
    };
    let setup = "https://hexworld.org/board/#5c1,a1:pb2c3d4";
    assert_eq!(main.0, format!("{setup}c4e1:rw"));
    assert_eq!(main.1, ["Before it began.", "Mine", "", "Main", ""]);
    assert_eq!(second.0, format!("{setup}c4e2e3"));
    assert_eq!(third.0, format!("{setup}c4e2:pe4"));
    let side = tree.side();
    let point = |text| side.parse_cell(text).unwrap();
    let marked = tree.nodes().iter().find(|node| !node.arrows.is_empty());
    let marked = marked.unwrap();
    assert_eq!(marked.arrows, [(point("e2"), point("d4"))]);
    assert_eq!(marked.labels, [(point("a5"), "△".to_owned())]);
    assert_eq!(tree.nodes()[0].labels, [(point("e5"), "A".to_owned())]);
    assert_eq!(tree.outcome().unwrap().ending, Ending::Resignation);
    let text = sgf::write_tree(&tree);
    let again = sgf::parse_tree(&text).unwrap();
    assert_eq!(again.nodes(), tree.nodes(), "{text}");
    assert_eq!(again.setup(), tree.setup());
    assert_eq!(again.players, tree.players);
    // The reader of single games sees the main line of what was written.
    let game = sgf::parse(&text).unwrap();
    assert_eq!(hexworld::write(&game), main.0);
}

#[test]
fn colons_in_labels_are_escaped() {
    let record = "(;SZ[5]LB[a1:x\\:y][b1:\\\\:\\]][c1:plain:too];B[a1])";
    let tree = sgf::parse_tree(record).unwrap();
    let labels = |tree: &GameTree| {
        let labels = tree.nodes()[0].labels.iter();
        let texts: Vec<String> = labels.map(|(_, text)| text.clone()).collect();
        texts
    };
    assert_eq!(labels(&tree), ["x:y", "\\:]", "plain:too"]);
    let text = sgf::write_tree(&tree);
    let written = "LB[a1:x\\:y][b1:\\\\\\:\\]][c1:plain\\:too]";
    assert!(text.contains(written), "{text}");
    let again = sgf::parse_tree(&text).unwrap();
    assert_eq!(labels(&again), labels(&tree), "{text}");
}

/// SGF that is refused, and what is said.
#[test]
fn bad_variations_are_refused_with_their_place() {
    for (text, error) in [
        ("(;SZ[5];B[a1](;W[b2])(;W[a1]))", "line 1, column 26: a1 holds a red stone already"),
        ("(;SZ[5];B[a1](;W[b2])(;W[f1]))", "line 1, column 26: \"f1\" is not a cell from a1 to e5, nor swap-pieces, swap-sides or pass"),
        ("(;SZ[5];B[a1](;W[b2])(;AB[c3]))", "line 1, column 27: AB[c3] is in one of several variations, which all have to begin with the same stones"),
        ("(;SZ[5]AB[a1](;AW[b2])(;AW[c3]))", "line 1, column 19: AW[b2] is in one of several variations, which all"),
        ("(;SZ[5]PL[R])", "line 1, column 11: PL[R] is not a player; write PL[B] or PL[W]"),
        ("(;SZ[5]AE[z9])", "line 1, column 11: \"z9\" is not a cell from a1 to e5"),
        ("(;SZ[5]LB[a1])", "line 1, column 11: LB[a1] has no \":\""),
        ("(;SZ[5]AR[a1:z9])", "line 1, column 11: \"z9\" is not a cell from a1 to e5"),
        ("(;SZ[5]AB[a1][a1])", "line 1, column 15: a1 holds a red stone already"),
        ("(;SZ[5];B[a1](;W[b2])", "line 1, column 22: the game does not end; \")\" is missing"),
        ("(;SZ[5];B[a1](;W[b2])(;SZ[6]W[c2]))", "line 1, column 27: SZ[6]: the main line's board has side 5"),
    ] {
        let found = sgf::parse_tree(text).map(|_| ()).unwrap_err().to_string();
        assert!(found.starts_with(error.split(": ").next().unwrap()), "{text}: {found}");
        assert!(found.contains(error.split_once(": ").unwrap().1), "{text}: {found}");
    }
}

/// A record's stones set up and all its turns, and its main line as a link.
fn both(text: &str) -> (String, String) {
    let tree = sgf::parse_tree(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let nodes = tree.nodes().iter().filter_map(|node| node.token);
    let moves: String = nodes.map(|token| token.to_string()).collect();
    let setup = hexworld::setup_text(tree.setup());
    let game = sgf::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(tree.main_game(), game, "{text}");
    // What is written is the same game, however it was written before.
    let again = sgf::parse_tree(&sgf::write_tree(&tree)).unwrap();
    assert_eq!(again.nodes(), tree.nodes(), "{text}");
    (format!("{setup},{moves}"), hexworld::write(&game))
}

/// A game has no marks and no variations, so faults in these do not matter to it. What is said
/// about the game counts on the main line only.
#[test]
fn a_game_is_read_from_its_main_line_alone() {
    for (text, fault) in [
        ("(;SZ[5]LB[a1];B[a1](;W[b2])(;W[c2]))", "has no \":\""),
        ("(;SZ[5];B[a1](;W[b2]TR[z9])(;W[c2]))", "z9"),
        ("(;SZ[5];B[a1](;W[b2])(;W[a1]))", "holds a red stone"),
        ("(;SZ[5];B[a1](;W[b2])(;SZ[4]W[c2]))", "SZ[4]"),
        ("(;SZ[5];B[a1](;W[b2])(;W[c2]", "does not end"),
    ] {
        assert_eq!(sgf::parse(text).unwrap().turns().len(), 2, "{text}");
        let error = sgf::parse_tree(text).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(fault), "{text}: {error}");
    }
    let text = "(;SZ[5]PB[Ann];B[a1](;W[b2];W[resign])(;W[c2]RE[W+]PB[Bob]))";
    let tree = sgf::parse_tree(text).unwrap();
    assert_eq!(tree.main_game(), sgf::parse(text).unwrap());
    assert_eq!(tree.outcome().unwrap().winner, Color::Red);
    assert_eq!((&*tree.players[0], tree.notes.len()), ("Ann", 0));
}

/// A move out of turn is written as it was read. The pass in between is the tree's alone, unless
/// somebody made it.
#[test]
fn passes_that_nobody_made_are_not_written() {
    for (moves, turns, nodes) in [
        (";B[a1];B[b2]", 2, 4),
        (";B[a1];W[pass];B[b2]", 3, 4),
        (";B[a1]\n(\n;B[b2])\n(\n;W[c3])", 2, 5),
        (";B[a1]\n(\n;B[b2]\n;B[c4])\n(\n;B[c3])", 3, 7),
    ] {
        let tree = sgf::parse_tree(&format!("(;SZ[5]{moves})")).unwrap();
        assert_eq!(tree.nodes().len(), nodes, "{moves}");
        assert_eq!(tree.main_game().turns().len(), turns, "{moves}");
        let written = sgf::write_tree(&tree)
            .replace("\n;", ";")
            .replace(";", "\n;");
        let wanted = format!("SZ[5]{})\n", moves.replace("\n;", ";").replace(";", "\n;"));
        assert!(written.ends_with(&wanted), "{written} instead of {wanted}");
    }
}

#[test]
fn the_player_to_move_is_read() {
    let link = |moves: &str| format!("https://hexworld.org/board/#5c1,{moves}");
    for (text, study, main) in [
        ("(;SZ[5]PL[W])", ",", ":p"),
        ("(;SZ[5]PL[B])", ",", ""),
        ("(;SZ[5]PL[w]AB[a1])", "+a1,", "a1"),
        (
            "(;SZ[5]AB[a1]PL[White]C[Blue wins];W[b2])",
            "+a1,b2",
            "a1b2",
        ),
        ("(;SZ[5]AB[a1]PL[black];B[b2])", "+a1,b2", "a1:pb2"),
        // In the middle of a game, before variations, and at its end.
        (
            "(;SZ[5];B[a1]PL[B](;B[b2])(;B[c3];W[c4]))",
            ",a1:pb2c3c4",
            "a1:pb2",
        ),
        ("(;SZ[5];B[a1];W[b2];PL[W])", ",a1b2:p", "a1b2:p"),
        // What is played counts more than what is said of it.
        ("(;SZ[5]PL[W];B[a1]PL[B];W[b2])", ",a1b2", "a1b2"),
        ("(;SZ[5];B[a1];W[resign]PL[W])", ",a1:rw", "a1:rw"),
    ] {
        assert_eq!(both(text), (study.to_owned(), link(main)), "{text}");
    }
    let tree = sgf::parse_tree("(;SZ[5]AB[a1]PL[W]C[Blue to move])").unwrap();
    assert_eq!(tree.first(), Color::Blue);
    assert_eq!(tree.nodes()[0].comment, "Blue to move");
}

#[test]
fn stones_set_up_are_taken_away_again() {
    for (text, setup) in [
        ("(;SZ[5]AB[a1][b2]AW[c3]AE[b2][e5])", "+a1-c3,"),
        ("(;SZ[5]AB[a1];C[text];AE[a1]AW[a1];W[b2])", "-a1,b2"),
        ("(;SZ[5]AB[a1]AE[a1])", ","),
    ] {
        assert_eq!(both(text).0, setup, "{text}");
    }
}

#[test]
fn a_turn_that_is_there_already_is_not_added_again() {
    let side = Side::of(5);
    let mut tree = GameTree::new(side, &[]).unwrap();
    let place = |text| LinkToken::Action(Move::Place(side.parse_cell(text).unwrap()));
    let first = tree.add(0, place("a1")).unwrap();
    let other = tree.add(0, place("b2")).unwrap();
    let swap = LinkToken::Action(Move::SwapPieces);
    let swapped = tree.add(first, swap).unwrap();
    assert_eq!(tree.add(0, place("a1")), Ok(first));
    assert_eq!(tree.add(first, swap), Ok(swapped));
    assert_eq!(tree.add(swapped, swap), Err(GameError::Swap));
    assert_eq!(tree.main_line(), [0, first, swapped]);
    assert!(tree.game(other).may_swap());
    assert_eq!(tree.nodes().len(), 4);
}

#[test]
fn links_have_stones_set_up() {
    let game = hexworld::parse("#5+a1b2-c3,d4").unwrap();
    assert_eq!(hexworld::setup_text(game.setup()), "+a1b2-c3");
    assert_eq!(game.position().to_string().matches('r').count(), 3);
    assert_eq!(game.turns().len(), 1);
    assert_eq!(hexworld::parse("5").unwrap().setup(), []);
    for (text, why) in [
        ("5+a1-a1,", "a1 holds a red stone already"),
        ("5+a1z9,", "z9"),
        ("5-f1", "f1"),
    ] {
        let error = hexworld::parse(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}

/// A tree that grows by choices among its nodes and the cells.
fn any_tree() -> impl Strategy<Value = GameTree> {
    let steps = prop::collection::vec(
        (any::<prop::sample::Index>(), 0..16usize, "[ -~é]{0,6}"),
        0..40,
    );
    steps.prop_map(|steps| {
        let side = Side::of(4);
        let mut tree = GameTree::new(side, &[(side.cells().next().unwrap(), Color::Blue)]).unwrap();
        for (parent, cell, comment) in steps {
            let point = side.cells().nth(cell).unwrap();
            let parent = parent.index(tree.nodes().len());
            if let Ok(at) = tree.add(parent, LinkToken::Action(Move::Place(point))) {
                tree.node_mut(at).comment = comment.clone();
                tree.node_mut(at).labels = vec![(point, "B".to_owned())];
                tree.node_mut(at).arrows = vec![(point, point)];
            }
        }
        tree
    })
}

proptest! {
    #[test]
    fn trees_come_back_from_sgf(tree in any_tree()) {
        let text = sgf::write_tree(&tree);
        let again = sgf::parse_tree(&text).unwrap();
        // Siblings keep their order; which subtree is listed first does not matter.
        let sorted = |tree: &GameTree| {
            let mut ways = ways(tree);
            ways.sort();
            ways
        };
        prop_assert_eq!(sorted(&again), sorted(&tree), "{}", text);
        let main = |tree: &GameTree| {
            let line = tree.main_line();
            hexworld::write(&tree.game(line[line.len() - 1]))
        };
        prop_assert_eq!(main(&again), main(&tree));
    }

    /// What the page opens it can save, and opens again as it was.
    #[test]
    fn what_the_page_opens_it_saves(tree in any_tree()) {
        let open = |record: &str| {
            let opened = questions::read_record(record).unwrap();
            serde_json::to_value(opened).unwrap()
        };
        let opened = open(&sgf::write_tree(&tree));
        let question = json!({ "game": opened["game"], "nodes": opened["nodes"] });
        let question: SaveQuestion = serde_json::from_value(question).unwrap();
        let saved = questions::save_sgf(question).unwrap();
        prop_assert_eq!(open(&saved), opened, "{}", saved);
    }
}

/// The winner and the kind of win come from the property RE or from the moves.
#[test]
fn the_outcome_is_what_tells_most() {
    for (text, winner, ending) in [
        ("RE[B+];B[a1];W[resign]", Color::Red, Ending::Resignation),
        ("RE[W+];B[a1];B[forfeit]", Color::Blue, Ending::Forfeit),
        ("RE[B+T];B[a1];W[forfeit]", Color::Red, Ending::Time),
        ("RE[W+R];B[a1]", Color::Blue, Ending::Resignation),
        ("RE[W+];B[a1];W[resign]", Color::Blue, Ending::Unstated),
        ("RE[B+];B[a1];W[b1];B[a2]", Color::Red, Ending::Connection),
        ("RE[W+R];B[a1];W[b1];B[a2]", Color::Red, Ending::Connection),
    ] {
        let text = format!("(;SZ[2]{text})");
        let wanted = Some(Outcome { winner, ending });
        let tree = sgf::parse_tree(&text).unwrap();
        assert_eq!(tree.outcome(), wanted, "{text}");
        assert_eq!(tree.main_game(), sgf::parse(&text).unwrap(), "{text}");
    }
}

/// How long it takes to read a game and its tree.
fn reading_time(text: &str) -> Duration {
    let started = Instant::now();
    sgf::parse_tree(text).unwrap();
    sgf::parse(text).unwrap();
    started.elapsed()
}

/// Many nodes take about as long as one that has all of their properties. The square of their
/// number would be thousands of times as long.
#[test]
fn the_time_to_read_sgf_grows_with_its_length() {
    const NODES: usize = 50_000;
    for part in ["C[x]", "AB[a1]AE[a1]", "PL[W];PL[B]"] {
        let one = format!("(;SZ[5];{})", part.replace(';', "").repeat(NODES));
        let many = format!("(;SZ[5]{})", format!(";{part}").repeat(NODES));
        let (one, many) = (reading_time(&one), reading_time(&many));
        assert!(many < 50 * one, "{part}: {many:?} to {one:?}");
    }
}

/// Reading and writing go as deep as the text does, without the stack.
#[test]
fn variations_in_variations_are_read_to_any_depth() {
    const DEPTH: usize = 200_000;
    let text = format!("(;SZ[5]{}{})", "(;C[x]".repeat(DEPTH), ")".repeat(DEPTH));
    let tree = sgf::parse_tree(&text).unwrap();
    assert_eq!(tree.nodes()[0].comment.len(), 2 * DEPTH - 1);
    assert_eq!(tree.main_game(), sgf::parse(&text).unwrap());
    let (written, _) = sgf::rewrite(&text, None).unwrap();
    assert_eq!(written.matches("C[x]").count(), DEPTH);
    let broken = &text[..text.len() / 2];
    assert!(sgf::parse(broken).is_err());
}
