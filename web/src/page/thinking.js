// The line to what searches. One order at a time: a new one takes the place of the old
// one, of which nothing is heard any more. Beside it one position may be asked about for proofs. A
// lost connection is made anew, and both sent again.

import * as power from "./power.js";
import { preferences } from "./prefs.js";
import { connect } from "./transport.js";

const RETRY_MS = 1000;
// The server's word that an order is too long; to send it again would not help.
const TOO_LONG = 1009;

export class Thinking {
  #socket = null;
  #order = null;
  #listener = null;
  #lastId = 0;
  // What is to be proven, { do: "prove", game, id }, and who is told.
  #question = null;
  #onProof = null;
  // What was sent of the order, as text.
  #sent = "";
  // Is there a connection, of which is known what it offers?
  #isReady = false;

  // `onConnection` is told whether there is a connection whenever that changes. Orders wait until
  // connect() has been called.
  constructor(onConnection) {
    this.onConnection = onConnection;
    // With other threads an order goes on from what it has found.
    preferences.addEventListener("change", () => {
      if (this.#order !== null && JSON.stringify(power.powered(this.#order)) !== this.#sent) this.#send(this.#order);
    });
  }

  // Starts an order, { do: "move" | "analyse", game, ms, level }; without ms an analysis goes on
  // until it is stopped. The listener has the methods
  // thought(thought), done(answer, thought) and problem(text).
  begin(order, listener) {
    this.#order = { ...order, id: ++this.#lastId };
    this.#listener = listener;
    this.#send(this.#order);
  }

  // Ends the order, if there is one.
  stop() {
    if (this.#order === null) return;
    this.#order = null;
    this.#send({ do: "stop" });
  }

  // Asks which moves of a game are proven, in place of the last such question. `onProof` is told
  // { winner, winning, losing } once, or nothing if the position is too hard.
  prove(game, onProof) {
    if (this.#question?.game === game) return;
    this.#question = { do: "prove", game, id: ++this.#lastId };
    this.#onProof = onProof;
    this.#send(this.#question);
  }

  // Connects, and connects again whenever the connection is lost.
  connect() {
    const socket = connect();
    this.#socket = socket;
    socket.addEventListener("open", async () => {
      // Another server may have come in the place of the one before.
      await power.ask();
      if (socket.readyState !== WebSocket.OPEN) return;
      this.#isReady = true;
      this.onConnection(true);
      if (this.#order !== null) this.#send(this.#order);
      if (this.#question !== null) this.#send(this.#question);
    });
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", ({ code }) => {
      this.#isReady = false;
      if (code === TOO_LONG) this.#giveUp();
      this.onConnection(false);
      setTimeout(() => this.connect(), RETRY_MS);
    });
  }

  // Lets go of what the server cannot take.
  #giveUp() {
    const listener = this.#order && this.#listener;
    [this.#order, this.#question] = [null, null];
    listener?.problem("This game is too long to be thought about.");
  }

  #send(message) {
    if (!this.#isReady) return;
    const text = JSON.stringify(power.powered(message));
    if (message === this.#order) this.#sent = text;
    this.#socket.send(text);
  }

  #hear(reply) {
    if (reply.kind === "proof") {
      if (reply.id === this.#question?.id) this.#onProof(reply);
      return;
    }
    if (this.#order === null || reply.id !== this.#order.id) return;
    if (reply.kind === "analysis") {
      this.#listener.thought(reply.analysis);
      return;
    }
    this.#order = null;
    if (reply.kind === "done") this.#listener.done(reply.answer, reply.analysis);
    else this.#listener.problem(reply.error);
  }
}
