// Tokens of a working day: a scripted model asks its sixty questions through Tau's tools, and
// everything that it is sent is counted. A fact that is not in a result costs another call, so
// that a result which leaves out what was needed does not look cheap.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ModelServer, type RecordedRequest } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import type { Figure } from "../figure.ts";
import { SeenResults } from "../seen-results.ts";
import { workingDay, type Call, type Step } from "./day.ts";
import { makeProject } from "./project.ts";

/** What a tokenizer makes of English and code, roughly; the ratio of two days does not depend on it. */
const BYTES_PER_TOKEN = 4;

/** The same day with the tools of commit c921f76, to which later ones are held. */
const DAY_BEFORE: DayCost = { requests: 76, facts: 60, window: 137_638, sent: 5_100_145 };
/** At least 40 % fewer. */
const MOST_OF_BEFORE = 0.6;

interface DayCost {
  requests: number;
  facts: number;
  /** In the last request: what the day has filled of the window. */
  window: number;
  /** Of all requests together: what is paid for without a cache. */
  sent: number;
}

async function spendDay(root: string): Promise<DayCost & { missed: string[] }> {
  await using home = await isolatedHome();
  const project = home.path("project");
  makeProject(root, project);
  const solver = new Solver(workingDay(project));
  await using server = await ModelServer.start((request) => solver.next(request));
  const agent = home.path(".tau", "agent");
  mkdirSync(agent, { recursive: true });
  writeFileSync(join(agent, "models.yml"), modelsFile(server.baseUrl("openai-completions")));
  const child = Bun.spawn([join(root, "tau"), "-p", "-m", "day/model", "Begin the day."], {
    cwd: project,
    env: { ...home.env, DAY_KEY: "x" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const stderr = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`the day ended early: ${stderr}`);
  const sizes = server.requests.map(({ text }) => Buffer.byteLength(text) / BYTES_PER_TOKEN);
  return {
    requests: sizes.length,
    facts: solver.found,
    window: Math.round(sizes.at(-1)!),
    sent: Math.round(sizes.reduce((sum, size) => sum + size, 0)),
    missed: solver.missed,
  };
}

/** A window that a day does not fill: nothing is summarised. */
function modelsFile(baseUrl: string): string {
  return `providers:
  day:
    baseUrl: ${baseUrl}
    api: openai-completions
    apiKey: env:DAY_KEY
    models:
      - id: model
        contextWindow: 4000000
        maxTokens: 8000
`;
}

class Solver {
  readonly #steps: readonly Step[];
  readonly #seen = new SeenResults();
  #step = 0;
  #try = 0;
  found = 0;
  readonly missed: string[] = [];

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  next(request: RecordedRequest): { text: string } | { toolCalls: Call[] } {
    this.#seen.take(request);
    const step = this.#steps[this.#step]!;
    if (this.#try > 0 && this.#seen.newest(this.#try).includes(step.fact)) {
      this.found++;
      this.#begin();
    } else if (this.#try === step.tries.length) {
      this.missed.push(step.fact);
      this.#begin();
    }
    const now = this.#steps[this.#step];
    return now ? { toolCalls: [now.tries[this.#try++]!(this.#seen)] } : { text: "done" };
  }

  #begin(): void {
    this.#step++;
    this.#try = 0;
  }
}

export async function measureWorkingDay(root: string): Promise<Figure[]> {
  const day = await spendDay(root);
  if (day.facts < DAY_BEFORE.facts) throw new Error(`facts not found: ${day.missed.join(", ")}`);
  return [
    { name: "a working day, tokens sent before", value: DAY_BEFORE.sent, unit: "tokens" },
    {
      name: "a working day, tokens sent",
      value: day.sent,
      unit: "tokens",
      bar: DAY_BEFORE.sent * MOST_OF_BEFORE,
    },
    { name: "a working day, window before", value: DAY_BEFORE.window, unit: "tokens" },
    { name: "a working day, window", value: day.window, unit: "tokens" },
  ];
}

if (import.meta.main) console.log(await spendDay(join(import.meta.dir, "..", "..")));
