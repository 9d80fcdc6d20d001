// Game records that were opened together, without the log of a match. Has the same interface as
// `Match`.

import { parseGame } from "./notation.js";
import * as server from "./server.js";

// The number of records that are read in parallel.
const AT_ONCE = 8;
const UNKNOWN = "unknown";

export class Files {
  title;
  // The players' names; games refer to players by index.
  players = [];
  // { id, name, text, red, blue, winner, reason, fault, opening, count } each. If a file is not a
  // game, `fault` is the reason, and there are no players.
  games = [];

  constructor(title) {
    this.title = title;
  }

  // Reads files, { name, text } each, or { name, fault } if there is no text. Calls `onMore()`
  // after each batch.
  async add(files, onMore) {
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const read = await Promise.all(files.slice(at, at + AT_ONCE).map((file) => this.#read(file)));
      for (const game of read.flat()) this.games.push({ ...game, id: this.games.length });
      onMore();
    }
  }

  // The games in a file.
  async #read({ name, text, fault = null }) {
    const file = { name, text, opening: "", count: "", fault: "", reason: "unknown" };
    try {
      if (fault !== null) throw new Error(fault);
      const { game, players, result, games = [] } = await server.readRecord(text);
      if (games.length > 1) return (await Promise.all(splitGames(name, games).map((each) => this.#read(each)))).flat();
      const { setup, moves } = parseGame(game);
      const [red, blue] = players.map((player) => this.#player(player || UNKNOWN));
      const winner = result && (result.startsWith("Red") ? red : blue);
      const count = moves.filter((move) => !/^:[rf]/.test(move)).length;
      return { ...file, red, blue, winner, count, reason: result ?? file.reason, opening: setup === "" ? moves[0] ?? "" : "set up" };
    } catch (error) {
      return { ...file, reason: "not a game", fault: error.message };
    }
  }

  #player(name) {
    const known = this.players.indexOf(name);
    return known === -1 ? this.players.push(name) - 1 : known;
  }

  // Empty: wins of some players against many others would mean little.
  get wins() {
    return [];
  }

  // A game as a record for `Session.open`.
  async record({ name, text, fault }) {
    if (fault !== "") throw new Error(`${name}: ${fault}`);
    const record = await server.readRecord(text);
    return { ...record, names: record.players, title: name };
  }
}

// The games of a file with several, as files of their own.
export const splitGames = (name, texts) => texts.map((text, index) => ({ name: `${name}, game ${index + 1}`, text }));

// Selects the files that are games, sorted by name. A single file may have any name.
export function gameFiles(files) {
  const found = files.length === 1 ? files : files.filter(({ name }) => /\.(sgf|json|txt|zip)$/i.test(name));
  return found.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

// The games of CodinGame's site in a file with one per line; null for other files, such as the log
// of a match.
export function codingameGames(name, text) {
  const lines = text.split("\n").map((line, index) => ({ name: `${name}, line ${index + 1}`, text: line }));
  const games = lines.filter((line) => line.text.trim() !== "");
  return /^\s*\{.*"(frames|outputs)"\s*:/.test(games[0]?.text ?? "") ? games : null;
}
