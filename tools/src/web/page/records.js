// Records opened in the page: the games of a match, or one game. They come from the command line,
// from a file or folder that is dropped on the page, or through the buttons.

import { keep, kept } from "./session.js";
import * as server from "./server.js";

const byId = (id) => document.getElementById(id);
const LOG = "games.jsonl";
// The version of the log that is understood.
const FORMAT = 1;
const STORED = "match";

export class Records {
  #match = null;
  #open;
  #tell;

  // `open` gets a game to show, { game, names, remarks, result }; `tell` what went wrong.
  constructor(open, tell) {
    this.#open = open;
    this.#tell = tell;
    byId("filter").addEventListener("change", () => this.#list());
    for (const id of ["open-file", "open-folder"]) {
      byId(id).addEventListener("change", ({ target }) => {
        const files = [...target.files];
        // So that the same file can be opened again.
        target.value = "";
        this.#try(() => this.#take(files));
      });
    }
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
      const text = event.dataTransfer.getData("text");
      this.#try(async () => {
        if (entries.length === 0 && text) await this.#openText("what was dropped", text);
        else await this.#take(await filesOf(entries));
      });
    });
  }

  // Shows what the command line names, or what was open before a reload.
  async start(isNewTab) {
    await this.#try(async () => {
      const named = await server.opened();
      if (named !== null) await this.#openNamed(named, isNewTab);
      else if (kept(STORED) !== null) this.#show(kept(STORED));
    });
  }

  async #openNamed({ title, name, text }, isNewTab) {
    if (name === LOG) this.#show(readMatch(title, text));
    if (!isNewTab) return;
    if (name === LOG) this.#openGame(this.#match.games[0]);
    else await this.#openText(name, text);
  }

  async #try(action) {
    try {
      await action();
    } catch (error) {
      this.#tell(error.message);
    }
  }

  // Opens the log of a match among the files, else the only record.
  async #take(files) {
    const log = files.find((file) => file.name.endsWith(".jsonl"));
    if (log !== undefined) {
      const folder = log.webkitRelativePath?.split("/").at(-2) || log.folder || log.name;
      this.#show(readMatch(folder, await log.text()));
      if (!keep(STORED, this.#match)) this.#tell("This match is too long to be kept over a reload of the page.");
      this.#openGame(this.#match.games[0]);
    } else if (files.length === 1) {
      await this.#openText(files[0].name, await files[0].text());
    } else {
      throw new Error(files.length === 0 ? "There is no file in it." :
        `None of these ${files.length} files is the log of a match, ${LOG}; drop its folder, or one game.`);
    }
  }

  async #openText(name, text) {
    let record;
    try {
      record = await server.readRecord(text);
    } catch (error) {
      throw new Error(`${name}: ${error.message}`);
    }
    this.#open({ ...record, names: record.players });
  }

  #show(match) {
    this.#match = match;
    byId("records").hidden = false;
    byId("records-name").textContent = `${match.title}: ${match.games.length} games`;
    const names = ["all games", ...match.players.map((player) => `won by ${player}`), "lost by fault"];
    byId("filter").replaceChildren(...names.map((name) => new Option(name)));
    this.#list();
  }

  #list() {
    const { players, games } = this.#match;
    const chosen = byId("filter").selectedIndex;
    const isShown = (game) => {
      if (chosen === 0) return true;
      return chosen > players.length ? game.fault !== "" : game.winner === chosen - 1;
    };
    byId("games").replaceChildren(...games.filter(isShown).map((game) => this.#row(game)));
  }

  #row(game) {
    const row = document.createElement("tr");
    const button = document.createElement("button");
    button.textContent = game.id + 1;
    button.setAttribute("aria-label", `Open game ${game.id + 1}`);
    row.insertCell().append(button);
    for (const player of [game.red, game.blue]) {
      const cell = row.insertCell();
      cell.textContent = this.#match.players[player];
      if (player === game.winner) cell.className = "won";
    }
    row.insertCell().textContent = game.times.length;
    row.insertCell().textContent = game.reason;
    row.addEventListener("click", () => this.#openGame(game));
    return row;
  }

  #openGame(game) {
    if (game === undefined) return;
    const { players, side } = this.#match;
    const names = [players[game.red], players[game.blue]];
    const remarks = game.times.map((time) => (time === null ? "forced" : `${time.toFixed(1)} ms`));
    const result = `${players[game.winner]} won: ${game.fault || game.reason}`;
    this.#open({ game: `${side},${game.moves}`, names, remarks, result, title: `Game ${game.id + 1}` });
  }
}

// Reads a log: a line with the players, then a line a game. The last may be torn, when the match
// goes on.
function readMatch(title, text) {
  const lines = text.split("\n");
  lines.pop();
  const parse = (line, index) => {
    try {
      return JSON.parse(line);
    } catch {
      throw new Error(`${title}, line ${index + 1}: not a line of a match's log`);
    }
  };
  const [header, ...games] = lines.map(parse);
  if (header?.format !== FORMAT || !Array.isArray(header.players)) {
    throw new Error(`${title}: not a match's log of format ${FORMAT}`);
  }
  const players = header.players.map((player) => player?.name);
  const isSound = (line) => [line?.red, line?.blue].every((player) => players[player] !== undefined) &&
    Number.isInteger(line.id) && Array.isArray(line.moves) && line.moves.length === line.times_ms?.length &&
    line.moves.every((move) => typeof move === "string") &&
    line.times_ms.every((time) => time === null || typeof time === "number");
  games.forEach((line, index) => {
    if (!isSound(line)) throw new Error(`${title}, line ${index + 2}: the line of a game is damaged`);
  });
  return { title, side: header.side, players, games: games.map(readGame) };
}

function readGame(line) {
  const { id, red, blue, reason, fault } = line;
  const moves = line.moves.map((move) => (move === "swap-pieces" ? ":s" : move)).join("");
  // Who has resigned or lost by a fault is told by the last move; a connection is seen on the
  // board.
  const loser = line.winner === "red" ? "w" : "b";
  const ending = reason === "connection" ? "" : `:${reason === "resignation" ? "r" : "f"}${loser}`;
  const said = fault ? `${fault.kind ?? reason}${fault.detail ? `, ${fault.detail}` : ""}` : "";
  return { id, red, blue, reason, fault: said, winner: line.winner === "red" ? red : blue,
    moves: moves + ending, times: line.times_ms };
}

// All files below dropped entries; each knows the folder that it was in.
async function filesOf(entries) {
  const files = [];
  for (const entry of entries) {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      file.folder = entry.fullPath.split("/").at(-2);
      files.push(file);
    } else {
      const reader = entry.createReader();
      // The browser gives a folder's entries in parts; the last part is empty.
      for (;;) {
        const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (part.length === 0) break;
        // A match keeps a folder of SGF files beside its log.
        files.push(...(await filesOf(part.filter((inner) => inner.isFile))));
      }
    }
  }
  return files;
}
