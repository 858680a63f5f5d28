// Plugins at a terminal: what is asked, and the screen to browse them.

import { expect, test } from "bun:test";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { launcher, runTau } from "./support/run-tau.ts";
import { FAMILY, installed, listed, writeAll } from "./support/plugin-files.ts";

test("at a terminal it asks, and anything but yes installs nothing", async () => {
  await using home = await isolatedHome();
  const path = await writeAll(home, "guarding", FAMILY);
  const open = () =>
    runInTerminal([launcher, "plugin", "install", path], { cwd: home.root, env: { ...home.env } });
  for (const [answer, said] of [
    ["", "nothing was installed"],
    ["y", "Installed guarding 1.0.0 (user)."],
  ] as const) {
    await using terminal = open();
    await terminal.waitFor("Install guarding? [y/N]");
    expect(await installed(home)).not.toContainEqual(expect.stringContaining("guarding@"));
    terminal.send(answer);
    terminal.press("enter");
    await terminal.waitFor(said);
  }
  expect(await installed(home)).toHaveLength(1);
});

test("/plugins: what a marketplace offers is shown, asked about and installed", async () => {
  await using home = await isolatedHome();
  const catalog = {
    name: "market",
    owner: { name: "x" },
    plugins: [{ name: "guarding", source: "./guarding", description: "Guards" }],
  };
  await writeAll(home, "market/guarding", FAMILY);
  await home.write("market/.claude-plugin/marketplace.json", JSON.stringify(catalog));
  await runTau(["plugin", "marketplace", "add", "./market"], { cwd: home.root, home });
  await using terminal = runInTerminal([launcher, "-m", "tau/demo"], {
    cwd: home.root,
    env: { ...home.env },
  });
  await terminal.waitFor(/─\n›/);
  terminal.send("/plugins");
  terminal.press("enter");
  await terminal.waitFor("Available");
  terminal.press("enter");
  await terminal.waitFor("runs inside Tau");
  terminal.press("enter");
  await terminal.waitFor("Install guarding?");
  await Bun.sleep(1000);
  terminal.send("y");
  terminal.press("enter");
  await terminal.waitFor("1.0.0");
  expect(await listed(home)).toMatchObject([{ name: "guarding", source: "guarding@market" }]);
});
