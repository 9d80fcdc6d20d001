// Questions to the server. It knows the rules; every question brings the whole game along.

// Sends a question and returns the answer; throws what is wrong in words for people.
async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer. Is hex web still running?");
  }
  if (!response.ok) {
    const { error } = await response.json().catch(() => ({ error: response.statusText }));
    throw new Error(error);
  }
  return response;
}

const post = (path, question) => ask(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question),
});

// Stones, whose turn it is, and so on: all that the rules say of a game.
export const look = async (game) => (await post("api/look", { game })).json();

// A record in any format, as a game with names and remarks.
export const readRecord = async (text) => (await ask("api/record", { method: "POST", body: text })).json();

// An empty board as SVG.
export const board = async (side) => (await ask(`api/board/${side}`)).text();

// The record named on the command line from a byte on, { title, name, text, from, to }, or null.
export const opened = async (from = 0) => (await ask(`api/opened?from=${from}`)).json();

// A game as a file of "sgf" or "svg".
export const save = async (format, question) => (await post(`api/save/${format}`, question)).blob();
