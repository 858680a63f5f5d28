// What 32 agents that all stream cost the person in front of them: from a key to its letter, at the prompt
// and in the screen of one of them.

import { join } from "node:path";
import { isolatedHome } from "@tau/testkit/scratch";
import type { Figure } from "./figure.ts";
import { openPtyClient, type PtyClient } from "./pty-client.ts";
import { echoes } from "./terminal.ts";

const AGENTS = 32;
/** Of each: as fast as a fast model answers one person. */
const TOKENS_PER_SECOND = 50;
const KEYS = 240;
/** One refresh of a common display. */
const BAR_MS = 16;
/** None of what is drawn meanwhile has them. */
const LETTERS = "zjv";

export async function measureAgentScreens(root: string): Promise<Figure[]> {
  await using home = await isolatedHome();
  await using model = startModel();
  const env = { ...home.env, TAU_NO_TITLE: "1", OLLAMA_BASE_URL: await model.url };
  const place = { cwd: home.root, env };
  await using client = openPtyClient([join(root, "tau"), "-m", "ollama/x"], place);
  await client.until((text) => text.includes("ollama/x"));
  await Bun.sleep(500);
  client.send("share it out\r");
  await client.until((text) => text.includes(" more at work"));
  await Bun.sleep(1_000);
  const atPrompt = await slowest(client);
  client.send("\x15\x1ba");
  await client.until((text) => text.includes(`${AGENTS} at work`));
  await Bun.sleep(500);
  client.send("\r");
  await client.until((text) => text.includes("write to A0"));
  await Bun.sleep(500);
  const inScreen = await slowest(client);
  return [
    figure(`a key at the prompt while ${AGENTS} agents stream, p99`, atPrompt),
    figure(`a key in the screen of one of ${AGENTS}, p99`, inScreen),
  ];
}

async function slowest(client: PtyClient): Promise<number> {
  const times = (await echoes(client, KEYS, LETTERS)).toSorted((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)]!;
}

function figure(name: string, value: number): Figure {
  return { name, value, unit: "ms", bar: BAR_MS };
}

function startModel(): AsyncDisposable & { url: Promise<string> } {
  const script = join(import.meta.dir, "agent-model.ts");
  const child = Bun.spawn([process.execPath, script, String(AGENTS), String(TOKENS_PER_SECOND)], {
    stdout: "pipe",
  });
  const url = (async () => {
    for await (const line of child.stdout.pipeThrough(new TextDecoderStream())) return line.trim();
    throw new Error("the model did not start");
  })();
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

if (import.meta.main) console.log(await measureAgentScreens(join(import.meta.dir, "..")));
