// The players' cards above the board: who plays each colour, whose turn it is, who has won and why.

import { byId } from "./dom.js";
import { levelName } from "./levels.js";
import { colorName, other } from "./notation.js";

const COLORS = ["red", "blue"];

// The name of a colour's player: from the record, else "You" or the bot's level; "" if two people
// share the screen.
export function playerName({ record, players }, color) {
  const recorded = record?.names[COLORS.indexOf(color)];
  if (recorded) return recorded;
  if (players[color] !== "person") return levelName(players[color]);
  return players[other(color)] === "person" ? "" : "You";
}

// Shows both players. `view` is the position as the server describes it.
export function show(session, view, isBotsTurn) {
  for (const color of COLORS) {
    const card = byId(`card-${color}`);
    const isWinner = view.outcome?.winner === color;
    const isOn = view.outcome === null && view.toMove === color;
    const name = playerName(session, color);
    card.querySelector(".name").textContent = name;
    card.title = name;
    card.querySelector(".badge").textContent = isWinner ? "won" : !isOn ? "" : isBotsTurn ? "thinking …" : "to move";
    card.classList.toggle("on", isOn);
    card.classList.toggle("won", isWinner);
  }
}

// The goal before the first stone; `sidesOf(color)` returns where a colour's edges are.
function goal(session, sidesOf) {
  const own = COLORS.find((color) => playerName(session, color) === "You");
  const edges = (color) => `the ${color} edges, ${sidesOf(color)}`;
  return own !== undefined ? `You are ${colorName(own)}: join ${edges(own)}.` : `Red joins ${edges("red")}; Blue joins ${edges("blue")}.`;
}

// The colour whose edges are highlighted: that of a person who has not played yet.
export function beginnerColor(session, view) {
  const isFirst = session.ply < 2 && session.setup === "" && view.outcome === null && session.isAtEnd;
  return (isFirst && COLORS.find((color) => playerName(session, color) === "You" && view.toMove === color)) || null;
}

// Explains a swap to the player who has just lost the stone.
function swapNote(session, view) {
  if (session.moves[session.ply - 1] !== ":s") return "";
  return playerName(session, view.toMove) === "You"
    ? `${colorName(other(view.toMove))} took over your stone: it was too good. `
    : "";
}

// The state of the game in a sentence or two; `sidesOf(color)` returns where a colour's edges are.
export function statusText(session, view, isBotsTurn, last, sidesOf) {
  if (view.outcome !== null) return `${isEndingTurn(session) ? "" : last}${result(session, view.outcome)}`;
  const name = playerName(session, view.toMove);
  const color = colorName(view.toMove);
  const who = name === "" || name === "You" ? color : `${color} (${name})`;
  if (isBotsTurn) return `${last}${who} is thinking …`;
  const swap = !view.maySwap ? "" : name === "You"
    ? " If that stone looks too good, swap: it becomes yours."
    : " They may swap: take over the first stone.";
  if (view.maySwap && beginnerColor(session, view) !== null) {
    return `You are ${color}: join ${sidesOf(view.toMove)}. Too good a stone? Swap: it becomes yours.`;
  }
  const begin = session.ply === 0 && session.setup === "" && session.record === null ? `${goal(session, sidesOf)} ` : "";
  return `${begin}${last}${swapNote(session, view)}${name === "You" ? `Your move${begin ? "" : `, ${color}`}.` : `${who} to move.`}${swap}`;
}

// Whether the last turn ended the game, as a resignation does.
const isEndingTurn = ({ moves, ply }) => /^:[rf]/.test(moves[ply - 1] ?? "");

function result(session, { winner, ending }) {
  const name = playerName(session, winner);
  const who = name === "You" ? `You (${colorName(winner)}) have` : `${colorName(winner)}${name && ` (${name})`} has`;
  return `${who} won: ${reason(session, winner, ending)}.`;
}

function reason({ record, here }, winner, ending) {
  if (ending === "connection") return "the edges are joined";
  const loser = colorName(other(winner));
  if (ending === "resignation") return `${loser} resigned`;
  // A comment by a match or by the clock.
  const noted = record?.reason ?? (here.comment || (/ on time$/.test(record?.result ?? "") ? "out of time" : ""));
  return noted ? `${loser}: ${noted}` : { forfeit: `${loser} forfeited` }[ending] ?? "according to the record";
}
