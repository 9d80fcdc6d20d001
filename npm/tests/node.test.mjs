// The package in Node: `node --test npm/tests/`, after wasm/build and npm/build.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { HexEngine, HexError } from "../../target/npm/node.js";

async function withEngine(use) {
  const engine = await HexEngine.load();
  try {
    return await use(engine);
  } finally {
    engine.close();
  }
}

async function last(analyses) {
  let found;
  for await (found of analyses);
  return found;
}

test("analyses match the types", () => withEngine(async (engine) => {
  const position = { side: 11, moves: ["a2", "f6", "e5"] };
  const found = await last(engine.analyze(position, { simulations: 1200 }));
  assert.equal(found.simulations, 1200);
  assert.equal(found.toMove, "blue");
  assert.ok(found.winProbability > 0 && found.winProbability < 1);
  const [best, second] = found.candidates;
  assert.equal(best.move, found.line[0]);
  assert.equal(best.line[0], best.move);
  assert.ok(best.visits > 0 && best.prior > 0 && best.prior <= 1);
  // Both values are from the view of the player to move.
  assert.ok(Math.abs(best.value - found.winProbability) < 0.2, `${best.value} ${found.winProbability}`);
  assert.ok(second.visits <= best.visits || second.visits > 0);
}));

test("engines with the same number of simulations agree", async () => {
  const position = { side: 9, moves: "a2 e5 d6" };
  const analyse = () => withEngine((engine) => last(engine.analyze(position, { simulations: 600 })));
  const [one, other] = await Promise.all([analyse(), analyse()]);
  assert.deepEqual({ ...one, ms: 0 }, { ...other, ms: 0 });
});

test("plays on every board size at every level", () => withEngine(async (engine) => {
  for (const [side, level] of [[3, 1], [5, 3], [11, 7], [19, 10]]) {
    const move = await engine.bestMove({ side, moves: ["a1", "b2"] }, { level, simulations: 20 });
    assert.match(move, /^[a-s]\d{1,2}$/);
  }
}));

test("swaps a good first stone if allowed", () => withEngine(async (engine) => {
  const position = { side: 11, moves: ["f6"] };
  assert.equal(await engine.bestMove(position, { ms: 50 }), "swap");
  assert.notEqual(await engine.bestMove({ ...position, swap: false }, { ms: 50 }), "swap");
  // After the swap it is Red's turn, and the stone belongs to Blue.
  const found = await last(engine.analyze({ side: 11, moves: "f6 swap" }, { simulations: 50 }));
  assert.equal(found.toMove, "red");
}));

test("the solver finds the winner", () => withEngine(async (engine) => {
  const { winner, winning, losing } = await engine.solve({ side: 4, moves: "a1 c3 b2" });
  assert.equal(winner, "blue");
  assert.ok(winning.length > 0 && losing.length > 0, `${winning} / ${losing}`);
  assert.equal((await engine.solve({ side: 4, moves: "b3", swap: false })).winner, "red");
  // While Blue may swap, the solver does not try.
  assert.equal((await engine.solve({ side: 4, moves: "b2" })).winner, null);
  const found = await last(engine.analyze({ side: 4, moves: "b3", swap: false }, { ms: 5000 }));
  assert.equal(found.proof, "red");
}));

test("a signal cancels a call, and the engine stays usable", () => withEngine(async (engine) => {
  const position = { side: 11, moves: "a2 f6" };
  const begin = performance.now();
  const signal = AbortSignal.timeout(300);
  await assert.rejects(last(engine.analyze(position, { ms: 30_000, signal })), { name: "TimeoutError" });
  const hard = engine.solve({ side: 10, moves: "e5", swap: false }, { signal: AbortSignal.timeout(300) });
  await assert.rejects(hard, { name: "TimeoutError" });
  for await (const { simulations } of engine.analyze(position, { ms: 30_000 })) if (simulations > 0) break;
  assert.match(await engine.bestMove(position, { ms: 50 }), /^[a-k]\d{1,2}$/);
  assert.equal((await engine.solve({ side: 3, moves: "b2", swap: false })).winner, "red");
  assert.ok(performance.now() - begin < 20_000);
}));

test("invalid calls throw errors", () => withEngine(async (engine) => {
  const calls = [
    [() => engine.bestMove({ side: 2 }), /side 2 is not possible/],
    [() => engine.bestMove({ side: 5, moves: ["z"] }), /"z" is not a move/],
    [() => engine.bestMove({ side: 5, moves: ["a1", "a1"] }), /a1/],
    [() => engine.bestMove({ side: 3, moves: "b1 a1 b2 c1 b3" }), /over/],
    [() => engine.bestMove({ side: 5 }, { level: 11 }), /level 11/],
    [() => last(engine.analyze({ side: 5 }, { ms: 10, simulations: 10 })), /not both/],
    [() => last(engine.analyze({ side: 5 }, { simulations: 0 })), /0 simulations/],
  ];
  for (const [call, words] of calls) {
    await assert.rejects(async () => call(), (error) => error instanceof HexError && words.test(error.message));
  }
}));

test("a closed engine rejects calls and lets the program end", async () => {
  const engine = await HexEngine.load();
  const waiting = last(engine.analyze({ side: 11, moves: "a2" }, { ms: 30_000 }));
  setTimeout(() => engine.close(), 200);
  await assert.rejects(waiting, /closed/);
  await assert.rejects(engine.bestMove({ side: 5 }), /closed/);
});

// The files that a page loads from a host with compression.
test("a page loads less than 350 kB", () => {
  const files = ["browser.js", "engine-client.js", "worker.js", "serve.js", "engine.js", "hex.wasm", "kernel.wasm"];
  const sizes = files.map((file) => gzipSync(readFileSync(new URL(`../../target/npm/${file}`, import.meta.url)), { level: 9 }).length);
  const sum = sizes.reduce((sum, size) => sum + size);
  assert.ok(sum < 350_000, `${sum} bytes: ${files.map((file, index) => `${file} ${sizes[index]}`).join(", ")}`);
});

// A comment behind a `console.log` is what it prints; a document's blocks are one program.
for (const name of ["README.md", "docs/library.md", "npm/README.md"]) {
  test(`the examples of ${name} print what stands beside them`, () => {
    const text = readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
    const code = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block).join("\n");
    assert.match(code, / from "hexbot";/);
    const own = JSON.stringify(new URL("../../target/npm/node.js", import.meta.url).href);
    const program = code.replaceAll(' from "hexbot";', ` from ${own};`);
    const options = { encoding: "utf8", timeout: 60_000 };
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], options);
    const shown = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line);
    if (shown.length > 0) assert.deepEqual(printed.trimEnd().split("\n"), shown);
  });
}
