//! The pie rule: which first stone to play when the other player may take it over, and when to take
//! over the other player's. Both ask the search who is better off; nothing is known by heart.

use super::{Effort, Engine, Task, Thought};
use crate::record::{Point, Position, Side};
use hexbot::cell::Color;

/// Whether the first stone is to be taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Take it over: who has it is better off.
    Swap,
    /// Play on with the second colour.
    PlayOn,
}

/// Decides by what the search thought of the position with one stone, the second player to move.
pub fn reply(thought: &Thought) -> Reply {
    if thought.win_probability < 0.5 {
        Reply::Swap
    } else {
        Reply::PlayOn
    }
}

/// A first stone after which both players have about equal prospects, so that the other player gains
/// nothing by the choice. The effort is shared among a few candidates.
pub fn even_opening(engine: &mut dyn Engine, side: Side, task: &Task) -> Point {
    let candidates = candidates(side);
    let share = match task.effort {
        Effort::Time(time) => Effort::Time(time / candidates.len() as u32),
        Effort::Simulations(count) => Effort::Simulations(count / candidates.len() as u64),
    };
    let task = Task {
        effort: share,
        stop: task.stop.clone(),
    };
    let mut unevenness = |point: Point| {
        let mut position = Position::new(side);
        position.set(point, Some(Color::Red));
        let thought = engine.think(&position, Color::Blue, &task, &mut |_| {});
        // On the smallest boards a stone may win at once; nothing is less even.
        thought.map_or(0.5, |thought| (thought.win_probability - 0.5).abs())
    };
    let mut best = (candidates[0], f32::INFINITY);
    for point in candidates {
        let uneven = unevenness(point);
        if uneven < best.1 {
            best = (point, uneven);
        }
    }
    best.0
}

/// First stones of every strength near the left edge, where even ones are found on boards of every
/// side: the first column, and the second near its ends.
fn candidates(side: Side) -> Vec<Point> {
    let last = side.get() - 1;
    let places = [
        (1, 0),
        (3, 1),
        (1, 2),
        (last.saturating_sub(1), 0),
        (last.saturating_sub(2), 0),
        (last / 2, 0),
        (last / 2, 1),
        (0, 0),
    ];
    places
        .into_iter()
        .filter_map(|(row, col)| Point::new(row, col, side))
        .collect()
}
