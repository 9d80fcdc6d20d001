//! The addresses of the service in one table. The server of `hex web` and the page without a server
//! both read it, so an address asks the same with and without a server. A question's kind has the
//! limit of its bytes ([`QuestionKind::most_bytes`]), an answer's format the content type
//! ([`TextFormat::mime`]), and a problem's kind the status ([`ProblemKind::status`]).
//!
//! [`TextFormat::mime`]: super::questions::TextFormat::mime
//! [`ProblemKind::status`]: super::problem::ProblemKind::status

use super::problem::Problem;
use super::questions::{self, AnswerText, QuestionKind};
use crate::record::Side;

/// What a request asks.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    /// The question in the request's body. The method is POST, for all others GET.
    Question(QuestionKind),
    /// A question about boards of the side at the end of the path.
    OfSide(fn(Side) -> Result<AnswerText, Problem>),
    /// The grades of mistakes.
    Grades,
    /// The record on the command line, or null.
    Opened,
    /// The most threads that an order may have.
    Threads,
    /// The code of the network.
    Code,
    /// A socket for orders and their replies.
    Socket,
}

/// The end of an address that has a side of the board there.
const SIDE: &str = "{side}";

/// All addresses, relative to the page, and what a request there asks.
pub const ROUTES: [(&str, Asked); 11] = [
    ("api/look", Asked::Question(QuestionKind::Look)),
    ("api/record", Asked::Question(QuestionKind::OpenRecord)),
    ("api/save/sgf", Asked::Question(QuestionKind::SaveSgf)),
    ("api/save/svg", Asked::Question(QuestionKind::SaveSvg)),
    ("api/board/{side}", Asked::OfSide(questions::board)),
    ("api/openings/{side}", Asked::OfSide(openings)),
    ("api/grades", Asked::Grades),
    ("api/opened", Asked::Opened),
    ("api/threads", Asked::Threads),
    ("api/code", Asked::Code),
    ("api/socket", Asked::Socket),
];

fn openings(side: Side) -> Result<AnswerText, Problem> {
    Ok(questions::json(&questions::openings(side)?))
}

/// What a request to `path` asks, and the text of the side at the end of the path; it is empty if
/// the address has none. `None` if there is nothing.
pub fn find(path: &str) -> Option<(Asked, &str)> {
    ROUTES
        .iter()
        .find_map(|&(address, asked)| match address.strip_suffix(SIDE) {
            Some(folder) => path.strip_prefix(folder).map(|side| (asked, side)),
            None => (path == address).then_some((asked, "")),
        })
}
