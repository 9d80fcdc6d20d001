// Sharing as text: a field to paste links, SGF, moves or games of CodinGame; buttons to copy the
// link and the turn.

import { byId } from "./dom.js";
import * as server from "./server.js";

// The most characters of a copied link: other programs truncate longer ones.
const MOST_CHARACTERS = 30_000;
// A link to this page with variations.
const LINK_WITH_TREE = /#(\d\S*;tree=\S*)/;

// `open(record)` shows a record that the server has read, `load(hash)` a link to this page;
// `link()` is the current game with its variations.
export function connect(open, load, link, showProblem) {
  byId("paste").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = byId("paste-text");
    if (field.value.trim() === "") return;
    try {
      const link = LINK_WITH_TREE.exec(field.value);
      if (link !== null) load(`#${link[1]}`);
      else {
        const record = await server.readRecord(withoutSettings(field.value));
        await open(record);
      }
      field.value = "";
    } catch (error) {
      showProblem(`The pasted text is not a game: ${error.message}`);
    }
  });
  connectCopy("copy-link", () => {
    const address = new URL(link(), location.href).href;
    if (address.length <= MOST_CHARACTERS) return address;
    showProblem(`With all variations the link would have ${address.length.toLocaleString("en")} characters, too many for most programs. It contains the shown line only; save the variations as SGF.`);
    return location.href;
  }, (text) => `the link is ${text}`, showProblem);
  connectCopy("copy-turn", () => byId("copy-turn").dataset.text, (text) => `the turn is ${text}`, showProblem);
}

// A button that copies `text()`; `described(text)` names it if copying is not allowed.
function connectCopy(id, text, described, showProblem) {
  const button = byId(id);
  const label = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      showProblem(`The browser does not allow copying; ${described(text())}`);
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}

// Sets the turn input of the shown position, as CodinGame's judge sends it.
export function showTurn(turnInput) {
  byId("copy-turn").dataset.text = turnInput;
}

// Removes the settings from a link to this page.
export function withoutSettings(text) {
  const isJson = /^\s*[{[]/.test(text);
  const link = isJson ? null : /^\s*\S*#(\d[^;\s]*)/.exec(text);
  return link === null ? text : `#${link[1]}`;
}
