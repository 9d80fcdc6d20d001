// Games from elsewhere and to elsewhere as text: a field to paste links, SGF, moves or games of
// CodinGame, the link and the turn to copy.

import * as server from "./server.js";

const byId = (id) => document.getElementById(id);

// The longest link that is copied, in letters: programs that pass links on cut longer ones.
const MOST = 30_000;
// A link to a page like this one that holds variations.
const OWN = /#(\d\S*;tree=\S*)/;

// `open` gets a record as server.js reads it and shows it, `load` the part of a link behind the "#", `tell` what went
// wrong; `link()` is the game with its variations as such a part.
export function connect(open, load, link, tell) {
  byId("paste").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = byId("paste-text");
    if (field.value.trim() === "") return;
    try {
      const own = OWN.exec(field.value);
      if (own !== null) load(`#${own[1]}`);
      else {
        const record = await server.readRecord(withoutSettings(field.value));
        await open(record);
      }
      field.value = "";
    } catch (error) {
      tell(`What was pasted is no game: ${error.message}`);
    }
  });
  connectCopy("copy-link", () => {
    const address = new URL(link(), location.href).href;
    if (address.length <= MOST) return address;
    tell(`With all its variations the link would have ${address.length.toLocaleString("en")} letters, too many for most programs. It has the line that is shown; save the variations as SGF.`);
    return location.href;
  }, (text) => `the link is ${text}`, tell);
  connectCopy("copy-turn", () => byId("copy-turn").dataset.text, (text) => `the turn is ${text}`, tell);
}

// A button that copies what `text` returns; where that is forbidden, `told` says it.
function connectCopy(id, text, told, tell) {
  const button = byId(id);
  const label = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      tell(`The browser lets nothing be copied; ${told(text())}`);
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}

// What CodinGame's judge sends in the position that is shown.
export function showTurn(turnInput) {
  byId("copy-turn").dataset.text = turnInput;
}

// A link to a page like this one has settings behind the game.
export function withoutSettings(text) {
  const isJson = /^\s*[{[]/.test(text);
  const link = isJson ? null : /^\s*\S*#(\d[^;\s]*)/.exec(text);
  return link === null ? text : `#${link[1]}`;
}
