//! The form of the Go Text Protocol, version 2: lines of commands in, responses out (Gunnar
//! Farnebäck, *Specification of the Go Text Protocol, version 2*, 2002).

use std::fmt;

/// A command on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The number before the command, which the response repeats.
    pub id: Option<u32>,
    /// The command's name.
    pub name: String,
    /// The words after the name.
    pub arguments: Vec<String>,
}

/// The kind of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A blank line or a comment.
    Nothing,
    /// The controller interrupts the command in progress: `# interrupt`.
    Interrupt,
    /// A command.
    Command(Request),
}

/// Reads a line. Ignores control characters, treats a tab as a blank, and ends at a comment, `#`.
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

/// Why a command failed, for the controller's user.
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
    /// The number of the command.
    pub id: Option<u32>,
    /// The result of the command.
    pub result: Result<String, CommandFailure>,
}

/// `=` or `?`, the number, a blank, the text, and an empty line. The text must not contain empty
/// lines, which would end the response.
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
