// The engine as WebAssembly. Texts are passed through its memory.

export class Engine {
  #exports;

  // Instantiates the compiled module `main`, and `kernel` if it is defined: its hot loops, which
  // use its memory. `network` has the bytes of the network for large boards; without it they are
  // played with the one for the others. `seed` is that of its random numbers.
  constructor({ main, kernel, network }, seed = crypto.getRandomValues(new Uint32Array(2))) {
    let loops = null;
    this.#exports = new WebAssembly.Instance(main, {
      page: {
        now: () => performance.now(),
        fail: (at, length) => console.error(this.#text(at, length)),
      },
      kernel: {
        has_kernel: () => Number(kernel !== undefined),
        convolve: (call) => loops.convolve(call),
        pool: (side, from, to) => loops.pool(side, from, to),
        dot_patches: (side, from, weights, to) => loops.dot_patches(side, from, weights, to),
      },
    }).exports;
    if (kernel !== undefined) {
      const { memory } = this.#exports;
      loops = new WebAssembly.Instance(kernel, { env: { memory } }).exports;
    }
    this.#exports.hex_begin(...seed);
    if (network !== undefined) {
      this.#writeBytes(network);
      this.#exports.hex_network();
    }
  }

  // Answers a request as the server would: { status, mime, text }.
  ask(path, body) {
    this.#write(`${path}\n${body}`);
    this.#exports.hex_ask();
    return JSON.parse(this.#read());
  }

  // Takes an order and returns the immediate replies, as texts.
  order(text) {
    this.#write(text);
    this.#exports.hex_order();
    return this.#messages();
  }

  // Searches for a moment: { more, messages }. `more` is true if the search is not finished.
  search() {
    const more = this.#exports.hex_search() !== 0;
    return { more, messages: this.#messages() };
  }

  // Evaluates this many random positions and returns a sum that is the same on every machine.
  evaluate(positions) {
    return this.#exports.hex_evaluate(positions) >>> 0;
  }

  // The size of its memory in bytes.
  get memory() {
    return this.#exports.memory.buffer.byteLength;
  }

  #messages() {
    return this.#read().split("\n").filter((line) => line !== "");
  }

  #write(text) {
    this.#writeBytes(new TextEncoder().encode(text));
  }

  #writeBytes(bytes) {
    // Any call may replace the memory.
    const at = this.#exports.hex_input(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
  }

  #read() {
    return this.#text(this.#exports.hex_output(), this.#exports.hex_output_length());
  }

  #text(at, length) {
    return new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, at, length));
  }
}
