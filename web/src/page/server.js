// Questions to the server. It knows the rules; every question brings the whole game along. (The
// socket, over which it tells what it thinks, is in thinking.js.)

import { advice, AWAY, request } from "./transport.js";

// What a refusal is that comes with a status of success; its own status stands in it.
const REFUSAL = "application/problem+json";

// Sends a question and returns the answer; throws what is wrong in words for people.
async function ask(path, options) {
  let response;
  try {
    response = await request(path, options);
  } catch (error) {
    throw new Error(`${AWAY} ${advice(error)}`);
  }
  if (!response.ok || response.headers.get("Content-Type") === REFUSAL) {
    const { error, status = response.status } = await response.json().catch(() => ({ error: response.statusText }));
    // It can be read, but is no game; to ask again would not help.
    throw Object.assign(new Error(error), { isRefusal: [400, 413, 422].includes(status) });
  }
  return response;
}

const post = (path, question) => ask(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question),
});

// Stones, whose turn it is, and so on: all that the rules say of a game.
export const look = async (game) => (await post("api/look", { game })).json();

// How good each first move is for Red if Blue does not swap: { a1: 0.22, … }.
export const openings = async (side) => (await ask(`api/openings/${side}`)).json();

// The signs of mistakes with what a move must have lost for each, the smallest first: [{ sign, loss }, …].
export const grades = async () => (await ask("api/grades")).json();

// A record in any format: { game, players, result, nodes }.
export const readRecord = async (text) => (await ask("api/record", { method: "POST", body: text })).json();

// How many threads may think about one position.
export const threads = async () => (await ask("api/threads")).json();

// Which code computes the network, in words.
export const code = async () => (await ask("api/code")).json();

// The record named on the command line from a byte on, { title, name, text, from, to }, or null.
export const opened = async (from = 0) => (await ask(`api/opened?from=${from}`)).json();

// A game as a file of "sgf" or "svg".
export const save = async (format, question) => (await post(`api/save/${format}`, question)).blob();
