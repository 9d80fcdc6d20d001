// The engine for Node. It reads its files from the folder of this one, and nothing else.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { EngineClient, HexError } from "./engine-client.js";

export { HexError };

const read = (file) => readFile(new URL(file, import.meta.url));
const compile = async (file) => WebAssembly.compile(await read(file));

const platform = {
  startWorker({ onMessage, onFailure }) {
    // Without node's own options: a worker does not start with those of `node --eval`.
    const worker = new Worker(new URL("./worker-node.js", import.meta.url), { execArgv: [] });
    worker.on("message", onMessage);
    worker.on("error", ({ message }) => onFailure(message));
    return { post: (message) => worker.postMessage(message), end: () => void worker.terminate() };
  },
};

export class HexEngine extends EngineClient {
  static async load() {
    const [main, kernel, network] = await Promise.all([
      compile("./hex.wasm"), compile("./kernel.wasm"), read("./large.weights"),
    ]);
    return new HexEngine(platform, { main, kernel, network });
  }
}
