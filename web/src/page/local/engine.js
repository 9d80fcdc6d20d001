// The engine as WebAssembly: texts go in and out through its memory.

export class Engine {
  #exports;

  // Makes an engine of the compiled module `main`, and of `kernel` if there is one: its hot loops,
  // which work in its memory. The seed is where its random numbers begin.
  constructor({ main, kernel }, seed = crypto.getRandomValues(new Uint32Array(2))) {
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
  }

  // Answers a question as the server would: { status, mime, text }.
  ask(path, body) {
    this.#write(`${path}\n${body}`);
    this.#exports.hex_ask();
    return JSON.parse(this.#read());
  }

  // Takes an order and returns what is to be said at once, messages as text.
  order(text) {
    this.#write(text);
    this.#exports.hex_order();
    return this.#messages();
  }

  // Searches for a moment: { more, messages }, whether there is more to search and what was found
  // out.
  search() {
    const more = this.#exports.hex_search() !== 0;
    return { more, messages: this.#messages() };
  }

  // Evaluates so many random positions and returns a sum that is the same on every machine.
  evaluate(positions) {
    return this.#exports.hex_evaluate(positions) >>> 0;
  }

  // The bytes of memory that it has.
  get memory() {
    return this.#exports.memory.buffer.byteLength;
  }

  #messages() {
    return this.#read().split("\n").filter((line) => line !== "");
  }

  #write(text) {
    const bytes = new TextEncoder().encode(text);
    // The memory may be another one after any call.
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
