// One task: its project, a run of Tau in it, what that cost, and whether the work is right.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { costOf } from "@tau/agent/budget";
import { FREE, type ModelCost } from "@tau/ai/model";
import { emptyUsage, type Usage } from "@tau/ai/usage";
import { ModelServer, type RecordedRequest } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import type { ScriptedCall } from "@tau/testkit/script";
import { SeenResults } from "../seen-results.ts";
import type { AgentTask } from "./task.ts";

/** What a tokenizer makes of English and code, roughly; a vendor's own count is used if there is one. */
const BYTES_PER_TOKEN = 4;
const RUN_TIMEOUT_MS = 15 * 60 * 1000;
const GRADE_TIMEOUT_MS = 60_000;

export interface TaskResult {
  name: string;
  kind: AgentTask["kind"];
  /** Why it is not right; undefined if it is. */
  failure?: string;
  turns: number;
  inputTokens: number;
  outputTokens: number;
  /** In dollars; 0 for the scripted solver. */
  cost: number;
  seconds: number;
}

export interface RunOptions {
  root: string;
  /** A real model; the scripted solver if absent. */
  model?: string;
  /** What that model costs; nothing if nobody knows. */
  price?: ModelCost;
  /** Nobody solves it: a grader that is content all the same is wrong. */
  isIdle?: boolean;
}

export async function runTask(
  task: AgentTask,
  { root, model, price = FREE, isIdle = false }: RunOptions,
): Promise<TaskResult> {
  await using home = await isolatedHome();
  const project = home.path("project");
  const bun = join(root, "node_modules", ".tau");
  const env = { ...home.env, PATH: `${bun}:${home.env.PATH ?? ""}` };
  await prepare(task, project, env);
  const solver = new Solver(isIdle ? [] : task.solve);
  await using server = await ModelServer.start((request) => solver.next(request));
  const began = performance.now();
  const run = await startTau(root, {
    project,
    prompt: task.prompt,
    price,
    model: model ?? "ollama/solver",
    env:
      model === undefined
        ? { ...env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") }
        : { ...process.env, ...home.env, HOME: process.env.HOME, PATH: env.PATH },
  });
  const seconds = (performance.now() - began) / 1000;
  const failure = run.failure ?? (await grade(task, { project, env, answer: run.answer }));
  const scripted = server.requests.map(({ text }) => Buffer.byteLength(text) / BYTES_PER_TOKEN);
  const sum = (values: readonly number[]): number => Math.round(values.reduce((a, b) => a + b, 0));
  return {
    name: task.name,
    kind: task.kind,
    failure,
    turns: model === undefined ? scripted.length : run.turns,
    inputTokens: model === undefined ? sum(scripted) : run.inputTokens,
    outputTokens: run.outputTokens,
    cost: run.cost,
    seconds,
  };
}

async function prepare(
  { files, setUp }: AgentTask,
  project: string,
  env: Record<string, string>,
): Promise<void> {
  put(project, files);
  const git =
    "git init -q -b main && git add -A && git -c user.name=A -c user.email=a@b.c commit -q --allow-empty -m Begin";
  for (const command of [git, setUp]) {
    if (command === undefined) continue;
    const done = await shell(command, project, env);
    if (done.code !== 0) throw new Error(`the project could not be made: ${done.output}`);
  }
}

function put(project: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(project, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

async function shell(
  command: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const child = Bun.spawn(["bash", "-c", command], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: GRADE_TIMEOUT_MS,
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, output: `${out}${err}` };
}

interface TauRun {
  answer: string;
  failure?: string;
  turns: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
}

interface StartedRun {
  project: string;
  prompt: string;
  model: string;
  price: ModelCost;
  env: Record<string, string | undefined>;
}

async function startTau(
  root: string,
  { project, prompt, model, price, env }: StartedRun,
): Promise<TauRun> {
  const child = Bun.spawn([join(root, "tau"), "-p", "--mode", "json", "-m", model, prompt], {
    cwd: project,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: RUN_TIMEOUT_MS,
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const code = await child.exited;
  const run: TauRun = { answer: "", turns: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
  for (const line of out.split("\n"))
    if (line.startsWith("{")) addEvent(run, JSON.parse(line), price);
  return code === 0 ? run : { ...run, failure: `tau ended with ${code}: ${err.trim()}` };
}

interface SaidMessage {
  role: string;
  content: { type: string; text?: string }[];
  usage?: Usage;
}

function addEvent(
  run: TauRun,
  { type, message }: { type: string; message?: SaidMessage },
  price: ModelCost,
): void {
  if (type !== "message_end" || message?.role !== "assistant") return;
  const { usage = emptyUsage(), content } = message;
  run.turns++;
  run.inputTokens += usage.input + usage.cacheRead + usage.cacheWrite;
  run.outputTokens += usage.output;
  run.cost += costOf(usage, price);
  const text = content
    .flatMap((block) => (block.type === "text" ? [block.text ?? ""] : []))
    .join("");
  if (text !== "") run.answer = text;
}

async function grade(
  { grade: { files, command, answer: wanted, notAnswer } }: AgentTask,
  { project, env, answer }: { project: string; env: Record<string, string>; answer: string },
): Promise<string | undefined> {
  if (wanted && !wanted.test(answer))
    return `the answer does not say ${wanted}: ${answer.slice(0, 200)}`;
  if (notAnswer?.test(answer)) return `the answer says ${notAnswer}`;
  put(project, files ?? {});
  if (command === undefined) return undefined;
  const { code, output } = await shell(command, project, env);
  return code === 0 ? undefined : `the check ended with ${code}: ${output.slice(-600)}`;
}

/** Plays the solution; what it did not get from the tools it does not know. */
class Solver {
  readonly #turns: AgentTask["solve"];
  readonly #seen = new SeenResults();
  #turn = 0;

  constructor(turns: AgentTask["solve"]) {
    this.#turns = turns;
  }

  next(request: RecordedRequest): { text: string } | { toolCalls: ScriptedCall[] } {
    this.#seen.take(request);
    const turn = this.#turns[this.#turn++]?.(this.#seen) ?? "done";
    return typeof turn === "string" ? { text: turn } : { toolCalls: turn };
  }
}
