// How questions and orders travel in a page without a server: to workers that run the engine as
// WebAssembly. One answers questions, one searches, one looks for proofs, so that none waits for
// another. A worker that dies is replaced by the next question, and by the next line.

// A module of WebAssembly that no browser without SIMD takes.
const NEEDS_SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0,
  65, 0, 253, 15, 253, 98, 11);
// A worker that is at work and has said nothing for so long is taken for dead.
const SILENCE_MS = 30_000;
const WATCH_MS = 1000;

// How it is told that nobody answers, and what may help.
export const AWAY = "The engine does not run.";
export const advice = ({ message }) => `${message}. Load the page again.`;

// Who is told which share of the engine has arrived, 0 to 1, as often as some more has.
let listener = () => {};
// The bytes of each file, which `hex web --export` writes here: of a file that is sent compressed the host says none.
const SIZES = new Map("{sizes}".split(" ").map((file) => file.split("=")).map(([file, size]) => [file, Number(size)]));
// The bytes of each file that have come.
const came = new Map();

export const onLoading = (heard) => {
  listener = heard;
  report();
};

function report() {
  const sum = (counts) => [...counts.values()].reduce((total, bytes) => total + bytes, 0);
  listener(Math.min(1, sum(came) / sum(SIZES)));
}

// A response whose bytes are counted while they come.
function counted(file, response) {
  if (!response.ok) return response;
  came.set(file, 0);
  const count = new TransformStream({
    transform(chunk, controller) {
      came.set(file, came.get(file) + chunk.length);
      report();
      controller.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(count), { status, headers });
}

// The engine's code, { main, kernel }, compiled beside the page's own work; without SIMD no kernel.
const code = Promise.all([load("hex.wasm"), WebAssembly.validate(NEEDS_SIMD) ? load("kernel.wasm") : undefined])
  .then(([main, kernel]) => ({ main, kernel }));
// A page that cannot have it says so where it asks.
code.catch(() => {});

async function load(file) {
  try {
    return await compile(file, new URL(file, import.meta.url));
  } catch ({ message }) {
    throw new Error(`${file} cannot be loaded: ${message}`);
  }
}

async function compile(file, address) {
  try {
    return await WebAssembly.compileStreaming(fetch(address).then((response) => counted(file, response)));
  } catch {
    // Some hosts do not know what kind of file it is.
    const response = await fetch(address);
    if (!response.ok) throw new Error(response.status);
    return WebAssembly.compile(await response.arrayBuffer());
  }
}

// A worker; `onHeard` gets what it says, `onDeath` is told once why it died.
class EngineWorker {
  #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  #heardAt = performance.now();
  #watch = null;
  #onDeath;

  constructor(onHeard, onDeath) {
    this.#onDeath = onDeath;
    this.#worker.addEventListener("message", ({ data }) => {
      this.#heardAt = performance.now();
      if (data.idle) this.#rest();
      onHeard(data);
    });
    this.#worker.addEventListener("error", () => this.#die(new Error("A worker has failed")));
    code.then((compiled) => this.#worker?.postMessage({ code: compiled }), (error) => this.#die(error));
  }

  // Sends it something, which it says to be done by { idle: true }.
  send(message) {
    this.#heardAt = performance.now();
    this.#watch ??= setInterval(() => {
      if (performance.now() - this.#heardAt > SILENCE_MS) this.#die(new Error("A worker is silent"));
    }, WATCH_MS);
    code.then(() => this.#worker?.postMessage(message), () => {});
  }

  end() {
    this.#rest();
    this.#worker?.terminate();
    this.#worker = null;
  }

  #rest() {
    clearInterval(this.#watch);
    this.#watch = null;
  }

  #die(error) {
    if (this.#worker === null) return;
    this.end();
    this.#onDeath(error);
  }
}

// --- Questions.

let answerer = null;
let lastId = 0;
// What is not answered yet: number → { answered, failed }.
const asked = new Map();

function start() {
  answerer = new EngineWorker(({ id, answer }) => {
    if (answer === undefined) return;
    asked.get(id).answered(answer);
    asked.delete(id);
  }, (error) => {
    answerer = null;
    for (const { failed } of asked.values()) failed(error);
    asked.clear();
  });
}

// Asks as of a server; returns the Response.
export async function request(path, { body = "" } = {}) {
  if (answerer === null) start();
  const id = ++lastId;
  const { status, mime, text } = await new Promise((answered, failed) => {
    asked.set(id, { answered, failed });
    answerer.send({ id, path, body });
  });
  return new Response(text, { status, headers: { "Content-Type": mime } });
}

// --- Orders.

// A line to the workers that search and prove, used like a WebSocket: if one of them dies it closes.
class Line extends EventTarget {
  readyState = WebSocket.CONNECTING;
  #searcher = this.#worker();
  // The side of the board that it searches.
  #side = null;
  #prover = null;
  #isProving = false;

  constructor() {
    super();
    code.then(() => {
      if (this.readyState !== WebSocket.CONNECTING) return;
      this.readyState = WebSocket.OPEN;
      this.dispatchEvent(new Event("open"));
    }, () => {});
  }

  send(text) {
    const order = JSON.parse(text);
    if (order.do !== "prove") {
      if (order.game !== undefined) this.#turnTo(Number.parseInt(order.game, 10));
      this.#searcher.send({ order: text });
      return;
    }
    // It does not listen while it looks for a proof.
    if (this.#isProving) this.#prover.end();
    if (this.#isProving || this.#prover === null) this.#prover = this.#worker(() => { this.#isProving = false; });
    this.#isProving = true;
    this.#prover.send({ order: text });
  }

  close() {
    this.#end();
  }

  // Memory never shrinks, and the trees of one board leave gaps that are too small for those of
  // another: so a board of another side gets a worker of its own, in the place of the one before.
  #turnTo(side) {
    if (this.#side !== null && side !== this.#side) {
      this.#searcher.end();
      this.#searcher = this.#worker();
    }
    this.#side = side;
  }

  #worker(onIdle = () => {}) {
    return new EngineWorker(({ idle, message }) => {
      if (idle) onIdle();
      if (message !== undefined) this.dispatchEvent(new MessageEvent("message", { data: message }));
    }, () => this.#end());
  }

  #end() {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.#searcher.end();
    this.#prover?.end();
    this.dispatchEvent(new CloseEvent("close"));
  }
}

// Opens a line for orders and their replies.
export const connect = () => new Line();
