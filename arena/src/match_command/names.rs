//! Players' names for tables and files. Names may have any length and any characters.

/// The widest a name may be in a table, in characters.
const WIDTH: usize = 24;

/// The sign in place of the middle of a long name.
const GAP: char = '…';

/// The longest that a folder's name may be, in bytes; file systems allow 255.
const FILE_NAME: usize = 200;

/// The names, each on one line and with at most 24 characters. Long names lose their middle.
/// Different names stay different.
pub(crate) fn short(names: &[String]) -> Vec<String> {
    let cut: Vec<String> = names
        .iter()
        .map(|name| cut(&one_line(name), WIDTH))
        .collect();
    let is_alone = |name: &String| cut.iter().filter(|other| *other == name).count() == 1;
    let numbered = cut.iter().enumerate().map(|(index, name)| {
        if is_alone(name) {
            return name.clone();
        }
        let number = format!(" {}", index + 1);
        let room = WIDTH - number.chars().count();
        name.chars().take(room).chain(number.chars()).collect()
    });
    numbered.collect()
}

/// A folder's name made from the names: `a-vs-b`.
pub(crate) fn file_name(names: &[String]) -> String {
    let is_safe = |c: &char| !matches!(c, '/' | '\\') && !c.is_control();
    let safe = |name: &String| -> String {
        let name = name.chars().map(|c| if is_safe(&c) { c } else { '_' });
        name.collect()
    };
    let whole = names.iter().map(safe).collect::<Vec<_>>().join("-vs-");
    if whole.len() <= FILE_NAME {
        return whole;
    }
    short(names)
        .iter()
        .map(safe)
        .collect::<Vec<_>>()
        .join("-vs-")
        .chars()
        .take(FILE_NAME / 4)
        .collect()
}

/// A name for a file: letters, digits and `._-`, at most 24 characters.
pub(crate) fn plain(name: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let plain = name.chars().map(|c| if is_plain(&c) { c } else { '_' });
    plain.take(WIDTH).collect()
}

/// The name without line breaks and control characters, which could confuse a terminal.
fn one_line(name: &str) -> String {
    let words: Vec<&str> = name
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// The first and the last characters of a name that is too long.
fn cut(name: &str, width: usize) -> String {
    let characters: Vec<char> = name.chars().collect();
    if characters.len() <= width {
        return name.to_string();
    }
    let head = width / 2;
    let tail = characters.len() - (width - head - 1);
    let (head, tail) = (&characters[..head], &characters[tail..]);
    head.iter().chain([&GAP]).chain(tail).collect()
}
