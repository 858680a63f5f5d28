// Extensions that are loaded anew, again and again: what is on disk then counts, nothing of the earlier
// ones is left, and nobody is told anything twice.

import { expect, test } from "bun:test";
import { ActiveSession, userText } from "@tau/tau/sdk";
import { isolatedHome } from "@tau/testkit/scratch";
import { mkdir } from "node:fs/promises";

const ROUNDS = Number(process.env.TAU_RELOAD_ROUNDS ?? 200);
/** What the first rounds bring along (compiled code, caches) is not a leak. */
const WARM_UP = 40;
const MAX_GROWTH_MB = 24;

test(`${ROUNDS} times: one handler is called once, with the words that are on disk, in flat memory`, async () => {
  await using home = await isolatedHome();
  const cwd = home.path("work");
  await mkdir(cwd, { recursive: true });
  const source = (round: number): string => `
import { words } from "./words.ts";
const ballast = new Array(20_000).fill(${round});
export default (pi) => {
  pi.on("before_agent_start", () => ({ message: { customType: "x", content: words + " " + ballast[0], display: false } }));
};`;
  const write = async (round: number): Promise<void> => {
    await home.write("mine/words.ts", `export const words = "round";`);
    await home.write("mine/index.ts", source(round));
  };
  await write(0);
  await using active = await ActiveSession.open({
    cwd,
    env: home.env,
    model: "tau/demo",
    extensions: { paths: [home.path("mine")] },
  });
  const told: string[] = [];
  active.subscribe((event) => {
    if (event.type === "message_end" && event.message.role === "user") {
      told.push(
        event.message.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      );
    }
  });
  let before = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    if (round % 20 === 0) await write(round);
    await active.reload();
    if (round === WARM_UP) before = settled();
  }
  const grown = (settled() - before) / 1024 / 1024;
  await active.prompt(userText("hello"));
  expect(told.filter((words) => words.startsWith("round"))).toEqual([
    `round ${Math.floor(ROUNDS / 20) * 20}`,
  ]);
  expect(grown).toBeLessThan(MAX_GROWTH_MB);
}, 120_000);

function settled(): number {
  Bun.gc(true);
  Bun.gc(true);
  return process.memoryUsage.rss();
}
