// npm run bench:agents [-- --model PROVIDER/ID] [--only NAME] [--json] [--idle]: the tasks of this
// folder, with the scripted solver or a real model; pass rate, turns, tokens and money. So that a
// change of a prompt or of a tool's text is an experiment. With --idle nobody works, and nothing may
// pass.

import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ModelCost } from "@tau/ai/model";
import { runTask, type TaskResult } from "./run-task.ts";
import { BUGS } from "./tasks/bugs.ts";
import { DATA } from "./tasks/data.ts";
import { REFACTORINGS } from "./tasks/refactorings.ts";
import { TESTS } from "./tasks/tests.ts";

const AT_ONCE = 2;

const { values } = parseArgs({
  options: {
    model: { type: "string", short: "m" },
    only: { type: "string" },
    idle: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const root = join(import.meta.dir, "..", "..");
const { only, model, idle: isIdle } = values;
const price = model === undefined ? undefined : priceOf(model);
const tasks = [...BUGS, ...REFACTORINGS, ...TESTS, ...DATA].filter(
  ({ name }) => only === undefined || name.includes(only),
);
const waiting = [...tasks];
const results: TaskResult[] = [];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      const result = await runTask(task, { root, model, price, isIdle });
      results.push(result);
      if (!values.json) console.log(row(result));
    }
  }),
);
const passed = results.filter(({ failure }) => failure === undefined).length;
const sum = (of: (result: TaskResult) => number): number =>
  results.reduce((all, one) => all + of(one), 0);
const totals = {
  solver: model ?? "the scripted solver",
  passed,
  tasks: results.length,
  turns: sum(({ turns }) => turns),
  inputTokens: sum(({ inputTokens }) => inputTokens),
  outputTokens: sum(({ outputTokens }) => outputTokens),
  cost: sum(({ cost }) => cost),
};
if (values.json) console.log(JSON.stringify({ ...totals, results }, null, 2));
else {
  console.log(
    `\n${passed} of ${results.length} solved by ${totals.solver}: ${totals.turns} turns, ${totals.inputTokens} tokens in, ${totals.outputTokens} out, $${totals.cost.toFixed(2)}`,
  );
}
process.exitCode = passed === (isIdle ? 0 : results.length) ? 0 : 1;

function priceOf(name: string): ModelCost | undefined {
  const listed = Bun.spawnSync([join(root, "tau"), "models", "--all", "--json", name]);
  const models = JSON.parse(listed.stdout.toString() || "[]") as {
    provider: string;
    id: string;
    cost?: ModelCost;
  }[];
  const exact = models.find(({ provider, id }) => `${provider}/${id}` === name);
  return (exact ?? models[0])?.cost;
}

function row({ name, kind, failure, turns, inputTokens, seconds }: TaskResult): string {
  const state = failure === undefined ? "ok  " : "FAIL";
  const cells = [
    state,
    name.padEnd(26),
    kind.padEnd(12),
    `${turns} turns`.padStart(8),
    `${inputTokens} tokens`.padStart(13),
    `${seconds.toFixed(1)} s`.padStart(7),
  ];
  return [
    cells.join(" "),
    ...(failure === undefined ? [] : [`     ${failure.replaceAll("\n", "\n     ")}`]),
  ].join("\n");
}
