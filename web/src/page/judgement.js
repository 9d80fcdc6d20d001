// What the thoughts of a game's positions say about its moves. Values are Red's probability to win,
// and know the swap: the bot's own do not.

import { moveName, movers } from "./notation.js";

// The grades of mistakes, { sign, loss } each, the smallest loss first: from what is lost on, in win
// probability, a move gets the sign. They come from the server, as `hex review` has the same.
let grades = [];

export const learnGrades = (learned) => { grades = learned; };

// The sign of a move that has lost so much; "" if it is none of a mistake.
export const gradeOf = (loss) => grades.findLast((grade) => loss >= grade.loss)?.sign ?? "";

// What a sign is called, in style sheets and in words.
export const GRADES = {
  "?!": { name: "doubtful", words: "doubtful" }, "?": { name: "wrong", words: "mistake" }, "??": { name: "blunder", words: "blunder" },
};

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

// What each move has cost its mover, { ply, move, color, before, after, loss, better } each, with the mover's
// probability to win before and after it; of moves whose value is not known, and of those that a match has
// made for the players, there is none. `better` is the line that should have been played.
export function losses(session) {
  if (!session.isOpen) return [];
  const moves = session.moves;
  const color = movers(moves);
  const { given } = session;
  const found = moves.map((move, index) => {
    const ply = index + 1;
    if (ply <= given) return null;
    const [before, after] = [valueAt(session, index), valueAt(session, ply)];
    if (move.startsWith(":r") || move.startsWith(":f") || before === undefined || after === undefined) return null;
    const own = (redWins) => (color[index] === "red" ? redWins : 1 - redWins);
    return { ply, move, color: color[index], before: own(before), after: own(after),
      loss: Math.max(0, own(before) - own(after)), better: better(session, index) };
  });
  return found.filter((loss) => loss !== null);
}

function better(session, ply) {
  const thought = session.thoughtOf(ply);
  if (maySwap(session, ply)) return thought?.redWins > 0.5 ? [":s"] : thought?.line ?? [];
  // What the bot would open with counts on no swap.
  return ply === 0 && session.setup === "" ? [] : thought?.line ?? [];
}

// The mistakes of the line that is shown, in the order of the game, each with its sign as `grade`.
export function mistakes(session) {
  const graded = losses(session).map((move) => ({ ...move, grade: gradeOf(move.loss) }));
  return graded.filter(({ grade }) => grade !== "");
}

// What is to be saved of the mistakes of the line that is shown: a map from the node to its comment and grade.
// Those that a record has graded already stay as they are.
export function remarks(session) {
  const percent = (share) => `${Math.round(100 * share)} %`;
  const found = mistakes(session).map((mistake) => ({ ...mistake, node: session.line[mistake.ply - 1] }));
  return new Map(found.filter(({ node }) => node.grade === "").map(({ node, grade, before, after, better }) => {
    const line = better.slice(0, 6).map(moveName).join(" ");
    const value = `${percent(before)} to win before, ${percent(after)} after${line && `; better ${line}`}`;
    return [node, { grade, comment: [node.comment, value].filter(Boolean).join("\n") }];
  }));
}

// How well each colour has played, 0 to 100: the mean over its moves of lichess' measure for one move, which is
// 100 if nothing is lost and falls steeply with what is. A move counts by what there was to lose, the mover's
// probability to win before it: who is lost can play what they like, and it is no merit. Null for a colour of
// which no move is known.
export function accuracy(session) {
  const known = losses(session);
  const ofMove = ({ loss }) => Math.max(0, Math.min(100, 103.1668 * Math.exp(-4.354 * loss) - 3.1669));
  const mean = (color) => {
    const own = known.filter((move) => move.color === color);
    const weight = own.reduce((sum, { before }) => sum + before, 0);
    return weight === 0 ? null : own.reduce((sum, move) => sum + move.before * ofMove(move), 0) / weight;
  };
  return { red: mean("red"), blue: mean("blue") };
}
