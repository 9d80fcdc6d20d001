// Sends requests and orders to workers that run the engine as WebAssembly. One worker answers
// requests, one searches, one proves, so that none waits for another. A worker that fails is
// replaced by the next request or connection.

import { hasSimd } from "./simd.js";

// A busy worker that is silent for this long has failed.
const TIMEOUT_MS = 30_000;
const WATCH_MS = 1000;

// The error if there is no answer, and a possible cause.
export const UNAVAILABLE = "The engine does not run.";
export const advice = ({ message }) => `${message}. Reload the page.`;

// Called with the loaded share of the engine, 0 to 1.
let onProgress = () => {};
// The bytes of each file, written by `hex web --export`: a compressed response does not state its
// size.
const SIZES = new Map("{sizes}".split(" ").map((file) => file.split("=")).map(([file, size]) => [file, Number(size)]));
// The received bytes of each file.
const received = new Map();

export const onLoading = (callback) => {
  onProgress = callback;
  report();
};

function report() {
  const sum = (counts) => [...counts.values()].reduce((total, bytes) => total + bytes, 0);
  onProgress(Math.min(1, sum(received) / sum(SIZES)));
}

// A response whose bytes are counted on arrival.
function counted(file, response) {
  if (!response.ok) return response;
  received.set(file, 0);
  const count = new TransformStream({
    transform(chunk, controller) {
      received.set(file, received.get(file) + chunk.length);
      report();
      controller.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(count), { status, headers });
}

// The compiled modules, { main, kernel }; without SIMD there is no kernel.
const modules = Promise.all([load("hex.wasm"), hasSimd() ? load("kernel.wasm") : undefined])
  .then(([main, kernel]) => ({ main, kernel }));
// A failure is reported by each request.
modules.catch(() => {});

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
    // Some hosts send a wrong MIME type.
    const response = await fetch(address);
    if (!response.ok) throw new Error(response.status);
    return WebAssembly.compile(await response.arrayBuffer());
  }
}

// The largest board that is played with the network in the engine's modules.
const LARGEST_SMALL_SIDE = 16;
// The modules with the network for large boards, or without it if it cannot be loaded.
let modulesForLarge = null;

function modulesFor(side) {
  if (side <= LARGEST_SMALL_SIDE) return modules;
  const network = async () => {
    const response = await fetch(new URL("large.weights", import.meta.url));
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
  };
  modulesForLarge ??= Promise.all([modules, network().catch(() => undefined)])
    .then(([compiled, network]) => ({ ...compiled, network }));
  return modulesForLarge;
}

// A worker for boards up to `side`; `onMessage` gets its messages, `onFailure` is called once if it
// fails.
class EngineWorker {
  #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  #lastMessageAt = performance.now();
  #watch = null;
  #onFailure;
  #modules;

  constructor(onMessage, onFailure, side = LARGEST_SMALL_SIDE) {
    this.#onFailure = onFailure;
    this.#modules = modulesFor(side);
    this.#worker.addEventListener("message", ({ data }) => {
      this.#lastMessageAt = performance.now();
      if (data.idle) this.#stopWatch();
      onMessage(data);
    });
    this.#worker.addEventListener("error", () => this.#fail(new Error("A worker has failed")));
    this.#modules.then((compiled) => this.#worker?.postMessage({ modules: compiled }), (error) => this.#fail(error));
  }

  // Sends a message; the worker replies { idle: true } when it is done.
  send(message) {
    this.#lastMessageAt = performance.now();
    this.#watch ??= setInterval(() => {
      if (performance.now() - this.#lastMessageAt > TIMEOUT_MS) this.#fail(new Error("A worker does not respond"));
    }, WATCH_MS);
    this.#modules.then(() => this.#worker?.postMessage(message), () => {});
  }

  end() {
    this.#stopWatch();
    this.#worker?.terminate();
    this.#worker = null;
  }

  #stopWatch() {
    clearInterval(this.#watch);
    this.#watch = null;
  }

  #fail(error) {
    if (this.#worker === null) return;
    this.end();
    this.#onFailure(error);
  }
}

// --- Requests.

let answerer = null;
let lastId = 0;
// The requests without an answer: id → { resolve, reject }.
const pending = new Map();

function start() {
  answerer = new EngineWorker(({ id, answer }) => {
    if (answer === undefined) return;
    pending.get(id).resolve(answer);
    pending.delete(id);
  }, (error) => {
    answerer = null;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  });
}

// Answers as the server does; returns the Response.
export async function request(path, { body = "" } = {}) {
  if (answerer === null) start();
  const id = ++lastId;
  const { status, mime, text } = await new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    answerer.send({ id, path, body });
  });
  return new Response(text, { status, headers: { "Content-Type": mime } });
}

// --- Orders.

// A connection to the workers that search and prove, with the interface of a WebSocket. It closes
// if one of them fails.
class WorkerSocket extends EventTarget {
  readyState = WebSocket.CONNECTING;
  #searcher = this.#worker();
  // The side of the board that it searches; before the first order any that needs no other network.
  #side = null;
  #prover = null;
  #isProving = false;

  constructor() {
    super();
    modules.then(() => {
      if (this.readyState !== WebSocket.CONNECTING) return;
      this.readyState = WebSocket.OPEN;
      this.dispatchEvent(new Event("open"));
    }, () => {});
  }

  send(text) {
    const order = JSON.parse(text);
    if (order.do !== "prove") {
      if (order.game !== undefined) this.#switchSide(Number.parseInt(order.game, 10));
      this.#searcher.send({ order: text });
      return;
    }
    // A prover receives no messages while it works.
    if (this.#isProving) this.#prover.end();
    if (this.#isProving || this.#prover === null) this.#prover = this.#worker(() => { this.#isProving = false; });
    this.#isProving = true;
    this.#prover.send({ order: text });
  }

  close() {
    this.#end();
  }

  // Memory never shrinks, and the trees of one board size leave gaps that are too small for
  // another's. So another size gets a new worker.
  #switchSide(side) {
    const serves = this.#side === null ? side <= LARGEST_SMALL_SIDE : side === this.#side;
    if (!serves) {
      this.#searcher.end();
      this.#searcher = this.#worker(() => {}, side);
    }
    this.#side = side;
  }

  #worker(onIdle = () => {}, side = undefined) {
    return new EngineWorker(({ idle, message }) => {
      if (idle) onIdle();
      if (message !== undefined) this.dispatchEvent(new MessageEvent("message", { data: message }));
    }, () => this.#end(), side);
  }

  #end() {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.#searcher.end();
    this.#prover?.end();
    this.dispatchEvent(new CloseEvent("close"));
  }
}

export const connect = () => new WorkerSocket();
