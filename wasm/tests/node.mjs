// Runs the engine's modules in node: `node node.mjs engine.js large.weights hex.wasm [kernel.wasm]`. Of
// every line on standard input, `begin SEED`, `evaluate COUNT`, `memory` or an order, it prints the
// answer as a line.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [engineFile, networkFile, ...moduleFiles] = process.argv.slice(2);
// Node takes a .js file for a module of the older kind.
const source = readFileSync(engineFile, "utf8");
const { Engine } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
const [main, kernel] = moduleFiles.map((file) => new WebAssembly.Module(readFileSync(file)));
const modules = { main, kernel, network: readFileSync(networkFile) };
let engine = new Engine(modules);

function answer(line) {
  const [word, number] = line.split(" ");
  if (word === "begin") {
    engine = new Engine(modules, [Number(number), 0]);
    return "begun";
  }
  if (word === "evaluate") {
    const before = process.cpuUsage();
    const sum = engine.evaluate(Number(number));
    const { user, system } = process.cpuUsage(before);
    return `${sum} ${(user + system) / 1e6}`;
  }
  if (word === "memory") return String(engine.memory);
  let [more, messages] = [true, engine.order(line)];
  while (more) {
    const found = engine.search();
    more = found.more;
    messages = [...messages, ...found.messages];
  }
  return messages.at(-1);
}

for await (const line of createInterface({ input: process.stdin })) console.log(answer(line));
