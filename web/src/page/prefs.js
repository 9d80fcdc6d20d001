// What this browser remembers from game to game: how the board lies, what it looks like, what is
// heard, how far the first games have been won. (What belongs to one game is in its address.)

import { isRotation } from "./geometry.js";

const STORED = "preferences";

// `rotation` is "auto" or HexWorld's number, 1 to 12, of which 10 is flat; `threads` is 0 for all that
// there are: those of `hex web` leave a core free, and are shared among the tabs.
const USUAL = {
  rotation: "auto", mirrored: false, numbers: false, sides: false, theme: "auto", sound: true, turn: true,
  clock: "off", knowsTour: false, path: 0, leftPath: false, threads: 0, ponder: false, twice: true,
};

class Preferences extends EventTarget {
  #values = { ...USUAL, ...stored() };

  constructor() {
    super();
    // Another tab of this page has changed something.
    window.addEventListener("storage", ({ key }) => {
      if (key !== STORED) return;
      this.#values = { ...USUAL, ...stored() };
      this.dispatchEvent(new Event("change"));
    });
  }

  get(name) {
    return this.#values[name];
  }

  // Takes over changes, { name: value, … }, and says "change".
  set(changes) {
    Object.assign(this.#values, changes);
    try {
      localStorage.setItem(STORED, JSON.stringify(this.#values));
    } catch {
      // Where nothing may be kept, it holds until the tab is closed.
    }
    this.dispatchEvent(new Event("change"));
  }
}

// What was kept, without what is unknown or of another type.
function stored() {
  let values;
  try {
    values = JSON.parse(localStorage.getItem(STORED)) ?? {};
  } catch {
    return {};
  }
  const isSound = ([name, value]) => (name === "rotation" ? value === "auto" || isRotation(value) : typeof value === typeof USUAL[name]);
  return Object.fromEntries(Object.entries(values).filter(isSound));
}

export const preferences = new Preferences();
