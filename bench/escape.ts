// How long Esc takes to be obeyed, in every state there is: from the key to the word that says so.
// On a terminal without a key protocol, where a lone escape first has to prove that it is a key.

import { join } from "node:path";
import { ModelServer } from "@tau/testkit/model-server";
import type { ScriptedTurn } from "@tau/testkit/script";
import { isolatedHome } from "@tau/testkit/scratch";
import type { Figure } from "./figure.ts";
import { median } from "./measure.ts";
import { openPtyClient } from "./pty-client.ts";

const BAR_MS = 100;
const SILENT: ScriptedTurn = { text: "never", delivery: { silentAfterBytes: 0 } };
const call = (command: string): ScriptedTurn => ({
  toolCalls: [{ name: "bash", arguments: { command } }],
});

interface State {
  name: string;
  turn: ScriptedTurn;
  /** On the screen when it is reached. */
  sign: string;
  /** Sent instead of a prompt. */
  line?: string;
  /** On the screen when Esc was obeyed. */
  end?: string;
}

const STATES: readonly State[] = [
  {
    name: "words come",
    turn: { text: "word ".repeat(2_000), delivery: { delayMs: 5 } },
    sign: "Answering",
  },
  { name: "nothing comes", turn: SILENT, sign: "Waiting for the model" },
  { name: "a command runs", turn: call("sleep 300"), sign: "Running bash" },
  {
    name: "it waits to try again",
    turn: { httpError: { status: 429, headers: { "retry-after": "60" }, body: "{}" } },
    sign: "Trying again",
  },
  { name: "a question waits", turn: call("rm -rf ../tau-no-such-directory"), sign: "bash asks" },
  {
    name: "a summary is made",
    turn: SILENT,
    sign: "Summarising",
    line: "/compact",
    end: "summary was stopped",
  },
];

export async function measureEscape(root: string, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const state of STATES) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await timeOnce(root, state));
    figures.push({
      name: `Esc while ${state.name}`,
      value: median(times),
      unit: "ms",
      bar: BAR_MS,
    });
  }
  return figures;
}

async function timeOnce(root: string, state: State): Promise<number> {
  await using home = await isolatedHome();
  await using server = await ModelServer.start((_request, turn) =>
    state.line !== undefined && turn === 1 ? { text: "An answer." } : state.turn,
  );
  const env = {
    ...home.env,
    TAU_NO_TITLE: "1",
    OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
  };
  const program = [join(root, "tau"), "-m", "ollama/x"];
  await using client = openPtyClient(program, { cwd: home.root, env });
  await client.until((text) => text.includes("ollama/x"));
  client.send("begin\r");
  if (state.line !== undefined) {
    await client.until((text) => text.includes("An answer."));
    await Bun.sleep(200);
    client.send(`${state.line}\r`);
  }
  await client.until((text) => text.includes(state.sign));
  await Bun.sleep(300);
  client.take();
  const since = performance.now();
  client.send("\x1b");
  const end = state.end ?? "Stopped.";
  return (await client.until((text) => text.includes(end))) - since;
}
