//! Chooses a book's answers, and encodes them in the format of [`hexbot::book`].

use super::answers::BookAnswer;
use super::study::SIDE;
use hex_core::record::AnyCell;
use std::collections::HashMap;

/// The size of an answer in the book, in bytes.
pub(crate) const ANSWER_BYTES: usize = 2;

/// The number of no move.
const NO_MOVE: usize = 127;

/// Chooses at most `most` answers, the greatest gain per answer first; each comes with those
/// before it in its line. Room that is left goes to the likeliest of the others, where the book
/// says what the bot would play anyway. Keeps the order. O(answers² · length of lines).
pub fn choose(answers: Vec<BookAnswer>, most: usize) -> Vec<BookAnswer> {
    let places = answers.iter().map(|answer| &answer.line[..]).zip(0..);
    let places: HashMap<&[AnyCell], usize> = places.collect();
    let before = |answer: &BookAnswer| places.get(answer.line_before()).copied();
    let before: Vec<Option<usize>> = answers.iter().map(before).collect();
    let mut chosen = vec![false; answers.len()];
    let mut left = most;
    loop {
        let path = |place: usize| {
            let line = std::iter::successors(Some(place), |&place| before[place]);
            let missing: Vec<usize> = line.take_while(|&place| !chosen[place]).collect();
            let gain: f64 = missing.iter().map(|&place| answers[place].gain).sum();
            (gain / missing.len() as f64, missing)
        };
        let paths = (0..answers.len()).map(path);
        let fitting = paths.filter(|(gain, path)| *gain > 0.0 && path.len() <= left);
        let Some((_, path)) = fitting.min_by(|a, b| b.0.total_cmp(&a.0)) else {
            break;
        };
        left -= path.len();
        for place in path {
            chosen[place] = true;
        }
    }
    let others = chosen.iter_mut().filter(|chosen| !**chosen);
    others.take(left).for_each(|chosen| *chosen = true);
    let answers = answers.into_iter().zip(chosen);
    let chosen = answers.filter_map(|(answer, chosen)| chosen.then_some(answer));
    chosen.collect()
}

/// The bytes of a book with these answers.
pub fn encoded(answers: &[BookAnswer]) -> Vec<u8> {
    let mut following: HashMap<&[AnyCell], Vec<&BookAnswer>> = HashMap::new();
    for answer in answers {
        let siblings = following.entry(answer.line_before());
        siblings.or_default().push(answer);
    }
    let mut bytes = Vec::new();
    encode_after(&[], &following, &mut bytes);
    bytes
}

/// Encodes the answers that follow a line, and all that follow these.
fn encode_after(
    line: &[AnyCell],
    following: &HashMap<&[AnyCell], Vec<&BookAnswer>>,
    bytes: &mut Vec<u8>,
) {
    let number = |cell: &AnyCell| SIDE.get() * cell.row() + cell.col();
    let siblings = following.get(line).map_or(&[][..], |siblings| siblings);
    for (left, answer) in (0..siblings.len()).rev().zip(siblings) {
        let Some((ours, moves)) = answer.line.split_last() else {
            continue;
        };
        let theirs = moves.last().map_or(NO_MOVE, number);
        let goes_on = following.contains_key(&answer.line[..]);
        let word = theirs << 9 | number(ours) << 2 | usize::from(goes_on) << 1;
        let word = word as u16 | u16::from(left == 0);
        bytes.extend(word.to_be_bytes());
        encode_after(&answer.line, following, bytes);
    }
}
