// Starts the page in small tasks, so that the browser can draw and handle input in between. A phone
// needs 0.2 s for all of them.

// Events that would be lost on parts that are not connected yet.
const EVENTS = ["click", "change", "input", "submit", "keydown"];
// Those with a default action, which has to wait, too.
const WITH_DEFAULT = ["click", "submit"];

// Runs tasks one by one, each when the browser is idle. Stops if `shouldContinue()` returns false;
// returns whether all have run.
export async function runTasks(tasks, shouldContinue = () => true) {
  for (const task of tasks) {
    await nextTask();
    if (!shouldContinue()) return false;
    task();
  }
  return true;
}

// The browser's next task. (scheduler.yield would run before responses that have arrived.)
function nextTask() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}

// Records the user's events. The returned function dispatches them in the same order.
export function holdEvents() {
  const held = [];
  const record = (event) => {
    event.stopImmediatePropagation();
    if (WITH_DEFAULT.includes(event.type)) event.preventDefault();
    held.push([event.target, new event.constructor(event.type, event)]);
  };
  for (const event of EVENTS) window.addEventListener(event, record, true);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, record, true);
    for (const [target, event] of held) target.dispatchEvent(event);
  };
}
