// The engine for browsers. It fetches its files from the folder of this one, and nothing else.

import { EngineClient, HexError } from "./engine-client.js";
import { hasSimd } from "./simd.js";

export { HexError };

async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new HexError(`${address} cannot be loaded: status ${response.status}`);
  // Not compileStreaming, because some hosts send a wrong MIME type.
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
      hasSimd() ? compile(new URL("./kernel.wasm", import.meta.url)) : undefined,
    ]);
    return new HexEngine(platform, { main, kernel });
  }
}
