// The connection to the engine. It carries one search order at a time: a new order replaces the old
// one, whose replies are then ignored. One request for a proof can run beside it. After a lost
// connection it reconnects and sends both again.

import * as threads from "./threads.js";
import { preferences } from "./prefs.js";
import { connect } from "./transport.js";

const RETRY_MS = 1000;
// The close code for an order that is too long. Sending it again would not help.
const TOO_LONG = 1009;

export class Connection {
  #socket = null;
  #order = null;
  #listener = null;
  #lastId = 0;
  // The request for a proof, { do: "prove", game, id }, and its callback.
  #proofRequest = null;
  #onProof = null;
  // The order as it was sent.
  #sent = "";
  // Whether the connection is open and the number of threads is known.
  #isReady = false;

  // `onConnection(isConnected)` is called on every change. Orders wait until connect() was called.
  constructor(onConnection) {
    this.onConnection = onConnection;
    // A search continues with its tree when the number of threads changes.
    preferences.addEventListener("change", () => {
      if (this.#order !== null && JSON.stringify(threads.withThreads(this.#order)) !== this.#sent) this.#send(this.#order);
    });
  }

  // Starts an order, { do: "move" | "analyse", game, ms, level }; without ms an analysis runs until
  // it is stopped. The listener has the methods progress(analysis), done(answer, analysis) and
  // problem(text).
  begin(order, listener) {
    this.#order = { ...order, id: ++this.#lastId };
    this.#listener = listener;
    this.#send(this.#order);
  }

  // Stops the order, if there is one.
  stop() {
    if (this.#order === null) return;
    this.#order = null;
    this.#send({ do: "stop" });
  }

  // Requests the proven moves of a game, replacing the last request. `onProof` is called once with
  // { winner, winning, losing }, or never if the position is too hard.
  prove(game, onProof) {
    if (this.#proofRequest?.game === game) return;
    this.#proofRequest = { do: "prove", game, id: ++this.#lastId };
    this.#onProof = onProof;
    this.#send(this.#proofRequest);
  }

  // Connects, and reconnects whenever the connection is lost.
  connect() {
    const socket = connect();
    this.#socket = socket;
    socket.addEventListener("open", async () => {
      // A restarted server may have other threads.
      await threads.load();
      if (socket.readyState !== WebSocket.OPEN) return;
      this.#isReady = true;
      this.onConnection(true);
      if (this.#order !== null) this.#send(this.#order);
      if (this.#proofRequest !== null) this.#send(this.#proofRequest);
    });
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", ({ code }) => {
      this.#isReady = false;
      if (code === TOO_LONG) this.#discardOrders();
      this.onConnection(false);
      setTimeout(() => this.connect(), RETRY_MS);
    });
  }

  // Drops the orders that the server cannot take.
  #discardOrders() {
    const listener = this.#order && this.#listener;
    [this.#order, this.#proofRequest] = [null, null];
    listener?.problem("This game is too long to be analysed.");
  }

  #send(message) {
    if (!this.#isReady) return;
    const text = JSON.stringify(threads.withThreads(message));
    if (message === this.#order) this.#sent = text;
    this.#socket.send(text);
  }

  #receive(reply) {
    if (reply.kind === "proof") {
      if (reply.id === this.#proofRequest?.id) this.#onProof(reply);
      return;
    }
    if (this.#order === null || reply.id !== this.#order.id) return;
    if (reply.kind === "analysis") {
      this.#listener.progress(reply.analysis);
      return;
    }
    this.#order = null;
    if (reply.kind === "done") this.#listener.done(reply.answer, reply.analysis);
    else this.#listener.problem(reply.error);
  }
}
