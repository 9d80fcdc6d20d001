//! No input makes the bot panic, hang or play an illegal move: whole talks inside this process,
//! made of random bytes, of random boards and of games that somebody has spoiled. What is legal is
//! judged by the raw lines of each turn, read again in the plainest way.

use crate::common::referee::{Game, SIDE};
use crate::common::{answer_to, simulating};
use hexbot::budget::SystemClock;
use hexbot::cell::{Cell, Color};
use hexbot::opening::Answer;
use hexbot::player::Player;
use hexbot::turn::{Header, Reader};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::cell::RefCell;
use std::io::{BufRead, Cursor, Read};
use std::rc::Rc;
use std::time::Duration;

/// Simulations a move: enough to enter the search.
const SIMULATIONS: u64 = 3;

/// A player that thinks little and needs little memory.
fn player() -> Player<SIDE> {
    let mut settings = simulating(SIMULATIONS);
    settings.seed = Some(1);
    settings.params.max_nodes = 50;
    Player::new(settings)
}

/// Input that leaves its lines behind, each when it has been read, blank ones left out.
struct Recorded {
    input: Cursor<Vec<u8>>,
    read: Rc<RefCell<Vec<u8>>>,
}

impl Read for Recorded {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.read.borrow_mut().extend(&buffer[..count]);
        Ok(count)
    }
}

impl BufRead for Recorded {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        let at = self.input.position() as usize;
        let bytes = &self.input.get_ref()[at..at + count];
        self.read.borrow_mut().extend(bytes);
        self.input.consume(count);
    }
}

/// The lines in some bytes that are not blank.
fn lines(bytes: &[u8]) -> Vec<String> {
    let lines = bytes.split(|&byte| byte == b'\n');
    let lines = lines.filter(|line| !line.trim_ascii().is_empty());
    lines
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect()
}

/// Talks with a player until the input ends. Every answer is checked.
fn talk(input: &[u8]) -> Result<Vec<Answer<SIDE>>, TestCaseError> {
    let read = Rc::new(RefCell::new(Vec::new()));
    let recorded = Recorded {
        input: Cursor::new(input.to_vec()),
        read: Rc::clone(&read),
    };
    let (mut reader, mut player, clock) = (Reader::new(recorded), player(), SystemClock::start());
    let mut answers = Vec::new();
    let Some(header) = reader.header() else {
        return Ok(answers);
    };
    while reader.wait() {
        // The turn's first line has been read; a line that the reader has put back is this line.
        let first = lines(&read.borrow()).len() - 1;
        let turn = reader.turn::<SIDE>(header);
        let all = lines(&read.borrow());
        let answer = answer_to(&mut player, &turn, &clock, Duration::ZERO);
        let answer = answer.map(|reply| reply.answer);
        check(header, &all[first..], answer)?;
        answers.extend(answer);
        reader.report();
    }
    Ok(answers)
}

/// What a row's line holds in each column of the judge's board; `?` is none of `.`, `r`, `b`.
fn marks(line: &str, side: usize) -> Vec<char> {
    let is_known = |token: &str| token.chars().all(|c| matches!(c, '.' | 'r' | 'b'));
    let tokens = line.split_whitespace();
    let marks = tokens.flat_map(|token| if is_known(token) { token } else { "?" }.chars());
    marks.take(side).collect()
}

/// Checks that the answer is legal on what a turn's lines show. Its rows begin with the first or
/// the second of them, for the last move may be missing; so a cell may be legal by either reading.
fn check(
    header: Header,
    lines: &[String],
    answer: Option<Answer<SIDE>>,
) -> Result<(), TestCaseError> {
    let readings = [0, 1].map(|skipped| -> Vec<Vec<char>> {
        let rows = lines.iter().skip(skipped).take(header.side);
        rows.map(|line| marks(line, header.side)).collect()
    });
    let mark = |rows: &Vec<Vec<char>>, cell: Cell<SIDE>| {
        let row = rows.get(cell.row());
        row.and_then(|row| row.get(cell.col()).copied())
    };
    let shows = |rows: &Vec<Vec<char>>, wanted: char| {
        Cell::all()
            .filter(|&cell| mark(rows, cell) == Some(wanted))
            .count()
    };
    let legal = match answer {
        Some(Answer::Play(cell)) => readings.iter().any(|rows| {
            let unknown = !matches!(mark(rows, cell), Some('r' | 'b'));
            mark(rows, cell) == Some('.') || (unknown && shows(rows, '.') == 0)
        }),
        Some(Answer::SwapPieces) => {
            let one_red = |rows: &Vec<Vec<char>>| (shows(rows, 'r'), shows(rows, 'b')) == (1, 0);
            header.color == Color::Blue && readings.iter().any(one_red)
        }
        None => readings.iter().any(|rows| shows(rows, '.') == 0),
    };
    prop_assert!(legal, "{answer:?} to {lines:#?}");
    Ok(())
}

/// The input of one player for a whole random game, from a given turn on.
fn told_game(color: Color, cells: &[Index], first_turn: usize) -> Vec<u8> {
    let mut game = Game::new();
    let mut text = format!("{SIDE} {color}\n");
    for choice in cells {
        let board = game.board();
        if board.winner().is_some() {
            break;
        }
        if board.to_move() == color && game.turns() >= first_turn {
            text += &game.turn_text();
        }
        let empty: Vec<Cell<SIDE>> = board.empty_cells().iter().collect();
        let line = match game.turns() {
            1 if choice.index(3) == 0 => "swap-pieces".to_owned(),
            _ => choice.get(&empty).to_string(),
        };
        game.play(&line).expect("empty cells are legal");
    }
    text.into_bytes()
}

fn games() -> impl Strategy<Value = Vec<u8>> {
    let color = prop_oneof![Just(Color::Red), Just(Color::Blue)];
    (color, vec(any::<Index>(), 1..121), 0..60usize)
        .prop_map(|(color, cells, first_turn)| told_game(color, &cells, first_turn))
}

/// Something that can happen to a text.
#[derive(Clone, Debug)]
enum Damage {
    DropByte(Index),
    DoubleByte(Index),
    SetByte(Index, u8),
    DropLine(Index),
    DoubleLine(Index),
    SwapLines(Index, Index),
    CarriageReturns,
    Truncate(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let byte = prop_oneof![
        any::<u8>(),
        prop::sample::select(b" .rb\n\r\tx1aA".to_vec())
    ];
    prop_oneof![
        any::<Index>().prop_map(Damage::DropByte),
        any::<Index>().prop_map(Damage::DoubleByte),
        (any::<Index>(), byte).prop_map(|(at, byte)| Damage::SetByte(at, byte)),
        any::<Index>().prop_map(Damage::DropLine),
        any::<Index>().prop_map(Damage::DoubleLine),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Damage::SwapLines(a, b)),
        Just(Damage::CarriageReturns),
        any::<Index>().prop_map(Damage::Truncate),
    ]
}

impl Damage {
    fn apply(&self, text: &mut Vec<u8>) {
        if text.is_empty() {
            return;
        }
        let size = text.len();
        let lines = text.split_inclusive(|&b| b == b'\n');
        let mut lines: Vec<Vec<u8>> = lines.map(Vec::from).collect();
        let count = lines.len();
        match self {
            Damage::DropByte(at) => drop(text.remove(at.index(size))),
            Damage::DoubleByte(at) => text.insert(at.index(size), text[at.index(size)]),
            Damage::SetByte(at, byte) => text[at.index(size)] = *byte,
            Damage::Truncate(at) => text.truncate(at.index(size)),
            Damage::DropLine(at) => drop(lines.remove(at.index(count))),
            Damage::DoubleLine(at) => lines.insert(at.index(count), lines[at.index(count)].clone()),
            Damage::SwapLines(a, b) => lines.swap(a.index(count), b.index(count)),
            Damage::CarriageReturns => lines.iter_mut().for_each(|line| {
                line.pop();
                line.extend(b"\r\n");
            }),
        }
        if text.len() == size && !matches!(self, Damage::SetByte(..)) {
            *text = lines.concat();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_turn_of_a_good_game_is_answered(game in games()) {
        let turns = (lines(&game).len() - 1) / (SIDE + 1);
        prop_assert_eq!(talk(&game)?.len(), turns);
    }

    #[test]
    fn no_spoiled_game_confuses_the_bot(
        mut game in games(),
        damages in vec(damage(), 1..8),
    ) {
        damages.iter().for_each(|damage| damage.apply(&mut game));
        talk(&game)?;
    }

    #[test]
    fn no_bytes_confuse_the_bot(bytes in vec(any::<u8>(), 0..600)) {
        talk(&bytes)?;
    }

    #[test]
    fn no_bytes_after_a_header_confuse_the_bot(
        side in prop_oneof![Just(SIDE), 0..30usize],
        color in "red|blue|grey|",
        bytes in vec(prop_oneof![any::<u8>(), prop::sample::select(b" .rb\n \n".to_vec())], 0..2000),
    ) {
        let mut text = format!("{side} {color}\n").into_bytes();
        text.extend(bytes);
        talk(&text)?;
    }

    /// Positions that no game reaches, with cells that cannot be read.
    #[test]
    fn no_position_confuses_the_bot(
        color in prop_oneof![Just(Color::Red), Just(Color::Blue)],
        boards in vec(vec(prop::sample::select(vec!['.', 'r', 'b', '?']), 121), 1..4),
    ) {
        let mut text = format!("{SIDE} {color}\n");
        for board in &boards {
            text += "a1\n";
            for row in board.chunks(SIDE) {
                text.extend(row.iter().flat_map(|&mark| [mark, ' ']));
                text.push('\n');
            }
        }
        // Every board has an empty cell, but for one in 10^15.
        prop_assert_eq!(talk(text.as_bytes())?.len(), boards.len());
    }
}
