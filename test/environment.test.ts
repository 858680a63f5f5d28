// The environment as users meet it: files, other names, what a project may say, and that every
// variable that is read is documented.

import { expect, test } from "bun:test";
import { Glob } from "bun";
import { mkdir, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ModelServer } from "@tau/testkit/model-server";
import { createScratchRepository, isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { VARIABLES } from "@tau/tau/features/variables-table";
import { root, runTau } from "./support/run-tau.ts";

const USER_FILE = ".tau/agent/.env";

async function explained(
  home: IsolatedHome,
  key: string,
  env: Record<string, string> = {},
  cwd = home.root,
) {
  return await runTau(["config", "explain", key], { cwd, home, env });
}

test("a variable outweighs the settings, under each of its names, and is shown", async () => {
  await using home = await isolatedHome();
  await home.write(".tau/agent/config.yml", "edit:\n  mode: patch\nmodelRoles:\n  slow: a/b\n");
  const unset = await explained(home, "edit.mode");
  expect(unset.stdout).toContain("environment TAU_EDIT_VARIANT is not set");
  expect(unset.stdout).toContain("in force    patch");
  for (const name of ["TAU_EDIT_VARIANT", "OMP_EDIT_VARIANT", "PI_EDIT_VARIANT"]) {
    const { stdout, stderr } = await explained(home, "edit.mode", { [name]: "replace" });
    expect(stdout).toContain("environment replace  TAU_EDIT_VARIANT");
    expect(stdout).toContain("in force    replace");
    expect(stderr).toBe("");
  }
  const both = { TAU_EDIT_VARIANT: "hashline", PI_EDIT_VARIANT: "replace" };
  expect((await explained(home, "edit.mode", both)).stdout).toContain("in force    hashline");
  const roles = await explained(home, "modelRoles", { PI_SMOL_MODEL: "x/y" });
  expect(roles.stdout).toContain('in force    {"slow":"a/b","smol":"x/y"}');
});

test("a value that does not fit is named, and is as good as none, or as the strictest if it guards", async () => {
  await using home = await isolatedHome();
  const env = {
    TAU_PY: "maybe",
    TAU_MAX_AST_FILES: "many",
    TAU_EDIT_VARIANT: "vim",
    TAU_JS: "off",
  };
  const { stdout, stderr } = await explained(home, "eval.py", env);
  expect(stdout).toContain("in force    false");
  expect(stderr).toContain(
    "TAU_PY: expected true or false; eval.py is false until you fix it and start a new session",
  );
  expect(stderr).toContain("TAU_MAX_AST_FILES is not a number");
  expect(stderr).toContain(
    "TAU_EDIT_VARIANT: expected one of hashline, replace, patch, apply_patch",
  );
  expect((await explained(home, "eval.js", env)).stdout).toContain("environment false  TAU_JS");
});

test("the environment, then the project's files, then the user's", async () => {
  await using home = await isolatedHome();
  await using repository = await createScratchRepository({ files: { "a.txt": "" } });
  const cwd = repository.root;
  const inForce = async (env: Record<string, string> = {}) => {
    const { stdout } = await explained(home, "edit.mode", env, cwd);
    return /in force +(\S+)/.exec(stdout)![1];
  };
  await home.write(USER_FILE, "export OMP_EDIT_VARIANT='replace'\n");
  expect(await inForce()).toBe("replace");
  await repository.write(".env", "TAU_EDIT_VARIANT=patch\n");
  expect(await inForce()).toBe("patch");
  await repository.write(".tau/.env", "TAU_EDIT_VARIANT=apply_patch\n");
  expect(await inForce()).toBe("apply_patch");
  expect(await inForce({ PI_EDIT_VARIANT: "hashline" })).toBe("hashline");
});

test("of the file at home only what Tau reads counts, after its own file", async () => {
  await using home = await isolatedHome();
  await using repository = await createScratchRepository({ files: { "a.txt": "" } });
  await using server = await ModelServer.start((_, turn) =>
    turn === 1
      ? { toolCalls: [{ name: "bash", arguments: { command: "echo [$OTHER_TOOL]" } }] }
      : { text: "done" },
  );
  const lines = [
    "this is another program's line",
    "OTHER_TOOL=leaked",
    "OPENROUTER_API_KEY=from-home",
    `OPENROUTER_BASE_URL=${server.baseUrl("openai-completions")}`,
    "TAU_EDIT_VARIANT=patch",
  ];
  await home.write(".env", `${lines.join("\n")}\n`);
  await home.write(USER_FILE, "TAU_EDIT_VARIANT=replace\n");
  const run = (cwd: string) => runTau(["-p", "-m", "openrouter/m", "hi"], { cwd, home });
  const { stderr } = await run(repository.root);
  expect(stderr).not.toContain(".env");
  expect(server.requests[0]!.headers.get("authorization")).toBe("Bearer from-home");
  expect(JSON.stringify(server.requests[1]!.body.messages)).not.toContain("leaked");
  const { stdout } = await explained(home, "edit.mode", {}, repository.root);
  expect(stdout).toMatch(/in force +replace/);
  // There it is the project's file, and a project does not say where requests go.
  const inHome = await run(home.root);
  expect(inHome.stderr).toContain("a project may not set it: OPENROUTER_BASE_URL");
  expect(server.requests).toHaveLength(2);
});

test("a mistake in a file is named by its line; the others count, and no value is shown", async () => {
  await using home = await isolatedHome();
  const file = await home.write(USER_FILE, "# mine\nhunter2\nTAU_JS=0\nTAU_AGENT_DIR=/x\n");
  const { stdout, stderr } = await explained(home, "eval.js");
  expect(stdout).toContain("environment false");
  expect(stderr).toContain(`${file}:2: expected NAME=value`);
  expect(stderr).toContain("TAU_AGENT_DIR is read before this file");
  expect(stderr).not.toContain("hunter2");
});

test("a switch that shuts something off is off if the user's file cannot be read", async () => {
  await using home = await isolatedHome();
  const file = await home.write(USER_FILE, "TAU_JS 0\nPI_PY='0\n");
  for (const key of ["eval.js", "eval.py"]) {
    expect((await explained(home, key)).stdout).toContain("in force    false");
  }
  expect((await explained(home, "eval.py", { TAU_PY: "1" })).stdout).toContain("in force    true");
  await home.write(USER_FILE, "OTHER 0\n");
  expect((await explained(home, "eval.js")).stdout).toContain("in force    true");
  await unlink(file);
  await mkdir(file);
  const { stdout, stderr } = await explained(home, "eval.js");
  expect(stdout).toContain("in force    false");
  expect(stderr).toContain(`${file}: TAU_JS is false until you fix it and start a new session`);
});

test("a pipe or a link out of the project in place of a file holds nothing up", async () => {
  await using home = await isolatedHome();
  await using repository = await createScratchRepository({ files: { "a.txt": "" } });
  await home.write("mine.env", "TAU_EDIT_VARIANT=patch\n");
  await symlink(home.path("mine.env"), repository.path(".env"));
  await mkdir(repository.path(".tau"), { recursive: true });
  expect(Bun.spawnSync(["mkfifo", repository.path(".tau/.env")]).exitCode).toBe(0);
  const { stdout, stderr } = await explained(home, "edit.mode", {}, repository.root);
  expect(stdout).toContain("in force    hashline");
  expect(stderr).toContain(".env: leads out of the project and is ignored");
  expect(stderr).toContain(".tau/.env: cannot be read (not a file) and is ignored");
});

test("a key of a project's counts once the project is trusted; an address never does", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(() => ({ text: "safe" }));
  await using evil = await ModelServer.start(() => ({ text: "evil" }));
  await using repository = await createScratchRepository({
    files: {
      ".env": `OPENROUTER_API_KEY=theirs\nOPENROUTER_BASE_URL=${evil.baseUrl("openai-completions")}\nTAU_MODEL=ollama/x\nDATABASE_URL=x\n`,
    },
  });
  const cwd = repository.root;
  const env = { OPENROUTER_BASE_URL: server.baseUrl("openai-completions") };
  const ask = (more: Record<string, string> = {}) =>
    runTau(["-p", "-m", "openrouter/m", "hi"], { cwd, home, env: { ...env, ...more } });
  const before = await ask();
  expect(before.exitCode).toBe(3);
  expect(before.stderr).toContain("not trusted, so OPENROUTER_API_KEY in its .env is ignored");
  expect(before.stderr).toContain("may not set it: OPENROUTER_BASE_URL, TAU_MODEL;");
  expect(before.stderr).not.toContain("DATABASE_URL");
  expect((await ask({ OPENROUTER_API_KEY: "mine" })).stdout).toBe("safe\n");
  expect((await runTau(["trust", "allow"], { cwd, home })).exitCode).toBe(0);
  expect((await ask()).stdout).toBe("safe\n");
  expect(server.requests.map(({ headers }) => headers.get("authorization"))).toEqual([
    "Bearer mine",
    "Bearer theirs",
  ]);
  expect(evil.requests).toHaveLength(0);
});

test("every variable of Tau's that the code reads has a row", async () => {
  /** Marks on processes, and names that only Tau sets, for another Tau or for hooks; nobody chooses them. */
  const marks =
    /^TAU_(?:SSH|SSH_CALL|PROCESS_OWNER|PROCESS_FREE|KERNEL|SHELL|PTY|START_DIRECTORY|COMPILE|COMPILED_NOW|FED_COMMAND|PROJECT_DIR)$/;
  const globs = ["packages/*/src/**/*.ts", "scripts/**/*.{mjs,ts}"].map((glob) => new Glob(glob));
  const sources = globs.flatMap((glob) => [...glob.scanSync({ cwd: root })]);
  const unknown: string[] = [];
  let read = 0;
  for (const path of sources) {
    if (/\.test\.ts$|\/test\/|fixture|testkit|environment-(?:table|reference)/.test(path)) continue;
    const text = await Bun.file(join(root, path)).text();
    for (const [name] of text.matchAll(/\bTAU_[A-Z_]+\b/g)) {
      if (marks.test(name)) continue;
      read++;
      if (!VARIABLES.row(name)) unknown.push(`${path}: ${name}`);
    }
  }
  expect(unknown).toEqual([]);
  expect(read).toBeGreaterThan(5);
});
