//! `hex duel`: two people play at one terminal, O from left to right and X from top to bottom. A
//! course's assignment fixes every byte of the output. There is no bot, no swap and no undo.
//!
//! The known text of the assignment has lost the blanks at the beginning of lines; the default
//! output follows this text. The text mentions a diamond, and published solutions of students draw
//! one: that is [`Layout::Slanted`].

use hex_common::input::standard_input;
use hexbot::board::Board;
use hexbot::cell::{Cell, Color};
use std::fmt;
use std::io::{self, BufRead, ErrorKind, Write};

/// Play Hex on an 11×11 board, two people at one terminal
///
/// Player O moves first and joins left and right; player X joins top and bottom. A move is a column
/// letter A to K and a row number 0 to 10, such as `F 3`. Blanks and line breaks between the two do
/// not matter.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Draw the board as a diamond: each row is indented one more than the row above
    #[arg(long)]
    slanted: bool,
}

/// How the board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Every line begins at the left margin.
    Square,
    /// Each row is indented one more than the row above, so that neighbours touch.
    Slanted,
}

/// Side of the board.
const SIDE: usize = 11;

/// Plays a game on standard input and standard output.
///
/// # Errors
/// If the input ends before the game does, or a row is not a number.
pub fn run(args: Args) -> anyhow::Result<()> {
    play(
        if args.slanted {
            Layout::Slanted
        } else {
            Layout::Square
        },
        &mut Stream::new(standard_input()),
        &mut io::stdout().lock(),
    )
}

/// Plays a game: reads moves until a player has won.
///
/// # Errors
/// If the input ends before the game does, or a row is not a number.
pub fn play(
    layout: Layout,
    input: &mut Stream<impl BufRead>,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let mut board = Board::<SIDE>::new().with_to_move(DuelPlayer::O.color());
    let mut player = DuelPlayer::O;
    let picture = |board: &Board<SIDE>| BoardText { board, layout }.to_string();
    write!(output, "{}", picture(&board))?;
    loop {
        write!(output, "Player {player}, make your move: ")?;
        output.flush()?;
        let (column, row) = (input.character()?, input.integer()?);
        let played = cell(column, row).is_some_and(|cell| board.try_play(cell).is_ok());
        if !played {
            writeln!(output, "Invalid move. Enter again!")?;
            continue;
        }
        write!(output, "{}", picture(&board))?;
        if board.winner().is_some() {
            writeln!(output, "Player {player} wins!")?;
            return Ok(());
        }
        player = player.opponent();
    }
}

#[derive(Clone, Copy)]
enum DuelPlayer {
    /// Moves first, joins left and right.
    O,
    /// Joins top and bottom.
    X,
}

impl DuelPlayer {
    fn opponent(self) -> Self {
        match self {
            DuelPlayer::O => DuelPlayer::X,
            DuelPlayer::X => DuelPlayer::O,
        }
    }

    /// The colour with the same edges. In a duel the player who joins left and right moves first.
    fn color(self) -> Color {
        match self {
            DuelPlayer::O => Color::Blue,
            DuelPlayer::X => Color::Red,
        }
    }

    fn of(color: Color) -> Self {
        match color {
            Color::Blue => DuelPlayer::O,
            Color::Red => DuelPlayer::X,
        }
    }
}

impl fmt::Display for DuelPlayer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            DuelPlayer::O => "O",
            DuelPlayer::X => "X",
        })
    }
}

/// The cell in a column named `A` to `K` and a row numbered from 0.
fn cell(column: char, row: i64) -> Option<Cell<SIDE>> {
    let column = (column as usize).checked_sub('A' as usize)?;
    Cell::new(usize::try_from(row).ok()?, column)
}

/// The board as text: a line of letters, then a line for each row.
struct BoardText<'a> {
    board: &'a Board<SIDE>,
    layout: Layout,
}

impl fmt::Display for BoardText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letters: Vec<String> = ('A'..).take(SIDE).map(String::from).collect();
        let letters = letters.join(" ");
        match self.layout {
            Layout::Square => writeln!(f, "{letters}")?,
            Layout::Slanted => writeln!(f, "  {letters}")?,
        }
        for row in 0..SIDE {
            match self.layout {
                Layout::Square => write!(f, "{row}")?,
                Layout::Slanted => write!(f, "{row:>2}{:row$}", "")?,
            }
            for cell in (0..SIDE).filter_map(|column| Cell::new(row, column)) {
                match self.board.at(cell) {
                    Some(color) => write!(f, " {}", DuelPlayer::of(color))?,
                    None => write!(f, " .")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A stream of characters and integers, read as in C++: blanks and line breaks before each are
/// skipped, and an integer ends where its digits end.
pub struct Stream<R> {
    reader: R,
    /// The number of the current line, from 1.
    line: usize,
}

impl<R: BufRead> Stream<R> {
    /// The stream of a reader.
    pub fn new(reader: R) -> Self {
        Stream { reader, line: 1 }
    }

    /// The next byte, which stays in the stream; `None` if and only if the stream has ended.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.reader.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Removes the byte that `peek` has returned.
    fn advance(&mut self, byte: u8) {
        self.reader.consume(1);
        self.line += usize::from(byte == b'\n');
    }

    /// The next byte that is no blank, left in the stream.
    fn peek_visible(&mut self) -> anyhow::Result<u8> {
        while let Some(byte) = self.peek()? {
            if !byte.is_ascii_whitespace() && byte != b'\x0b' {
                return Ok(byte);
            }
            self.advance(byte);
        }
        anyhow::bail!(
            "the input ends in line {} before the game does; \
             a move is a column letter and a row number, such as F 3",
            self.line
        )
    }

    /// The next character that is no blank. One outside ASCII is read whole and given as `�`.
    ///
    /// # Errors
    /// If the stream has ended or cannot be read.
    pub(crate) fn character(&mut self) -> anyhow::Result<char> {
        let first = self.peek_visible()?;
        self.advance(first);
        if first.is_ascii() {
            return Ok(first as char);
        }
        // In UTF-8 the bytes of a character after the first are 0b10xxxxxx.
        while let Some(byte) = self.peek()?.filter(|byte| byte & 0xc0 == 0x80) {
            self.advance(byte);
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    /// The next integer. A number out of range becomes the largest or the smallest `i64`.
    ///
    /// # Errors
    /// If the stream has ended or cannot be read, or the next text is not an integer.
    pub(crate) fn integer(&mut self) -> anyhow::Result<i64> {
        let mut next = Some(self.peek_visible()?);
        let mut sign = 1;
        if let Some(byte @ (b'-' | b'+')) = next {
            sign = if byte == b'-' { -1 } else { 1 };
            self.advance(byte);
            next = self.peek()?;
        }
        let mut value = None;
        while let Some(byte) = next.filter(u8::is_ascii_digit) {
            let digit = sign * i64::from(byte - b'0');
            value = Some(i64::saturating_add(
                value.unwrap_or(0i64).saturating_mul(10),
                digit,
            ));
            self.advance(byte);
            next = self.peek()?;
        }
        value.ok_or_else(|| {
            let found = match next {
                Some(byte) => format!("{:?}", byte as char),
                None => "the end of the input".to_owned(),
            };
            anyhow::anyhow!(
                "line {}: {found} where a row number is expected; \
                 a move is a column letter and a row number, such as F 3",
                self.line
            )
        })
    }
}
