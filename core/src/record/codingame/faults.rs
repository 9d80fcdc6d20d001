//! Recognizes a player's fault in the site's texts: who made it, and whether it was a late answer.

use crate::record::Ending;

/// A fault that ended a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteFault {
    /// The agent that made it, if the text or its frame names it.
    pub(crate) agent: Option<usize>,
    /// How it ended the game.
    pub(crate) ending: Ending,
    /// The site's text.
    pub(crate) text: String,
}

/// Words for a late or missing answer. The site uses them for a crash too.
const LATE: [&str; 5] = ["timeout", "timed out", "time out", "in time", "in due time"];

/// Words for an answer that breaks the rules.
const WRONG: [&str; 6] = [
    "invalid",
    "illegal",
    "not valid",
    "not a valid",
    "not a correct",
    "already played",
];

/// The site's mark for red text: `¤RED¤…§RED§`.
const IN_RED: &str = "¤RED¤";

impl SiteFault {
    /// The fault that a text reports; `None` if it reports none. `agent` is the agent of the text's
    /// frame.
    pub(crate) fn of(text: &str, agent: Option<usize>) -> Option<SiteFault> {
        let lower = text.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let ending = if says(&LATE) {
            Ending::Time
        } else if says(&WRONG) || text.contains(IN_RED) {
            Ending::Forfeit
        } else {
            return None;
        };
        let named = (0..2).find(|agent| text.contains(&format!("${agent}")));
        Some(SiteFault {
            agent: named.or(agent),
            ending,
            text: text.to_owned(),
        })
    }
}

/// A text of the site without its colours, with the players' names for `$0` and `$1`.
pub(crate) fn plain(text: &str, players: &[String; 2]) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['¤', '§']) {
        let (before, from) = rest.split_at(at);
        plain += before;
        let sign = from.chars().next().expect("it was found there");
        let behind = &from[sign.len_utf8()..];
        let word = behind.trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '_');
        match word.strip_prefix(sign) {
            Some(after) if word.len() < behind.len() => rest = after,
            _ => {
                plain.push(sign);
                rest = behind;
            }
        }
    }
    plain += rest;
    for (agent, name) in players.iter().enumerate() {
        plain = plain.replace(&format!("${agent}"), name);
    }
    plain.trim().to_owned()
}
