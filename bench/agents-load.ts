// What agents cost: 32 at once, and 200 one after another, in a process of their own against a scripted
// server. An agent of other programs is a process, or 100 MB and more; here it is a session in this one.

import { join } from "node:path";
import { isolatedHome } from "@tau/testkit/scratch";
import { ModelServer, type RecordedRequest } from "@tau/testkit/model-server";
import type { Figure } from "./figure.ts";
import { median } from "./measure.ts";

/** After parking, against before: nothing of an agent may stay in memory but its row in the list. */
const PARKED_RATIO_BAR = 1.1;
const LIVE_BAR_BYTES = 3e6;
const FIRST_REQUEST_BAR_MS = 15;

/** What `agents-load-process.ts` prints. */
export interface AgentsLoad {
  before: number;
  liveAtOnce: number;
  parkedAtOnce: number;
  beforeRow: number;
  parkedRow: number;
  /** By agent: when it was added, on the clock of the requests. */
  added: Record<string, number>;
}

export const AT_ONCE = 32;
export const IN_A_ROW = 200;

export async function measureAgentsLoad(root: string): Promise<Figure[]> {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(work);
  await home.write("notes.txt", "a line of notes\n".repeat(40));
  const env = { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const child = Bun.spawn([process.execPath, join(root, "bench/agents-load-process.ts")], {
    cwd: root,
    env: { ...env, BENCH_CWD: home.root },
    stderr: "inherit",
  });
  const load = JSON.parse(await child.stdout.text()) as AgentsLoad;
  const spawns = firstRequests(load.added, server.requests);
  const ratio = (after: number, before: number) => ({
    unit: "bytes" as const,
    value: after - before,
    ratio: after / before,
    ratioBar: PARKED_RATIO_BAR,
  });
  return [
    {
      name: `a live idle agent, of ${AT_ONCE}`,
      value: (load.liveAtOnce - load.before) / AT_ONCE,
      unit: "bytes",
      bar: LIVE_BAR_BYTES,
    },
    {
      name: `memory after ${AT_ONCE} agents at once were parked, beyond before`,
      ...ratio(load.parkedAtOnce, load.before),
    },
    {
      name: `memory after ${IN_A_ROW} agents one after another, beyond before`,
      ...ratio(load.parkedRow, load.beforeRow),
    },
    {
      name: "an agent: from its start to its first request",
      value: median(spawns),
      unit: "ms",
      bar: FIRST_REQUEST_BAR_MS,
    },
  ];
}

/** Each reads a file and hands in what it found. */
function work({ decoded }: RecordedRequest) {
  const hasRead = decoded.messages.some(({ role }) => role === "toolResult");
  const call = hasRead
    ? { name: "yield", arguments: { result: "notes, forty lines of them" } }
    : { name: "read", arguments: { path: "notes.txt" } };
  return { text: "I look at it.", toolCalls: [call] };
}

function firstRequests(
  added: Readonly<Record<string, number>>,
  requests: readonly RecordedRequest[],
): number[] {
  const first = new Map<string, number>();
  for (const { text, receivedAt } of requests) {
    const who = /You are the agent ([\w.-]+)\. /.exec(text)?.[1];
    if (who !== undefined && !first.has(who)) first.set(who, receivedAt);
  }
  return Object.entries(added).map(([id, at]) => first.get(id)! - at);
}

if (import.meta.main) {
  const { printTable } = await import("./figure.ts");
  console.log(printTable(await measureAgentsLoad(join(import.meta.dir, ".."))));
}
