// The single-file executable passes what the source checkout passes.

import { beforeAll, describe, expect, test } from "bun:test";
import { textOf } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory, isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../packages/tau/package.json";
import { HOSTILE_FILES, HOSTILE_NOTICE } from "./support/hostile-files.ts";
import { root, runTau } from "./support/run-tau.ts";
import { expectNothingHappened, hostileStage } from "./support/start-everything.ts";

const BUILD_TIMEOUT_MS = 120_000;
/** The first run of a program of this size on a loaded machine. */
const RUN_TIMEOUT_MS = 60_000;

/** Some two hundred starts. */
const ALL_STARTS_MS = 240_000;

const program = [join(root, "dist", "tau")];

beforeAll(() => {
  const build = Bun.spawnSync([process.execPath, "scripts/build.ts"], { cwd: root });
  expect(build.stderr.toString()).toBe("");
  expect(build.exitCode).toBe(0);
}, BUILD_TIMEOUT_MS);

test(
  "npm run build makes an executable that needs nothing beside it",
  async () => {
    await using home = await isolatedHome();
    await using directory = await createScratchDirectory();
    for (const [path, text] of Object.entries(HOSTILE_FILES)) await directory.write(path, text);
    const run = (args: string[], env: Record<string, string> = {}) =>
      runTau(args, { cwd: directory.root, home, env, program });

    expect(await run(["--version"])).toEqual({
      stdout: `tau ${manifest.version}\n`,
      stderr: "",
      exitCode: 0,
    });
    const help = await run(["--help"]);
    expect(help.stdout).toBe((await runTau(["--help"], { cwd: home.root, home })).stdout);
    expect((await run(["--modle"])).exitCode).toBe(2);

    const demo = await run(["-p", "look around"]);
    expect(demo).toMatchObject({ stderr: HOSTILE_NOTICE, exitCode: 0 });
    expect(demo.stdout).toContain("bunfig.toml");

    await using server = await ModelServer.start([
      { toolCalls: [{ name: "bash", arguments: { command: "echo built" } }] },
      { text: "done" },
    ]);
    const env = {
      OPENROUTER_API_KEY: "k",
      OPENROUTER_BASE_URL: server.baseUrl("openai-completions"),
    };
    const turn = await run(["-p", "-m", "openrouter/m", "hi"], env);
    expect(turn).toEqual({ stdout: "done\n", stderr: HOSTILE_NOTICE, exitCode: 0 });
    expect(server.requests).toHaveLength(2);
    expect(await Bun.file(directory.path("evil-ran")).exists()).toBe(false);
  },
  RUN_TIMEOUT_MS,
);

testWith(
  { program: "git", proves: "that a clone runs nothing in the executable" },
  "a hostile clone, at every entry point and in the terminal",
  async () => {
    await using stage = await hostileStage();
    expect(await stage.startAll(program)).toEqual([]);
    for (const place of Object.values(stage.clone.places)) await stage.converse(program, place);
    await expectNothingHappened(stage);
  },
  ALL_STARTS_MS,
);

describe("the engines inside the executable", () => {
  const LONG_PYTHON = Array.from({ length: 30 }, (_, at) =>
    [`def f${at}(a):`, ...Array.from({ length: 12 }, (__, line) => `    a += ${line}`)].join("\n"),
  ).join("\n\n");

  async function ask(
    home: IsolatedHome,
    calls: [tool: string, args: object][],
    env: Record<string, string> = {},
  ) {
    await using directory = await createScratchDirectory();
    await directory.write("long.py", LONG_PYTHON);
    await directory.write("src/main.rs", "fn main() {\n    old(1);\n}\n");
    // What a package manager would find first.
    for (const name of ["python", "rust"]) {
      const planted = `node_modules/@ast-grep/lang-${name}`;
      await directory.write(`${planted}/package.json`, "{}");
      for (const build of ["Linux-X64", "Linux-ARM64", "macOS-ARM64", "macOS-X64"]) {
        await directory.write(`${planted}/prebuilds/prebuild-${build}/parser.so`, "planted");
      }
    }
    await using server = await ModelServer.start([
      ...calls.map(([name, args]) => ({ toolCalls: [{ name, arguments: { ...args } }] })),
      { text: "done" },
    ]);
    const run = await runTau(["-p", "-m", "ollama/x", "go"], {
      cwd: directory.root,
      home,
      env: { OLLAMA_BASE_URL: server.baseUrl("openai-completions"), ...env },
      program,
    });
    expect(run).toEqual({ stdout: "done\n", stderr: "", exitCode: 0 });
    const { messages } = server.requests.at(-1)!.decoded;
    const results = messages.filter(({ role }) => role === "toolResult").map(textOf);
    return { results, source: await directory.read("src/main.rs") };
  }

  test(
    "parse, search and rewrite where there is nothing but sources",
    async () => {
      await using home = await isolatedHome();
      const { results, source } = await ask(home, [
        ["read", { path: "long.py" }],
        ["ast_grep", { pat: "old($A)", paths: ["src"] }],
        ["ast_edit", { ops: [{ pat: "old($A)", out: "neu($A)" }], paths: ["src"] }],
        ["resolve", { action: "apply", reason: "wanted" }],
      ]);
      expect(results[0]).toMatch(/\[\d+ of \d+ lines left out;/);
      expect(results[1]).toContain("*2:    old(1);\n    $A=1");
      expect(source).toBe("fn main() {\n    neu(1);\n}\n");
      const [folder, ...others] = await readdir(home.path(".tau/cache"));
      expect(others).toEqual([]);
      const extracted = await readdir(home.path(".tau/cache", folder!));
      expect(extracted).toContain("lang-rust.so");
      expect(extracted).toContain("lang-python.so");
    },
    RUN_TIMEOUT_MS,
  );

  test(
    "are done without where they cannot be extracted",
    async () => {
      await using home = await isolatedHome();
      const { results } = await ask(
        home,
        [
          ["read", { path: "long.py" }],
          ["ast_grep", { pat: "old($A)", paths: ["src"] }],
        ],
        { TAU_ENGINE_CACHE: "/dev/null/nowhere" },
      );
      expect(results[0]).toContain("2:    a += 0\n");
      expect(results[1]).toContain(
        "rust: There is no parser for rust here (it cannot be extracted",
      );
      expect(existsSync(home.path(".tau/cache"))).toBe(false);
    },
    RUN_TIMEOUT_MS,
  );

  test(
    "search lines with the ripgrep that came along",
    async () => {
      await using home = await isolatedHome();
      await using directory = await createScratchDirectory();
      await directory.write("a.txt", "one\nneedle\n");
      const found = await runTau(["grep", "needle"], { cwd: directory.root, home, program });
      expect(found).toEqual({ stdout: "a.txt:2:needle\n", stderr: "", exitCode: 0 });
      const [folder] = await readdir(home.path(".tau/cache"));
      expect(await readdir(home.path(".tau/cache", folder!))).toEqual(["rg"]);
    },
    RUN_TIMEOUT_MS,
  );
});
