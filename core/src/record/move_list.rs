//! Games as plain move lists, `a2 swap-pieces f6`: words with blanks or commas between. `resign`
//! ends the game for the player to move. Numbers of moves (`1.`) are skipped; `swap` is
//! `swap-pieces`; cells may run together, `a2f6`.

use super::any_board::Side;
use super::game::{Ending, Game, Move, Outcome};
use super::record_error::RecordError;

/// The game's moves on one line, with `resign` if it ended so.
pub fn write(game: &Game) -> String {
    let mut words: Vec<String> = game.turns().iter().map(|t| t.action.to_string()).collect();
    let resigned = |outcome: Outcome| outcome.ending == Ending::Resignation;
    if game.outcome().is_some_and(resigned) {
        words.push("resign".to_string());
    }
    words.join(" ")
}

/// The game with these moves on a board of `side`.
///
/// # Errors
/// If a word is not a move, or the rules forbid it.
pub fn parse(text: &str, side: Side) -> Result<Game, RecordError> {
    let mut game = Game::new(side);
    for (row, line) in text.lines().enumerate() {
        for word in words(line) {
            apply(&mut game, &word).map_err(|why| {
                let (line, number) = (row + 1, game.turns().len() + 1);
                RecordError::new(format!("line {line}, move {number}: {why}"))
            })?;
        }
    }
    Ok(game)
}

/// The words of a line of moves, in lower case and without move numbers. Words end at blanks and
/// commas, and where a letter follows a digit.
pub fn words(line: &str) -> impl Iterator<Item = String> + '_ {
    let words = line.split(|c: char| c.is_whitespace() || c == ',');
    let words = words.map(without_number).filter(|word| !word.is_empty());
    words.flat_map(|word| {
        let mut cells = vec![String::new()];
        let mut before = ' ';
        for c in word.to_ascii_lowercase().chars() {
            if before.is_ascii_digit() && c.is_ascii_lowercase() {
                cells.push(String::new());
            }
            cells.last_mut().expect("there is one").push(c);
            before = c;
        }
        cells
    })
}

/// The word without the number of its move, `1.` or `1...`, which may stand alone.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

fn apply(game: &mut Game, word: &str) -> Result<(), String> {
    if let (Some(outcome), "resign") = (game.outcome(), word) {
        let winner = outcome.winner;
        let note = format!("resign after the game's end is left out: {winner} has won already");
        game.notes.push(note);
        return Ok(());
    }
    let done = if word == "resign" {
        game.try_end(Outcome {
            winner: game.to_move().opponent(),
            ending: Ending::Resignation,
        })
    } else {
        let action = Move::parse(word, game.side()).map_err(|error| error.to_string())?;
        game.play(action)
    };
    done.map_err(|error| error.to_string())
}
