// The log of a match: a line with the players, then a line per game. It may still be growing.

import { moveName } from "./notation.js";

// The supported version of the log.
const FORMAT = 1;

export class Match {
  title;
  side = 0;
  // The players' names; games refer to players by index.
  players = [];
  // { id, red, blue, winner, reason, fault, opening, moves, count, times }, in the order of the log.
  games = [];
  #lines = 0;

  constructor(title) {
    this.title = title;
  }

  // Adds more of the log. An incomplete line at the end is ignored. Returns the number of new
  // games. Throws if a line is malformed; nothing is added then.
  add(text) {
    const lines = text.split("\n");
    lines.pop();
    const from = this.#lines;
    const parsed = lines.map((line, index) => parse(this.title, line, from + index + 1));
    const header = from === 0 ? parsed.shift() : null;
    if (from === 0) this.#begin(header);
    const first = from + (header === null ? 1 : 2);
    parsed.forEach((line, index) => {
      if (!isSound(line, this.players)) throw new Error(`${this.title}, line ${first + index}: the line of a game is damaged`);
    });
    for (const line of parsed) this.games.push(readGame(line));
    this.#lines += lines.length;
    return parsed.length;
  }

  #begin(header) {
    if (header?.format !== FORMAT || !Array.isArray(header.players)) {
      throw new Error(`${this.title}: not a match's log of format ${FORMAT}`);
    }
    this.side = header.side;
    this.players = header.players.map((player) => player?.name);
  }

  // Games won by each player.
  get wins() {
    const wins = this.players.map(() => 0);
    for (const game of this.games) wins[game.winner]++;
    return wins;
  }

  // A game as a record for `Session.open`: { game, names, remarks, result, title }.
  record(game) {
    const names = [this.players[game.red], this.players[game.blue]];
    const remarks = game.times.map((time) => (time === null ? "forced" : `${time.toFixed(1)} ms`));
    const result = `${this.players[game.winner]} won: ${game.fault || game.reason}`;
    return { game: `${this.side},${game.moves}`, names, remarks, result, reason: inWords(game.fault || game.reason), title: `Game ${game.id + 1}` };
  }
}

// Writes the name of a fault, such as "illegal-move", with blanks; keeps the details.
const inWords = (reason) => reason.replace(/^[a-z]+(-[a-z]+)+/, (name) => name.replaceAll("-", " "));

function parse(title, line, number) {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`${title}, line ${number}: not a line of a match's log`);
  }
}

function isSound(line, players) {
  return [line?.red, line?.blue].every((player) => players[player] !== undefined) &&
    Number.isInteger(line.id) && Array.isArray(line.moves) && line.moves.length === line.times_ms?.length &&
    line.moves.every((move) => typeof move === "string") &&
    line.times_ms.every((time) => time === null || typeof time === "number");
}

const token = (move) => (move === "swap-pieces" ? ":s" : move);

function readGame(line) {
  const { id, red, blue, reason, fault, times_ms: times } = line;
  // The last move shows who resigned or forfeited; a connection is visible on the board.
  const loser = line.winner === "red" ? "w" : "b";
  const ending = reason === "connection" ? "" : `:${reason === "resignation" ? "r" : "f"}${loser}`;
  const faultText = fault ? `${fault.kind ?? reason}${fault.detail ? `, ${fault.detail}` : ""}` : "";
  // Forced moves have no time.
  const own = times.findIndex((time) => time !== null);
  const moves = line.moves.map(token);
  const opening = moves.slice(0, own === -1 ? times.length : own).map(moveName).join(" ");
  return { id, red, blue, reason, fault: faultText, winner: line.winner === "red" ? red : blue, opening,
    moves: moves.join("") + ending, count: moves.length, times };
}

// The filters for games: lists of { name, test }. The first test accepts every game.
export function filters({ players, games }) {
  const all = (name) => ({ name, test: () => true });
  const player = players.flatMap((name, index) => [
    ...(players.length > 2 ? [{ name, test: ({ red, blue }) => red === index || blue === index }] : []),
    { name: `${name} as Red`, test: ({ red }) => red === index },
    { name: `${name} as Blue`, test: ({ blue }) => blue === index },
  ]);
  const result = [
    ...players.map((name, index) => ({ name: `won by ${name}`, test: ({ winner }) => winner === index })),
    { name: "Red won", test: ({ winner, red }) => winner === red },
    { name: "Blue won", test: ({ winner, blue }) => winner === blue },
  ];
  const opening = counted(games.map((game) => game.opening)).map((name) =>
    ({ name: name || "no forced moves", test: (game) => game.opening === name }));
  const end = counted(games.map(({ reason }) => reason)).map((name) => ({ name, test: ({ reason }) => reason === name }));
  const fault = { name: "any fault", test: (game) => game.fault !== "" };
  return { player: [all("all players"), ...player], result: [all("all results"), ...result],
    opening: [all("all openings"), ...opening], end: [all("all endings"), fault, ...end] };
}

// The most openings in the list.
const MOST = 200;

// Distinct texts, the most frequent first.
function counted(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST).map(([text]) => text);
}
