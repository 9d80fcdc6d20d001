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

  // Reads files, { name, text } each; `onMore` is called whenever some have come.
  async add(files, onMore) {
    for (let at = 0; at < files.length; at += AT_ONCE) {
      this.games.push(...await Promise.all(files.slice(at, at + AT_ONCE).map((file, index) => this.#read(file, at + index))));
      onMore();
    }
  }

  async #read({ name, text }, id) {
    const file = { id, name, text, opening: "", count: "", fault: "", reason: "not told" };
    try {
      const { game, players, result } = await server.readRecord(text);
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

// Those of some files that are games: the SGF files, if there are any, or games of CodinGame's site;
// of others one alone, or texts.
export function gamesAmong(files) {
  const ending = (pattern) => files.filter(({ name }) => pattern.test(name));
  const found = [files.length === 1 ? files : [], ending(/\.sgf$/i), ending(/\.json$/i), ending(/\.txt$/i)].find(({ length }) => length > 0) ?? [];
  return found.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

// The games of CodinGame's site in a file with one on each line; null if it is another file, such as
// the log of a match.
export function siteGames(name, text) {
  const lines = text.split("\n").map((line, index) => ({ name: `${name}, line ${index + 1}`, text: line }));
  const games = lines.filter((line) => line.text.trim() !== "");
  return /^\s*\{.*"(frames|outputs)"\s*:/.test(games[0]?.text ?? "") ? games : null;
}
