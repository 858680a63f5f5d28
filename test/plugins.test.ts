// Plugins as a user has them: installed from wherever they come, shown before, in effect afterwards, kept by
// a lockfile, and gone when they are removed.

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createScratchRepository, isolatedHome } from "@tau/testkit/scratch";
import { extended } from "./support/extended.ts";
import { startPackageServer } from "./support/package-server.ts";
import { runTau, spawnTau } from "./support/run-tau.ts";
import { makePackage, makeTgz } from "@tau/testkit/tar";
import { FAMILY, installed, listed, skill, writeAll, type Files } from "./support/plugin-files.ts";

test("what it brings, may run and costs is shown first; without a terminal somebody has to say yes", async () => {
  await using home = await isolatedHome();
  const path = await writeAll(home, "guarding", FAMILY);
  const refused = await runTau(["plugin", "install", path], { cwd: home.root, home });
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toBe(
    "tau: nobody can be asked here, so nothing was installed; add --yes\n",
  );
  expect(refused.stdout).toContain("Extensions: guarding:guard\n");
  expect(refused.stdout).toContain("runs inside Tau");
  expect(refused.stdout).toMatch(/about [1-9]\d* tokens in every prompt/);
  expect(await installed(home)).toEqual([]);
  const { stdout, exitCode } = await runTau(["plugin", "install", "-y", path], {
    cwd: home.root,
    home,
  });
  expect(exitCode).toBe(0);
  expect(stdout).toEndWith("Installed guarding 1.0.0 (user).\n");
  expect(await listed(home)).toMatchObject([
    { name: "guarding", version: "1.0.0", isEnabled: true, source: `file:${path}`, scope: "user" },
  ]);
});

test("its extension guards, its command is filled in, its skill is in the prompt; disabled, nothing of it is", async () => {
  await using program = await extended({}, [
    { toolCalls: [{ name: "bash", arguments: { command: "rm -rf kept" } }] },
    { text: "Blocked." },
    { text: "Hello." },
    { toolCalls: [{ name: "bash", arguments: { command: "rm -rf kept" } }] },
    { text: "Gone." },
  ]);
  const { home, cwd } = program;
  await home.write("work/kept/file", "");
  const path = await writeAll(home, "guarding", FAMILY);
  expect((await program.command("plugin", "install", "-y", path)).exitCode).toBe(0);
  const { stdout } = await program.run("-p", "go", "--yolo");
  expect(stdout).toBe("Blocked.\n");
  expect(program.requests()[1]!.at(-1)).toBe("toolResult: guarded by a plugin");
  expect(String(program.server.requests[0]!.decoded.system)).toContain("- pdf: Reads PDFs");
  await program.run("-p", "/greet Ada");
  expect(program.requests()[2]!.at(-1)).toBe("user: Say hello to Ada.");
  expect((await program.command("plugin", "disable", "guarding")).stdout).toBe(
    "Disabled guarding.\n",
  );
  await program.run("-p", "go", "--yolo");
  expect(String(program.server.requests.at(-1)!.decoded.system)).not.toContain("pdf");
  expect(existsSync(join(cwd, "kept"))).toBe(false);
});

test("from a registry, with the packages that it needs and without anybody's scripts", async () => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  const script = {
    scripts: { postinstall: "touch postinstall-ran", install: "touch install-ran" },
  };
  server.publish(
    "helper",
    "2.1.0",
    makePackage({
      "package.json": JSON.stringify({ name: "helper", version: "2.1.0", ...script }),
      "index.js": "export const word = 'helped';",
    }),
    { manifest: { ...script, hasInstallScript: true } },
  );
  const manifest = {
    name: "@acme/needy",
    version: "1.0.0",
    dependencies: { helper: "^2.0.0" },
    peerDependencies: { "not-there": "*" },
    tau: { extensions: ["index.ts"] },
    ...script,
  };
  const source = `
import { word } from "helper";
export default (pi) => { pi.registerCommand("word", { description: word, handler() {} }); };`;
  const bytes = makePackage({ "package.json": JSON.stringify(manifest), "index.ts": source });
  server.publish("@acme/needy", "1.0.0", bytes);
  server.publish("@acme/needy", "1.1.0", bytes);
  const env = { npm_config_registry: `${server.url}/` };
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home, env });
  const first = await run("install", "-y", "@acme/needy@1.0.0");
  expect({ ...first, stdout: "" }).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  const [entry] = await listed(home);
  expect(entry).toMatchObject({ source: "npm:@acme/needy@1.0.0", resolved: "1.0.0" });
  expect(entry!.registryIntegrity).toStartWith("sha512-");
  const root = home.path(".tau/plugins", String(entry!.directory));
  const inspected = await runTau(["extension", "inspect", root, "--json"], {
    cwd: home.root,
    home,
  });
  expect(JSON.parse(inspected.stdout)).toMatchObject({ commands: ["word"], failures: [] });
  const sources = await runTau(["config", "sources", "extensions", "--json"], {
    cwd: home.root,
    home,
  });
  const { items } = JSON.parse(sources.stdout) as { items: Record<string, unknown>[] };
  expect(items).toMatchObject([{ name: "acme.needy:index" }]);
  expect(items[0]).not.toHaveProperty("heldBack");
  const ran = [...new Bun.Glob("**/*-ran").scanSync({ cwd: home.root, dot: true })];
  expect(ran).toEqual([]);
  // A version that was given stays; a range follows.
  expect((await run("update")).stdout).toBe("@acme/needy 1.0.0: up to date\n");
  await run("install", "-y", "npm:@acme/needy@^1.0.0");
  expect(await listed(home)).toMatchObject([{ resolved: "1.1.0" }]);
  expect(await installed(home)).toHaveLength(1);
});

test("from git: a branch, a tag, a commit, a directory of it; an update tells before and after", async () => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  const manifest = (version: string) => JSON.stringify({ name: "tools", version });
  await using repository = await createScratchRepository({
    files: {
      "nested/plugin/.claude-plugin/plugin.json": manifest("1.0.0"),
      "nested/plugin/commands/hello.md": "Hello.",
      "README.md": "x",
    },
  });
  const url = server.gitUrl(repository.root);
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home });
  const first = await run("install", "-y", `${url}#main:nested/plugin`);
  expect(first.stderr).toBe("");
  const commit = (await repository.git("rev-parse", "HEAD")).trim();
  expect(await listed(home)).toMatchObject([{ name: "tools", version: "1.0.0", resolved: commit }]);
  expect((await run("update", "tools")).stdout).toBe("tools 1.0.0: up to date\n");
  await repository.write("nested/plugin/.claude-plugin/plugin.json", manifest("2.0.0"));
  await repository.git("commit", "-qam", "Second");
  expect((await run("update")).stdout).toBe("tools 1.0.0 → 2.0.0\n");
  // What would run and did not run before is asked about.
  await repository.write(
    "nested/plugin/.mcp.json",
    JSON.stringify({ mcpServers: { evil: { command: "curl", args: ["evil.test"] } } }),
  );
  await repository.git("add", "-A");
  await repository.git("commit", "-qm", "Third");
  const asked = await run("update", "tools");
  expect(asked.exitCode).toBe(1);
  expect(asked.stdout).toContain("mcp evil: starts: curl evil.test");
  expect(await listed(home)).toMatchObject([{ version: "2.0.0" }]);
  // An exact commit stays what it is.
  const pinned = await run("install", "-y", `${url}#${commit}:nested/plugin`);
  expect(pinned.stderr).toBe("");
  expect((await run("update")).stdout).toBe("tools 1.0.0: up to date\n");
  const missing = await run("install", "-y", `${url}#nowhere`);
  expect(missing).toMatchObject({ exitCode: 1 });
  expect(missing.stderr.split("\n")).toHaveLength(2);
});

test("from a tarball, a file or an address", async () => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  const entries = Object.entries(FAMILY).map(([name, content]) => ({
    name: `guarding-1.0/${name}`,
    content,
  }));
  const bytes = makeTgz(entries);
  server.serve("/guarding.tgz", () => new Response(Uint8Array.from(bytes)));
  await home.write("guarding.tgz", bytes);
  for (const source of ["./guarding.tgz", `${server.url}/guarding.tgz`]) {
    const result = await runTau(["plugin", "install", "-y", source], { cwd: home.root, home });
    expect(result.stderr).toBe("");
    expect(await listed(home)).toMatchObject([{ name: "guarding" }]);
  }
});

test("a linked directory counts as it is", async () => {
  await using home = await isolatedHome();
  const path = await writeAll(home, "mine", FAMILY);
  const run = (...args: string[]) => runTau(args, { cwd: home.root, home });
  expect((await run("plugin", "link", path)).stdout).toBe(`Linked guarding to ${path}.\n`);
  await home.write("mine/commands/later.md", "Later.");
  const sources = await run("config", "sources", "commands", "--json");
  const names = (JSON.parse(sources.stdout).items as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(["greet", "later"]);
  expect((await run("plugin", "doctor")).stdout).toBe("Everything is as it should be.\n");
  await run("plugin", "remove", "guarding");
  expect(existsSync(path)).toBe(true);
  expect(await listed(home)).toEqual([]);
});

test("features and settings: what is switched on counts, what is set is filled in", async () => {
  await using home = await isolatedHome();
  const path = await writeAll(home, "many", {
    "package.json": JSON.stringify({
      name: "many",
      version: "1.0.0",
      tau: {
        commands: ["./basic"],
        features: {
          extra: { description: "More", commands: ["./more"] },
          usual: { description: "Usual", default: true, commands: ["./usual"] },
        },
      },
    }),
    "basic/one.md": "One.",
    "more/two.md": "Two.",
    "usual/three.md": "Three.",
  });
  const run = (...args: string[]) => runTau(args, { cwd: home.root, home });
  const commands = async (): Promise<string[]> => {
    const { stdout } = await run("config", "sources", "commands", "--json");
    return (JSON.parse(stdout).items as { name: string }[]).map(({ name }) => name).toSorted();
  };
  await run("plugin", "install", "-y", path);
  expect(await commands()).toEqual(["one", "three"]);
  await run("plugin", "enable", "many", "--feature", "extra");
  expect(await commands()).toEqual(["one", "three", "two"]);
  await run("plugin", "disable", "many", "--feature", "usual");
  expect(await commands()).toEqual(["one", "two"]);
  const odd = await run("plugin", "enable", "many", "--feature", "nope");
  expect(odd.stderr).toBe('tau: many has no feature "nope"; it has extra, usual\n');

  const keyed = await writeAll(home, "keyed", {
    ".claude-plugin/plugin.json": JSON.stringify({
      name: "keyed",
      userConfig: { API_HOST: { title: "Host", description: "Where", required: true } },
      mcpServers: { api: { url: "https://${user_config.API_HOST}/mcp" } },
    }),
  });
  await run("plugin", "install", "-y", keyed);
  expect((await run("plugin", "doctor")).stdout).toBe(
    "keyed: needs a setting: tau plugin config keyed API_HOST VALUE\n",
  );
  await run("plugin", "config", "keyed", "API_HOST", "api.test");
  expect((await run("plugin", "doctor")).exitCode).toBe(0);
  expect((await run("plugin", "config", "keyed")).stdout).toBe("API_HOST = api.test  Where\n");
});

describe("the doctor", () => {
  test("tells of changed files, missing ones, other engines and names that two have", async () => {
    await using home = await isolatedHome();
    const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home });
    const one = await writeAll(home, "one", {
      "package.json": JSON.stringify({
        name: "one",
        engines: { tau: ">=99" },
        tau: { skills: ["./skills", "./gone"] },
      }),
      "skills/pdf/SKILL.md": skill("pdf", "one"),
    });
    const two = await writeAll(home, "two", {
      "package.json": JSON.stringify({ name: "two" }),
      "skills/pdf/SKILL.md": skill("pdf", "two"),
    });
    await run("install", "-y", one);
    await run("install", "-y", two);
    const [, second] = await listed(home);
    await writeFile(home.path(".tau/plugins", String(second!.directory), "new.txt"), "x");
    const { stdout, exitCode } = await run("doctor");
    expect(exitCode).toBe(1);
    expect(stdout.split("\n")).toEqual([
      "one: its manifest names ./gone (skills), which is not there",
      "one: is for Tau >=99, and this is 0.1.0",
      "two: its files are not as they were installed; install it again",
      "two: its skill pdf is also in one, which comes first",
      "",
    ]);
    await rm(home.path(".tau/plugins", String(second!.directory)), { recursive: true });
    expect((await run("doctor")).stdout).toContain(
      "two: its files are gone; tau plugin install fetches them\n",
    );
  });
});

describe("a project's plugins", () => {
  test("are in the project, and nothing of them runs until it is trusted", async () => {
    await using program = await extended({}, [
      { toolCalls: [{ name: "bash", arguments: { command: "rm -rf kept" } }] },
      { text: "First." },
      { toolCalls: [{ name: "bash", arguments: { command: "rm -rf kept" } }] },
      { text: "Second." },
    ]);
    const { home } = program;
    const path = await writeAll(home, "guarding", FAMILY);
    await mkdir(join(program.cwd, ".git"), { recursive: true });
    await home.write("work/kept/file", "");
    await program.command("plugin", "install", "-y", "--project", path);
    expect(existsSync(join(program.cwd, ".tau/plugins/plugins.json"))).toBe(true);
    expect(await installed(home)).toEqual([]);
    const { stderr } = await program.run("-p", "go", "--yolo");
    expect(stderr).toContain("extension is not loaded");
    expect(existsSync(join(program.cwd, "kept"))).toBe(false);
    const allowed = await program.command("trust", "allow");
    expect(allowed.stdout).toContain("src/guard.ts");
    await home.write("work/kept/file", "");
    await program.run("-p", "go", "--yolo");
    expect(program.requests().at(-1)!.at(-1)).toBe("toolResult: guarded by a plugin");
  });

  test("a change anywhere in it asks for trust again", async () => {
    await using program = await extended({}, []);
    const path = await writeAll(program.home, "guarding", FAMILY);
    await mkdir(join(program.cwd, ".git"), { recursive: true });
    await program.command("plugin", "install", "-y", "--project", path);
    await program.command("trust", "allow");
    expect(JSON.parse((await program.command("trust", "--json")).stdout).state).toBe("trusted");
    const [directory] = [
      ...new Bun.Glob("guarding@*").scanSync({
        cwd: join(program.cwd, ".tau/plugins"),
        onlyFiles: false,
      }),
    ];
    await writeFile(join(program.cwd, ".tau/plugins", directory!, "lib/other.ts"), "evil()");
    expect(JSON.parse((await program.command("trust", "--json")).stdout).state).toBe("changed");
  });
});

test("killed at any moment of an update, the old one works and nothing is left over", async () => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  const files = (version: string): Files => ({
    "package.json": JSON.stringify({ name: "slow", version }),
    "commands/hi.md": version,
    "big.txt": "x".repeat(2_000_000),
  });
  server.publish("slow", "1.0.0", makePackage(files("1.0.0")));
  const env = { npm_config_registry: `${server.url}/` };
  const options = { cwd: home.root, home, env };
  await runTau(["plugin", "install", "-y", "slow"], options);
  server.publish("slow", "2.0.0", makePackage(files("2.0.0")));
  const seen = new Set<string>();
  for (const delay of [20, 60, 90, 110, 130, 150, 170, 190, 220, 260]) {
    const child = spawnTau(["plugin", "update"], options);
    await Bun.sleep(delay);
    child.kill("SIGKILL");
    await child.exited;
    const [plugin] = await listed(home);
    seen.add(String(plugin!.version));
    const body = home.path(".tau/plugins", String(plugin!.directory), "commands/hi.md");
    expect(await readFile(body, "utf8")).toBe(String(plugin!.version));
  }
  expect((await runTau(["plugin", "update"], options)).exitCode).toBe(0);
  expect(await listed(home)).toMatchObject([{ version: "2.0.0" }]);
  expect(seen).toContain("1.0.0");
  expect(await installed(home)).toEqual([String((await listed(home))[0]!.directory)]);
});

test("two at once: both are installed", async () => {
  await using home = await isolatedHome();
  const names = ["a", "b", "c", "d"];
  for (const name of names) {
    await writeAll(home, name, {
      "package.json": JSON.stringify({ name: `plugin-${name}` }),
      [`commands/${name}.md`]: name,
    });
  }
  const results = await Promise.all(
    names.map((name) => runTau(["plugin", "install", "-y", `./${name}`], { cwd: home.root, home })),
  );
  expect(results.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
    names.map(() => ({ exitCode: 0, stderr: "" })),
  );
  expect((await listed(home)).map(({ name }) => name)).toEqual(names.map((one) => `plugin-${one}`));
});

test("skills as packages: from git and npm, only their names and descriptions in the prompt", async () => {
  await using program = await extended({}, [{ text: "ok" }]);
  const { home } = program;
  await using server = startPackageServer();
  await using repository = await createScratchRepository({
    files: {
      "skills/pdf/SKILL.md": skill("pdf", "Reads PDFs"),
      "skills/pdf/reference.md": "More.",
      "skills/xlsx/SKILL.md": skill("xlsx", "Reads sheets"),
      "hooks/hooks.json": JSON.stringify({ hooks: { Stop: [] } }),
      "extensions/evil.ts": "throw new Error('not wanted');",
    },
  });
  const alone = {
    "SKILL.md": skill("alone", "One alone"),
    "package.json": '{"name":"alone-skill"}',
  };
  server.publish("alone-skill", "1.0.0", makePackage(alone));
  const options = { cwd: program.cwd, home, env: { npm_config_registry: `${server.url}/` } };
  const run = (...args: string[]) => runTau(["skill", ...args], options);
  const first = await run("install", "-y", server.gitUrl(repository.root));
  expect(first.stderr).toBe("");
  expect(first.stdout).toContain("Skills: pdf, xlsx\n");
  expect(first.stdout).toContain("It may run\n  nothing\n");
  expect(first.stdout).toMatch(/about \d+ tokens in every prompt, up to \d+ when/);
  expect((await run("install", "-y", "alone-skill")).stderr).toBe("");
  await program.run("-p", "go");
  const system = String(program.server.requests[0]!.decoded.system);
  expect(system).toContain("Reads sheets");
  expect(system).toContain("One alone");
  expect(system).not.toContain("How to xlsx");
  expect((await run("list")).stdout.split("\n")).toHaveLength(3);
  await run("remove", "alone-skill");
  expect((await run("list")).stdout).not.toContain("alone");
});

test("a theme of a plugin can be chosen by its name", async () => {
  await using home = await isolatedHome();
  const path = await writeAll(home, "looks", {
    "package.json": JSON.stringify({ name: "looks", version: "1.0.0" }),
    "themes/evening.json": JSON.stringify({ name: "evening", extends: "dark" }),
  });
  const run = (...args: string[]) => runTau(args, { cwd: home.root, home });
  expect((await run("gallery", "bash", "--theme", "evening")).stderr).not.toBe("");
  await run("plugin", "install", "-y", path);
  expect((await run("gallery", "bash", "--theme", "evening")).stderr).toBe("");
});
