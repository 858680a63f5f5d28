// tau config as a user runs it: reading, changing, explaining; mistakes named; nobody's words lost.

import { describe, expect, test } from "bun:test";
import { userText } from "@tau/ai/message";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { embed } from "./support/embedded.ts";
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

test("entries of maps are read, set and removed by their names, whatever signs they have", async () => {
  await using home = await isolatedHome();
  await home.write(FILE, "# mine\nmodelRoles:\n  smol: a/b # small\n  plan: c/d\n");
  const rules = "tools.projectRules./home/ada/shop.v2";
  const set = await config(home, "set", rules, '["allow bash(npm test*)"]');
  expect(set).toMatchObject({ stdout: `${rules} = ["allow bash(npm test*)"]\n`, exitCode: 0 });
  expect((await config(home, "get", rules)).stdout).toBe('["allow bash(npm test*)"]\n');
  await config(home, "set", "modelRoles.slow", "e/f:high");
  expect((await config(home, "get", "modelRoles.slow")).stdout).toBe("e/f:high\n");
  expect((await config(home, "explain", "modelRoles.slow")).stdout).toContain('"slow":"e/f:high"');
  expect((await config(home, "unset", "modelRoles.plan")).exitCode).toBe(0);
  const taken = await config(home, "unset", rules);
  expect(taken).toMatchObject({
    stdout: "tools.projectRules has no /home/ada/shop.v2 any more\n",
    exitCode: 0,
  });
  expect(await home.read(FILE)).toBe(
    "# mine\nmodelRoles:\n  smol: a/b # small\n  slow: e/f:high\n",
  );
});

test("an entry that is not there, or that cannot be, is refused and nothing is written", async () => {
  await using home = await isolatedHome();
  await home.write(FILE, "modelRoles: { smol: a/b }\n");
  const before = await home.read(FILE);
  for (const [args, sentence] of [
    [["unset", "modelRoles.smoll"], "modelRoles has no entry smoll; did you mean modelRoles.smol?"],
    [["get", "tools.projectRules./x"], "tools.projectRules has no entry /x; it is empty"],
    [["set", "tools.approval.bash", "perhaps"], "tools.approval.bash: "],
    [["set", "modelRoles.smol"], "give modelRoles.smol a value"],
    [["unset", "modelRole.smol"], "there is no setting modelRole.smol"],
  ] as const) {
    const { stderr, exitCode } = await config(home, ...args);
    expect({ args, isTold: stderr.includes(sentence), exitCode }).toEqual({
      args,
      isTold: true,
      exitCode: 2,
    });
  }
  expect(await home.read(FILE)).toBe(before);
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
  await config(home, "unset", "modelRoles");
  const left = await home.read(FILE);
  expect(left).toStartWith("# mine\n");
  expect(left).toContain("# about long talks\ncompaction:\n  enabled: false # yes\n");
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
    ["read.defaultLimit", "0", "at least 1"],
    ["edit.mode", "vim", "hashline, replace, patch, apply_patch"],
    ["modelRoles", "[1]", "expected JSON"],
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
  expect(stderr).toContain("config.yml:2: compaction.enabled: expected true or false");
  expect(stderr).toContain("config.yml:4: retri: there is no such setting");
});

test.each([
  ["a heading with nothing below it", "retry: # mine\n", "mine"],
  ["both spellings, the nested one last", "retry.maxRetries: 1\nretry:\n  maxRetries: 2\n", ""],
  ["both spellings, the dotted one last", "retry:\n  maxRetries: 2\nretry.maxRetries: 1\n", ""],
])("what is set counts, and what is taken back is gone: %s", async (_name, before, kept) => {
  await using home = await isolatedHome();
  await home.write(FILE, before);
  expect(await config(home, "set", "retry.maxRetries", "4")).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: "retry.maxRetries = 4\n",
  });
  expect((await config(home, "get", "retry.maxRetries")).stdout).toBe("4\n");
  expect(await home.read(FILE)).toContain(kept);
  await home.write(FILE, before);
  await config(home, "unset", "retry.maxRetries");
  expect((await config(home, "get", "retry.maxRetries")).stdout).toBe("10\n");
});

test("a value where settings should be is named, and nothing is written over it", async () => {
  await using home = await isolatedHome();
  await home.write(FILE, "retry: 5\n");
  const { exitCode, stderr } = await config(home, "set", "retry.maxRetries", "4");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("retry contains no settings; fix it first.");
  expect(await home.read(FILE)).toBe("retry: 5\n");
});

test("a directory where the file should be is named, and the rest goes on", async () => {
  await using home = await isolatedHome();
  await home.write(`${FILE}/inside`, "");
  const got = await config(home, "get", "retry.maxRetries");
  expect(got).toMatchObject({ exitCode: 0, stdout: "10\n" });
  expect(got.stderr).toContain("config.yml: is a directory");
  const set = await config(home, "set", "retry.maxRetries", "4");
  expect(set.exitCode).toBe(1);
  expect(set.stderr).toContain("is a directory; move it away");
  const nowhere = { ...home, env: { ...home.env, HOME: "/dev/null" } };
  for (const args of [
    ["config", "set", "retry.maxRetries", "4"],
    ["trust", "allow"],
  ]) {
    const { exitCode, stderr } = await runTau(args, { cwd: home.root, home: nowhere });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining("Cannot make directory"),
    });
  }
  const run = await runTau(["--config", ".", "-p", "hi"], { cwd: home.root, home });
  expect(run).toMatchObject({ exitCode: 2 });
  expect(run.stderr).not.toContain("a bug");
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

test("two writers at once, five hundred times each: nothing is lost, comments stay", async () => {
  await using home = await isolatedHome();
  await home.write(FILE, "# the user's own words\nmodelRoles: {}\n");
  const program = await home.write(
    "writer.ts",
    `import { writeSetting } from ${JSON.stringify(`${root}/packages/tau/src/config/write-setting.ts`)};
     const [name] = process.argv.slice(2);
     for (let at = 0; at < 500; at++) await writeSetting(${JSON.stringify(home.path(FILE))}, "modelRoles." + name + at, "m/" + at);`,
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
  expect(Object.keys(modelRoles)).toHaveLength(1000);
}, 120_000);

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
  expect(before.stderr).toContain("this project is not trusted, so its settings are ignored");
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

describe("of several words on one setting the highest counts", () => {
  const LAYERS = ["family", "user", "project", "overlay", "environment"] as const;
  type Layer = (typeof LAYERS)[number];
  /** A word of its own for each, all of them at once or any of them alone. */
  const WORDS: Record<Layer, string> = {
    family: "replace",
    user: "patch",
    project: "apply_patch",
    overlay: "hashline",
    environment: "replace",
  };
  const FILES: Partial<Record<Layer, string>> = {
    family: ".omp/agent/config.yml",
    user: FILE,
    project: "work/.tau/config.yml",
    overlay: "over.yml",
  };
  const sets = LAYERS.flatMap((top, at) => [
    { top, given: [top] },
    { top, given: LAYERS.slice(0, at + 1) },
    { top, given: LAYERS.slice(0, at + 1).filter((_, place) => place % 2 === at % 2) },
  ]);
  test.each(sets)("$given: $top", async ({ top, given }) => {
    await using embedding = await embed([{ text: "ok" }]);
    const { home } = embedding;
    await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
    for (const layer of given) {
      const file = FILES[layer];
      if (file) await home.write(file, `edit:\n  mode: ${WORDS[layer]}\n`);
    }
    const cwd = home.path("work");
    if (given.includes("project")) await runTau(["trust", "allow"], { cwd, home });
    const { env } = embedding.options();
    const session = await embedding.start({
      cwd,
      session: { kind: "memory" },
      env: { ...env, ...(given.includes("environment") ? { TAU_EDIT_VARIANT: "replace" } : {}) },
      ...(given.includes("overlay") ? { overlays: [home.path("over.yml")] } : {}),
    });
    await session.prompt(userText("hi"));
    const edit = session.tools.specs().find(({ name }) => name === "edit")!;
    await session[Symbol.asyncDispose]();
    expect(Object.keys(edit.parameters.properties as object)).toEqual(
      WORDS[top] === "replace" ? ["path", "edits"] : ["input"],
    );
    const marks: Record<string, string> = {
      patch: "unified",
      apply_patch: "*** Begin Patch",
      hashline: "¶",
    };
    if (marks[WORDS[top]]) expect(edit.description).toContain(marks[WORDS[top]]!);
  });
});

test("a mistake in a file for one run ends it, naming key, file and line, with a suggestion", async () => {
  await using home = await isolatedHome();
  const args = ["-p", "hi", "-m", "tau/demo", "--config", "o.yml"];
  const run = async (text: string) => {
    await home.write("o.yml", text);
    return await runTau(args, { cwd: home.root, home });
  };
  const unknown = await run("# mine\ncompaction:\n  enabeld: true\n");
  expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
  expect(unknown.stderr).toContain("o.yml:3: compaction.enabeld: there is no such setting");
  expect(unknown.stderr).toContain("did you mean compaction.enabled?");
  const wrong = await run("edit:\n  mode: vim\n");
  expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
  expect(wrong.stderr).toContain("o.yml:2: edit.mode: expected one of hashline, replace");
});

test("names of before are read with a word, and rewritten when the user says so", async () => {
  await using home = await isolatedHome();
  const before = "# mine\nqueueMode: all # fast\ndisabledProviders: [openai, claude]\n";
  await home.write(FILE, before);
  const { stdout, stderr } = await config(home, "get", "steeringMode");
  expect(stdout).toBe("all\n");
  expect(stderr).toContain("config.yml:2: queueMode: has been renamed to steeringMode");
  expect(stderr).toContain("config.yml:3: disabledProviders: applies to models only");
  expect(await home.read(FILE)).toBe(before);
  const migrated = await config(home, "migrate");
  expect(migrated.stdout).toContain(`the old file is ${home.path(FILE)}.1.bak`);
  expect(await home.read(`${FILE}.1.bak`)).toBe(before);
  const after = await home.read(FILE);
  expect(after).toStartWith("# mine\nsteeringMode: all # fast\n");
  expect(Bun.YAML.parse(after)).toEqual({
    steeringMode: "all",
    disabledProviders: ["openai"],
    disabledSources: ["claude"],
    configVersion: 1,
  });
  expect((await config(home, "migrate")).stdout).toContain("is up to date");
  expect((await config(home, "get", "steeringMode")).stderr).toBe("");
});

test("of the family's settings, what means the same counts; consent and models do not", async () => {
  await using home = await isolatedHome();
  await home.write(
    ".omp/agent/config.yml",
    "theme: {dark: titanium}\nqueueMode: all\ntools: {approvalMode: yolo}\nmodelRoles: {smol: a/b}\n",
  );
  const get = async (key: string) => await config(home, "get", key);
  expect(await get("steeringMode")).toMatchObject({ stdout: "all\n", stderr: "" });
  expect((await get("tools.approvalMode")).stdout).toBe("auto\n");
  expect((await get("modelRoles")).stdout).toBe("{}\n");
  expect((await config(home, "explain", "steeringMode")).stdout).toContain("family      all");
  await home.write(FILE, "disabledSources: [omp]\n");
  expect((await get("steeringMode")).stdout).toBe("one-at-a-time\n");
});

test("settings of a project are written with --project, and stay trusted where they were", async () => {
  await using home = await isolatedHome();
  await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
  const cwd = home.path("work");
  const run = (...args: string[]) => runTau(["config", ...args], { cwd, home });
  const first = await run("set", "compaction.strategy", "prune", "--project");
  expect(first.stderr).toContain("it takes effect once you trust the project");
  expect(await home.read("work/.tau/config.yml")).toBe("compaction:\n  strategy: prune\n");
  expect((await run("get", "compaction.strategy")).stdout).toBe("summary\n");
  await runTau(["trust", "allow"], { cwd, home });
  const second = await run("set", "compaction.strategy", "off", "--project");
  expect(second).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await run("get", "compaction.strategy")).stdout).toBe("off\n");
  const refused = await run("set", "tools.approvalMode", "yolo", "--project");
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("a project may not set tools.approvalMode");
});

test("tools are taken away, limited, and requests sampled, as the settings say", async () => {
  await using embedding = await embed([
    { toolCalls: [{ name: "read", arguments: { path: "long.txt" } }] },
    { text: "ok" },
  ]);
  const { home, server } = embedding;
  await home.write("long.txt", `${"x".repeat(5000)}\n`);
  await home.write(
    FILE,
    "bash: {enabled: false}\nastEdit.enabled: no\ntemperature: 0.5\ntools: {outputMaxColumns: 100}\n",
  );
  const session = await embedding.start();
  await session.prompt(userText("hi"));
  await session[Symbol.asyncDispose]();
  const { decoded } = server.requests[0]!;
  const names = decoded.tools.map(({ name }) => name);
  expect(names).toContain("read");
  for (const gone of ["bash", "job", "ast_edit"]) expect(names).not.toContain(gone);
  expect(decoded.temperature).toBe(0.5);
  expect(JSON.stringify(server.requests[1]!.decoded.messages)).not.toContain("x".repeat(101));
});

test("skills are chosen by the settings, and come from further directories", async () => {
  await using embedding = await embed(() => ({ text: "ok" }));
  const { home, server } = embedding;
  const skill = (name: string) =>
    `---\nname: ${name}\ndescription: About ${name}\n---\nDo ${name}.\n`;
  for (const name of ["one", "two"]) {
    await home.write(`.tau/agent/skills/${name}/SKILL.md`, skill(name));
  }
  await home.write("elsewhere/three/SKILL.md", skill("three"));
  await home.write(
    FILE,
    "skills:\n  ignoredSkills: [t*o]\n  customDirectories: [~/elsewhere]\n  enableSkillCommands: false\n",
  );
  const session = await embedding.start({ cwd: home.path("elsewhere") });
  await session.prompt(userText("/skill:one"));
  await session[Symbol.asyncDispose]();
  const { system, messages } = server.requests[0]!.decoded;
  expect(system.join("\n")).toContain("- one: About one\n- three: About three");
  expect(system.join("\n")).not.toContain("About two");
  expect(JSON.stringify(messages)).toContain("/skill:one");
});
