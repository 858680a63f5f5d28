// What Tau itself costs while it works: between a reply and the next request, and per piece
// of a reply. Sessions are kept durably in both, as they are for users.

import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { median } from "./measure.ts";
import type { Figure } from "./figure.ts";

const TURNS = 20;
const TURN_BAR_MS = 6;
const CHUNKS = 20_000;
const CHUNK_BAR_US = 10;

export async function measureTurns(root: string): Promise<Figure[]> {
  await using home = await isolatedHome();
  const call = { name: "bash", arguments: { command: ":" } };
  await using server = await ModelServer.start((_request, turn) =>
    turn <= TURNS
      ? // Different each time: a model that repeats itself is stopped.
        { toolCalls: [{ ...call, arguments: { command: `: ${turn}` } }] }
      : { text: "done" },
  );
  await run(root, home.env, server);
  const gaps = server.requests
    .slice(1)
    .map((request, at) => request.receivedAt - server.requests[at]!.repliedAt!);
  return [{ name: "a turn with one bash call", value: median(gaps), unit: "ms", bar: TURN_BAR_MS }];
}

export async function measureChunks(root: string, rounds: number): Promise<Figure[]> {
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const few = await cpuOf(root, "tok ");
    const many = await cpuOf(root, "tok ".repeat(CHUNKS));
    costs.push((many - few) / CHUNKS);
  }
  return [
    {
      name: "CPU a streamed piece, print mode",
      value: median(costs),
      unit: "µs",
      bar: CHUNK_BAR_US,
    },
  ];
}

/** Microseconds of user and system time of a run whose reply comes in pieces of one token. */
async function cpuOf(root: string, text: string): Promise<number> {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([{ text, deltaChars: 4 }]);
  return await run(root, home.env, server);
}

async function run(
  root: string,
  env: Readonly<Record<string, string>>,
  server: ModelServer,
): Promise<number> {
  const child = Bun.spawn(["./tau", "-p", "-m", "ollama/x", "hi"], {
    cwd: root,
    env: { ...env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const stderr = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`the run failed: ${stderr}`);
  return Number(child.resourceUsage()!.cpuTime.total);
}
