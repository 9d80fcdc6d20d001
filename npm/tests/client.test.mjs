// The engine's client with a worker of the test's own: `node --test npm/tests/client.test.mjs`, without
// any build.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { EngineClient } from "../engine-client.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const MEGABYTE = 1 << 20;

// A worker whose every last reply takes a megabyte.
const platform = {
  startWorker({ onMessage }) {
    const post = ({ order }) => {
      const { do: kind, id } = JSON.parse(order ?? "{}");
      const large = ["x".repeat(MEGABYTE)];
      const found = { redWins: 0.5, proven: null, simulations: 1, time: 1, line: large, moves: [] };
      const replies = {
        prove: [{ id, kind: "proof", winner: "red", winning: large, losing: [] }],
        analyse: [{ id, kind: "analysis", analysis: found }, { id, kind: "done", analysis: found, answer: null }],
        move: [{ id, kind: "done", analysis: found, answer: "a1" }],
      };
      for (const reply of replies[kind] ?? []) setImmediate(() => onMessage(JSON.stringify(reply)));
    };
    return { post, end() {} };
  },
};

// The memory in use, in megabytes.
function used() {
  collectGarbage();
  return process.memoryUsage().heapUsed / MEGABYTE;
}

const CALLS = {
  solve: (engine) => engine.solve({ side: 4, moves: "b3", swap: false }),
  bestMove: (engine) => engine.bestMove({ side: 4, moves: "b3" }),
  async analyze(engine) {
    for await (const { simulations } of engine.analyze({ side: 4, moves: "b3" })) assert.equal(simulations, 1);
  },
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} leaves nothing behind when it is answered`, async () => {
    const engine = new EngineClient(platform, {});
    await call(engine);
    const before = used();
    for (let i = 0; i < 40; i += 1) await call(engine);
    const more = used() - before;
    assert.ok(more < 10, `40 calls keep ${more.toFixed(1)} MB`);
    engine.close();
  });
}
