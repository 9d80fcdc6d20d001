// Sends requests and orders to the server. In a page without a server, which `hex web --export`
// writes, local/transport.js replaces this module.

// The error if there is no answer, and a possible cause.
export const UNAVAILABLE = "The server does not answer.";
export const advice = () => "Is hex web still running?";

// Reports how much of the engine is loaded. The server has it already.
export const onLoading = () => {};

// Sends a request and returns the Response. The server sends refusals with status 200, as the
// browser would log other statuses in its console.
export const request = (path, options = {}) =>
  fetch(path, { ...options, headers: { Accept: "application/problem+json, */*", ...options.headers } });

// Opens a connection for orders and their replies: a WebSocket, or an object like it.
export const connect = () => new WebSocket(`ws://${location.host}/api/socket`);
