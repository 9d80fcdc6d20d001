//! Cuts SGF of any game into nodes and properties.

use super::SgfError;
use crate::record::printable;
use hexbot::cell::Color;
use std::borrow::Cow;
use std::str::Chars;

/// A property with one of its values.
#[derive(Clone)]
pub struct Property<'a> {
    pub name: String,
    /// The value between its brackets, with escapes.
    pub raw: Cow<'a, str>,
    /// Whether this is a further value of the property before it, like `[b2]` of `AB[a1][b2]`.
    pub goes_on: bool,
    /// Where the value begins.
    pub at: LineAndColumn,
}

/// A place in the text; both numbers are from 1.
#[derive(Clone, Copy)]
pub struct LineAndColumn {
    line: usize,
    column: usize,
}

impl LineAndColumn {
    /// The error `why` at this place.
    pub fn error(self, why: impl Into<String>) -> SgfError {
        SgfError {
            line: self.line,
            column: self.column,
            why: why.into(),
        }
    }
}

/// A node with all its properties.
#[derive(Default)]
pub struct SgfNode<'a> {
    /// The index of the node before it; `None` for the root.
    pub parent: Option<usize>,
    pub properties: Vec<Property<'a>>,
}

impl<'a> SgfNode<'a> {
    /// A node without properties yet.
    fn behind(parent: Option<usize>) -> SgfNode<'a> {
        SgfNode {
            parent,
            properties: Vec::new(),
        }
    }

    /// Whether the node has a move, B or W.
    pub fn has_move(&self) -> bool {
        self.properties.iter().any(|p| p.mover().is_some())
    }

    /// The player to move before the node, by its first move; `None` if the node has no move, or
    /// the first one is a resignation or forfeit.
    pub fn mover(&self) -> Option<Color> {
        let mut moves = self.properties.iter().filter(|p| p.mover().is_some());
        moves.next().filter(|p| !p.is_end())?.mover()
    }
}

/// The children of each node, in order. Computed for all nodes at once, because searching the
/// record for each node's children would take quadratic time.
pub fn children(nodes: &[SgfNode]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(index);
        }
    }
    children
}

impl Property<'_> {
    /// The value without escapes. A line break after a backslash is removed.
    pub fn value(&self) -> Cow<'_, str> {
        if !self.raw.contains('\\') {
            return Cow::Borrowed(&self.raw);
        }
        let mut value = String::with_capacity(self.raw.len());
        let mut chars = self.raw.chars();
        while let Some(next) = chars.next() {
            match (next, chars.clone().next()) {
                ('\\', Some('\r')) => {
                    chars.next();
                    if chars.clone().next() == Some('\n') {
                        chars.next();
                    }
                }
                ('\\', Some('\n')) => {
                    chars.next();
                }
                ('\\', _) => value.extend(chars.next()),
                (other, _) => value.push(other),
            }
        }
        Cow::Owned(value)
    }

    /// Gives it another value.
    pub fn set(&mut self, value: &str) {
        self.raw = Cow::Owned(escaped(value));
    }

    /// Whether the value is `resign` or `forfeit`. A player may write these out of turn.
    pub fn is_end(&self) -> bool {
        let value = self.value();
        ["resign", "forfeit"].contains(&value.trim().to_ascii_lowercase().as_str())
    }

    /// Whether it sets up or removes stones.
    pub fn is_setup(&self) -> bool {
        matches!(self.name.as_str(), "AB" | "AW" | "AE")
    }

    /// The player of the property, if it is a move.
    pub fn mover(&self) -> Option<Color> {
        match self.name.as_str() {
            "B" => Some(Color::Red),
            "W" => Some(Color::Blue),
            _ => None,
        }
    }
}

/// The text with the escapes that a value needs.
pub fn escaped(text: &str) -> String {
    printable(text).replace('\\', "\\\\").replace(']', "\\]")
}

/// The offset in bytes of the next game in a text, perhaps after other words: one or more
/// parentheses followed by a semicolon. `None` if there is none.
pub fn beginning(text: &str) -> Option<usize> {
    let mut open = None;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open = open.or(Some(at)),
            ';' if open.is_some() => return open,
            c if c.is_whitespace() => {}
            _ => open = None,
        }
    }
    None
}

/// The next thing in the text.
enum Event<'a> {
    Open,
    Node,
    Property(Property<'a>),
    Close,
}

/// Whether reading continues.
#[derive(PartialEq, Eq)]
enum Reading {
    GoesOn,
    Done,
}

/// Cuts the text into properties.
pub struct Scanner<'a> {
    chars: Chars<'a>,
    place: LineAndColumn,
}

impl<'a> Scanner<'a> {
    /// A scanner at the beginning of the text.
    pub fn new(text: &'a str) -> Self {
        Scanner {
            chars: text.chars(),
            place: LineAndColumn { line: 1, column: 1 },
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.clone().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.chars.next()?;
        if next == '\n' {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(next)
    }

    fn next_if(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        wanted(self.peek()?).then(|| self.next()).flatten()
    }

    fn skip_blanks(&mut self) {
        while self.next_if(char::is_whitespace).is_some() {}
    }

    /// Skips this number of bytes.
    fn skip(&mut self, bytes: usize) {
        let end = self.chars.as_str().len() - bytes;
        while self.chars.as_str().len() > end {
            self.next();
        }
    }

    /// The nodes of the first variation everywhere, up to the first closing parenthesis.
    pub fn main_line(mut self) -> Result<Vec<SgfNode<'a>>, SgfError> {
        let mut nodes: Vec<SgfNode> = Vec::new();
        self.begin()?;
        self.read(|event| {
            match event {
                Event::Node => nodes.push(SgfNode::behind(nodes.len().checked_sub(1))),
                Event::Property(property) => {
                    if nodes.is_empty() {
                        nodes.push(SgfNode::default());
                    }
                    let last = nodes.len() - 1;
                    nodes[last].properties.push(property);
                }
                Event::Close => return Reading::Done,
                Event::Open => {}
            }
            Reading::GoesOn
        })?;
        Ok(nodes)
    }

    /// All nodes of the first game, each after its parent.
    pub fn nodes(mut self) -> Result<Vec<SgfNode<'a>>, SgfError> {
        self.begin()?;
        self.game()
    }

    /// The nodes of all games, one after the other.
    pub fn games(mut self) -> Result<Vec<Vec<SgfNode<'a>>>, SgfError> {
        self.begin()?;
        let mut games = vec![self.game()?];
        while let Some(next) = beginning(self.chars.as_str()) {
            self.skip(next);
            games.push(self.game()?);
        }
        Ok(games)
    }

    /// The text of each game, up to the first one that cannot be read, and the reason for that.
    pub fn texts(mut self) -> (Vec<&'a str>, Option<SgfError>) {
        let mut texts = Vec::new();
        let mut begun = self.begin();
        while begun.is_ok() {
            let from = self.chars.as_str();
            begun = self.game().map(drop);
            if begun.is_err() {
                break;
            }
            let rest = self.chars.as_str();
            texts.push(&from[..from.len() - rest.len()]);
            match beginning(rest) {
                Some(next) => self.skip(next),
                None => break,
            }
        }
        (texts, begun.err())
    }

    /// Skips the text before the first game. Some programs omit the root's semicolon.
    fn begin(&mut self) -> Result<(), SgfError> {
        let text = self.chars.as_str();
        let first = beginning(text).or_else(|| text.find('('));
        self.skip(first.unwrap_or(text.len()));
        first.map(|_| ()).ok_or_else(|| {
            let why = "there is no game; SGF begins with \"(;\"";
            self.place.error(why)
        })
    }

    /// The nodes of the game that begins here.
    fn game(&mut self) -> Result<Vec<SgfNode<'a>>, SgfError> {
        let mut nodes: Vec<SgfNode> = Vec::new();
        // The node that the next one follows: now, and after each open parenthesis is closed.
        let (mut current, mut open) = (None, Vec::new());
        self.read(|event| {
            match event {
                Event::Open => {
                    // A game that begins with variations has a root without properties.
                    if nodes.is_empty() && !open.is_empty() {
                        nodes.push(SgfNode::default());
                        current = Some(0);
                    }
                    open.push(current);
                }
                Event::Node => {
                    nodes.push(SgfNode::behind(current));
                    current = Some(nodes.len() - 1);
                }
                Event::Property(property) => {
                    if nodes.is_empty() {
                        nodes.push(SgfNode::default());
                    }
                    let node = current.unwrap_or(0);
                    current = Some(node);
                    nodes[node].properties.push(property);
                }
                Event::Close => {
                    current = open.pop().flatten();
                    if open.is_empty() {
                        return Reading::Done;
                    }
                }
            }
            Reading::GoesOn
        })?;
        Ok(nodes)
    }

    /// Calls `take` for each thing in the game that begins here, until it returns `Done`.
    fn read(&mut self, mut take: impl FnMut(Event<'a>) -> Reading) -> Result<(), SgfError> {
        loop {
            self.skip_blanks();
            let place = self.place;
            let event = match self.next() {
                None => return Err(place.error("the game does not end; \")\" is missing")),
                Some(')') => Event::Close,
                Some('(') => Event::Open,
                Some(';') => Event::Node,
                Some(first) if first.is_ascii_alphabetic() => {
                    for property in self.property(first, place)? {
                        if take(Event::Property(property)) == Reading::Done {
                            return Ok(());
                        }
                    }
                    continue;
                }
                Some(other) => {
                    let why = format!("{other:?} instead of a property or \";\"");
                    return Err(place.error(why));
                }
            };
            if take(event) == Reading::Done {
                return Ok(());
            }
        }
    }

    /// Reads a property with all its values. Its name begins at `begin`; the first letter, `first`,
    /// has been read already.
    fn property(
        &mut self,
        first: char,
        begin: LineAndColumn,
    ) -> Result<Vec<Property<'a>>, SgfError> {
        let mut into = Vec::new();
        let mut name = String::from(first);
        while let Some(letter) = self.next_if(|c| c.is_ascii_alphabetic()) {
            name.push(letter);
        }
        // Older files write long names, where only the capital letters count.
        let full = name.clone();
        name.retain(|letter| letter.is_ascii_uppercase());
        if name.is_empty() {
            let capitals = full.to_ascii_uppercase();
            let why = format!(
                "{full:?} is not a property: only the capital letters of its name count; write \
                 {capitals:?}"
            );
            return Err(begin.error(why));
        }
        self.skip_blanks();
        let place = self.place;
        if self.next_if(|c| c == '[').is_none() {
            return Err(place.error(format!("{name} has no value; \"[\" is missing")));
        }
        loop {
            let at = self.place;
            into.push(Property {
                name: name.clone(),
                raw: Cow::Borrowed(self.value(at)?),
                goes_on: !into.is_empty(),
                at,
            });
            self.skip_blanks();
            if self.next_if(|c| c == '[').is_none() {
                return Ok(into);
            }
        }
    }

    /// The text up to the closing bracket, with its escapes.
    fn value(&mut self, begin: LineAndColumn) -> Result<&'a str, SgfError> {
        let text = self.chars.as_str();
        loop {
            match self.next() {
                None => return Err(begin.error("the value does not end; \"]\" is missing")),
                Some(']') => return Ok(&text[..text.len() - self.chars.as_str().len() - 1]),
                Some('\\') => {
                    self.next();
                }
                Some(_) => {}
            }
        }
    }
}
