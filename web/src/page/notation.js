// Games as text, the way HexWorld writes them after its "#": "11,a2:sf6" is the side, a comma, and
// the moves run together. After a second comma come the moves past the place where we are. Stones
// set up stand behind the side, "11+a1b2-c3,d4": Red's after the plus, Blue's after the minus.
//
// A move is a cell or one of
//   :s  swap pieces     :S  swap sides     :p  pass
//   :rb :rw  Red or Blue resigns (HexWorld's black is Red)     :fb :fw  Red or Blue forfeits

const TOKEN = /:r[bw]|:f[bw]|:[sSp]|[a-z]\d{1,2}/y;

function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`"${text.slice(from, from + 20)}" is not a move`);
    found.push(match[0]);
  }
  return found;
}

const GAME = /^(\d{1,2})(?:c1)?((?:[+-](?:[a-z]\d{1,2})*)*)(?:,([^,]*))?(?:,([^,]*))?$/;

// Reads "11,a2:sf6,e5" into its side, stones set up, all moves, and how many of them have been
// played.
export function parseGame(text) {
  const match = GAME.exec(text);
  if (match === null) throw new Error(`"${text.slice(0, 40)}" is not a game; it should look like "11,a2:sf6"`);
  const played = tokens(match[3] ?? "");
  return { side: Number(match[1]), setup: match[2], moves: [...played, ...tokens(match[4] ?? "")], ply: played.length };
}

// The inverse.
export function formatGame({ side, setup, moves, ply }) {
  const ahead = moves.slice(ply).join("");
  return `${side}${setup},${moves.slice(0, ply).join("")}${ahead && ","}${ahead}`;
}

export const other = (color) => (color === "red" ? "blue" : "red");

export const colorName = (color) => (color === "red" ? "Red" : "Blue");

// Who moves after `color` has made a move: the colours take turns, but after a swap of sides the same
// one goes on.
export const nextMover = (color, move) => (move === ":S" ? color : other(color));

// Who makes each move.
export function movers(moves) {
  let color = "red";
  return moves.map((move) => {
    const mover = color;
    color = nextMover(color, move);
    return mover;
  });
}

// The end of a game by resignation of `color`.
export const resignation = (color) => (color === "red" ? ":rb" : ":rw");

const WORDS = { ":s": "swap", ":S": "swap sides", ":p": "pass",
  ":rb": "Red resigns", ":rw": "Blue resigns", ":fb": "Red forfeits", ":fw": "Blue forfeits" };

// A move for people.
export const moveName = (move) => WORDS[move] ?? move;

// The cell `cols` columns to the right and `rows` rows down; null off the board.
export function neighbour(cell, cols, rows, side) {
  const col = cell.charCodeAt(0) - 97 + cols;
  const row = Number(cell.slice(1)) - 1 + rows;
  const isOn = 0 <= Math.min(col, row) && Math.max(col, row) < side;
  return isOn ? String.fromCharCode(97 + col) + (row + 1) : null;
}
