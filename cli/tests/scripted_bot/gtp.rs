//! The few GTP commands that the arena uses, with benzene's kind of swap: the stone stays, the
//! players change sides.

use super::{choose, trouble, Arguments};
use hex_core::record::{AnyBoard, Move, Side};
use hexbot::cell::Color;
use std::io::{self, BufRead, Write};

/// The state of the engine.
struct ScriptedEngine {
    position: AnyBoard,
    /// True if it may swap.
    allow_swap: bool,
    answers: u64,
    /// False until the command that sets the time has come, if one is required.
    is_paced: bool,
}

/// Answers commands until `quit` or the end of input.
pub fn run(arguments: &Arguments) {
    let mut engine = ScriptedEngine {
        position: Side::CODINGAME.board(),
        allow_swap: true,
        answers: 0,
        is_paced: arguments.pace.is_none(),
    };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = engine.answer(arguments, &words);
        match answer {
            Ok(text) => println!("= {text}\n"),
            Err(text) => println!("? {text}\n"),
        }
        let _ = io::stdout().flush();
        if words.first() == Some(&"quit") {
            return;
        }
    }
}

impl ScriptedEngine {
    fn answer(&mut self, arguments: &Arguments, words: &[&str]) -> Result<String, String> {
        match words {
            ["name"] => Ok(arguments.name.clone()),
            words if arguments.pace.as_ref() == Some(&words.join("_")) => {
                self.is_paced = true;
                Ok(String::new())
            }
            ["genmove", _] if !self.is_paced => Err("how long?".to_string()),
            ["known_command", "param_game"] => Ok("true".to_string()),
            ["param_game", "allow_swap", value] => {
                self.allow_swap = *value == "1";
                Ok(String::new())
            }
            ["boardsize", side, other] if side == other => {
                let side: usize = side.parse().map_err(|_| "no number")?;
                let side = Side::try_from(side).map_err(|error| error.to_string())?;
                self.position = side.board();
                Ok(String::new())
            }
            ["clear_board"] => {
                self.position = self.position.cleared();
                Ok(String::new())
            }
            ["play", color, cell] => {
                let cell = Side::of_board(&self.position).parse_cell(cell);
                let cell = cell.map_err(|error| error.to_string())?;
                let placed = self.position.set_up(cell, parse_color(color)?);
                placed.map_err(|_| "occupied".to_string())?;
                Ok(String::new())
            }
            ["genmove", color] => self.genmove(arguments, parse_color(color)?),
            ["quit"] => Ok(String::new()),
            _ => Err("unknown command".to_string()),
        }
    }

    fn genmove(&mut self, arguments: &Arguments, color: Color) -> Result<String, String> {
        self.answers += 1;
        if let Some(trouble) = &arguments.trouble {
            // What follows its own words is an answer too many.
            let _ = trouble.strike(self.answers, "");
        }
        trouble::flood_stderr(arguments.stderr);
        let stones = Color::ALL.map(|color| self.position.own_stones(color).len());
        if arguments.swap && self.allow_swap && stones == [1, 0] {
            return Ok("swap-pieces".to_string());
        }
        let action = choose(arguments, &self.position.with_to_move(color));
        if let Move::Place(cell) = action {
            self.position.set_up(cell, color).expect("it is empty");
        }
        Ok(action.to_string())
    }
}

fn parse_color(text: &str) -> Result<Color, String> {
    match text {
        "black" | "b" => Ok(Color::Red),
        "white" | "w" => Ok(Color::Blue),
        _ => Err("no colour".to_string()),
    }
}
