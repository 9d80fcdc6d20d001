//! Boards in mid-game that show how a bot reads its input and writes its answers. Few cells are
//! free, so that the answer to each is known.
//!
//! A bot may keep its own board and ignore the rows. It cannot answer these boards, so an answer
//! that makes no sense says nothing about the bot.

use super::conversation::{patience, Conversation};
use super::list::Mark;
use super::CheckRun;
use crate::openings::shuffled;
use crate::player::Failure;
use hex_common::seeds::generator;
use hex_core::record::{AnyCell, Game, Move, Side};
use hexbot::cell::Color;

/// How many boards the bot gets for each colour.
const BOARDS: usize = 2;

/// How many cells are free on boards with a winning move; one more if Red moves.
const FREE: usize = 8;

/// How many random boards are tried at most. Several in a hundred have what we look for.
const TRIES: u64 = 100_000;

/// The colour's winning moves.
fn winning(game: &Game, color: Color) -> Vec<AnyCell> {
    let free = game.position().empty_cells();
    let wins = free.iter().filter(|&cell| {
        let mut after = game.clone();
        after.play_as(color, Move::Place(cell)).is_ok() && after.outcome().is_some()
    });
    wins.collect()
}

/// A board with this many free cells, nobody's win, on which `color` moves next.
fn filled(seed: u64, free: usize, color: Color) -> Option<Game> {
    let side = Side::CODINGAME;
    let cells: Vec<AnyCell> = side.cells().collect();
    let order = shuffled(cells.len(), &mut generator(seed, 0));
    let mut stones = order.into_iter().skip(free).map(|index| cells[index]);
    let last = stones.next()?;
    let mut game = Game::new(side);
    // They alternate, so that there are as many of each colour as in a game.
    let mut owner = color;
    game.begin_with(color.opponent()).ok()?;
    for cell in stones {
        game.set_up(cell, owner).ok()?;
        owner = owner.opponent();
    }
    game.play(Move::Place(last)).ok()?;
    game.outcome().is_none().then_some(game)
}

/// The bot's answer to a board; `None` if it is no move.
fn answer(run: &CheckRun, game: &Game) -> Result<Option<AnyCell>, Failure> {
    let mut bot = Conversation::from(run, game.clone())?;
    let question = bot.question();
    Ok(match bot.action(&question, patience(run))? {
        Some(Move::Place(cell)) => Some(cell),
        _ => None,
    })
}

/// A board with one free cell, Red to move, and that cell. Each confusion of rows and columns leads
/// to another cell.
pub(crate) fn one_free_cell() -> (Game, AnyCell) {
    let mut boards = (0..TRIES).filter_map(|seed| {
        let game = filled(seed, 1, Color::Red)?;
        let free = game.position().empty_cells().iter().next()?;
        let (row, col) = (free.row(), free.col());
        let is_clear = row.abs_diff(col) > 2 && row > 1 && col > 1 && row + col != 10;
        is_clear.then_some((game, free))
    });
    boards.next().expect("one in a hundred is such a board")
}

/// Why a bot plays on taken cells, in words with the cure; `None` if that is not known. The bot
/// gets a board with one free cell.
///
/// # Errors
/// If the check was stopped.
pub(crate) fn why_taken(run: &CheckRun) -> Result<Option<&'static str>, Failure> {
    let (game, free) = one_free_cell();
    let Some(answer) = answer(run, &game)? else {
        return Ok(None);
    };
    let side = Side::CODINGAME;
    let (row, col) = (free.row(), free.col());
    let last = side.get() - 1;
    let confusions = [
        (
            Some(free),
            "it plays on an old board: read the rows on every turn",
        ),
        (
            side.cell(col, row),
            "row and column are exchanged: the letter is the column, the number the row",
        ),
        (
            side.cell(row - 1, col),
            "its rows begin at 0: a1 is in row 1",
        ),
        (
            side.cell(row, col - 1),
            "its columns are one too small: a is the first column",
        ),
        (
            side.cell(last - row, col),
            "its rows are upside down: row 1 is the first line",
        ),
    ];
    let found = confusions
        .into_iter()
        .find(|(cell, _)| *cell == Some(answer));
    Ok(found.map(|(_, why)| why))
}

/// Checks that the bot takes a move that wins at once, as Red and as Blue. The opponent would win
/// by the same move: two players never have different ones.
///
/// # Errors
/// If the check was interrupted, or the output is closed.
pub(crate) fn try_winning(run: &mut CheckRun) -> anyhow::Result<()> {
    let mut missed = Vec::new();
    for color in Color::ALL {
        match takes_a_win(run, color) {
            Ok(true) => {}
            Ok(false) => missed.push(name(color)),
            Err(failure) => return run.failed(failure),
        }
    }
    let (mark, found) = match missed[..] {
        [] => (Mark::Good, "as Red and as Blue".to_owned()),
        _ => {
            let colors = missed.join(" and as ");
            let why = "weak, or it mistakes its colour (Red joins top and bottom), or it ignores \
                       the rows";
            (Mark::Note, format!("not as {colors}: {why}"))
        }
    };
    Ok(run.list.add(mark, "takes a winning move", &found)?)
}

/// Whether the bot wins at once on one of the boards of this colour.
fn takes_a_win(run: &CheckRun, color: Color) -> Result<bool, Failure> {
    for (game, winning) in boards(color).take(BOARDS) {
        if answer(run, &game)? == Some(winning) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The colour's name as the rules write it.
pub(crate) fn name(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Blue => "Blue",
    }
}

/// Boards on which `color` moves and wins at once, by one move only. It is none that a bot without
/// a plan makes: the first or the last free cell, or the nearest to the centre.
fn boards(color: Color) -> impl Iterator<Item = (Game, AnyCell)> {
    let free = match color {
        Color::Red => FREE + 1,
        Color::Blue => FREE,
    };
    (0..TRIES).filter_map(move |seed| {
        let game = filled(seed, free, color)?;
        let &[winning] = &winning(&game, color)[..] else {
            return None;
        };
        let cells: Vec<AnyCell> = game.position().empty_cells().iter().collect();
        let centre = cells.iter().min_by_key(from_centre);
        let is_plain = [cells.first(), cells.last(), centre].contains(&Some(&winning));
        (!is_plain).then_some((game, winning))
    })
}

/// How far a cell is from the centre, in rows and columns.
fn from_centre(cell: &&AnyCell) -> usize {
    let centre = Side::CODINGAME.get() / 2;
    cell.row().abs_diff(centre) + cell.col().abs_diff(centre)
}
