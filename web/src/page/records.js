// Opened records: the games of a match, those of some files, or one game. They come from the
// command line, from dropped files and folders, or from the buttons. The log of a running match is
// followed.

import { byId, megabytes } from "./dom.js";
import { Files, gameFiles, splitGames, codingameGames } from "./files.js";
import * as folders from "./folders.js";
import { Follower, readMore } from "./follow.js";
import { isTyping } from "./keys.js";
import { VirtualList } from "./list.js";
import { filters, Match } from "./match.js";
import { loadItem, removeItem, storeItem } from "./session.js";
import * as server from "./server.js";
import { showBoard, showTab } from "./tabs.js";
import * as zip from "./zip.js";

const LOG = "games.jsonl";
const STORED = "log";
const SNAPSHOT = "A snapshot: this browser cannot read the file again. To follow a running match, pass its folder to hex web.";
const FILTERS = ["player", "result", "opening", "end"];
// Longer logs are not stored for a reload: the tab's storage is small.
const MOST_STORED = 2_000_000;

export class Records {
  // A Match or Files.
  #match = null;
  #filters = null;
  // The filtered games, and the open one.
  #shown = [];
  #opened = null;
  #follower = null;
  // Whether the user has opened something since the page was loaded.
  #isUsed = false;
  #list;
  #open;
  #showProblem;
  #showWarning;

  #isStudying;
  // The number of games that have arrived since one was opened automatically.
  #newGames = 0;

  // `open(record)` shows a game, { game, names, remarks, result }. `isStudying()` is true if a new
  // game must not replace the shown one.
  constructor(open, { showProblem, showWarning }, isStudying) {
    this.#showWarning = showWarning;
    this.#isStudying = isStudying;
    this.#open = open;
    this.#showProblem = showProblem;
    this.#list = new VirtualList(document.querySelector("#records .rows"), byId("games"), (game) => this.#row(game));
    for (const name of FILTERS) byId(`filter-${name}`).addEventListener("change", () => {
      this.#applyFilters();
      this.#list.reveal(0);
    });
    for (const [id, event] of [["newest", "change"], ["show-newest", "click"]]) {
      byId(id).addEventListener(event, () => this.#openNewest());
    }
    byId("game-before").addEventListener("click", () => this.step(-1));
    byId("game-next").addEventListener("click", () => this.step(1));
    for (const id of ["open-file", "open-folder"]) {
      byId(id).addEventListener("change", ({ target }) => {
        const files = folders.fromInput(target.files);
        // Lets the user open the same file again.
        target.value = "";
        this.#try(() => this.#openFiles(files));
      });
    }
    // Prefers the dialog whose folder can be read repeatedly.
    byId("open-folder").addEventListener("click", (event) => {
      if (!folders.canPick()) return;
      event.preventDefault();
      this.#try(async () => {
        const files = await folders.pickFolder();
        if (files !== null) await this.#openFiles(files);
      });
    });
    // Text that is dragged into a field stays text.
    const isForField = ({ target, dataTransfer }) => isTyping(target) && !dataTransfer.types.includes("Files");
    document.addEventListener("dragover", (event) => isForField(event) || event.preventDefault());
    document.addEventListener("drop", (event) => {
      if (isForField(event)) return;
      event.preventDefault();
      const { dataTransfer } = event;
      const files = dataTransfer.types.includes("Files") ? folders.fromDrop(dataTransfer.items) : null;
      const text = dataTransfer.getData("text");
      this.#try(async () => {
        if (files !== null) await this.#openFiles(await files);
        else if (text) await this.#openText("dropped text", text);
      });
    });
  }

  // Shows the record from the command line, or what was open before a reload.
  async start(isNewTab) {
    await this.#try(async () => {
      const named = await server.opened();
      if (this.#isUsed) return;
      if (named !== null) {
        await this.#openNamed(named, isNewTab);
      } else if (loadItem(STORED) !== null) {
        const { title, text, files } = loadItem(STORED);
        if (files === undefined) this.#show(title, text);
        else await this.#showFiles(title, files);
      }
    });
  }

  // Opens the game `count` places further in the list.
  step(count) {
    const at = this.#shown.findIndex((game) => game === this.#opened);
    const next = this.#shown[at === -1 ? 0 : at + count];
    if (next !== undefined) this.#openGame(next);
  }

  async #openNamed({ title, name, text, to, files }, isNewTab) {
    if (files.length > 0) {
      await this.#showFiles(title, files);
      if (!isNewTab) return;
      showTab("games");
      this.#openFirst();
      return;
    }
    if (name === LOG) {
      this.#show(title, text);
      this.#follow(server.opened, to);
    }
    if (!isNewTab) return;
    showTab("games");
    if (name === LOG) this.#openGame(this.#match.games[0]);
    else await this.#openText(name, text);
  }

  async #try(action) {
    try {
      await action();
    } catch (error) {
      this.#showProblem(error.message);
    }
  }

  // Opens the log of a match among the files, else all games.
  async #openFiles(given) {
    this.#isUsed = true;
    const files = await outOfZips(given);
    const logs = files.filter(({ name }) => name.endsWith(folders.LOG));
    const lines = [];
    for (const log of logs) {
      const text = await textOf(log);
      const games = codingameGames(log.name, text);
      if (games === null) return this.#openLog(log, text);
      lines.push(...games);
    }
    const games = gameFiles(files).filter((file) => !logs.includes(file));
    if (games.length === 1 && lines.length === 0) await this.#openOnly(games[0]);
    else if (games.length + lines.length > 0) await this.#listGames(files[0].folder ?? logs[0]?.name ?? "Files", [...await read(games), ...lines]);
    else throw new Error(files.length === 0 ? "There are no games in it." :
      `${files.length === 1 ? `${files[0].name} is not` : `None of these ${files.length} files is`} a game (.sgf, .json, .txt) or the log of a match (${LOG}).`);
  }

  async #openOnly(file) {
    const [{ name, text, fault }] = await read([file]);
    if (fault) throw new Error(`${name}: ${fault}`);
    await this.#openText(name, text);
  }

  // Lists games, { name, text } each, and opens the first valid one.
  async #listGames(title, files) {
    this.#storeItem({ title, files }, files.reduce((sum, { text }) => sum + text.length, 0));
    showTab("games");
    await this.#showFiles(title, files);
    this.#openFirst();
  }

  // Opens the first valid game.
  #openFirst() {
    return this.#openGame(this.#match.games.find(({ fault }) => fault === ""));
  }

  #openLog({ name, folder, read, isLive }, text) {
    const title = folder || name;
    this.#show(title, text);
    const end = new TextEncoder().encode(text.slice(0, text.lastIndexOf("\n") + 1)).length;
    if (isLive) this.#follow((from) => readMore(read, from), end);
    else byId("records-note").textContent = SNAPSHOT;
    this.#storeItem({ title, text }, text.length);
    showTab("games");
    this.#openGame(this.#match.games[0]);
  }

  // Stores what was opened for a reload, if it is not too long.
  #storeItem(opened, length) {
    if (length <= MOST_STORED && storeItem(STORED, opened)) return;
    removeItem(STORED);
    this.#showWarning(`These games (${megabytes(length)}) are too large to survive a reload of the page; the limit is ${megabytes(MOST_STORED)}. A folder passed to hex web has no limit.`);
  }

  async #openText(name, text) {
    let record;
    try {
      record = await server.readRecord(text);
    } catch (error) {
      throw new Error(`${name}: ${error.message}`);
    }
    await this.openRecord(name, record);
  }

  // Shows a record that the server has read; a list if it has several games.
  async openRecord(name, record) {
    if (record.games) return this.#listGames(name, splitGames(name, record.games));
    this.#opened = null;
    this.#open({ ...record, names: record.players });
    showBoard();
  }

  #show(title, text) {
    const match = new Match(title);
    match.add(text);
    this.#begin(match);
    performance.mark("games-shown");
  }

  async #showFiles(title, files) {
    const read = new Files(title);
    this.#begin(read);
    await read.add(files, () => this.#match === read && this.#summarize());
  }

  #begin(match) {
    this.#follower?.stop();
    this.#match = match;
    this.#opened = null;
    byId("records").hidden = false;
    byId("records").classList.toggle("files", match instanceof Files);
    byId("records-note").textContent = "";
    this.#summarize();
  }

  // --- A running match.

  #follow(read, at) {
    this.#follower = new Follower(read, (text, isWhole) => this.#try(() => this.#addGames(text, isWhole)), at);
  }

  #addGames(text, isWhole) {
    if (isWhole) this.#match = new Match(this.#match.title);
    const count = this.#match.add(text);
    if (count === 0) return;
    this.#newGames += count;
    this.#summarize();
    if (!byId("newest").checked) return;
    // A new game does not interrupt a study.
    if (!this.#isStudying()) this.#openNewest();
    else this.#offerNewGames();
  }

  #openNewest() {
    if (byId("newest").checked) this.#openGame(this.#shown.at(-1));
  }

  #offerNewGames() {
    byId("show-newest").hidden = this.#newGames === 0;
    byId("show-newest").textContent = `Show the newest (${this.#newGames} more)`;
  }

  // --- The list.

  // Updates the counts and the filters; keeps the chosen filters.
  #summarize() {
    const { title, games, players, wins } = this.#match;
    byId("records-name").textContent = `${title}: ${games.length.toLocaleString("en")} games`;
    const share = (won) => (games.length === 0 ? "" : ` (${Math.round((100 * won) / games.length)} %)`);
    byId("records-score").textContent = wins.map((won, index) => `${players[index]} ${won}${share(won)}`).join(" · ");
    this.#filters = filters(this.#match);
    for (const name of FILTERS) {
      const field = byId(`filter-${name}`);
      const chosen = field.value;
      const names = this.#filters[name].map((filter) => filter.name);
      field.replaceChildren(...names.map((text) => new Option(text)));
      if (names.includes(chosen)) field.value = chosen;
    }
    this.#applyFilters();
  }

  #applyFilters() {
    const tests = FILTERS.map((name) => this.#filters[name][byId(`filter-${name}`).selectedIndex].test);
    this.#shown = this.#match.games.filter((game) => tests.every((test) => test(game)));
    const { length } = this.#match.games;
    byId("records-shown").textContent = this.#shown.length === length ? "" : `${this.#shown.length.toLocaleString("en")} shown`;
    this.#list.show(this.#shown);
  }

  #row(game) {
    const row = document.createElement("tr");
    const button = document.createElement("button");
    button.textContent = button.title = game.name ?? game.id + 1;
    button.setAttribute("aria-label", `Open ${game.name ?? `game ${game.id + 1}`}`);
    row.insertCell().append(button);
    for (const player of [game.red, game.blue]) {
      const cell = row.insertCell();
      cell.textContent = cell.title = this.#match.players[player] ?? "";
      if (player !== undefined && player === game.winner) cell.className = "won";
    }
    row.insertCell().textContent = game.count;
    const end = row.insertCell();
    end.textContent = end.title = game.fault || game.reason;
    if (game === this.#opened) row.setAttribute("aria-current", "true");
    row.addEventListener("click", () => {
      this.#openGame(game);
      showBoard();
    });
    return row;
  }

  #openGame(game) {
    if (game === undefined) return;
    this.#opened = game;
    this.#newGames = 0;
    this.#offerNewGames();
    this.#list.reveal(this.#shown.indexOf(game));
    return this.#try(async () => {
      const record = await this.#match.record(game);
      // The user may have opened another game meanwhile.
      if (this.#opened === game) this.#open(record);
    });
  }
}

const textOf = async ({ read }) => (await read()).text();

// The texts of files, { name, text } or { name, fault } each. One after the other, as there may be
// many.
async function read(files) {
  const found = [];
  for (const file of files) {
    const { name } = file;
    found.push(await textOf(file).then((text) => ({ name, text }), ({ message: fault }) => ({ name, fault, text: "" })));
  }
  return found;
}

// The files, with zip files replaced by their contents.
async function outOfZips(files) {
  const isZip = ({ name }) => name.toLowerCase().endsWith(".zip");
  const parts = await Promise.all(files.map(async (file) => (isZip(file) ? zip.entries(await file.read()) : [file])));
  return parts.flat();
}
