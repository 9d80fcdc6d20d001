// What the thoughts of a game's positions say about its moves. Values are Red's probability to win,
// and know the swap: the bot's own do not.

import { movers } from "./notation.js";

// The most mistakes that are shown.
const MISTAKES = 5;
// What a move must have lost to be called a mistake, in win probability.
const MISTAKE = 0.1;

// Red's probability to win after a thought of a position, whose swap is still to be decided or not.
// Blue takes over what is better than even.
export const withSwap = (redWins, maySwap) => (maySwap ? Math.min(redWins, 1 - redWins) : redWins);

// Red's value of the best first move, by the map of how good each is without a swap.
export const bestOpening = (openings) => Math.max(...Object.values(openings).map((redWins) => withSwap(redWins, true)));

// Can the first stone of this game be taken over now?
const maySwap = (session, ply) => ply === 1 && session.setup === "" && /^[a-z]/.test(session.moves[0]);

// Red's value after so many moves; undefined if nothing is known.
export function valueAt(session, ply) {
  // Whoever opens well leaves the game even.
  if (ply === 0 && session.setup === "") return 0.5;
  const thought = session.thoughtOf(ply);
  return thought && withSwap(thought.redWins, maySwap(session, ply));
}

// What each move has cost its mover, { ply, move, color, loss, better } each; of moves whose value
// is not known there is none. `better` is the line that should have been played.
export function losses(session) {
  if (!session.isOpen) return [];
  const moves = session.moves;
  const color = movers(moves);
  const found = moves.map((move, index) => {
    const ply = index + 1;
    const [before, after] = [valueAt(session, index), valueAt(session, ply)];
    if (move.startsWith(":r") || move.startsWith(":f") || before === undefined || after === undefined) return null;
    const change = color[index] === "red" ? before - after : after - before;
    return { ply, move, color: color[index], loss: Math.max(0, change), better: better(session, index) };
  });
  return found.filter((loss) => loss !== null);
}

function better(session, ply) {
  const thought = session.thoughtOf(ply);
  if (maySwap(session, ply)) return thought?.redWins > 0.5 ? [":s"] : thought?.line ?? [];
  // What the bot would open with counts on no swap.
  return ply === 0 && session.setup === "" ? [] : thought?.line ?? [];
}

// The moves that lost most win probability, the worst first.
export function mistakes(session) {
  const bad = losses(session).filter(({ loss }) => loss >= MISTAKE);
  return bad.sort((a, b) => b.loss - a.loss).slice(0, MISTAKES);
}

// How well each colour has played, 0 to 100: the mean over its moves of lichess' measure for one
// move, which is 100 if nothing is lost and falls steeply with what is. Null for a colour of which
// no move is known.
export function accuracy(session) {
  const known = losses(session);
  const ofMove = ({ loss }) => Math.max(0, Math.min(100, 103.1668 * Math.exp(-4.354 * loss) - 3.1669));
  const mean = (color) => {
    const own = known.filter((move) => move.color === color).map(ofMove);
    return own.length === 0 ? null : own.reduce((a, b) => a + b) / own.length;
  };
  return { red: mean("red"), blue: mean("blue") };
}
