// Records opened in the page: the games of a match, or one game. They come from the command line,
// from a file or folder that is dropped on the page, or through the buttons. A match that still runs
// is followed.

import { Follower, readEntry } from "./follow.js";
import { VirtualList } from "./list.js";
import { filters, Match } from "./match.js";
import { keep, kept } from "./session.js";
import * as server from "./server.js";
import { showTab } from "./tabs.js";

const byId = (id) => document.getElementById(id);
const LOG = "games.jsonl";
const STORED = "log";
const FILTERS = ["player", "result", "opening", "end"];
// Longer logs are not kept over a reload: the browser's storage for a tab is small.
const MOST_KEPT = 2_000_000;

export class Records {
  #match = null;
  #filters = null;
  // The games that the filters let pass, and the one that is open.
  #shown = [];
  #opened = null;
  #follower = null;
  #list;
  #open;
  #tell;

  // `open` gets a game to show, { game, names, remarks, result }; `tell` what went wrong.
  constructor(open, tell) {
    this.#open = open;
    this.#tell = tell;
    this.#list = new VirtualList(document.querySelector("#records .rows"), byId("games"), (game) => this.#row(game));
    for (const name of FILTERS) byId(`filter-${name}`).addEventListener("change", () => {
      this.#choose();
      this.#list.reveal(0);
    });
    byId("newest").addEventListener("change", () => this.#openNewest());
    byId("game-before").addEventListener("click", () => this.step(-1));
    byId("game-next").addEventListener("click", () => this.step(1));
    for (const id of ["open-file", "open-folder"]) {
      byId(id).addEventListener("change", ({ target }) => {
        const files = [...target.files].map((file) => ({ file, folder: file.webkitRelativePath?.split("/").at(-2) }));
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
      if (named !== null) {
        await this.#openNamed(named, isNewTab);
      } else if (kept(STORED) !== null) {
        const { title, text } = kept(STORED);
        this.#show(title, text);
      }
    });
  }

  // Opens the game `count` places further in the list.
  step(count) {
    const at = this.#shown.findIndex((game) => game === this.#opened);
    const next = this.#shown[at === -1 ? 0 : at + count];
    if (next !== undefined) this.#openGame(next);
  }

  async #openNamed({ title, name, text, to }, isNewTab) {
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

  // Opens the log of a match among the files, else the only record.
  async #take(files) {
    const log = files.find(({ file }) => file.name.endsWith(".jsonl"));
    if (log !== undefined) {
      const text = await log.file.text();
      const title = log.folder || log.file.name;
      this.#show(title, text);
      const end = new TextEncoder().encode(text.slice(0, text.lastIndexOf("\n") + 1)).length;
      if (log.entry !== undefined) this.#follow((from) => readEntry(log.entry, from), end);
      if (text.length > MOST_KEPT || !keep(STORED, { title, text })) {
        sessionStorage.removeItem(STORED);
        this.#tell("This match is too long to be kept over a reload of the page; its folder given to hex web is.");
      }
      showTab("games");
      this.#openGame(this.#match.games[0]);
    } else if (files.length === 1) {
      await this.#openText(files[0].file.name, await files[0].file.text());
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
    this.#opened = null;
    this.#open({ ...record, names: record.players });
  }

  #show(title, text) {
    const match = new Match(title);
    match.add(text);
    this.#follower?.stop();
    this.#match = match;
    byId("records").hidden = false;
    this.#tally();
    performance.mark("games-shown");
  }

  // --- A match that runs.

  #follow(read, at) {
    this.#follower = new Follower(read, (text, isWhole) => this.#try(() => this.#grow(text, isWhole)), at);
  }

  #grow(text, isWhole) {
    if (isWhole) this.#match = new Match(this.#match.title);
    if (this.#match.add(text) === 0) return;
    this.#tally();
    this.#openNewest();
  }

  #openNewest() {
    if (byId("newest").checked) this.#openGame(this.#shown.at(-1));
  }

  // --- The list.

  // Counts the games anew and offers what they can be filtered by, with the choices that were made.
  #tally() {
    const { title, games, players, wins } = this.#match;
    byId("records-name").textContent = `${title}: ${games.length.toLocaleString("en")} games`;
    const share = (won) => (games.length === 0 ? "" : ` (${Math.round((100 * won) / games.length)} %)`);
    byId("records-score").textContent = players.map((name, index) => `${name} ${wins[index]}${share(wins[index])}`).join(" · ");
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
    button.textContent = game.id + 1;
    button.setAttribute("aria-label", `Open game ${game.id + 1}`);
    row.insertCell().append(button);
    for (const player of [game.red, game.blue]) {
      const cell = row.insertCell();
      cell.textContent = cell.title = this.#match.players[player];
      if (player === game.winner) cell.className = "won";
    }
    row.insertCell().textContent = game.count;
    const end = row.insertCell();
    end.textContent = end.title = game.fault || game.reason;
    if (game === this.#opened) row.setAttribute("aria-current", "true");
    row.addEventListener("click", () => this.#openGame(game));
    return row;
  }

  #openGame(game) {
    if (game === undefined) return;
    this.#opened = game;
    this.#list.reveal(this.#shown.indexOf(game));
    this.#open(this.#match.record(game));
  }
}

// All files below dropped entries, { file, folder, entry }: each knows the folder that it was in.
async function filesOf(entries) {
  const files = [];
  for (const entry of entries) {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      files.push({ file, folder: entry.fullPath.split("/").at(-2), entry });
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
