// The interface for programs, shared by browsers and Node. It sends orders to workers that run the
// engine; `platform` starts them.

const SIDES = { least: 3, most: 19 };
const LEVELS = { least: 1, most: 10 };
const DEFAULT_MS = 1000;

// An error in a call, or of the engine.
export class HexError extends Error {
  name = "HexError";
}

// The game as text for the engine, as in a HexWorld link. Two passes at the start exclude the swap.
function gameOf({ side, moves = [], swap = true }) {
  if (!Number.isInteger(side) || side < SIDES.least || side > SIDES.most) {
    throw new HexError(`side ${side} is not possible, choose ${SIDES.least} to ${SIDES.most}`);
  }
  const words = typeof moves === "string" ? moves.split(/[\s,]+/).filter((word) => word !== "") : [...moves];
  const tokens = words.map((word) => {
    if (word === "swap") return ":s";
    if (word === "pass") return ":p";
    if (/^[a-z]\d{1,2}$/.test(word)) return word;
    throw new HexError(`${JSON.stringify(word)} is not a move; "a1", "swap" and "pass" are`);
  });
  return { text: `${side},${swap ? "" : ":p:p"}${tokens.join("")}`, toMove: words.length % 2 === 0 ? "red" : "blue" };
}

// The limit of a search: either ms or simulations.
function limitOf({ ms, simulations }) {
  if (ms !== undefined && simulations !== undefined) throw new HexError("give ms or simulations, not both");
  return simulations === undefined ? { ms: ms ?? DEFAULT_MS } : { simulations };
}

const tokenOf = (token) => (token === ":s" ? "swap" : token);

// The analysis from the view of the player to move; the engine returns Red's win probabilities.
function analysisOf(found, toMove) {
  const own = (redWins) => (redWins === null ? null : toMove === "red" ? redWins : 1 - redWins);
  return {
    toMove,
    winProbability: own(found.redWins),
    proof: found.proven,
    simulations: found.simulations,
    ms: found.time,
    line: found.line,
    candidates: found.moves.map(({ cell, visits, prior, redWins, line }) =>
      ({ move: cell, visits, prior, value: own(redWins), line })),
  };
}

// A worker that runs the engine, and the calls that wait for it.
class EngineWorker {
  #worker;
  #listeners = new Map();
  #lastId = 0;
  #failure = null;

  constructor(platform, modules) {
    this.#worker = platform.startWorker({
      onMessage: (text) => {
        const message = JSON.parse(text);
        // An error about an unreadable order has no id.
        const id = message.id ?? this.#lastId;
        const listen = this.#listeners.get(id);
        if (message.kind !== "analysis") this.#listeners.delete(id);
        listen?.(message);
      },
      onFailure: (why) => this.end(new HexError(`the engine has failed: ${why}`)),
    });
    this.#worker.post({ modules });
  }

  get hasFailed() {
    return this.#failure !== null;
  }

  // Sends an order; `listen` is called with its replies, and { kind: "problem" } if the worker ends. It is
  // dropped after the last reply, which is the first one that is no analysis.
  order(order, listen) {
    const id = ++this.#lastId;
    if (this.#failure !== null) {
      listen({ id, kind: "problem", error: this.#failure });
      return id;
    }
    this.#listeners.set(id, listen);
    this.#worker.post({ order: JSON.stringify({ ...order, id }) });
    return id;
  }

  // Stops an order and ignores further replies.
  cancel(id) {
    if (this.#listeners.delete(id) && this.#failure === null) this.#worker.post({ order: '{"do":"stop"}' });
  }

  end(why) {
    if (this.#failure !== null) return;
    this.#failure = why;
    this.#worker.end();
    for (const [id, listen] of this.#listeners) listen({ id, kind: "problem", error: why });
    this.#listeners.clear();
  }
}

export class EngineClient {
  #platform;
  #modules;
  #searcher = null;
  #prover = null;
  #side = null;
  #isClosed = false;
  // The end of the last call: calls run one after the other.
  #last = Promise.resolve();

  // `platform` has startWorker({ onMessage, onFailure }) → { post, end }; `modules` is
  // { main, kernel, network }.
  constructor(platform, modules) {
    this.#platform = platform;
    this.#modules = modules;
  }

  // Analyses a position: yields improving analyses, the last one after the whole search.
  async *analyze(position, options = {}) {
    const game = gameOf(position);
    const order = { do: "analyse", game: game.text, ...limitOf(options) };
    for await (const reply of this.#replies(position.side, order, options.signal)) {
      yield analysisOf(reply.analysis, game.toMove);
    }
  }

  // The move to play: a cell, or "swap".
  async bestMove(position, options = {}) {
    const { level = LEVELS.most, signal } = options;
    if (!Number.isInteger(level) || level < LEVELS.least || level > LEVELS.most) {
      throw new HexError(`level ${level} is not possible, choose ${LEVELS.least} to ${LEVELS.most}`);
    }
    const order = { do: "move", game: gameOf(position).text, level, ...limitOf(options) };
    let answer;
    for await (const reply of this.#replies(position.side, order, signal)) answer = reply.answer;
    return tokenOf(answer);
  }

  // Who wins with perfect play, and with which moves, as far as the solver can prove.
  async solve(position, { signal } = {}) {
    const { text } = gameOf(position);
    const release = await this.#turn(signal);
    try {
      if (this.#prover === null || this.#prover.hasFailed) this.#prover = this.#worker();
      const prover = this.#prover;
      // It receives no messages while it searches.
      const abort = () => prover.end(signal.reason);
      signal?.addEventListener("abort", abort, { once: true });
      const reply = await new Promise((answered) => prover.order({ do: "prove", game: text }, answered));
      signal?.removeEventListener("abort", abort);
      if (reply.kind === "problem") throw errorOf(reply);
      const { winner, winning, losing } = reply;
      return { winner, winning, losing };
    } finally {
      release();
    }
  }

  // Ends the workers; pending calls fail.
  close() {
    this.#isClosed = true;
    const why = new HexError("the engine is closed");
    this.#searcher?.end(why);
    this.#prover?.end(why);
  }

  #worker() {
    return new EngineWorker(this.#platform, this.#modules);
  }

  // Waits for earlier calls; returns the function that starts the next one.
  async #turn(signal) {
    const before = this.#last;
    let release;
    this.#last = new Promise((done) => { release = done; });
    await before;
    if (this.#isClosed || signal?.aborted) {
      release();
      throw this.#isClosed ? new HexError("the engine is closed") : signal.reason;
    }
    return release;
  }

  // The replies to an order. A reply is dropped if the next one arrives before it is taken.
  async *#replies(side, order, signal) {
    const release = await this.#turn(signal);
    // Memory never shrinks, and the trees of one board size leave gaps too small for another's.
    if (this.#searcher?.hasFailed || this.#side !== side) {
      this.#searcher?.end(new HexError("another board is searched"));
      this.#searcher = this.#worker();
      this.#side = side;
    }
    const searcher = this.#searcher;
    let [newest, wake] = [null, () => {}];
    const push = (reply) => {
      newest = reply;
      wake();
    };
    const id = searcher.order(order, push);
    const abort = () => push({ kind: "problem", error: signal.reason });
    signal?.addEventListener("abort", abort, { once: true });
    try {
      for (;;) {
        if (newest === null) await new Promise((awake) => { wake = awake; });
        const reply = newest;
        newest = null;
        if (reply.kind === "problem") throw errorOf(reply);
        yield reply;
        if (reply.kind === "done") return;
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      searcher.cancel(id);
      release();
    }
  }
}

const errorOf = ({ error }) => (typeof error === "string" ? new HexError(error) : error);
