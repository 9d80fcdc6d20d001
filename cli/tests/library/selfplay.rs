//! `hex lab selfplay` as a program: its shards are well formed, depend on the seed alone, and a run
//! that was stopped is completed.

use crate::common::{refused, succeed, Place};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::sync::LazyLock;

const SIDE: usize = 5;
const CELLS: usize = SIDE * SIDE;
const HEADER: usize = 32;
const RECORD: usize = 4 * CELLS + 14;

/// Plays three small shards into the place, from the first moves.
fn selfplay(place: &Place, more: &str) -> Command {
    selfplay_from("--random-stones 1", place, more)
}

/// A folder with the shards of [`selfplay`] without options, which are played once for all tests.
fn finished() -> Place {
    static SHARDS: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
        let place = Place::new();
        succeed(&mut selfplay(&place, ""));
        files(&place)
    });
    let place = Place::new();
    for (name, bytes) in &*SHARDS {
        place.write(name, bytes);
    }
    place
}

fn selfplay_from(beginning: &str, place: &Place, more: &str) -> Command {
    let fixed =
        "lab selfplay --side 5 --shards 3 --games 2 --simulations 300 --fast-simulations 50 \
         --tree-visits 60 --full-share 0.9 --resign 0";
    place.hex(&format!("{fixed} {beginning} --out . {more}"))
}

/// The shards of a folder with their contents.
fn files(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(place.path()).unwrap().flatten();
    let files = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    let shards = files.filter(|(name, path)| name != "lock" && path.is_file());
    shards
        .map(|(name, path)| (name, fs::read(path).unwrap()))
        .collect()
}

/// The records of all shards of a folder.
fn all_records(place: &Place) -> Vec<Vec<u8>> {
    let shards = files(place).into_values();
    shards
        .flat_map(|bytes| {
            bytes[HEADER..]
                .chunks(RECORD)
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        })
        .collect()
}

fn number(bytes: &[u8]) -> usize {
    let digits = bytes.iter().rev();
    digits.fold(0, |number, &byte| number << 8 | usize::from(byte))
}

#[test]
fn shards_are_as_documented() {
    let shards = files(&finished());
    assert_eq!(
        shards.keys().collect::<Vec<_>>(),
        ["000000.bin", "000001.bin", "000002.bin"]
    );
    let mut sources = [0, 0];
    for (index, bytes) in shards.values().enumerate() {
        assert_eq!(&bytes[..8], b"HEXSHARD");
        let header = [
            1,
            SIDE,
            RECORD,
            (bytes.len() - HEADER) / RECORD,
            1 + 2 * index,
        ];
        let places = [8..12, 12..16, 16..20, 20..24, 24..32];
        assert_eq!(places.map(|place| number(&bytes[place])), header);
        assert_eq!((bytes.len() - HEADER) % RECORD, 0);
        for record in bytes[HEADER..].chunks(RECORD) {
            sources[check(record, 2 * index)] += 1;
        }
    }
    assert!(sources[0] > 10 && sources[1] > 10, "{sources:?}");
}

/// Checks a record, which is of game `first` or the next one, and returns its source.
fn check(record: &[u8], first: usize) -> usize {
    let (stones, rest) = record.split_at(CELLS);
    let (policy, rest) = rest.split_at(2 * CELLS);
    let (owner, rest) = rest.split_at(CELLS);
    let shares: Vec<usize> = policy.chunks(2).map(number).collect();
    let sum: usize = shares.iter().sum();
    assert!((65535 - CELLS..=65535 + CELLS).contains(&sum), "{sum}");
    let on_stones = (0..CELLS).filter(|&cell| stones[cell] != 0 && shares[cell] != 0);
    assert_eq!(on_stones.count(), 0, "visits on a stone");
    let count = |stone| stones.iter().filter(|&&other| other == stone).count();
    let ply = number(&rest[12..14]);
    assert_eq!(count(1) + count(2), ply);
    // Red moves first, so the mover has as many stones as the opponent or one less.
    assert!(count(2) - count(1) <= 1);
    let (result, source) = (rest[2], usize::from(rest[3]));
    let value = number(&rest[..2]) as f64 / 65535.0;
    assert!((0.01..=0.99).contains(&value), "{value}");
    assert!((first..first + 2).contains(&number(&rest[8..12])));
    if source == 0 {
        assert!(result <= 1);
        let moved = (0..CELLS).any(|cell| stones[cell] != 0 && stones[cell] != owner[cell]);
        assert!(!moved, "a stone of the game is not on its last board");
    } else {
        assert_eq!((result, source), (2, 1));
        assert!(number(&rest[4..8]) >= 60);
    }
    source
}

/// After a proof the game goes on: the winner's move is the whole policy, the loser has none, and
/// both know the result. Without `--play-on` no such position is there.
#[test]
fn games_go_on_after_a_proof_if_wanted() {
    let decided = |place: &Place| {
        let (mut won, mut lost) = (0, 0);
        for record in all_records(place) {
            let shares = record[CELLS..3 * CELLS].chunks(2).map(number);
            let shares: Vec<usize> = shares.filter(|&share| share > 0).collect();
            let rest = &record[4 * CELLS..];
            match number(&rest[..2]) {
                65535 => {
                    assert_eq!((shares, rest[2]), (vec![65535], 1));
                    won += 1;
                }
                0 => {
                    assert_eq!((shares, rest[2]), (vec![], 0));
                    lost += 1;
                }
                _ => assert!(!shares.is_empty()),
            }
        }
        (won, lost)
    };
    assert_eq!(decided(&finished()), (0, 0));
    let place = Place::new();
    succeed(&mut selfplay(&place, "--play-on"));
    let (won, lost) = decided(&place);
    assert!(won > 10 && lost > 10, "{won} won, {lost} lost");
}

/// A position of a game.
struct Played {
    stones: Vec<u8>,
    /// The cell that the search liked best.
    best: usize,
    game: usize,
    /// The owners of the cells when the game ended.
    last: Vec<u8>,
    result: u8,
}

/// The positions without options, which are played once for all tests.
static USUAL: LazyLock<Vec<Played>> = LazyLock::new(|| positions_played(""));

/// The positions of games, not of trees, in a shard of many quick games.
fn positions_played(more: &str) -> Vec<Played> {
    let place = Place::new();
    place.run(&format!(
        "lab selfplay --side 5 --resign 0 --random-stones 2 --drawn-moves 0 --playouts-only \
         --shards 1 --games 60 --simulations 64 --full-share 1 --out . {more}"
    ));
    all_records(&place)
        .iter()
        .filter(|record| record[4 * CELLS + 3] == 0)
        .map(|record| {
            let shares = record[CELLS..3 * CELLS].chunks(2).map(number);
            let best = (0..CELLS).zip(shares).max_by_key(|&(_, share)| share);
            Played {
                stones: record[..CELLS].to_vec(),
                best: best.unwrap().0,
                game: number(&record[4 * CELLS + 8..4 * CELLS + 12]),
                last: record[3 * CELLS..4 * CELLS].to_vec(),
                result: record[4 * CELLS + 2],
            }
        })
        .collect()
}

fn stones(board: &[u8]) -> usize {
    board.iter().filter(|&&stone| stone != 0).count()
}

/// With `--regret-share` games begin from positions of earlier ones, with more stones than the
/// openings have.
#[test]
fn games_begin_from_what_was_judged_wrongly() {
    // How many games begin with more stones than an opening has, and how many of them are known.
    let late_starts = |played: &[Played]| {
        let (mut starts, mut known) = (0, 0);
        for (index, position) in played.iter().enumerate() {
            let is_first = index == 0 || played[index - 1].game != position.game;
            if is_first && stones(&position.stones) > 3 {
                let mut earlier = played[..index].iter();
                starts += 1;
                known += usize::from(earlier.any(|other| other.stones == position.stones));
            }
        }
        (starts, known)
    };
    let (usual, _) = late_starts(&USUAL);
    let (starts, known) = late_starts(&positions_played("--regret-share 0.5"));
    // A position without a choice is judged, but not recorded.
    assert!(
        known > 3 * usual + 3,
        "{usual} of usual games, {known} of {starts}"
    );
}

/// With `--random-moves 1` the best move is played by chance alone.
#[test]
fn a_share_of_the_moves_is_random() {
    let best_played = |played: &[Played]| {
        let best = played
            .iter()
            .filter(|position| position.last[position.best] == 1);
        best.count() as f64 / played.len() as f64
    };
    let random = best_played(&positions_played("--random-moves 1"));
    let usual = best_played(&USUAL);
    assert!(usual > 0.8 && random < 0.4, "{usual} and {random}");
}

/// Before a random move of the loser's the result is unknown, after the last one it is known.
#[test]
fn results_count_after_the_losers_last_random_move() {
    let unknown = |played: &[Played]| played.iter().filter(|p| p.result == 2).count();
    assert_eq!(unknown(&USUAL), 0);
    let played = positions_played("--random-moves 0.3");
    let count = unknown(&played);
    assert!(count > 10 && count + 10 < played.len(), "{count}");
    for pair in played
        .windows(2)
        .filter(|pair| pair[0].game == pair[1].game)
    {
        assert!(pair[0].result == 2 || pair[1].result != 2);
    }
}

#[test]
fn seed_and_number_alone_make_a_shard() {
    let usual = files(&finished());
    for (more, is_same) in [("--threads 1", true), ("--seed 99", false)] {
        let place = Place::new();
        succeed(&mut selfplay(&place, more));
        assert_eq!(files(&place) == usual, is_same, "{more}");
    }
}

#[test]
fn a_stopped_run_is_completed() {
    let place = finished();
    let before = files(&place);
    fs::remove_file(place.at("000001.bin")).unwrap();
    place.write("000001.part", "half a shard");
    let written = || {
        fs::metadata(place.at("000002.bin"))
            .unwrap()
            .modified()
            .unwrap()
    };
    let kept = written();
    succeed(&mut selfplay(&place, ""));
    assert!(files(&place) == before);
    assert_eq!(kept, written());
}

#[test]
fn shards_of_another_run_are_kept() {
    let place = finished();
    let before = files(&place);
    let words = ["000000.bin is a shard of another run"];
    refused(selfplay(&place, "--seed 2"), &words);
    assert!(files(&place) == before);
}

#[test]
fn games_begin_where_recorded_games_were() {
    let place = Place::new();
    place.write("records/1.txt", "a5 b4 a4 b3 a3");
    succeed(&mut selfplay_from("--starts records", &place, ""));
    for record in all_records(&place) {
        // Red's a5 is the lower left corner as Red sees it, the upper right one as Blue does.
        let (corner, stone) = match number(&record[RECORD - 2..]) % 2 {
            0 => (CELLS - SIDE, 1),
            _ => (SIDE - 1, 2),
        };
        assert_eq!(record[corner], stone);
    }
}

#[test]
fn bad_records_are_named() {
    let other_side = "1.txt: a game on side 3, while --side is 5";
    for (record, complaint) in [
        ("a5 b4 z9", "z9"),
        ("a5", "no game with two moves or more"),
        (". . .\n. . .\n. . .\n", other_side),
    ] {
        let place = Place::new();
        place.write("records/1.txt", record);
        refused(selfplay_from("--starts records", &place, ""), &[complaint]);
    }
}

/// A shard that is not whole to the byte is neither taken for finished nor for another run's.
#[test]
fn a_damaged_shard_is_told() {
    let place = finished();
    let whole = fs::read(place.at("000001.bin")).unwrap();
    let longer = [&whole[..], b"x"].concat();
    let [torn, samples] = [1, RECORD].map(|bytes| &whole[..whole.len() - bytes]);
    for damaged in [torn, &longer, samples, &whole[..20], b""] {
        place.write("000001.bin", damaged);
        refused(
            selfplay(&place, ""),
            &["000001.bin is damaged", "delete it"],
        );
    }
    fs::remove_file(place.at("000001.bin")).unwrap();
    succeed(&mut selfplay(&place, ""));
    assert_eq!(fs::read(place.at("000001.bin")).unwrap(), whole);
}
