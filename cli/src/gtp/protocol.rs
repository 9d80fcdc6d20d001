//! The Go Text Protocol, version 2, as far as it does not know what commands mean: lines of
//! commands in, responses out (Gunnar Farnebäck, *Specification of the Go Text Protocol, version
//! 2*, 2002).

use std::fmt;

/// A command as it stands on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The number before the command, which the response repeats.
    pub id: Option<u32>,
    /// The command's name.
    pub name: String,
    /// What follows the name, cut at blanks.
    pub arguments: Vec<String>,
}

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing: it is blank or a comment.
    Nothing,
    /// The controller wants the command in progress to come to an end: `# interrupt`.
    Interrupt,
    /// A command.
    Command(Request),
}

/// Reads a line. Control characters do not count, a tab is a blank, `#` begins a comment.
///
/// ```
/// use hex_cli::gtp::protocol::{parse, LineKind};
/// let LineKind::Command(request) = parse("7 play b a1 # the first move") else { panic!() };
/// assert_eq!((request.id, request.name.as_str()), (Some(7), "play"));
/// assert_eq!(request.arguments, ["b", "a1"]);
/// assert_eq!(parse("# interrupt"), LineKind::Interrupt);
/// assert_eq!(parse(" \t\r"), LineKind::Nothing);
/// ```
pub fn parse(line: &str) -> LineKind {
    if line.trim() == "# interrupt" {
        return LineKind::Interrupt;
    }
    let text: String = line
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect();
    let mut words = text
        .split('#')
        .next()
        .unwrap_or("")
        .split_whitespace()
        .peekable();
    let id = words.peek().and_then(|word| word.parse().ok());
    if id.is_some() {
        words.next();
    }
    match words.next() {
        None => LineKind::Nothing,
        Some(name) => LineKind::Command(Request {
            id,
            name: name.to_owned(),
            arguments: words.map(str::to_owned).collect(),
        }),
    }
}

/// Why a command failed, in words for the controller's user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandFailure(pub String);

impl<E: std::error::Error> From<E> for CommandFailure {
    fn from(error: E) -> Self {
        CommandFailure(error.to_string())
    }
}

/// A response, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The number of the command that is answered.
    pub id: Option<u32>,
    /// What the command brought.
    pub result: Result<String, CommandFailure>,
}

/// `=` or `?`, the number, a blank, the text, and an empty line. Text of several lines begins on a
/// line of its own or right after the blank, as the command likes; it has no empty lines, which
/// would end the response.
impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (sign, text) = match &self.result {
            Ok(text) => ('=', text),
            Err(CommandFailure(text)) => ('?', text),
        };
        let id = self.id.map_or(String::new(), |id| id.to_string());
        write!(f, "{sign}{id} {}\n\n", text.trim_end_matches('\n'))
    }
}
