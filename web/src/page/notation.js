// Games as text, as in HexWorld's links after the "#". "11,a2:sf6" is the side, a comma, and the
// moves without separators. Moves after the shown position follow a second comma. Stones set up
// follow the side, "11+a1b2-c3,d4": Red's after the plus, Blue's after the minus.
//
// A move is a cell or one of
//   :s  swap pieces     :S  swap sides     :p  pass
//   :rb :rw  Red or Blue resigns (HexWorld's black is Red)     :fb :fw  Red or Blue forfeits

import { cellName, colOf, rowOf } from "./geometry.js";

export const TOKEN = /:r[bw]|:f[bw]|:[sSp]|[a-z]\d{1,2}/y;

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

// Parses "11,a2:sf6,e5" into side, setup, all moves, and the number of moves played.
export function parseGame(text) {
  const match = GAME.exec(text);
  if (match === null) throw new Error(`"${text.slice(0, 40)}" is not a game; it should look like "11,a2:sf6"`);
  const played = tokens(match[3] ?? "");
  return { side: Number(match[1]), setup: match[2], moves: [...played, ...tokens(match[4] ?? "")], ply: played.length };
}

// The inverse of `parseGame`.
export function formatGame({ side, setup, moves, ply }) {
  const ahead = moves.slice(ply).join("");
  return `${side}${setup},${moves.slice(0, ply).join("")}${ahead && ","}${ahead}`;
}

export const other = (color) => (color === "red" ? "blue" : "red");

export const colorName = (color) => (color === "red" ? "Red" : "Blue");

// Who moves after `color` has made a move. After a swap of sides the same colour moves again.
export const nextMover = (color, move) => (move === ":S" ? color : other(color));

// The colour that makes each move.
export function movers(moves) {
  let color = "red";
  return moves.map((move) => {
    const mover = color;
    color = nextMover(color, move);
    return mover;
  });
}

// The move by which `color` resigns.
export const resignation = (color) => (color === "red" ? ":rb" : ":rw");

const WORDS = { ":s": "swap", ":S": "swap sides", ":p": "pass",
  ":rb": "Red resigns", ":rw": "Blue resigns", ":fb": "Red forfeits", ":fw": "Blue forfeits" };

// A move in words.
export const moveName = (move) => WORDS[move] ?? move;

// The cell `cols` columns to the right and `rows` rows down; null off the board.
export function neighbour(cell, cols, rows, side) {
  const [col, row] = [colOf(cell) + cols, rowOf(cell) + rows];
  const isOn = 0 <= Math.min(col, row) && Math.max(col, row) < side;
  return isOn ? cellName(col, row) : null;
}
