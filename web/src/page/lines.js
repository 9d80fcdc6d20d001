// A line of moves as buttons. A click plays the line up to that move; hovering or focusing shows it
// on the board.

import { moveName } from "./notation.js";

// Fills `place` with the moves of `line` from index `from` on. `play` and `preview` get the line up
// to a move; `preview(null)` ends the preview. Existing buttons are reused, so that the focus
// survives new search results.
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
