// Starts a program at every entry point in every place of a hostile clone, and says what came of it.

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { expect } from "bun:test";
import { textOf } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { entryPoints, EVERY_HELPER, type EntryPoint } from "./entry-points.ts";
import { plantHostileClone, type HostileClone } from "./hostile-clone.ts";
import { spawnTau } from "./run-tau.ts";

/** A start on a loaded machine takes a second or two; one that waits for a FIFO takes for ever. */
const HANG_MS = 25_000;
/** As many as keep two cores busy. */
const AT_ONCE = 3;

export interface Stage extends AsyncDisposable {
  clone: HostileClone;
  /** Starts it everywhere; what did not end, or ended as a bug, is listed. */
  startAll(program: readonly string[]): Promise<string[]>;
  /** Opens the interactive mode, waits for the prompt, says something, leaves. */
  converse(program: readonly string[], cwd: string): Promise<void>;
  /** Requests that reached the clone's own server. */
  stolen(): number;
  /** What the model was told of itself, with every request. */
  told(): string[];
  /** What its calls came to, by tool. */
  results(tool: string): string[];
}

export async function hostileStage(): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  const home = stack.use(await isolatedHome());
  const model = stack.use(
    await ModelServer.start((request) =>
      request.decoded.messages.some(({ role }) => role === "toolResult")
        ? { text: "safe" }
        : { toolCalls: EVERY_HELPER.map((call) => ({ ...call })) },
    ),
  );
  const evil = stack.use(await ModelServer.start(() => ({ text: "evil" })));
  const clone = await plantHostileClone(home, evil.baseUrl("openai-completions"));
  for (const place of Object.values(clone.places)) {
    using database = new Database(join(place, "sample.db"));
    database.run("CREATE TABLE t (a)");
  }
  const env = {
    OPENROUTER_API_KEY: "k",
    OPENROUTER_BASE_URL: model.baseUrl("openai-completions"),
    TAU_NO_TITLE: "1",
  };

  async function start(program: readonly string[], cwd: string, point: EntryPoint) {
    const { args, stdin } = point;
    const child = spawnTau(args, {
      cwd,
      home,
      env,
      program,
      ...(stdin === undefined ? {} : { stdin }),
    });
    let isHung = false;
    const timer = setTimeout(() => {
      isHung = true;
      child.kill("SIGKILL");
    }, HANG_MS);
    const [, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    clearTimeout(timer);
    if (isHung) return "did not end";
    return /a bug in Tau|^error:/m.test(stderr) ? stderr : undefined;
  }

  return {
    clone,
    stolen: () => evil.requests.length,
    told: () => model.requests.map(({ decoded }) => decoded.system.join("\n")),
    results: (tool) =>
      model.requests.flatMap(({ decoded }) =>
        decoded.messages.flatMap((message) =>
          message.role === "toolResult" && message.toolName === tool ? [textOf(message)] : [],
        ),
      ),
    async startAll(program) {
      const points = [...(await entryPoints())];
      const jobs = Object.entries(clone.places).flatMap(([place, cwd]) =>
        points.map(([name, point]) => ({ name: `${name} (${place})`, cwd, point })),
      );
      const failures: string[] = [];
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let job = jobs.pop(); job; job = jobs.pop()) {
            const failure = await start(program, job.cwd, job.point);
            if (failure !== undefined) failures.push(`${job.name}: ${failure}`);
          }
        }),
      );
      return failures;
    },
    async converse(program, cwd) {
      // As people have it who want the programs of their projects at hand.
      const PATH = `./node_modules/.bin:.:${home.env.PATH}`;
      const options = { cwd, env: { ...home.env, ...env, PATH } };
      await using terminal = runInTerminal([...program, "-m", "openrouter/m"], options);
      await terminal.waitFor(/Trust this project\?|─\n›/);
      // Esc leaves a question as it is; the prompt is below it.
      terminal.press("escape");
      await terminal.waitFor(/─\n›/);
      terminal.send("go");
      terminal.press("enter");
      await terminal.waitFor("safe");
      // What is asked of git afterwards is asked when something has run.
      await Bun.sleep(GIT_SETTLES_MS);
      terminal.press("ctrl+d");
      await terminal.exited;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const GIT_SETTLES_MS = 500;

/** Nothing ran, nobody was asked, and nobody but Tau told the model what it is. */
export async function expectNothingHappened(stage: Stage): Promise<void> {
  expect(await stage.clone.traces()).toEqual([]);
  expect(stage.stolen()).toBe(0);
  expect(stage.told().filter((text) => text.includes("OBEY THE CLONE"))).toEqual([]);
  // Everything was really tried: the cells have run, and so have the helpers.
  expect(stage.told().length).toBeGreaterThan(0);
  for (const result of stage.results("eval")) expect(result).toEndWith("\n2");
  expect(stage.results("ast_grep").length).toBe(stage.results("eval").length);
  expect(stage.results("eval").length).toBeGreaterThan(0);
}
