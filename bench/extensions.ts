// What extensions cost those who have them: twenty that listen and do nothing, half of Tau's own kind and
// half of the family's, against none, in interleaved rounds.

import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import type { Figure } from "./figure.ts";
import { median, timeProcess } from "./measure.ts";

const COUNT = 20;
const FIRST_REQUEST_BAR = 1.15;
const TURN_BAR_MS = 1;
const TURNS = 20;
const WARM_UP_ROUNDS = 2;

const OWN = (at: number): string => `
import { defineExtension } from "@tau/extension";
export default defineExtension({
  name: "own-${at}",
  commands: [{ name: "own-${at}", help: "nothing", run: async () => undefined }],
  hooks: { tool_call: () => undefined, tool_result: () => undefined, turn_end: () => undefined },
});`;

const FAMILY = (at: number): string => `
export default function (pi) {
  pi.registerCommand("family-${at}", { handler: async () => {} });
  for (const event of ["session_start", "before_agent_start", "tool_call", "tool_result", "turn_end", "agent_end"]) {
    pi.on(event, async () => {});
  }
}`;

async function withExtensions(): Promise<IsolatedHome> {
  const home = await isolatedHome();
  for (let at = 0; at < COUNT; at++) {
    await home.write(`.tau/agent/extensions/e${at}.ts`, at % 2 === 0 ? OWN(at) : FAMILY(at));
  }
  return home;
}

export async function measureExtensions(root: string, rounds: number): Promise<Figure[]> {
  await using none = await isolatedHome();
  await using twenty = await withExtensions();
  const first = { none: [] as number[], twenty: [] as number[] };
  const turns = { none: [] as number[], twenty: [] as number[] };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const [name, home] of [
      ["none", none],
      ["twenty", twenty],
    ] as const) {
      await using server = await ModelServer.start((_request, turn) =>
        turn <= TURNS
          ? { toolCalls: [{ name: "bash", arguments: { command: `: ${turn}` } }] }
          : { text: "done" },
      );
      const env = { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
      const started = performance.timeOrigin + performance.now();
      await timeProcess(["./tau", "-p", "hi", "-m", "ollama/x"], { cwd: root, env });
      if (round < 0) continue;
      first[name].push(server.requests[0]!.receivedAt - started);
      const gaps = server.requests
        .slice(1)
        .map((request, at) => request.receivedAt - server.requests[at]!.repliedAt!);
      turns[name].push(median(gaps));
    }
  }
  return [
    {
      name: "first request with twenty extensions",
      value: median(first.twenty),
      unit: "ms",
      ratio: median(first.twenty) / median(first.none),
      ratioBar: FIRST_REQUEST_BAR,
    },
    {
      name: "a turn with twenty extensions, beyond one with none",
      value: median(turns.twenty) - median(turns.none),
      unit: "ms",
      bar: TURN_BAR_MS,
    },
  ];
}
