//! `hex lab selfplay --policy` as a program: its shards hold legal games with their results and
//! what searches found, depend on the seed alone, and a run goes on behind its last shard.

use crate::common::{refused, succeed, Place};
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::cell::{Cell, Color};
use std::fs;
use std::process::Command;

const HEADER: usize = 44;
const GAMES: usize = 12;

fn policy_games(place: &Place, more: &str) -> Command {
    let fixed =
        "lab selfplay --policy --games 12 --simulations 64 --tree-visits 20 --search-share 0.02";
    place.hex(&format!("{fixed} --out . {more}"))
}

fn play(place: &Place, more: &str) {
    succeed(&mut policy_games(place, more));
}

fn shard(place: &Place, number: usize) -> Vec<u8> {
    fs::read(place.at(format!("{number:08}.games"))).expect("a shard")
}

/// The columns of a shard, as train/shards.md lists them.
struct Columns<'a> {
    game_of_search: Vec<u32>,
    value: Vec<u16>,
    length: &'a [u8],
    flags: &'a [u8],
    cool_from: &'a [u8],
    moves: &'a [u8],
    red_wins: &'a [u8],
    ply: &'a [u8],
    variations: &'a [u8],
    candidates: &'a [u8],
    variation: &'a [u8],
    candidate: &'a [u8],
    share: &'a [u8],
}

impl<'a> Columns<'a> {
    fn read(bytes: &'a [u8]) -> Self {
        assert_eq!(&bytes[..8], b"HEXGAMES");
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((number(8), number(12)), (2, 11));
        let [games, moves, searches, further, candidates] = [16, 20, 24, 28, 32].map(number);
        let mut rest = &bytes[HEADER..];
        let mut take = |count| {
            rest.split_off(..count)
                .expect("as many bytes as the header says")
        };
        let columns = Columns {
            game_of_search: take(4 * searches)
                .chunks(4)
                .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
                .collect(),
            value: take(2 * searches)
                .chunks(2)
                .map(|b| u16::from_le_bytes(b.try_into().unwrap()))
                .collect(),
            length: {
                take(2 * searches); // visits
                take(games)
            },
            flags: take(games),
            cool_from: take(games),
            moves: take(moves),
            red_wins: take(moves),
            ply: take(searches),
            variations: take(searches),
            candidates: take(searches),
            variation: take(further),
            candidate: take(candidates),
            share: take(candidates),
        };
        assert!(rest.is_empty(), "{} bytes too many", rest.len());
        columns
    }
}

fn cell(index: u8) -> Cell<11> {
    Cell::from_index(index.into())
}

/// The next `count` numbers.
fn next<'a>(column: &mut &'a [u8], count: u8) -> &'a [u8] {
    column
        .split_off(..count.into())
        .expect("as many as counted")
}

/// The moves, or what there is a number of for each, of every game.
fn by_game<'a>(columns: &Columns<'a>, mut column: &'a [u8]) -> Vec<&'a [u8]> {
    let lengths = columns.length.iter();
    lengths.map(|&length| next(&mut column, length)).collect()
}

/// Two shards of games that are resigned early.
fn resigned_early() -> [Vec<u8>; 2] {
    let place = Place::new();
    play(&place, "--shards 2 --resign 0.1");
    [0, 1].map(|number| shard(&place, number))
}

#[test]
fn shards_hold_legal_games_with_results_and_chances() {
    let bytes = resigned_early();
    let (mut resigned, mut foretold) = (0, 0);
    for columns in bytes.iter().map(|bytes| Columns::read(bytes)) {
        assert_eq!(columns.length.len(), GAMES);
        let games = by_game(&columns, columns.moves);
        let chances = by_game(&columns, columns.red_wins);
        for (game, (moves, red_wins)) in games.into_iter().zip(chances).enumerate() {
            let mut board = Board::<11>::new();
            for &index in moves {
                assert_eq!(Bridges::new(&board, 0).winner(), None, "{}", board);
                board.try_play(cell(index)).unwrap();
            }
            let winner = [Color::Red, Color::Blue][usize::from(columns.flags[game] & 1)];
            if columns.flags[game] & 2 != 0 {
                assert_eq!(winner, board.to_move().opponent(), "who moves resigns")
            } else {
                assert_eq!(Bridges::new(&board, moves.len()).winner(), Some(winner))
            }
            let before_the_end = *red_wins.last().expect("a move");
            foretold += usize::from((before_the_end > 127) == (winner == Color::Red));
            resigned += columns.flags[game] >> 1 & 1;
            assert!((1..=14).contains(&columns.cool_from[game]));
        }
    }
    let games = 2 * GAMES;
    assert!(
        foretold * 10 >= games * 8,
        "the last chances foretell {foretold} of {games} results"
    );
    assert!(resigned > 3, "{resigned} games were resigned");
}

#[test]
fn shards_hold_searches_of_the_games_and_of_what_lies_beside_them() {
    let bytes = resigned_early();
    let (mut searches, mut varied) = (0, 0);
    for columns in bytes.iter().map(|bytes| Columns::read(bytes)) {
        let games = by_game(&columns, columns.moves);
        let (mut variation, mut candidate, mut share) =
            (columns.variation, columns.candidate, columns.share);
        for search in 0..columns.ply.len() {
            let moves = games[columns.game_of_search[search] as usize];
            let further = next(&mut variation, columns.variations[search]);
            let mut board = Board::<11>::new();
            let line = moves[..columns.ply[search].into()].iter().chain(further);
            line.for_each(|&index| board.try_play(cell(index)).unwrap());
            let count = columns.candidates[search];
            let shares = next(&mut share, count).iter().map(|&s| u32::from(s));
            assert!(
                (240..=270).contains(&shares.sum::<u32>()),
                "shares make 255, rounded"
            );
            for &index in next(&mut candidate, count) {
                assert_eq!(board.at(cell(index)), None, "{board}");
            }
            assert!(columns.value[search] > 0 && columns.value[search] < u16::MAX);
            searches += 1;
            varied += usize::from(!further.is_empty());
        }
    }
    assert!(
        searches > 10 && varied > 0 && varied < searches,
        "{varied} of {searches}"
    );
}

#[test]
fn a_seed_gives_the_same_shards_and_a_run_goes_on() {
    let [one, two, other] = [(); 3].map(|()| Place::new());
    play(&one, "--shards 3 --threads 1");
    for shards in [1, 3] {
        play(&two, &format!("--shards {shards} --threads 2"));
    }
    play(&other, "--shards 1 --seed 9");
    for number in 0..3 {
        assert_eq!(shard(&one, number), shard(&two, number));
    }
    assert_ne!(shard(&one, 0), shard(&one, 1));
    assert_ne!(shard(&one, 0), shard(&other, 0));
}

/// A kill skips the shards that were not finished; a learner deletes the oldest ones.
#[test]
fn shards_that_are_missing_behind_the_first_are_made_up_for() {
    let place = Place::new();
    let path = |number: usize| place.at(format!("{number:08}.games"));
    play(&place, "--shards 4");
    let skipped = shard(&place, 2);
    for number in [0, 2] {
        fs::remove_file(path(number)).unwrap();
    }
    play(&place, "--shards 4");
    assert_eq!(shard(&place, 2), skipped);
    assert!(!path(0).exists() && !path(4).exists());
    play(&place, "--shards 1");
    assert!(!path(0).exists());
}

#[test]
fn spans_of_shards_are_those_of_the_whole_run() {
    let [whole, part] = [(); 2].map(|()| Place::new());
    play(&whole, "--shards 3");
    play(&part, "--shards 3 --only-shards 1..2");
    assert_eq!(shard(&part, 1), shard(&whole, 1));
    let files = fs::read_dir(part.path()).unwrap();
    assert_eq!(files.count(), 2, "with the lock");
}

#[test]
fn shares_that_are_more_than_all_games_are_refused() {
    let place = Place::new();
    place.write("lines.txt", "a1 k11 b3\n");
    let lines = "--shards 1 --lines lines.txt";
    let too_many = format!("{lines} --random-share 0.9 --line-share 0.9");
    let words = "--random-share 0.9 and --line-share 0.9 exceed all games";
    refused(policy_games(&place, &too_many), &[words]);
    play(
        &place,
        &format!("{lines} --random-share 0.7 --line-share 0.3"),
    );
    // Without lines no game begins with one.
    play(&place, "--shards 1 --random-share 0.9");
}

#[test]
fn cool_plies_are_drawn_from_fast_searches_if_asked() {
    let shards = [0, 64].map(|simulations| {
        let place = Place::new();
        let words = format!("--shards 2 --control 1 --fast-simulations {simulations}");
        play(&place, &words);
        [0, 1].map(|number| shard(&place, number))
    });
    let [policy, fast] = shards.each_ref().map(|bytes| Columns::read(&bytes[0]));
    // Hot plies are the policy's in both.
    let hot = policy.cool_from[0] as usize;
    assert_eq!(fast.cool_from[0] as usize, hot);
    assert_eq!(fast.moves[..hot], policy.moves[..hot]);
    assert_eq!(fast.red_wins[..hot], policy.red_wins[..hot]);
    let cool = hot..hot + 3;
    assert_ne!(fast.red_wins[cool.clone()], policy.red_wins[cool]);
    // Searches see the ends of games that the policy has to play out.
    let [policy, fast] = shards.map(|bytes| {
        let certain = |bytes: &Vec<u8>| {
            let chances = Columns::read(bytes).red_wins.iter();
            chances.filter(|&&wins| wins == 0 || wins == 255).count()
        };
        bytes.iter().map(certain).sum::<usize>()
    });
    let counts = format!("{fast} and {policy} certain chances");
    assert!(fast > policy + policy / 8, "{counts}");
}

#[test]
fn games_begin_with_the_lines_given() {
    let place = Place::new();
    place.write("lines.txt", "a1 k11 b3\t512\ta2:1:\na1 k11 c4\n");
    play(
        &place,
        "--shards 1 --lines lines.txt --line-share 1 --random-share 0",
    );
    let bytes = shard(&place, 0);
    let columns = Columns::read(&bytes);
    let games = by_game(&columns, columns.moves);
    assert!(games.iter().all(|moves| moves[0] == 0));
}

#[test]
fn bad_lines_and_weights_are_named() {
    let place = Place::new();
    for (text, message) in [
        ("a1 b1\na1 z9\n", "lines.txt, line 2"),
        ("a1 a1\n", "a1 holds a red stone already"),
        ("", "has no lines"),
    ] {
        place.write("lines.txt", text);
        refused(
            policy_games(&place, "--shards 1 --lines lines.txt"),
            &[message],
        );
    }
    refused(
        policy_games(&place, "--shards 1 --weights nothere.rs"),
        &["nothere.rs"],
    );
}
