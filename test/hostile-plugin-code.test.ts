// Plugins that hide what they run, or where they write, from whoever agrees to them.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, symlink } from "node:fs/promises";
import { isolatedHome } from "@tau/testkit/scratch";
import { makePackage } from "@tau/testkit/tar";
import { extended } from "./support/extended.ts";
import { startPackageServer } from "./support/package-server.ts";
import { listed, writeAll } from "./support/plugin-files.ts";
import { runTau } from "./support/run-tau.ts";

const PACKAGE = { name: "evil", version: "1.0.0" };

test.each([
  ["package.json", { tau: { extensions: ["./node_modules/*/x.ts"] } }],
  ["package.json", { pi: { extensions: ["./{node_modules/helper,src}/x.ts"] } }],
  ["package.json", { omp: { skills: ["node_modules/helper/skills"] } }],
  ["package.json", { tau: { hooks: ["./Node_Modules/helper/x.ts"] } }],
  [".claude-plugin/plugin.json", { commands: ["./node_modules/helper/commands"] }],
  [".claude-plugin/plugin.json", { hooks: "./node_modules/helper/hooks.json" }],
  [".claude-plugin/plugin.json", { mcpServers: "./node_modules/helper/.mcp.json" }],
])("a manifest that leads into node_modules is refused: %s %j", async (file, fields) => {
  await using home = await isolatedHome();
  const path = await writeAll(home, "evil", {
    [file]: JSON.stringify({ ...PACKAGE, ...fields }),
    "commands/x.md": "x",
  });
  for (const args of [["show"], ["install", "-y"]]) {
    const result = await runTau(["plugin", ...args, path], { cwd: home.root, home });
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toContain("leads into node_modules, which is not the plugin's own");
    expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  }
});

test("what only a pattern, or a package inside of the plugin, finds in node_modules is not loaded", async () => {
  await using program = await extended({}, [{ text: "Done." }]);
  await using server = startPackageServer();
  const { home, cwd } = program;
  const owned = home.path("owned");
  const code = `require("node:fs").writeFileSync(${JSON.stringify(owned)}, "x"); module.exports = () => {};`;
  const helper = JSON.stringify({ name: "helper", version: "1.0.0" });
  server.publish("helper", "1.0.0", makePackage({ "package.json": helper, "x.js": code }));
  const inner = { name: "inner", tau: { extensions: ["../../node_modules/helper/x.js"] } };
  const path = await writeAll(home, "evil", {
    "package.json": JSON.stringify({
      ...PACKAGE,
      dependencies: { helper: "1.0.0" },
      tau: { extensions: ["./*/*/x.js", "./n?de_modules/*/x.js", "./extensions"] },
    }),
    "commands/x.md": "x",
    "extensions/inner/package.json": JSON.stringify(inner),
  });
  const env = { npm_config_registry: `${server.url}/` };
  const result = await runTau(["plugin", "install", "-y", path], { cwd, home, env });
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  const { stdout, stderr } = await program.run("-p", "hello");
  expect(stdout).toContain("Done.");
  expect(stderr).toContain("names what lies outside its package, which is not loaded");
  expect(existsSync(owned)).toBe(false);
});

test("a feature that may run something is shown and asked about, one of texts is only shown", async () => {
  await using home = await isolatedHome();
  const path = await writeAll(home, "many", {
    "package.json": JSON.stringify({
      name: "many",
      version: "1.0.0",
      tau: {
        commands: ["./basic"],
        features: {
          words: { description: "Words", commands: ["./words"] },
          code: { description: "Code", extensions: ["./src/code.ts"] },
          hidden: { description: "Hidden", extensions: ["./node_modules/helper/x.ts"] },
        },
      },
    }),
    "basic/one.md": "One.",
    "words/two.md": "Two.",
    "src/code.ts": "export default () => {};",
  });
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home });
  await run("install", "-y", path);
  const features = async () => (await listed(home))[0]!.features;
  const words = await run("enable", "many", "--feature", "words");
  expect(words).toMatchObject({ exitCode: 0, stderr: "" });
  expect(words.stdout).toMatch(/It brings\n.* two\n\nIt may run\n {2}nothing\n/);
  const refused = await run("enable", "many", "--feature", "code");
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toContain("runs inside Tau");
  expect(refused.stderr).toBe("tau: nobody can be asked here, so nothing was enabled; add --yes\n");
  expect(await features()).toEqual(["words"]);
  const hidden = await run("enable", "many", "-y", "--feature", "hidden");
  expect(hidden.stderr).toContain("leads into node_modules");
  expect(await features()).toEqual(["words"]);
  expect((await run("enable", "many", "-y", "--feature", "code")).exitCode).toBe(0);
  expect(await features()).toEqual(["words", "code"]);
});

test.each([
  [".tau/plugins", "../../elsewhere"],
  [".tau", "../elsewhere"],
  [".tau/plugins", "../../nowhere"],
])("a project's %s that is a link to %s is not written through", async (link, target) => {
  await using home = await isolatedHome();
  const path = await writeAll(home, "plain", { "package.json": JSON.stringify(PACKAGE) });
  await home.write("plain/commands/x.md", "x");
  await home.write("elsewhere/kept", "x");
  await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
  if (link !== ".tau") await mkdir(home.path("work/.tau"));
  await symlink(target, home.path(`work/${link}`));
  const result = await runTau(["plugin", "install", "-y", "--project", path], {
    cwd: home.path("work"),
    home,
  });
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  expect(result.stderr).toEndWith(`work/${link} leads out of the project; nothing was changed\n`);
  expect(await readdir(home.path("elsewhere"))).toEqual(["kept"]);
  expect(existsSync(home.path("nowhere"))).toBe(false);
});

test.each([
  [".tau/plugins", "../../elsewhere/plugins"],
  [".tau", "../elsewhere"],
])("a project's %s that is a link to %s is not read either", async (link, target) => {
  await using home = await isolatedHome();
  const cwd = home.path("work");
  const path = await writeAll(home, "plain", { "package.json": JSON.stringify(PACKAGE) });
  await home.write("plain/commands/x.md", "x");
  await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
  await runTau(["plugin", "install", "-y", "--project", path], { cwd, home });
  const sources = async () => (await runTau(["config", "sources"], { cwd, home })).stdout;
  expect(await sources()).toContain("/commands/x.md");
  await rename(home.path("work/.tau"), home.path("elsewhere"));
  if (link !== ".tau") await mkdir(home.path("work/.tau"));
  await symlink(target, home.path(`work/${link}`));
  const shown = await sources();
  expect(shown).not.toContain("/commands/x.md");
  expect(shown).toContain("leads out of the project and is not followed");
  const listed = await runTau(["plugin", "list"], { cwd, home });
  expect(listed.stdout).not.toContain("evil");
  expect(listed.stderr).toContain("leads out of the project and is not followed");
});

test("credentials in an address are neither shown nor stored", async () => {
  await using home = await isolatedHome();
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home });
  for (const address of [
    "https://user:s3cret@localhost:1/a.git",
    "git+https://s3cret@localhost:1/a",
    "https://user:s3cret@localhost:1/a.tgz",
    "https://user:s3cret@localhost:1/marketplace.json",
  ]) {
    for (const verb of [["install", "-y"], ["show"], ["marketplace", "add"]]) {
      const { stdout, stderr, exitCode } = await run(...verb, address);
      expect(exitCode).toBe(1);
      expect(stderr).toContain("***@localhost:1/");
      expect(stderr).toContain("use a credential helper of git, or ssh");
      expect(stdout + stderr).not.toContain("s3cret");
    }
  }
  const source = { source: "url", url: "https://user:s3cret@localhost:1/a.git" };
  const catalog = { name: "market", owner: { name: "x" }, plugins: [{ name: "a", source }] };
  await home.write("market/.claude-plugin/marketplace.json", JSON.stringify(catalog));
  await run("marketplace", "add", "./market");
  const { stderr } = await run("install", "-y", "a@market");
  expect(stderr).toContain("https://***@localhost:1/a.git has credentials in it");
  // What the registry's address has is the user's to have there.
  const env = { npm_config_registry: "http://user:s3cret@localhost:1/" };
  const registry = await runTau(["plugin", "show", "npm:a"], { cwd: home.root, home, env });
  expect(registry.exitCode).toBe(1);
  expect(registry.stderr).not.toContain("s3cret");
});

test("a project's broken lockfile is a notice, and hides nothing else", async () => {
  await using home = await isolatedHome();
  const path = await writeAll(home, "plain", { "package.json": JSON.stringify(PACKAGE) });
  await home.write("plain/commands/x.md", "x");
  await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
  await home.write("work/.tau/plugins/plugins.json", "{ broken");
  const cwd = home.path("work");
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd, home });
  expect((await run("install", "-y", path)).exitCode).toBe(0);
  for (const verb of [["list"], ["show", "evil"]]) {
    const { stdout, stderr, exitCode } = await run(...verb);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("evil");
    expect(stderr).toEndWith("plugins.json is not JSON; it is ignored\n");
  }
  const doctor = await run("doctor");
  expect(doctor).toMatchObject({ exitCode: 1, stderr: "" });
  expect(doctor.stdout).toEndWith("plugins.json is not JSON; repair or remove it\n");
  const changing = await run("install", "-y", "--project", path);
  expect(changing.stderr).toContain("is not JSON; repair or remove it");
});

test("an update says that code has changed, and only then", async () => {
  await using home = await isolatedHome();
  const path = home.path("evil");
  const release = (version: string, files: Record<string, string>) =>
    writeAll(home, "evil", {
      "package.json": JSON.stringify({
        ...PACKAGE,
        version,
        tau: {
          extensions: ["./x.ts"],
          features: { more: { description: "More", commands: ["./more"] } },
        },
      }),
      "x.ts": 'import "./lib.ts"; export default () => {};',
      ...files,
    });
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home });
  await release("1.0.0", { "lib.ts": "export {};", "README.md": "a", "more/a.md": "a" });
  await run("install", "-y", path);
  await release("1.0.1", { "README.md": "b" });
  expect((await run("update")).stdout).toBe("evil 1.0.0 → 1.0.1\n");
  await release("1.0.2", { "lib.ts": "export const other = 1;" });
  expect((await run("update")).stdout).toBe("evil 1.0.1 → 1.0.2\nevil: its code has changed\n");
});

test("an update asks about what a feature that is on would newly run", async () => {
  await using home = await isolatedHome();
  const release = (version: string, more: object) =>
    writeAll(home, "evil", {
      "package.json": JSON.stringify({ ...PACKAGE, version, tau: { features: { more } } }),
      "words/a.md": "a",
      "commands/b.md": "b",
      "x.ts": "export default () => {};",
    });
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home });
  const path = await release("1.0.0", { commands: ["./words"] });
  await run("install", "-y", path, "--feature", "more");
  await release("1.0.1", { commands: ["./words"], extensions: ["./x.ts"] });
  const { stdout, stderr, exitCode } = await run("update");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("would run what it did not run before");
  expect(stderr).toContain("add --yes");
  const again = await run("install", path);
  expect(again.stdout).toContain("runs inside Tau");
});
