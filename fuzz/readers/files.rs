//! Readers of files that programs write: networks, training data, logs of matches, lists of
//! openings and players, studies of openings.

use super::text;
use hex_arena::match_command::log::{MatchHeader, PlayerLine};
use hex_arena::match_command::schedule::{Schedule, ScheduleKind};
use hex_arena::match_command::tally::Tally;
use hex_arena::openings::{OpeningMode, Openings};
use hex_arena::player::Limits;
use hex_arena::review::log::ReviewHeader;
use hex_arena::scoresheet::GameLine;
use hex_arena::spec::{PlayerSettings, PlayerSpec};
use hex_common::append_log::games::{GameLog, RunHeader, FORMAT};
use hex_common::games_input::{self, Reading};
use hex_core::engine::Effort;
use hex_core::record::sgf;
use hex_core::record::{AnyCell, Side};
use hex_lab::book::answers::{candidates, Roots};
use hex_lab::book::bot::BotMove;
use hex_lab::book::choice::encoded;
use hex_lab::book::study::{Study, SIDE};
use hex_lab::selfplay::search::shard::ShardPlan;
use hexbot::board::Board;
use hexbot::book;
use hexbot::network::packing::WeightsError;
use hexbot::network::{Network, Scratch};
use std::fmt::{Debug, Display};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The folder of this process for files that are read again.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    // In memory where that can be had.
    let memory = Path::new("/dev/shm");
    let make = || {
        if memory.is_dir() {
            TempDir::new_in(memory).or_else(|_| TempDir::new())
        } else {
            TempDir::new()
        }
    };
    FOLDER.get_or_init(|| make().expect("a folder")).path()
}

/// A file of this process with these bytes; threads have files of their own.
fn file(name: &str, data: &[u8]) -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id());
    let folder = folder().join(thread);
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, data).expect("a file");
    path
}

/// Weights: a file with a wrong checksum is read with the right one, too, or nothing that is made
/// up would be looked at. A network that could be read judges a board, in both of its ways alike.
pub fn weights(data: &[u8]) {
    let network = match Network::read(data) {
        Err(WeightsError("checksum", right)) => {
            let mut file = data.to_vec();
            file[4..8].copy_from_slice(&(right as u32).to_le_bytes());
            Network::read(&file)
        }
        network => network,
    };
    if let Ok(network) = network {
        judges(network);
    }
}

fn judges(network: Network) {
    let board = Board::<5>::new();
    let mut scratch = Scratch::default();
    let logits = network.logits(&board, &mut scratch);
    let plain = network.without_simd().logits(&board, &mut scratch);
    assert_eq!(logits.wins().to_bits(), plain.wins().to_bits());
}

/// A shard of self-play: what counts as finished is whole to the byte. The first byte says which
/// parts of a good header come before the rest.
pub fn shard(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else {
        return;
    };
    let shard = ShardPlan {
        number: 0,
        side: Side::try_from(3).expect("it is in range"),
        seed: 1,
    };
    let path = file("000000.bin", rest);
    let folder = path.parent().expect("it has one");
    if first % 2 == 1 {
        let mut bytes = shard.bytes(rest);
        assert!(bytes.len() >= rest.len());
        // A torn one: the end is missing.
        bytes.truncate(bytes.len() - usize::from(first / 2).min(bytes.len()));
        fs::write(&path, bytes).expect("it can be written");
    }
    let Ok(true) = shard.is_finished(folder) else {
        return;
    };
    let bytes = fs::read(&path).expect("it is there");
    let number = |at: usize| {
        let four = bytes[at..at + 4].try_into().expect("four bytes");
        u32::from_le_bytes(four) as usize
    };
    assert_eq!(
        bytes.len(),
        32 + number(16) * number(20),
        "{:?}",
        &bytes[..32]
    );
}

/// The header of the matches whose logs are made up.
fn header() -> MatchHeader {
    let player = |name: &str| PlayerLine {
        name: name.to_owned(),
        text: name.to_owned(),
        first_ms: 1000,
        turn_ms: 100,
        programs: Vec::new(),
    };
    MatchHeader {
        format: FORMAT,
        side: 3,
        openings: "own".to_owned(),
        seed: 1,
        players: vec![player("a"), player("b")],
        schedule: "round-robin".to_owned(),
        sprt: None,
        changes: Vec::new(),
    }
}

/// An error that names this place.
fn names(error: &impl Display, place: &str) {
    assert!(format!("{error:#}").contains(place), "{error:#}");
}

/// The games of a log: the data without its first byte, and if that byte is odd the right header
/// before it. An error names the file, and what was read reads the same again. `None` without a
/// byte, and if the log is refused.
fn games_of_log<H: RunHeader>(name: &str, data: &[u8], header: &H) -> Option<Vec<H::Game>>
where
    H::Game: PartialEq + Debug,
{
    let (first, rest) = data.split_first()?;
    let mut log = Vec::new();
    if first % 2 == 1 {
        log = serde_json::to_vec(header).expect("plain data");
        log.push(b'\n');
    }
    log.extend(rest);
    let path = file(name, &log);
    match GameLog::resume(&path, header) {
        Ok((_, games)) => {
            let (_, again) = GameLog::resume(&path, header).expect("it could be read before");
            assert_eq!(games, again);
            Some(games)
        }
        Err(error) => {
            names(&error, &path.display().to_string());
            None
        }
    }
}

/// A match's log: an error names the file; what was read reads the same again, adds up, and each
/// game can be written and read. Behind a first byte that is odd comes the right header.
pub fn match_log(data: &[u8]) {
    let header = header();
    let Some(games) = games_of_log("games.jsonl", data, &header) else {
        return;
    };
    let mut tally = Tally::new(
        &Schedule::new(ScheduleKind::RoundRobin, 2, 50),
        Side::try_from(header.side).expect("a side of boards"),
        vec![Limits::CODINGAME; 2],
        None,
    );
    for game in &games {
        tally.add(game);
        let line = serde_json::to_string(game).expect("plain data");
        let again: GameLine = serde_json::from_str(&line).expect("it was written");
        assert_eq!((again.id, &again.moves), (game.id, &game.moves));
    }
    for times in tally.answer_times(0) {
        assert_eq!(times.figures().len(), 5);
    }
}

/// Players as on the command line, and lists of openings: what was read and written reads the same.
pub fn players(data: &[u8]) {
    let text = text(data);
    if let Ok(settings) = PlayerSettings::parse(&text) {
        let written = settings.to_string();
        let again = PlayerSettings::parse(&written).expect("it was written");
        assert_eq!(again, settings, "{written}");
        if let Ok(player) = settings.player(Limits::CODINGAME) {
            let again = PlayerSpec::parse(&player.text, Limits::CODINGAME);
            assert_eq!(again.expect("it was written").name, player.name);
        }
    }
    let path = file("openings.txt", data);
    match Openings::new(&OpeningMode::File(path.clone()), Side::CODINGAME, 1) {
        Ok(openings) => assert!(openings.game(1).outcome().is_none()),
        Err(error) => {
            let place = path.display().to_string();
            assert!(error.to_string().starts_with(&place), "{error}");
        }
    }
}

/// The endings of files with games, each for a first byte.
const ENDINGS: [&str; 5] = ["zip", "jsonl", "sgf", "json", "txt"];

/// A file of games as `hex convert`, `review` and `openings` take it: every game and every error
/// has the name of the file, a second look finds the same, and SGF keeps what was read.
pub fn games(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else {
        return;
    };
    let ending = ENDINGS[usize::from(first) % ENDINGS.len()];
    let path = file(&format!("games.{ending}"), rest);
    let place = path.display().to_string();
    let read = || {
        let games = games_input::games(std::slice::from_ref(&path), Reading::default());
        games.expect("the file is there")
    };
    let (mut found, mut again) = (read(), read());
    loop {
        let (one, other) = (found.next(), again.next());
        let (Some(one), Some(other)) = (&one, &other) else {
            assert!(one.is_none() && other.is_none());
            return;
        };
        assert!(one.name.starts_with(&place) && one.name == other.name);
        match (&one.game, &other.game) {
            (Ok(one), Ok(other)) => {
                assert_eq!(one, other);
                let written = sgf::write(one);
                let kept = sgf::parse(&written).unwrap_or_else(|e| panic!("{e}: {written}"));
                assert_eq!(kept.position(), one.position(), "{written}");
            }
            (Err(one), Err(other)) => assert_eq!(format!("{one:#}"), format!("{other:#}")),
            _ => panic!("{} is read only once", one.name),
        }
    }
}

/// A review's log: an error names the file; what was read reads the same again. Behind a first byte
/// that is odd comes the right header.
pub fn review_log(data: &[u8]) {
    let header = ReviewHeader::of(Effort::Simulations(1));
    games_of_log("review.jsonl", data, &header);
}

/// A study: an error names the line. A book with all that a bot could say in it, which plays on the
/// last cell wherever that may be wrong, is read again.
pub fn study(data: &[u8]) {
    // As it is packed, too: that must only end.
    let _ = Study::read(&file("study.tsv.gz", data));
    let path = file("study.tsv", data);
    let study = match Study::read(&path) {
        Ok(study) => study,
        Err(error) => {
            return names(&error, &format!("{}, line ", path.display()));
        }
    };
    let last = SIDE.cell(10, 10).expect("it is on the board");
    let search = |_: &[AnyCell]| {
        Ok(BotMove {
            cell: last,
            wins: 0.5,
        })
    };
    let answers = candidates(&study, &Roots::MET, 0.0, 1, search).expect("searches succeed");
    let file = encoded(&answers);
    for answer in answers {
        let (_, moves) = answer.line.split_last().expect("no line is empty");
        let mut board = Board::<11>::new();
        let mut cells = moves.iter().filter_map(|cell| cell.on());
        if cells.all(|cell| board.try_play(cell).is_ok()) {
            assert!(book::look_up(&file, &board).is_some(), "\n{board}");
        }
    }
}
