// Keyboard shortcuts. They work wherever the focus is, except while typing.

import { byId } from "./dom.js";

// The button that each key clicks. Letters are those of the buttons' names; F rotates the board, as
// on other sites.
const BUTTONS = {
  ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", u: "undo", r: "redo", s: "swap", h: "hint",
  a: "analysis", p: "auto", ",": "mistake-before", ".": "mistake-next", f: "turn", "?": "keys-open",
};
// Elements that need arrows, Home and End themselves, if they were reached by keyboard.
const OWN_ARROWS = "input[type=range], .rows, [role=tablist], [role=tree], [role=listbox]";
const TYPING = "input:not([type=range], [type=checkbox], [type=file]), select, textarea, [contenteditable]";

// Whether this element takes letters, arrows and dropped text for itself.
export const isTyping = (element) => element?.closest(TYPING) != null;

// Whether the focused element was reached by mouse or finger. Arrow keys then step through the
// game.
let cameByPointer = false;
export const isByPointer = () => cameByPointer;
document.addEventListener("pointerdown", () => { cameByPointer = true; }, true);
document.addEventListener("keydown", ({ key }) => { cameByPointer &&= key !== "Tab"; }, true);

const isUndo = ({ key, ctrlKey, metaKey, altKey, shiftKey }) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "z";

// Connects the keys: `turnBoard()` for F, `restore()` for Ctrl+Z.
export function connect(turnBoard, restore) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (isUndo(event) && !isTyping(target) && document.querySelector("dialog[open]") === null) {
      event.preventDefault();
      restore();
    }
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const id = BUTTONS[key.length === 1 ? key.toLowerCase() : key];
    if (id === undefined || document.querySelector("dialog[open]") !== null || isTyping(target)) return;
    if (key.length > 1 && !isByPointer() && target.closest(OWN_ARROWS) !== null) return;
    event.preventDefault();
    if (id === "turn") turnBoard();
    else byId(id).click();
  });
  // After a choice by mouse the field gives up the focus, as it would capture the arrow keys.
  document.addEventListener("change", ({ target }) => {
    if (isByPointer() && target.matches("main select")) target.blur();
  });
}
