// Records of games that were opened together, without the log of a match: a list like that of one.

import { parseGame } from "./notation.js";
import * as server from "./server.js";

// So many are read at once.
const AT_ONCE = 8;
const UNKNOWN = "unknown";

export class Files {
  title;
  // The players' names; games name players by their places in it.
  players = [];
  // { id, name, text, red, blue, winner, reason, fault, opening, count } each; of a file that is no
  // game `fault` says why, and there are no players.
  games = [];

  constructor(title) {
    this.title = title;
  }

  // Reads files, { name, text } each, or with the `fault` for which there is no text; `onMore` is called whenever some have come.
  async add(files, onMore) {
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const read = await Promise.all(files.slice(at, at + AT_ONCE).map((file) => this.#read(file)));
      for (const game of read.flat()) this.games.push({ ...game, id: this.games.length });
      onMore();
    }
  }

  // The games of a file.
  async #read({ name, text, fault = null }) {
    const file = { name, text, opening: "", count: "", fault: "", reason: "not told" };
    try {
      if (fault !== null) throw new Error(fault);
      const { game, players, result, games = [] } = await server.readRecord(text);
      if (games.length > 1) return (await Promise.all(separate(name, games).map((each) => this.#read(each)))).flat();
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

  // A tally of some players against all the others would say little.
  get wins() {
    return [];
  }

  // A game as a record to open.
  async record({ name, text, fault }) {
    if (fault !== "") throw new Error(`${name}: ${fault}`);
    const record = await server.readRecord(text);
    return { ...record, names: record.players, title: name };
  }
}

// The games of a file that has several, as files of their own.
export const separate = (name, texts) => texts.map((text, index) => ({ name: `${name}, game ${index + 1}`, text }));

// Those of some files that are games, by name; one alone may be called as it likes.
export function gamesAmong(files) {
  const found = files.length === 1 ? files : files.filter(({ name }) => /\.(sgf|json|txt|zip)$/i.test(name));
  return found.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

// The games of CodinGame's site in a file with one on each line; null if it is another file, such as
// the log of a match.
export function siteGames(name, text) {
  const lines = text.split("\n").map((line, index) => ({ name: `${name}, line ${index + 1}`, text: line }));
  const games = lines.filter((line) => line.text.trim() !== "");
  return /^\s*\{.*"(frames|outputs)"\s*:/.test(games[0]?.text ?? "") ? games : null;
}
