// The engine for browsers. Its files are fetched from beside this one, and nothing else is.

import { EngineClient, HexError } from "./engine-client.js";

export { HexError };

// A module of WebAssembly that no browser without SIMD takes.
const NEEDS_SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0,
  65, 0, 253, 15, 253, 98, 11);

async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new HexError(`${address} cannot be loaded: status ${response.status}`);
  // Not while it streams: some hosts do not know what kind of file it is.
  return WebAssembly.compile(await response.arrayBuffer());
}

const platform = {
  startWorker({ onMessage, onFailure }) {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => onMessage(data));
    worker.addEventListener("error", ({ message }) => onFailure(message));
    return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
  },
};

export class HexEngine extends EngineClient {
  static async load() {
    const [main, kernel] = await Promise.all([
      compile(new URL("./hex.wasm", import.meta.url)),
      WebAssembly.validate(NEEDS_SIMD) ? compile(new URL("./kernel.wasm", import.meta.url)) : undefined,
    ]);
    return new HexEngine(platform, { main, kernel });
  }
}
