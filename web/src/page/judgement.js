// Grades the moves of a game by the evaluations of its positions. Values are Red's win probability
// and take the swap into account, which the engine's evaluations do not.

import { percent } from "./dom.js";
import { moveName, movers } from "./notation.js";

// The grades of mistakes, { sign, loss } each, the smallest loss first: a move gets the sign if it
// loses at least this much win probability. The server provides them, so that `hex review` uses the
// same.
let grades = [];

export const setGrades = (loaded) => { grades = loaded; };

// The sign of a move that loses this much; "" if it is not a mistake or the loss is undefined.
export const gradeOf = (loss) => grades.findLast((grade) => loss >= grade.loss)?.sign ?? "";

// The names of the signs, for style sheets and in words.
export const GRADES = {
  "?!": { name: "doubtful", words: "doubtful" }, "?": { name: "wrong", words: "mistake" }, "??": { name: "blunder", words: "blunder" },
};

// Red's win probability if Blue may still swap: Blue swaps what is better than even.
export const withSwap = (redWins, maySwap) => (maySwap ? Math.min(redWins, 1 - redWins) : redWins);

// Red's value of the best first move; the map has the values without a swap.
export const bestOpening = (openings) => Math.max(...Object.values(openings).map((redWins) => withSwap(redWins, true)));

const maySwap = (session, ply) => ply === 1 && session.setup === "" && /^[a-z]/.test(session.moves[0]);

// Red's value at this ply; undefined if it is not known.
export function valueAt(session, ply) {
  // A good opening leaves the game even.
  if (ply === 0 && session.setup === "") return 0.5;
  const evaluation = session.evaluationAt(ply);
  return evaluation && withSwap(evaluation.redWins, maySwap(session, ply));
}

// What each move cost its player: { ply, move, color, before, after, loss, better } each, with the
// player's win probability before and after it. `better` is the line that should have been played.
// Moves without known values and forced moves of a match are left out.
export function losses(session) {
  if (!session.canShowEvaluations) return [];
  const moves = session.moves;
  const color = movers(moves);
  const { forcedCount } = session;
  const found = moves.map((move, index) => {
    const ply = index + 1;
    if (ply <= forcedCount) return null;
    const [before, after] = [valueAt(session, index), valueAt(session, ply)];
    if (move.startsWith(":r") || move.startsWith(":f") || before === undefined || after === undefined) return null;
    const own = (redWins) => (color[index] === "red" ? redWins : 1 - redWins);
    return { ply, move, color: color[index], before: own(before), after: own(after),
      loss: Math.max(0, own(before) - own(after)), better: better(session, index) };
  });
  return found.filter((loss) => loss !== null);
}

function better(session, ply) {
  const evaluation = session.evaluationAt(ply);
  if (maySwap(session, ply)) return evaluation?.redWins > 0.5 ? [":s"] : evaluation?.line ?? [];
  // The engine's first move does not take the swap into account.
  return ply === 0 && session.setup === "" ? [] : evaluation?.line ?? [];
}

// The mistakes of the shown line in game order, with their sign as `grade`: those found here, and
// those that the record marks. `loss` of the latter is undefined while their values are not known.
export function mistakes(session) {
  const known = new Map(losses(session).map((move) => [move.ply, move]));
  const color = movers(session.moves);
  const graded = session.line.map(({ move, grade }, index) => {
    const ply = index + 1;
    const found = known.get(ply) ?? { ply, move, color: color[index], better: better(session, index) };
    return { ...found, grade: gradeOf(found.loss) || grade };
  });
  return graded.filter(({ grade }) => grade in GRADES);
}

// The remarks to save with the shown line: a map from node to comment and grade. Grades from the
// record are kept.
export function remarks(session) {
  const found = mistakes(session).map((mistake) => ({ ...mistake, node: session.line[mistake.ply - 1] }));
  return new Map(found.filter(({ node }) => node.grade === "").map(({ node, grade, before, after, better }) => {
    const line = better.slice(0, 6).map(moveName).join(" ");
    const value = `${percent(before)} to win before, ${percent(after)} after${line && `; better ${line}`}`;
    return [node, { grade, comment: [node.comment, value].filter(Boolean).join("\n") }];
  }));
}

// The accuracy of each colour, 0 to 100: the weighted mean of lichess' accuracy of a move, which is
// 100 for no loss and falls steeply with the loss. The weight is the player's win probability
// before the move, because moves in a lost position show little skill. Null for a colour without
// known moves.
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
