// Records opened in the page: the games of a match, those of some files, or one game. They come from
// the command line, from files or a folder that are dropped on the page, or through the buttons. A
// match that still runs is followed.

import { Files, gamesAmong, separate, siteGames } from "./files.js";
import * as folders from "./folders.js";
import { Follower, readMore } from "./follow.js";
import { VirtualList } from "./list.js";
import { filters, Match } from "./match.js";
import { forget, keep, kept, megabytes } from "./session.js";
import * as server from "./server.js";
import { showBoard, showTab } from "./tabs.js";
import * as zip from "./zip.js";

const byId = (id) => document.getElementById(id);
const LOG = "games.jsonl";
const STORED = "log";
const SNAPSHOT = "As it was when it was opened: this browser lets no page read it again. Give the folder to hex web to follow a match.";
const FILTERS = ["player", "result", "opening", "end"];
// Longer logs are not kept over a reload: the browser's storage for a tab is small.
const MOST_KEPT = 2_000_000;

export class Records {
  // A Match, or Files.
  #match = null;
  #filters = null;
  // The games that the filters let pass, and the one that is open.
  #shown = [];
  #opened = null;
  #follower = null;
  // Has somebody opened something since the page was loaded?
  #isUsed = false;
  #list;
  #open;
  #tell;
  #warn;

  // Has somebody left the game that was opened last, to look at something else?
  #isElsewhere;
  // The games that have come since one was opened by itself.
  #news = 0;

  // `open` gets a game to show, { game, names, remarks, result }; `tell` what went wrong, `warn` what has to be
  // read; `isElsewhere()` says whether somebody studies what a new game should not replace.
  constructor(open, { tell, warn }, isElsewhere) {
    this.#warn = warn;
    this.#isElsewhere = isElsewhere;
    this.#open = open;
    this.#tell = tell;
    this.#list = new VirtualList(document.querySelector("#records .rows"), byId("games"), (game) => this.#row(game));
    for (const name of FILTERS) byId(`filter-${name}`).addEventListener("change", () => {
      this.#choose();
      this.#list.reveal(0);
    });
    for (const [id, event] of [["newest", "change"], ["show-newest", "click"]]) {
      byId(id).addEventListener(event, () => this.#openNewest());
    }
    byId("game-before").addEventListener("click", () => this.step(-1));
    byId("game-next").addEventListener("click", () => this.step(1));
    for (const id of ["open-file", "open-folder"]) {
      byId(id).addEventListener("change", ({ target }) => {
        const files = folders.chosen(target.files);
        // So that the same file can be opened again.
        target.value = "";
        this.#try(() => this.#take(files));
      });
    }
    // Where the browser lets a folder be read again, it is asked for in that way.
    byId("open-folder").addEventListener("click", (event) => {
      if (!folders.canPick()) return;
      event.preventDefault();
      this.#try(async () => {
        const files = await folders.picked();
        if (files !== null) await this.#take(files);
      });
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      const { dataTransfer } = event;
      const files = dataTransfer.types.includes("Files") ? folders.dropped(dataTransfer.items) : null;
      const text = dataTransfer.getData("text");
      this.#try(async () => {
        if (files !== null) await this.#take(await files);
        else if (text) await this.#openText("what was dropped", text);
      });
    });
  }

  // Shows what the command line names, or what was open before a reload.
  async start(isNewTab) {
    await this.#try(async () => {
      const named = await server.opened();
      if (this.#isUsed) return;
      if (named !== null) {
        await this.#openNamed(named, isNewTab);
      } else if (kept(STORED) !== null) {
        const { title, text, files } = kept(STORED);
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
      this.#tell(error.message);
    }
  }

  // Opens the log of a match among the files, else all games.
  async #take(handed) {
    this.#isUsed = true;
    const files = await outOfZips(handed);
    const logs = files.filter(({ name }) => name.endsWith(folders.LOG));
    const lines = [];
    for (const log of logs) {
      const text = await textOf(log);
      const games = siteGames(log.name, text);
      if (games === null) return this.#takeLog(log, text);
      lines.push(...games);
    }
    const games = gamesAmong(files).filter((file) => !logs.includes(file));
    if (games.length === 1 && lines.length === 0) await this.#openOnly(games[0]);
    else if (games.length + lines.length > 0) await this.#takeGames(files[0].folder ?? logs[0]?.name ?? "Files", [...await read(games), ...lines]);
    else throw new Error(files.length === 0 ? "There is no game in it." :
      `None of these ${files.length} files is a game (.sgf, .json, .txt) or the log of a match (${LOG}).`);
  }

  async #openOnly(file) {
    const [{ name, text, fault }] = await read([file]);
    if (fault) throw new Error(`${name}: ${fault}`);
    await this.#openText(name, text);
  }

  // Lists games, { name, text } each, and opens the first one that is a game.
  async #takeGames(title, files) {
    this.#keep({ title, files }, files.reduce((sum, { text }) => sum + text.length, 0));
    showTab("games");
    await this.#showFiles(title, files);
    this.#openFirst();
  }

  // Opens the first file that is a game.
  #openFirst() {
    return this.#openGame(this.#match.games.find(({ fault }) => fault === ""));
  }

  #takeLog({ name, folder, read, isLive }, text) {
    const title = folder || name;
    this.#show(title, text);
    const end = new TextEncoder().encode(text.slice(0, text.lastIndexOf("\n") + 1)).length;
    if (isLive) this.#follow((from) => readMore(read, from), end);
    else byId("records-note").textContent = SNAPSHOT;
    this.#keep({ title, text }, text.length);
    showTab("games");
    this.#openGame(this.#match.games[0]);
  }

  // Keeps what was opened over a reload, if it is not too long.
  #keep(opened, length) {
    if (length <= MOST_KEPT && keep(STORED, opened)) return;
    forget(STORED);
    this.#warn(`These games (${megabytes(length)}) are too large to be kept over a reload of the page (at most ${megabytes(MOST_KEPT)}); the folder of a match given to hex web is.`);
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

  // Shows a record as the server has read it; of one with several games a list.
  async openRecord(name, record) {
    if (record.games) return this.#takeGames(name, separate(name, record.games));
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
    await read.add(files, () => this.#match === read && this.#tally());
  }

  #begin(match) {
    this.#follower?.stop();
    this.#match = match;
    this.#opened = null;
    byId("records").hidden = false;
    byId("records").classList.toggle("files", match instanceof Files);
    byId("records-note").textContent = "";
    this.#tally();
  }

  // --- A match that runs.

  #follow(read, at) {
    this.#follower = new Follower(read, (text, isWhole) => this.#try(() => this.#grow(text, isWhole)), at);
  }

  #grow(text, isWhole) {
    if (isWhole) this.#match = new Match(this.#match.title);
    const count = this.#match.add(text);
    if (count === 0) return;
    this.#news += count;
    this.#tally();
    if (!byId("newest").checked) return;
    // Nobody is taken away from what they study.
    if (!this.#isElsewhere()) this.#openNewest();
    else this.#offerNews();
  }

  #openNewest() {
    if (byId("newest").checked) this.#openGame(this.#shown.at(-1));
  }

  #offerNews() {
    byId("show-newest").hidden = this.#news === 0;
    byId("show-newest").textContent = `Show the newest (${this.#news} more)`;
  }

  // --- The list.

  // Counts the games anew and offers what they can be filtered by, with the choices that were made.
  #tally() {
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
    this.#choose();
  }

  #choose() {
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
    this.#news = 0;
    this.#offerNews();
    this.#list.reveal(this.#shown.indexOf(game));
    return this.#try(async () => {
      const record = await this.#match.record(game);
      // Somebody may have gone on meanwhile.
      if (this.#opened === game) this.#open(record);
    });
  }
}

const textOf = async ({ read }) => (await read()).text();

// The texts of files, { name, text } each, or { name, fault }: one after the other, as they may be many.
async function read(files) {
  const found = [];
  for (const file of files) {
    const { name } = file;
    found.push(await textOf(file).then((text) => ({ name, text }), ({ message: fault }) => ({ name, fault, text: "" })));
  }
  return found;
}

// The files, and those in zips in the place of these.
async function outOfZips(files) {
  const isZip = ({ name }) => name.toLowerCase().endsWith(".zip");
  const parts = await Promise.all(files.map(async (file) => (isZip(file) ? zip.entries(await file.read()) : [file])));
  return parts.flat();
}
