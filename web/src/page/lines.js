// A line of moves as buttons: each plays the line up to its move, and shows it on the board while it is
// pointed at or has the focus.

import { moveName } from "./notation.js";

// Fills `place` with the moves of `line` from the one with the number `from` on. `play` and `preview` get
// the line from its beginning up to a move; `preview` null when nobody points at it any more. Buttons that
// are there already stay, so that one with the focus keeps it while search results come in.
export function fillLine(place, line, from, play, preview) {
  const shown = line.slice(from);
  place.line = line;
  while (place.children.length > shown.length) {
    place.lastChild.remove();
    place.lastChild?.remove();
  }
  while (place.children.length < shown.length) {
    if (place.children.length > 0) place.append(" ");
    place.append(button(place, from + place.children.length, play, preview));
  }
  shown.forEach((move, index) => {
    const name = moveName(move);
    if (place.children[index].textContent !== name) place.children[index].textContent = name;
  });
}

function button(place, index, play, preview) {
  const made = document.createElement("button");
  const upTo = () => place.line.slice(0, index + 1);
  made.addEventListener("click", (event) => {
    event.stopPropagation();
    play(upTo());
  });
  for (const event of ["pointerenter", "focus"]) made.addEventListener(event, () => preview(upTo()));
  for (const event of ["pointerleave", "blur"]) made.addEventListener(event, () => preview(null));
  return made;
}
