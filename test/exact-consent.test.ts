// A remembered yes covers what was agreed to, and nothing that only reads the same: not in another
// directory, with another value, with another function, or as a part of another line.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import type { Approval, ApprovalQuestion } from "@tau/agent/judge-call";
import { userText } from "@tau/ai/message";
import { embed } from "./support/embedded.ts";

const bash = (command: string, more: object = {}) => ({
  toolCalls: [{ name: "bash", arguments: { command, ...more } }],
});
const DONE = { text: "done" };
type Turn = ReturnType<typeof bash>;
const SCOPES = ["session", "always"] as const;

/** The questions of each run; the first one is answered with the scope, the others with no. */
async function asked(
  runs: readonly (readonly Turn[])[],
  remember: (typeof SCOPES)[number],
  more: { cwd?: string; before?: (path: (name: string) => string) => Promise<unknown> } = {},
): Promise<{ asked: ApprovalQuestion[]; has: (name: string) => boolean; config: string }> {
  await using embedding = await embed(runs.flatMap((turns) => [...turns, DONE]));
  const { home } = embedding;
  for (const name of ["precious.txt", "a/precious.txt", "a/blog/x", "a/shop/sub/x", "blog/x"])
    await home.write(name, "mine\n");
  await more.before?.((name) => home.path(name));
  const found: ApprovalQuestion[] = [];
  for (const _turns of runs) {
    const session = await embedding.start({
      cwd: home.path(more.cwd ?? "a/shop"),
      approvalMode: "auto",
      ask: async (question): Promise<Approval> => {
        found.push(question);
        return found.length === 1 ? { allowed: true, remember } : { allowed: false };
      },
    });
    await session.prompt(userText("go"));
    await session[Symbol.asyncDispose]();
  }
  const config = ".tau/agent/config.yml";
  const text = existsSync(home.path(config)) ? await home.read(config) : "";
  const there = new Map(
    ["precious.txt", "a/precious.txt", "a/blog/x", "blog/x"].map((name) => [
      name,
      existsSync(home.path(name)),
    ]),
  );
  return { asked: found, has: (name) => there.get(name) === true, config: text };
}

/** In the same session, or in the next one if the yes is to last. */
const after = (first: Turn, scope: string, ...then: Turn[]): Turn[][] =>
  scope === "session" ? [[first, ...then]] : [[first], then];

test.each(SCOPES)("%s: in another directory it is another file", async (scope) => {
  const remove = bash("rm -f ../precious.txt");
  const { asked: questions, has } = await asked(after(remove, scope, bash("cd .."), remove), scope);
  expect(questions).toHaveLength(2);
  expect([has("a/precious.txt"), has("precious.txt")]).toEqual([false, true]);
});

test.each(SCOPES)("%s: a part of a line is not the line", async (scope) => {
  const first = bash("cd sub && rm -f ../../precious.txt; cd ..");
  const { asked: questions, has } = await asked(
    after(first, scope, bash("rm -f ../../precious.txt")),
    scope,
  );
  expect(questions[0]?.rules).toEqual(["allow bash(cd sub && rm -f ../../precious.txt; cd ..)"]);
  expect(questions).toHaveLength(2);
  expect([has("a/precious.txt"), has("precious.txt")]).toEqual([false, true]);
});

test.each(SCOPES)("%s: another value is another file", async (scope) => {
  const { asked: questions, has } = await asked(
    after(
      bash("F=../precious.txt; rm -r $F"),
      scope,
      bash("F=../blog"),
      bash("rm -r $F"),
      bash("rm -r $F", { env: { F: "../blog" } }),
      bash("F=../blog; rm -r $F"),
    ),
    scope,
  );
  expect(questions.map(({ scopes }) => scopes)).toEqual([
    ["session", "always"],
    // Nobody knows what it deletes: the yes would be to anything.
    [],
    ["session", "always"],
    ["session", "always"],
  ]);
  expect([has("a/precious.txt"), has("a/blog/x")]).toEqual([false, true]);
});

test.each(SCOPES)("%s: another body is another function", async (scope) => {
  const { asked: questions, has } = await asked(
    after(
      bash("clean() { rm -r ../precious.txt; }; clean"),
      scope,
      bash("clean() { rm -r ../blog; }"),
      bash("clean"),
    ),
    scope,
  );
  expect(questions.length).toBeGreaterThan(1);
  expect(questions.at(-1)?.subjects).toEqual(["clean"]);
  expect(has("a/blog/x")).toBe(true);
});

test.each(SCOPES)("%s: another target is another link", async (scope) => {
  const remove = bash("rm -f link/x");
  const { asked: questions, has } = await asked(
    after(remove, scope, bash("rm link; ln -s ~/blog link"), remove),
    scope,
    { before: (path) => symlink(path("a/blog"), path("a/shop/link")) },
  );
  expect(questions.at(-1)?.guard).toContain("/blog/x");
  expect([has("a/blog/x"), has("blog/x")]).toEqual([false, true]);
});

test.each(SCOPES)("%s: a script that says something else is another one", async (scope) => {
  const write = (content: string) =>
    ({
      toolCalls: [{ name: "write", arguments: { path: "clean.sh", content } }],
    }) as unknown as Turn;
  const { asked: questions, has } = await asked(
    [
      [
        write("rm ../precious.txt\n"),
        bash("bash clean.sh"),
        write("rm -r ../blog\n"),
        bash("bash clean.sh"),
      ],
    ],
    scope,
  );
  expect(questions).toHaveLength(2);
  expect([has("a/precious.txt"), has("a/blog/x")]).toEqual([false, true]);
});

test.each(SCOPES)(
  "%s: the same again is not asked about, parts that stand alone neither",
  async (scope) => {
    const whole = bash("F=../precious.txt; rm -f $F");
    const repeated = await asked(after(whole, scope, whole), scope);
    expect(repeated.asked).toHaveLength(1);
    const apart = await asked(
      after(bash("rm -f ../precious.txt && echo gone"), scope, bash("rm -f ../precious.txt")),
      scope,
    );
    expect(apart.asked).toHaveLength(1);
    expect(apart.asked[0]?.rules).toEqual([
      "allow bash(rm -f ../precious.txt)",
      "allow bash(echo gone)",
    ]);
  },
);

test("a path in full is the same in every directory", async () => {
  const remove = bash("rm -f ~/precious.txt");
  const { asked: questions } = await asked([[remove, bash("cd sub"), remove]], "session");
  expect(questions).toHaveLength(1);
});

test("elsewhere in the project the directory is part of the rule", async () => {
  const remove = bash("rm -f ../../precious.txt", { cwd: "sub" });
  const { asked: questions } = await asked(
    [[remove], [remove, bash("rm -f ../../precious.txt")]],
    "always",
  );
  expect(questions).toHaveLength(2);
  expect(questions[0]?.rules[0]).toMatch(
    /^allow bash\(in \/.*\/a\/shop\/sub: rm -f \.\.\/\.\.\/precious\.txt\)$/,
  );
});

test("a yes to what was harmless is not one to a danger that reads the same", async () => {
  await using embedding = await embed([
    bash("rm -f ../precious.txt", { cwd: "sub" }),
    bash("rm -f ../precious.txt"),
    bash("npm test"),
    bash("npm test", { cwd: "sub" }),
    DONE,
  ]);
  const { home } = embedding;
  await home.write("precious.txt", "mine\n");
  await mkdir(home.path("work/sub"), { recursive: true });
  const found: string[] = [];
  const session = await embedding.start({
    cwd: home.path("work"),
    approvalMode: "always-ask",
    ask: async ({ subjects, guard }): Promise<Approval> => {
      found.push(subjects.join("; "));
      return guard === undefined ? { allowed: true, remember: "session" } : { allowed: false };
    },
  });
  await session.prompt(userText("go"));
  await session[Symbol.asyncDispose]();
  expect(existsSync(home.path("precious.txt"))).toBe(true);
  // `npm test` is the same wherever it runs.
  expect(found).toEqual(["rm -f ../precious.txt", "rm -f ../precious.txt", "npm test"]);
});

test("a cell is remembered with what it stands on", async () => {
  const cell = (code: string) =>
    ({
      toolCalls: [{ name: "eval", arguments: { cells: [{ language: "js", code }] } }],
    }) as unknown as Turn;
  const remove = cell("require('fs').rmSync(name)");
  const { asked: questions, has } = await asked(
    [[cell("var name = '../precious.txt'"), remove, cell("name = '../blog/x'"), remove]],
    "session",
  );
  expect(questions.map(({ scopes }) => scopes)).toEqual([[], []]);
  expect(has("a/blog/x")).toBe(true);
});

test("a call that was refused is not recorded as one that ran", async () => {
  await using embedding = await embed([bash("rm -f ../precious.txt"), DONE]);
  const { home } = embedding;
  await mkdir(home.path("work"), { recursive: true });
  const session = await embedding.start({
    cwd: home.path("work"),
    ask: async () => ({ allowed: false }),
  });
  await session.prompt(userText("go"));
  await session[Symbol.asyncDispose]();
  const logs = new Bun.Glob("**/*.jsonl").scanSync({ cwd: home.root, dot: true });
  const log = [...logs].find((name) => name.includes("sessions")) ?? "";
  const kept = await home.read(log);
  expect(kept).toContain('"toolResult"');
  expect(kept).not.toContain('"wasRun":true');
});

test("a project is the repository, in whichever of its directories Tau is started", async () => {
  const write = (path: string) =>
    ({ toolCalls: [{ name: "write", arguments: { path, content: "x\n" } }] }) as unknown as Turn;
  await using embedding = await embed([
    bash("make x"),
    write(".npmrc"),
    DONE,
    bash("make x"),
    write("../.npmrc"),
    write(".npmrc"),
    DONE,
  ]);
  const { home } = embedding;
  await mkdir(home.path("shop/.git"), { recursive: true });
  await mkdir(home.path("shop/sub"), { recursive: true });
  const asked: string[] = [];
  for (const cwd of ["shop", "shop/sub"]) {
    const session = await embedding.start({
      cwd: home.path(cwd),
      approvalMode: "always-ask",
      ask: async ({ rules }): Promise<Approval> => {
        asked.push(...rules);
        return { allowed: true, remember: "always" };
      },
    });
    await session.prompt(userText("go"));
    await session[Symbol.asyncDispose]();
  }
  expect(asked).toEqual([
    "allow bash(make x)",
    "allow write(.npmrc)",
    // The first one is the same file, the second one is not.
    "allow write(sub/.npmrc)",
  ]);
  expect(await home.read(".tau/agent/config.yml")).toContain(`${home.path("shop")}:`);
});
