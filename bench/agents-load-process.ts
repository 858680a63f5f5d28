// The process that `agents-load.ts` measures: a session that has agents work for it, and looks at its own
// memory before and after. Prints what it found as JSON.

import { AGENT_RUNNER, createSession } from "@tau/tau/sdk";
import { AGENTS } from "@tau/tau/features/agents/registry";
import { AT_ONCE, IN_A_ROW, type AgentsLoad } from "./agents-load.ts";

/**
 * Enough that everything that an agent needs is loaded and compiled: the first 400 cost 25 MB, most of it
 * code that the engine keeps, the next 400 a third of that.
 */
const WARM_UP = 250;
/** Until the collector and the allocator have given back what they will. */
const SETTLE_ROUNDS = 10;

await using session = (
  await createSession({ cwd: process.env.BENCH_CWD, model: "ollama/x", titles: "off" })
).session;
const registry = session.part(AGENTS)!;
const runner = session.part(AGENT_RUNNER)!;
const added: Record<string, number> = {};
const add = registry.add.bind(registry);
registry.add = (record) => {
  added[record.id] = performance.timeOrigin + performance.now();
  return add(record);
};

const runOne = (): Promise<unknown> => runner.run("look at notes.txt", { kind: "quick_task" });
const runAtOnce = (): Promise<unknown[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, () => runOne()));

async function parkAll(): Promise<void> {
  await Promise.all(registry.agents().map((agent) => agent.park()));
}

async function memory(): Promise<number> {
  for (let round = 0; round < SETTLE_ROUNDS; round++) {
    Bun.gc(true);
    await Bun.sleep(20);
  }
  return process.memoryUsage().rss;
}

for (let at = 0; at < WARM_UP; at++) {
  await runOne();
  await parkAll();
}
const before = await memory();
await runAtOnce();
const liveAtOnce = await memory();
await parkAll();
const parkedAtOnce = await memory();

for (const id of Object.keys(added)) delete added[id];
const beforeRow = await memory();
for (let at = 0; at < IN_A_ROW; at++) {
  await runOne();
  await parkAll();
}
const parkedRow = await memory();
const load: AgentsLoad = { before, liveAtOnce, parkedAtOnce, beforeRow, parkedRow, added };
console.log(JSON.stringify(load));
