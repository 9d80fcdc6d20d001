//! Drawn boards: every cell once, in its place, and nothing that breaks the SVG.

use hex_core::draw::Drawing;
use hex_core::record::{move_list, Game, Move, Side};
use hexbot::cell::Color;
use std::collections::BTreeMap;

fn side(side: usize) -> Side {
    Side::try_from(side).unwrap()
}

/// The names and the centres of the cells in the drawing.
fn middles(svg: &str) -> Vec<(String, f64, f64)> {
    let value = |line: &str, key: &str| {
        let begin = line.find(key).unwrap() + key.len();
        line[begin..].split('"').next().unwrap().to_string()
    };
    let cells = svg.lines().filter(|line| line.contains("class=\"cell\""));
    cells
        .map(|line| {
            let number = |key| value(line, key).parse().unwrap();
            (
                value(line, "data-cell=\""),
                number("data-x=\""),
                number("data-y=\""),
            )
        })
        .collect()
}

#[test]
fn every_cell_once_and_neighbours_touch() {
    for n in [1, 2, 5, 11, 19, 26] {
        let middles = middles(&Drawing::new(&side(n).board()).svg());
        assert_eq!(middles.len(), n * n);
        let distance = |a: usize, b: usize| {
            let ((_, ax, ay), (_, bx, by)) = (&middles[a], &middles[b]);
            (ax - bx).hypot(ay - by)
        };
        for (index, point) in side(n).cells().enumerate() {
            assert_eq!(middles[index].0, point.to_string());
            let near = (0..n * n).filter(|&other| other != index && distance(index, other) < 40.0);
            let near: Vec<usize> = near.collect();
            let neighbours = point
                .neighbors()
                .iter()
                .filter(|&&cell| side(n).contains(cell));
            let mut neighbours: Vec<usize> = neighbours.map(|c| c.row() * n + c.col()).collect();
            neighbours.sort_unstable();
            assert_eq!(near, neighbours, "{point} on side {n}");
        }
    }
}

/// The mark of the last move is a ring around its number, which would be white on white.
#[test]
fn a_mark_leaves_the_number_readable() {
    let mut game = Game::new(side(3));
    let b2 = side(3).parse_cell("b2").unwrap();
    game.play(Move::Place(b2)).unwrap();
    let marked = Drawing::new(game.position()).last_move(b2);
    let numbered = marked.label(b2, "1".to_owned()).svg();
    let layers = ["class=\"last\"", "class=\"stone\"", "class=\"label\""];
    let layers = layers.map(|layer| numbered.rfind(layer).unwrap());
    assert!(layers.is_sorted(), "{numbered}");
}

#[test]
fn shades_end_where_their_range_does() {
    let a1 = side(3).parse_cell("a1").unwrap();
    let svg = |share| Drawing::new(&side(3).board()).heat(a1, share).svg();
    assert_eq!([svg(-2.0), svg(7.0)], [svg(0.0), svg(1.0)]);
    assert_ne!(svg(0.0), svg(1.0));
}

#[test]
fn stones_marks_and_labels() {
    let game = move_list::parse("a2 swap-pieces c3 b2", side(3)).unwrap();
    let at = |text| game.side().parse_cell(text).unwrap();
    let svg = Drawing::new(game.position())
        .last_move(at("b2"))
        .label(at("b2"), "<&>")
        .mark(at("a3"), Color::Red)
        .mark(at("b2"), Color::Red)
        .svg();
    assert_eq!(svg.matches("class=\"stone blue\"").count(), 2);
    assert_eq!(svg.matches("class=\"stone red\"").count(), 1);
    assert_eq!(
        svg.matches("class=\"mark red\"").count(),
        1,
        "no mark under a stone"
    );
    assert_eq!(svg.matches("class=\"last\"").count(), 1);
    assert!(svg.contains(">&lt;&amp;&gt;</text>"), "{svg}");
    assert_eq!(svg.matches("class=\"edge red\"").count(), 2);
    assert_eq!(svg.matches("class=\"edge blue\"").count(), 2);
    assert_eq!(svg.matches("class=\"name\"").count(), 6);
}

#[test]
fn a_pattern_tells_neighbours_apart_and_marks_the_star_points() {
    for (n, stars) in [
        (7, ""),
        (8, "d4 e4 d5 e5"),
        (11, "d4 h4 d8 h8"),
        (19, "d4 p4 d16 p16"),
    ] {
        let board = side(n).board();
        let svg = Drawing::new(&board).pattern().svg();
        let (mut tones, mut starred, mut last) = (BTreeMap::new(), Vec::new(), "");
        for line in svg.lines() {
            let value = |key| Some(line.split_once(key)?.1.split_once('"')?.0);
            if let Some(name) = value("data-cell=\"") {
                last = name;
                tones.insert(side(n).parse_cell(name).unwrap(), value("fill=\"").unwrap());
            } else if line.contains("class=\"star\"") {
                starred.push(last);
            }
        }
        assert_eq!(starred.join(" "), stars, "side {n}");
        for (cell, tone) in &tones {
            let mut near = cell.neighbors().iter();
            assert!(near.all(|&other| tones.get(&other) != Some(tone)), "{cell}");
        }
    }
}
