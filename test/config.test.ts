// tau config as a user runs it: reading, changing, explaining; mistakes named; nobody's words lost.

import { describe, expect, test } from "bun:test";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { root, runTau } from "./support/run-tau.ts";

const FILE = ".tau/agent/config.yml";

async function config(home: IsolatedHome, ...args: string[]) {
  return await runTau(["config", ...args], { cwd: home.root, home });
}

test("what is set is found again, explained, and taken back", async () => {
  await using home = await isolatedHome();
  expect((await config(home, "get", "compaction.strategy")).stdout).toBe("summary\n");
  expect(await config(home, "set", "compaction.strategy", "prune")).toMatchObject({
    exitCode: 0,
    stdout: "compaction.strategy = prune\n",
  });
  expect(await home.read(FILE)).toBe("compaction:\n  strategy: prune\n");
  const explained = (await config(home, "explain", "compaction.strategy")).stdout;
  expect(explained).toContain("default     summary");
  expect(explained).toContain(`user        prune  ${home.path(FILE)}`);
  expect(explained).toContain("in force    prune");
  expect((await config(home, "unset", "compaction.strategy")).stdout).toBe(
    "compaction.strategy = summary\n",
  );
  expect((await home.read(FILE)).trim()).toBe("{}");
  expect((await config(home, "path")).stdout).toBe(`${home.path(FILE)}\n`);
});

test("comments, order and other keys stay as they are", async () => {
  await using home = await isolatedHome();
  const before = [
    "# mine",
    "modelRoles:",
    "  smol: a/b # small",
    "",
    "# about long talks",
    "compaction:",
    "  enabled: true # yes",
    "",
  ].join("\n");
  await home.write(FILE, before);
  await config(home, "set", "compaction.enabled", "NO");
  expect(await home.read(FILE)).toBe(before.replace("enabled: true", "enabled: false"));
});

describe("values", () => {
  test.each([
    ["compaction.enabled", "YES", true],
    ["compaction.enabled", "0", false],
    ["read.defaultLimit", " 50 ", 50],
    ["edit.mode", "patch", "patch"],
    ["modelRoles", '{"smol":"a/b"}', { smol: "a/b" }],
    ["modelProviderOrder", '["x","y"]', ["x", "y"]],
  ])("%s %s", async (key, word, value) => {
    await using home = await isolatedHome();
    expect((await config(home, "set", key, word)).exitCode).toBe(0);
    const { stdout } = await config(home, "get", key, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ key, value });
  });

  test.each([
    ["compaction.enabled", "maybe", "true or false"],
    ["read.defaultLimit", "Infinity", "a number"],
    ["read.defaultLimit", "0", "from 1"],
    ["edit.mode", "vim", "hashline, replace, patch, apply_patch"],
    ["modelRoles", "[1]", "JSON is expected"],
    ["compaction.strateg", "x", "did you mean compaction.strategy?"],
  ])("%s %s is refused and nothing is written", async (key, word, why) => {
    await using home = await isolatedHome();
    const result = await config(home, "set", key, word);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain(why);
    expect(await Bun.file(home.path(FILE)).exists()).toBe(false);
  });
});

test("a file with mistakes: each is named by line, the rest counts", async () => {
  await using home = await isolatedHome();
  await home.write(
    FILE,
    "compaction:\n  enabled: perhaps\n  keepRecentTokens: 7\nretri:\n  enabled: no\n",
  );
  const { stdout, stderr } = await config(home, "get", "compaction.keepRecentTokens");
  expect(stdout).toBe("7\n");
  expect(stderr).toContain("config.yml:2: compaction.enabled: true or false is expected");
  expect(stderr).toContain("config.yml:4: retri: there is no such setting");
});

test("a file that cannot be understood is not written over", async () => {
  await using home = await isolatedHome();
  await home.write(FILE, "compaction: [broken\n");
  const result = await config(home, "set", "compaction.enabled", "no");
  expect(result.exitCode).toBe(1);
  expect(await home.read(FILE)).toBe("compaction: [broken\n");
});

test("a file for one run lies on top, and a mistake in it is fatal", async () => {
  await using home = await isolatedHome();
  await home.write("bad.yml", "- 1\n");
  const args = (file: string) => ["-p", "hi", "-m", "tau/demo", "--config", file];
  const bad = await runTau(args("bad.yml"), { cwd: home.root, home });
  expect(bad).toMatchObject({ exitCode: 2, stdout: "" });
  expect(bad.stderr).toContain("bad.yml");
  const none = await runTau(args("none.yml"), { cwd: home.root, home });
  expect(none.exitCode).toBe(2);
  await home.write("good.yml", "compaction:\n  enabled: false\n");
  expect((await runTau(args("good.yml"), { cwd: home.root, home })).exitCode).toBe(0);
});

test("two writers at once, hundreds of times: nothing is lost, comments stay", async () => {
  await using home = await isolatedHome();
  await home.write(FILE, "# the user's own words\nmodelRoles: {}\n");
  const program = await home.write(
    "writer.ts",
    `import { writeSetting } from ${JSON.stringify(`${root}/packages/tau/src/config/write-setting.ts`)};
     const [name] = process.argv.slice(2);
     for (let at = 0; at < 250; at++) await writeSetting(${JSON.stringify(home.path(FILE))}, "modelRoles." + name + at, "m/" + at);`,
  );
  const writers = ["a", "b"].map((name) =>
    Bun.spawn([process.execPath, program, name], {
      env: home.env,
      stdout: "inherit",
      stderr: "inherit",
    }),
  );
  expect(await Promise.all(writers.map((writer) => writer.exited))).toEqual([0, 0]);
  const text = await home.read(FILE);
  expect(text).toStartWith("# the user's own words\n");
  const { modelRoles } = Bun.YAML.parse(text) as { modelRoles: Record<string, string> };
  expect(Object.keys(modelRoles)).toHaveLength(500);
});

test("a project's settings count where it is trusted, and never decide what may run", async () => {
  await using home = await isolatedHome();
  await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
  await home.write(
    "work/.tau/config.yml",
    "compaction:\n  strategy: prune\ntools:\n  approvalMode: yolo\n",
  );
  const cwd = home.path("work");
  const get = (key: string) => runTau(["config", "get", key], { cwd, home });
  const before = await get("compaction.strategy");
  expect(before.stdout).toBe("summary\n");
  expect(before.stderr).toContain("this project is not trusted, so its settings are left out");
  expect((await runTau(["trust", "allow"], { cwd, home })).exitCode).toBe(0);
  expect((await get("compaction.strategy")).stdout).toBe("prune\n");
  const mode = await get("tools.approvalMode");
  expect(mode.stdout).toBe("auto\n");
  expect(mode.stderr).toContain("a project may not set this");
  const explained = await runTau(["config", "explain", "compaction.strategy"], { cwd, home });
  expect(explained.stdout).toContain("project     prune");
  await home.write("work/.tau/config.yml", "compaction:\n  strategy: off\n");
  const changed = await get("compaction.strategy");
  expect(changed.stdout).toBe("summary\n");
  expect(changed.stderr).toContain("has changed since you allowed it");
});
