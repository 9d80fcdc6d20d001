// Preferences that this browser stores across games: orientation, look, sound, progress of the
// first games. Settings of a single game are in its address.

import { isRotation } from "./geometry.js";

const STORED = "preferences";

// `rotation` is "auto" or HexWorld's number, 1 to 12, of which 10 is flat. `threads` 0 means all
// threads of the server, which leaves a core free and shares them among tabs.
const DEFAULTS = {
  rotation: "auto", mirrored: false, numbers: false, sides: false, pattern: false, theme: "auto", sound: true, turn: true,
  clock: "off", knowsTour: false, path: 0, leftPath: false, threads: 0, ponder: false, twice: true,
};

class Preferences extends EventTarget {
  #values = { ...DEFAULTS, ...stored() };

  constructor() {
    super();
    // Another tab has changed the preferences.
    window.addEventListener("storage", ({ key }) => {
      if (key !== STORED) return;
      this.#values = { ...DEFAULTS, ...stored() };
      this.dispatchEvent(new Event("change"));
    });
  }

  get(name) {
    return this.#values[name];
  }

  // Applies changes, { name: value, … }, and dispatches "change".
  set(changes) {
    Object.assign(this.#values, changes);
    try {
      localStorage.setItem(STORED, JSON.stringify(this.#values));
    } catch {
      // Without storage they last until the tab is closed.
    }
    this.dispatchEvent(new Event("change"));
  }
}

// The stored values, without unknown names and wrong types.
function stored() {
  let values;
  try {
    values = JSON.parse(localStorage.getItem(STORED)) ?? {};
  } catch {
    return {};
  }
  const isSound = ([name, value]) => (name === "rotation" ? value === "auto" || isRotation(value) : typeof value === typeof DEFAULTS[name]);
  return Object.fromEntries(Object.entries(values).filter(isSound));
}

export const preferences = new Preferences();
