// What is asked before something of a plugin runs, what is left if nobody agrees, and what nobody is to see.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { FAMILY, listed, skill, writeAll } from "./support/plugin-files.ts";
import { launcher, runTau } from "./support/run-tau.ts";

test("enabling a plugin that runs something shows it and asks; one of texts is just enabled", async () => {
  await using home = await isolatedHome();
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home });
  await run("install", "-y", await writeAll(home, "guarding", FAMILY));
  const texts = { "package.json": '{"name":"texts"}', "skills/a/SKILL.md": skill("a", "A") };
  await run("install", "-y", await writeAll(home, "texts", texts));
  await run("disable", "guarding");
  await run("disable", "texts");

  const refused = await run("enable", "guarding");
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toBe("tau: nobody can be asked here, so nothing was enabled; add --yes\n");
  expect(refused.stdout).toContain("extension guarding:guard (src/guard.ts)");
  expect(await listed(home)).toMatchObject([{ isEnabled: false }, { isEnabled: false }]);
  expect((await run("enable", "guarding", "--yes")).stdout).toEndWith("Enabled guarding.\n");
  // It is enabled already: nothing changes.
  expect((await run("enable", "guarding")).exitCode).toBe(0);
  expect((await run("enable", "texts")).stdout).toEndWith("Enabled texts.\n");
  expect(await listed(home)).toMatchObject([{ isEnabled: true }, { isEnabled: true }]);
});

test("/plugins: enabling shows what would run and asks", async () => {
  await using home = await isolatedHome();
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home });
  await run("install", "-y", await writeAll(home, "guarding", FAMILY));
  await run("disable", "guarding");
  await using terminal = runInTerminal([launcher, "-m", "tau/demo"], {
    cwd: home.root,
    env: { ...home.env },
  });
  await terminal.waitFor(/─\n›/);
  terminal.send("/plugins");
  terminal.press("enter");
  await terminal.waitFor("(disabled)");
  terminal.press("ctrl+t");
  await terminal.waitFor("runs inside Tau");
  expect(await listed(home)).toMatchObject([{ isEnabled: false }]);
  terminal.press("enter");
  await terminal.waitFor("Enable guarding?");
  await Bun.sleep(1000);
  terminal.send("y");
  terminal.press("enter");
  await terminal.waitFor((shown) => !shown.screen().join("\n").includes("Enable guarding?"));
  await terminal.waitFor((shown) => !shown.screen().join("\n").includes("(disabled)"));
  expect(await listed(home)).toMatchObject([{ isEnabled: true }]);
});

test("an installation for the project that is refused leaves nothing in it", async () => {
  await using home = await isolatedHome();
  const path = await writeAll(home, "guarding", FAMILY);
  await mkdir(home.path("work/.git"), { recursive: true });
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.path("work"), home });
  expect((await run("install", "--project", path)).exitCode).toBe(1);
  expect((await run("install", "--project", "-y", "./nowhere")).exitCode).toBe(1);
  expect((await run("show", "--project", path)).exitCode).toBe(0);
  expect(existsSync(home.path("work/.tau"))).toBe(false);
  // What was there before stays.
  await mkdir(home.path("work/.tau"));
  expect((await run("install", "--project", path)).exitCode).toBe(1);
  expect(existsSync(home.path("work/.tau"))).toBe(true);
  expect(existsSync(home.path("work/.tau/plugins"))).toBe(false);
});

test("credentials that an older version stored are not shown, and are gone with the next write", async () => {
  await using home = await isolatedHome();
  const secret = "https://me:hunter2@git.test/x.git";
  const plugin = {
    source: `git+${secret}#main`,
    resolved: secret,
    directory: "old@0123456789abcdef",
    isEnabled: true,
  };
  await home.write(".tau/plugins/old@0123456789abcdef/commands/x.md", "x");
  await home.write(".tau/plugins/old@0123456789abcdef/package.json", '{"name":"old"}');
  const file = await home.write(
    ".tau/plugins/plugins.json",
    JSON.stringify({ version: 1, plugins: { old: plugin } }),
  );
  const market = { name: "market", source: secret, path: home.path("market"), updatedAt: "" };
  const known = await home.write(
    ".tau/plugins/marketplaces.json",
    JSON.stringify({ version: 1, marketplaces: [market] }),
  );
  const catalog = { name: "market", owner: { name: "x" }, plugins: [] };
  await home.write("market/.claude-plugin/marketplace.json", JSON.stringify(catalog));
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home });
  for (const words of [
    ["list"],
    ["list", "--json"],
    ["marketplace", "list"],
    ["marketplace", "list", "--json"],
    ["marketplace", "add", "./market"],
    ["update"],
    ["doctor"],
    ["install"],
  ]) {
    const { stdout, stderr } = await run(...words);
    expect(`${words.join(" ")}: ${stdout}${stderr}`).not.toContain("hunter2");
  }
  expect((await run("marketplace", "list")).stdout).toContain("https://git.test/x.git");
  {
    await using terminal = runInTerminal([launcher, "-m", "tau/demo"], {
      cwd: home.root,
      env: { ...home.env },
    });
    await terminal.waitFor(/─\n›/);
    terminal.send("/plugins");
    terminal.press("enter");
    await terminal.waitFor("git.test");
    expect(terminal.screen().join("\n")).not.toContain("hunter2");
  }
  await run("disable", "old");
  expect(await readFile(file, "utf8")).not.toContain("hunter2");
  expect(await readFile(file, "utf8")).toContain("git+https://git.test/x.git#main");
  await home.write(
    "other/.claude-plugin/marketplace.json",
    JSON.stringify({ ...catalog, name: "b" }),
  );
  await run("marketplace", "add", "./other");
  expect(await readFile(known, "utf8")).not.toContain("hunter2");
});
