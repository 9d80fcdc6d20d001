// Games from elsewhere and to elsewhere as text: a field to paste links, SGF or moves, the link to
// copy.

import * as server from "./server.js";

const byId = (id) => document.getElementById(id);

// `open` gets a record as server.js reads it, `tell` what went wrong.
export function connect(open, tell) {
  byId("paste").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = byId("paste-text");
    if (field.value.trim() === "") return;
    try {
      const record = await server.readRecord(withoutSettings(field.value));
      open({ ...record, names: record.players });
      field.value = "";
    } catch (error) {
      tell(`What was pasted is no game: ${error.message}`);
    }
  });
  const button = byId("copy-link");
  const label = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
    } catch {
      tell(`The browser lets nothing be copied; the link is ${location.href}`);
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}

// A link to a page like this one has settings behind the game.
export function withoutSettings(text) {
  const link = /^\s*\S*#(\d[^;\s]*)/.exec(text);
  return link === null ? text : `#${link[1]}`;
}
