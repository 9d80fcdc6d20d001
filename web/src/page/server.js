// Requests to the server, which knows the rules. Every request contains the whole game.
// (connection.js has the socket for searches.)

import { advice, UNAVAILABLE, request } from "./transport.js";

// The type of a refusal that comes with status 200; it contains the real status.
const REFUSAL = "application/problem+json";

// Sends a request and returns the response. Throws errors with a text for users.
async function ask(path, options) {
  let response;
  try {
    response = await request(path, options);
  } catch (error) {
    throw new Error(`${UNAVAILABLE} ${advice(error)}`);
  }
  if (!response.ok || response.headers.get("Content-Type") === REFUSAL) {
    const { error, status = response.status } = await response.json().catch(() => ({ error: response.statusText }));
    // The request is invalid, so a retry would not help.
    throw Object.assign(new Error(error), { isRefusal: [400, 413, 422].includes(status) });
  }
  return response;
}

const post = (path, question) => ask(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question),
});

// The position after a game: stones, player to move, outcome and so on.
export const look = async (game) => (await post("api/look", { game })).json();

// Red's value of each first move if Blue does not swap: { a1: 0.22, … }.
export const openings = async (side) => (await ask(`api/openings/${side}`)).json();

// The signs of mistakes with the least loss for each, the smallest first: [{ sign, loss }, …].
export const grades = async () => (await ask("api/grades")).json();

// A record in any format: { game, players, result, nodes }.
export const readRecord = async (text) => (await ask("api/record", { method: "POST", body: text })).json();

// The most threads for one search.
export const threads = async () => (await ask("api/threads")).json();

// The code that computes the network, in words.
export const code = async () => (await ask("api/code")).json();

// The record from the command line from a byte on, { title, name, text, from, to }, or null.
export const opened = async (from = 0) => (await ask(`api/opened?from=${from}`)).json();

// A game as a file, "sgf" or "svg".
export const save = async (format, question) => (await post(`api/save/${format}`, question)).blob();
