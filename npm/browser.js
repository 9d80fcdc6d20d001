// The engine for browsers. It fetches its files from the folder of this one, and nothing else.

import { EngineClient, HexError } from "./engine-client.js";
import { hasSimd } from "./simd.js";

export { HexError };

async function read(address) {
  const response = await fetch(address);
  if (!response.ok) throw new HexError(`${address} cannot be loaded: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

// Not compileStreaming, because some hosts send a wrong MIME type.
const compile = async (address) => WebAssembly.compile(await read(address));

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
    const [main, kernel, network] = await Promise.all([
      compile(new URL("./hex.wasm", import.meta.url)),
      hasSimd() ? compile(new URL("./kernel.wasm", import.meta.url)) : undefined,
      read(new URL("./large.weights", import.meta.url)),
    ]);
    return new HexEngine(platform, { main, kernel, network });
  }
}
