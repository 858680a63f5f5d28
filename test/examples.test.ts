// The examples work: each has tests that pass with the program's own runner, types that an editor accepts,
// and brings what its first lines say.

import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isolatedHome } from "@tau/testkit/scratch";
import { root, runTau } from "./support/run-tau.ts";

const examples = join(root, "examples", "extensions");
const names = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test("there are ten", () => {
  expect(names).toHaveLength(10);
});

test.each(names)("%s passes its tests", async (name) => {
  await using home = await isolatedHome();
  const { stdout, stderr, exitCode } = await runTau(["extension", "test", join(examples, name)], {
    cwd: home.root,
    home,
  });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toMatch(/^[1-9]\d* passed, 0 failed$/m);
});

test("an editor has no complaint about any of them", async () => {
  await using home = await isolatedHome();
  await runTau(["extension", "new", "types"], { cwd: home.root, home });
  const modules = home.path("all/node_modules");
  await mkdir(modules, { recursive: true });
  await cp(home.path("types/node_modules"), modules, { recursive: true });
  await symlink(join(root, "node_modules", "@types"), join(modules, "@types"));
  for (const name of names)
    await cp(join(examples, name), home.path("all", name), { recursive: true });
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "esnext",
    target: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    lib: ["esnext", "esnext.disposable"],
    types: ["node"],
  };
  await writeFile(
    home.path("all/tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*/*.ts"] }),
  );
  const check = Bun.spawnSync([join(root, "node_modules/.tau/bun"), "check", "--no-script"], {
    cwd: home.path("all"),
    env: { ...home.env },
  });
  expect({ said: `${check.stdout}${check.stderr}`, code: check.exitCode }).toMatchObject({
    code: 0,
  });
});
