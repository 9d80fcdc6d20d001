//! Cuts SGF into nodes and properties, whatever game it is of.

use super::SgfError;
use hexbot::cell::Color;

/// A property with one of its values.
pub struct Property {
    pub name: String,
    pub value: String,
    /// Where the value begins.
    pub at: LineAndColumn,
}

#[derive(Clone, Copy)]
pub struct LineAndColumn {
    line: usize,
    column: usize,
}

impl LineAndColumn {
    /// What is wrong here.
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
pub struct SgfNode {
    /// The node before it, by its index.
    pub parent: Option<usize>,
    pub properties: Vec<Property>,
}

impl SgfNode {
    /// A node without properties yet.
    fn behind(parent: Option<usize>) -> SgfNode {
        SgfNode {
            parent,
            properties: Vec::new(),
        }
    }

    /// Who makes the first move of the node, B or W; `None` if nobody does.
    pub fn mover(&self) -> Option<Color> {
        self.properties.iter().find_map(Property::mover)
    }
}

/// The children of each node, in order. Whoever looks for those of many nodes asks for all at once:
/// to search the record for each node's would take the square of its length.
pub fn children(nodes: &[SgfNode]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(index);
        }
    }
    children
}

impl Property {
    /// Who makes the move, if it is one.
    pub fn mover(&self) -> Option<Color> {
        match self.name.as_str() {
            "B" => Some(Color::Red),
            "W" => Some(Color::Blue),
            _ => None,
        }
    }
}

/// What stands next in the text.
enum Event {
    Open,
    Node,
    Property(Property),
    Close,
}

/// Whether more is wanted.
#[derive(PartialEq, Eq)]
enum Reading {
    GoesOn,
    Done,
}

/// Cuts the text into properties.
pub struct Scanner<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    place: LineAndColumn,
}

impl<'a> Scanner<'a> {
    /// Begins with the text.
    pub fn new(text: &'a str) -> Self {
        Scanner {
            chars: text.chars().peekable(),
            place: LineAndColumn { line: 1, column: 1 },
        }
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
        let &next = self.chars.peek()?;
        wanted(next).then(|| self.next()).flatten()
    }

    fn skip_blanks(&mut self) {
        while self.next_if(char::is_whitespace).is_some() {}
    }

    /// The nodes of the first variation everywhere, up to the first closing parenthesis.
    pub fn main_line(self) -> Result<Vec<SgfNode>, SgfError> {
        let mut nodes: Vec<SgfNode> = Vec::new();
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

    /// All nodes of the first game, each behind its parent.
    pub fn nodes(self) -> Result<Vec<SgfNode>, SgfError> {
        let mut nodes: Vec<SgfNode> = Vec::new();
        // The node that goes on, at the moment and behind each open parenthesis.
        let (mut current, mut open) = (None, Vec::new());
        self.read(|event| {
            match event {
                Event::Open => open.push(current),
                Event::Node => {
                    nodes.push(SgfNode::behind(current));
                    current = Some(nodes.len() - 1);
                }
                Event::Property(property) => {
                    // Some programs leave the root's semicolon out.
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

    /// Tells `take` what stands in the first game, until it has enough.
    fn read(mut self, mut take: impl FnMut(Event) -> Reading) -> Result<(), SgfError> {
        while self.next_if(|c| c != '(').is_some() {}
        if self.chars.peek().is_none() {
            let why = "there is no game; SGF begins with \"(;\"";
            return Err(self.place.error(why));
        }
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
                    let why = format!("{other:?} is not expected here, but a property or \";\"");
                    return Err(place.error(why));
                }
            };
            if take(event) == Reading::Done {
                return Ok(());
            }
        }
    }

    /// A property's name, which begins at `begin` and of which `first` has been read, and all its
    /// values.
    fn property(&mut self, first: char, begin: LineAndColumn) -> Result<Vec<Property>, SgfError> {
        let mut into = Vec::new();
        let mut name = String::from(first);
        while let Some(letter) = self.next_if(|c| c.is_ascii_alphabetic()) {
            name.push(letter);
        }
        // Older files write the names in full, with the letters that count in capitals.
        let full = name.clone();
        name.retain(|letter| letter.is_ascii_uppercase());
        if name.is_empty() {
            let capitals = full.to_ascii_uppercase();
            let why = format!(
                "{full:?} is no property: only the capital letters of its name count; write \
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
            let value = self.value(at)?;
            into.push(Property {
                name: name.clone(),
                value,
                at,
            });
            self.skip_blanks();
            if self.next_if(|c| c == '[').is_none() {
                return Ok(into);
            }
        }
    }

    /// The text up to the closing bracket, without its escapes.
    fn value(&mut self, begin: LineAndColumn) -> Result<String, SgfError> {
        let mut value = String::new();
        loop {
            match self.next() {
                None => return Err(begin.error("the value does not end; \"]\" is missing")),
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    Some('\n') | None => {}
                    Some(escaped) => value.push(escaped),
                },
                Some(other) => value.push(other),
            }
        }
    }
}
