//! Records of games: moves and swaps on a board of any side, and the formats that files have (SGF,
//! links, move lists, the JSON of sites, CodinGame's turns). Nothing here knows players, clocks or
//! searches.

mod any_board;
mod any_format;
pub mod codingame;
mod color_name;
pub mod conversion;
mod game;
pub mod hexworld;
pub mod move_list;
pub mod playhex;
mod record_error;
mod record_text;
pub mod sgf;
mod tree;

pub use any_board::{any_cell, stones, AnyBoard, AnyCell, NotOnBoard, Side, SideError};
pub use any_format::{is_sgf, parse_game, parse_game_with, parse_tree, texts};
pub use color_name::ColorName;
pub(crate) use game::add_remark;
pub use game::{Clocks, Ending, Game, GameError, Move, Outcome, PlayedMove};
pub use record_error::RecordError;
pub use record_text::{counted, decode, printable, without_byte_order_mark};
pub use tree::{GameTree, MoveGrade, TreeNode};
