// Settings that extensions bring are settings like all others: for `tau config`, too.

import { expect, test } from "bun:test";
import { isolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

const MODULE = `import { defineExtension, settingGroup, amount, flag } from "@tau/extension";
  export default defineExtension({
    name: "quota",
    settings: [
      settingGroup("quota", "Quota", {
        hours: amount(8, "Hours a day."),
        strict: flag(false, "No way around it."),
      }),
    ],
  });`;

test("they are listed, explained and changed, and their lines are not called mistakes", async () => {
  await using home = await isolatedHome();
  await home.write(".tau/agent/extensions/quota.ts", MODULE);
  const config = (...args: string[]) => runTau(["config", ...args], { cwd: home.root, home });
  expect(await config("list", "quota")).toMatchObject({
    stdout: "Quota\n  quota.hours = 8\n  quota.strict = false\n",
    stderr: "",
    exitCode: 0,
  });
  expect(await config("set", "quota.hours", "4")).toMatchObject({
    stdout: "quota.hours = 4\n",
    stderr: "",
    exitCode: 0,
  });
  expect(await config("get", "quota.hours")).toMatchObject({ stdout: "4\n", stderr: "" });
  const explained = await config("explain", "quota.hours");
  expect(explained).toMatchObject({ stderr: "", exitCode: 0 });
  expect(explained.stdout).toContain("quota.hours: Hours a day. (number)");
  expect(explained.stdout).toContain("in force    4");
  // One that Tau has itself: the extension's line stands in the file by now.
  expect(await config("get", "theme.dark")).toMatchObject({ stderr: "", exitCode: 0 });
  const models = await runTau(["models", "--all"], { cwd: home.root, home });
  expect(models.stderr).not.toContain("no such setting");
  expect(await config("set", "quota.hours", "many")).toMatchObject({ exitCode: 2 });
  expect(await config("unset", "quota.hours")).toMatchObject({ stdout: "quota.hours = 8\n" });
  const slip = await config("get", "quota.hour");
  expect(slip).toMatchObject({ exitCode: 2 });
  expect(slip.stderr).toContain("did you mean quota.hours?");
});

test("they are part of what an extension brings, as are the commands of its setup", async () => {
  await using home = await isolatedHome();
  await home.write(
    ".tau/agent/extensions/quota.ts",
    MODULE.replace(
      "settings: [",
      `commands: [{ name: "first", help: "One.", run: () => "1" }],
       setup: () => ({ commands: [{ name: "made", help: "Two.", run: async () => "2" }] }),
       settings: [`,
    ),
  );
  const tau = (...args: string[]) => runTau(args, { cwd: home.root, home });
  const inspected = await tau("extension", "inspect", ".tau/agent/extensions/quota.ts", "--json");
  expect(JSON.parse(inspected.stdout)).toMatchObject({
    commands: ["first", "made"],
    settings: ["quota.hours", "quota.strict"],
  });
  const listed = await tau("-p", "--model", "tau/demo", "/extensions");
  expect(listed.stdout).toContain(
    "  commands: first, made\n  settings: quota.hours, quota.strict\n",
  );
});

test("a known setting needs no extension, and one that ends Tau is left out the next time", async () => {
  await using home = await isolatedHome();
  await home.write(
    ".tau/agent/extensions/gone.ts",
    `require("node:child_process").execSync("kill -KILL " + process.pid);`,
  );
  const config = (...args: string[]) => runTau(["config", ...args], { cwd: home.root, home });
  expect(await config("get", "retry.enabled")).toMatchObject({ stdout: "true\n", exitCode: 0 });
  expect(await config("list", "retry")).toMatchObject({ exitCode: null });
  const next = await config("list", "retry");
  expect(next.exitCode).toBe(0);
  expect(next.stderr).toContain("ended while it was loading extensions (gone)");
});

test("an extension of a project that nobody trusts is not loaded for it", async () => {
  await using home = await isolatedHome();
  await home.write("shop/.git/HEAD", "ref: refs/heads/main\n");
  await home.write("shop/.tau/extensions/quota.ts", MODULE);
  const asked = await runTau(["config", "get", "quota.hours"], { cwd: home.path("shop"), home });
  expect(asked).toMatchObject({ stdout: "", exitCode: 2 });
  expect(asked.stderr).toContain("there is no setting quota.hours");
});
