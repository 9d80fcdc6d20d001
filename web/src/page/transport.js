// How questions and orders travel: to the server that the page comes from. In a page without a
// server, which `hex web --export` writes, local/transport.js stands in this one's place.

// How it is told that nobody answers, and what may help.
export const AWAY = "The server does not answer.";
export const advice = () => "Is hex web still running?";

// Tells how much of the engine is loaded: a server has it already.
export const onLoading = () => {};

// Asks; returns the Response. A refusal is an answer like others: the browser would print a line in its console for a
// status that is none.
export const request = (path, options = {}) =>
  fetch(path, { ...options, headers: { Accept: "application/problem+json, */*", ...options.headers } });

// Opens a line for orders and their replies: a WebSocket, or what is used like one.
export const connect = () => new WebSocket(`ws://${location.host}/api/socket`);
