// The keys that work wherever the focus is, as long as nothing is being typed.

// What each key clicks. Letters are those of the buttons' English names; F turns the board, as on
// other sites.
const BUTTONS = {
  ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", u: "undo", r: "redo", s: "swap", h: "hint",
  a: "analysis", p: "auto", ",": "mistake-before", ".": "mistake-next", f: "turn", "?": "keys-open",
};
// Places that have a use of their own for arrows, Home and End, for whoever has come there by keys.
const OWN_ARROWS = "input[type=range], .rows, [role=tablist], [role=tree], [role=listbox]";
const TYPING = "input:not([type=range], [type=checkbox], [type=file]), select, textarea, [contenteditable]";

// Has the reader gone to what has the focus by mouse or finger? Then the arrows are for the moves of
// the game.
let cameByPointer = false;
export const isByPointer = () => cameByPointer;
document.addEventListener("pointerdown", () => { cameByPointer = true; }, true);
document.addEventListener("keydown", ({ key }) => { cameByPointer &&= key !== "Tab"; }, true);

const isUndo = ({ key, ctrlKey, metaKey, altKey, shiftKey }) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "z";

// Connects the keys; `turnBoard` is what F does, `restore` what Ctrl+Z does.
export function connect(turnBoard, restore) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (isUndo(event) && target.closest(TYPING) === null && document.querySelector("dialog[open]") === null) {
      event.preventDefault();
      restore();
    }
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const id = BUTTONS[key.length === 1 ? key.toLowerCase() : key];
    if (id === undefined || document.querySelector("dialog[open]") !== null || target.closest(TYPING) !== null) return;
    if (key.length > 1 && !isByPointer() && target.closest(OWN_ARROWS) !== null) return;
    event.preventDefault();
    if (id === "turn") turnBoard();
    else document.getElementById(id).click();
  });
  // Whoever has chosen by the mouse has done with the field, which would take the arrows for itself.
  document.addEventListener("change", ({ target }) => {
    if (isByPointer() && target.matches("main select")) target.blur();
  });
}
