//! The shapes of a game in JSON. All become a list of frames, see [`super::replay`].
//!
//! - The site's services answer with `frames`, the agents' names, `scores` and `ranks`: alone, in
//!   `success` or in `gameResult`. So does PLAY in the site's editor.
//! - The SDK's local runner writes a `GameResult`: `outputs` and `errors` by agent, `summaries`.
//!
//! Other fields are ignored. Some known fields have different types in different versions of the
//! site; with an unexpected type they count as absent.

use super::replay::{Frame, Replay};
use crate::record::{Game, RecordError, Side};
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;

/// A field that is expected to have this type, but may have any other.
#[derive(Deserialize)]
#[serde(untagged)]
enum Lenient<T> {
    Known(T),
    Other(IgnoredAny),
}

impl<T> Lenient<T> {
    fn known(self) -> Option<T> {
        match self {
            Lenient::Known(value) => Some(value),
            Lenient::Other(_) => None,
        }
    }
}

/// The field's value, if it is present and has its type.
fn known<T>(field: Option<Lenient<T>>) -> Option<T> {
    field.and_then(Lenient::known)
}

/// The output of each agent on each turn; `null` where it was not its turn.
type Outputs = BTreeMap<String, Vec<Option<String>>>;

/// All fields that are read, of all shapes of a game.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    success: Option<Wrapped>,
    game_result: Option<Wrapped>,
    frames: Option<Vec<JsonFrame>>,
    outputs: Option<Lenient<Outputs>>,
    errors: Option<Lenient<Outputs>>,
    summaries: Option<Lenient<Vec<Option<String>>>>,
    agents: Option<Lenient<Vec<Agent>>>,
    scores: Option<Lenient<Numbers>>,
    ranks: Option<Lenient<Numbers>>,
    referee_input: Option<Lenient<String>>,
    game_parameters: Option<Lenient<Vec<String>>>,
    fail_cause: Option<Lenient<String>>,
}

/// The object of a game. A list is refused, because serde would take it for the object's fields.
/// The value `true` contains no game; then the game stands beside it.
struct Wrapped(Option<Box<Document>>);

impl<'de> Deserialize<'de> for Wrapped {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Wrapped, D::Error> {
        struct OneObject;

        impl<'de> Visitor<'de> for OneObject {
            type Value = Wrapped;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the object of one game")
            }

            fn visit_bool<E>(self, _: bool) -> Result<Wrapped, E> {
                Ok(Wrapped(None))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Wrapped, A::Error> {
                let document = Document::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Wrapped(Some(Box::new(document))))
            }
        }

        deserializer.deserialize_any(OneObject)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonFrame {
    agent_id: Option<i64>,
    stdout: Option<String>,
    stderr: Option<String>,
    game_information: Option<String>,
    summary: Option<String>,
    error: Option<Lenient<ProgramError>>,
}

/// How a program failed, as the site's editor reports it.
#[derive(Deserialize)]
struct ProgramError {
    message: String,
}

#[derive(Deserialize)]
struct Agent {
    index: Option<usize>,
    codingamer: Option<Codingamer>,
    arenaboss: Option<ArenaBoss>,
    name: Option<String>,
}

#[derive(Deserialize)]
struct Codingamer {
    pseudo: Option<String>,
}

#[derive(Deserialize)]
struct ArenaBoss {
    nickname: Option<String>,
}

/// A number for each agent: a list, or by its index.
#[derive(Deserialize)]
#[serde(untagged)]
enum Numbers {
    List(Vec<Option<f64>>),
    ByIndex(BTreeMap<String, f64>),
}

impl Numbers {
    fn by_agent(&self) -> [Option<f64>; 2] {
        [0, 1].map(|agent: usize| match self {
            Numbers::List(list) => list.get(agent).copied().flatten(),
            Numbers::ByIndex(map) => map.get(&agent.to_string()).copied(),
        })
    }
}

/// How many objects may be nested: `success` contains the game, or a `gameResult` with it.
const MOST_WRAPPERS: usize = 4;

/// Reads a game of the site or of the SDK's local runner.
///
/// # Errors
/// If the text is not JSON, or not a game of Hex in a known shape.
pub fn parse(text: &str) -> Result<Game, RecordError> {
    let read: Wrapped = serde_json::from_str(text).map_err(|error| json_error(&error))?;
    let mut document = *read.0.ok_or_else(no_game)?;
    for _ in 0..MOST_WRAPPERS {
        let wrapped = [document.success.take(), document.game_result.take()];
        match wrapped.into_iter().flatten().find_map(|wrapped| wrapped.0) {
            Some(inner) => document = *inner,
            None => break,
        }
    }
    check_side(&document)?;
    let names = names(known(document.agents.take()).unwrap_or_default());
    let winner = winner(known(document.ranks), known(document.scores));
    let (frames, place) = if let Some(frames) = document.frames {
        (frames.into_iter().map(frame).collect(), "frames")
    } else if let Some(outputs) = known(document.outputs) {
        let errors = known(document.errors).unwrap_or_default();
        let summaries = known(document.summaries).unwrap_or_default();
        (runner_frames(outputs, errors, summaries), "outputs")
    } else {
        return Err(no_game());
    };
    let replay = Replay {
        place,
        frames,
        names,
        winner,
    };
    let mut game = replay.game()?;
    if let Some(cause) = known(document.fail_cause) {
        game.notes.push(format!("the referee failed: {cause}"));
    }
    Ok(game)
}

fn no_game() -> RecordError {
    RecordError::new(
        "this JSON is not a game of CodinGame: it has neither frames, as the site writes them, nor \
         outputs, as the SDK's local runner does; nor is it one of PlayHex, with boardsize and moves",
    )
}

/// The error of a text that is not the expected JSON, for people.
fn json_error(error: &serde_json::Error) -> RecordError {
    let (line, column) = (error.line(), error.column());
    if error.is_eof() {
        return RecordError::new(format!(
            "the JSON breaks off at line {line}, column {column}: save the file again, as a whole"
        ));
    }
    let why = error.to_string();
    let why = match why.split(" at line ").next().unwrap_or_default() {
        "trailing characters" => {
            "more follows behind the first game; a file with a game on each line \
                                  is read if its name ends in .jsonl"
        }
        why => why,
    };
    RecordError::new(format!(
        "line {line}, column {column}: not the JSON of a game of CodinGame: {why}"
    ))
}

/// Refuses a game if the file states another side than CodinGame's.
fn check_side(document: &Document) -> Result<(), RecordError> {
    let lines = match (&document.referee_input, &document.game_parameters) {
        (Some(Lenient::Known(input)), _) => input.lines().collect(),
        (_, Some(Lenient::Known(lines))) => lines.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    for line in lines {
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let is_size = key.to_ascii_lowercase().contains("size");
        let side = value.trim().parse::<usize>().ok();
        if let Some(side) = side.filter(|&side| is_size && side != Side::CODINGAME.get()) {
            return Err(RecordError::new(format!(
                "refereeInput says {:?}: CodinGame's Hex has a board of side {}, not {side}",
                line.trim(),
                Side::CODINGAME
            )));
        }
    }
    Ok(())
}

/// The names of the two agents; empty where the file does not contain them.
fn names(agents: Vec<Agent>) -> [String; 2] {
    let mut names: [String; 2] = Default::default();
    for (place, agent) in agents.into_iter().enumerate() {
        let name = agent.codingamer.and_then(|gamer| gamer.pseudo);
        let name = name.or(agent.arenaboss.and_then(|boss| boss.nickname));
        let name = name.or(agent.name).unwrap_or_default();
        if let Some(kept) = names.get_mut(agent.index.unwrap_or(place)) {
            *kept = name;
        }
    }
    names
}

/// The agent that is first by rank, or else has more points; `None` if they are equal or unknown.
fn winner(ranks: Option<Numbers>, scores: Option<Numbers>) -> Option<usize> {
    let ahead = |[first, second]: [Option<f64>; 2]| match first?.total_cmp(&second?) {
        std::cmp::Ordering::Less => Some(1),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(0),
    };
    let by_rank = ranks.and_then(|ranks| ahead(ranks.by_agent()));
    // The first rank is the smallest number.
    let by_rank = by_rank.map(|agent| 1 - agent);
    by_rank.or_else(|| ahead(scores?.by_agent()))
}

fn frame(frame: JsonFrame) -> Frame {
    let error = known(frame.error).map(|error| error.message);
    let messages = [frame.game_information, frame.summary, error];
    Frame {
        agent: frame.agent_id.and_then(|id| usize::try_from(id).ok()),
        stdout: frame.stdout.unwrap_or_default(),
        stderr: frame.stderr.unwrap_or_default(),
        messages: messages.into_iter().flatten().collect(),
    }
}

/// The frames of a local runner's game. Entry n of all lists belongs to the n-th frame; the first
/// frame comes before the first turn.
fn runner_frames(outputs: Outputs, errors: Outputs, summaries: Vec<Option<String>>) -> Vec<Frame> {
    let players = |mut lists: Outputs| {
        [0, 1].map(|agent: usize| lists.remove(&agent.to_string()).unwrap_or_default())
    };
    let (mut outputs, mut errors, mut summaries) = (players(outputs), players(errors), summaries);
    let lengths = outputs.iter().chain(&errors).map(Vec::len);
    let length = lengths.max().unwrap_or(0).max(summaries.len());
    (0..length)
        .map(|at| {
            let taken = |list: &mut Vec<Option<String>>| list.get_mut(at)?.take();
            let stdout = [0, 1].map(|agent: usize| taken(&mut outputs[agent]));
            let stderr = [0, 1].map(|agent: usize| taken(&mut errors[agent]));
            // An agent that printed nothing on its turn has an error output, perhaps empty. In the
            // frame before the first turn both have.
            let answers = stdout.iter().position(Option::is_some);
            let silent = || match stderr {
                [Some(_), Some(_)] => None,
                _ => stderr.iter().position(Option::is_some),
            };
            Frame {
                agent: answers.or_else(silent),
                stdout: stdout.into_iter().flatten().collect(),
                stderr: stderr.into_iter().flatten().collect(),
                messages: taken(&mut summaries).into_iter().collect(),
            }
        })
        .collect()
}
