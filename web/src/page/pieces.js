// The page's start in pieces, so that the browser can show and hear something between: a processor
// of a phone is busy with all of it for a fifth of a second.

// What somebody does that would be lost on what is not connected yet.
const DEEDS = ["click", "change", "input", "submit", "keydown"];
// Of these the browser itself does something, which has to wait too.
const DONE_BY_BROWSER = ["click", "submit"];

// Does one thing after the other, each as soon as the browser has nothing else to do. Stops before
// one where `goesOn()` is false; returns whether it has got to the end.
export async function inPieces(pieces, goesOn = () => true) {
  for (const piece of pieces) {
    await turn();
    if (!goesOn()) return false;
    piece();
  }
  return true;
}

// The browser's next turn. (Its scheduler.yield would come before answers that have arrived.)
function turn() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}

// Holds back what somebody does to the page. The function that it returns has all of it done, in
// the same order.
export function hold() {
  const held = [];
  const keep = (event) => {
    event.stopImmediatePropagation();
    if (DONE_BY_BROWSER.includes(event.type)) event.preventDefault();
    held.push([event.target, new event.constructor(event.type, event)]);
  };
  for (const deed of DEEDS) window.addEventListener(deed, keep, true);
  return () => {
    for (const deed of DEEDS) window.removeEventListener(deed, keep, true);
    for (const [target, event] of held) target.dispatchEvent(event);
  };
}
