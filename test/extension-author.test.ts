// What an author of an extension does: makes one, reads its types in an editor, tests it, tries it.

import { expect, test } from "bun:test";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isolatedHome } from "@tau/testkit/scratch";
import { root, runTau } from "./support/run-tau.ts";

test("a new extension is there with a test that passes, and fails if the extension is broken", async () => {
  await using home = await isolatedHome();
  const tau = (...args: string[]) => runTau(args, { cwd: home.root, home });
  expect(await tau("extension", "new", "guard")).toMatchObject({ exitCode: 0, stderr: "" });
  const tested = await tau("extension", "test", "guard");
  expect(tested).toMatchObject({ exitCode: 0, stderr: "" });
  expect(tested.stdout).toBe(
    "✓ the tool counts\n✓ what deletes everything is refused\n2 passed, 0 failed\n",
  );
  const inspected = await tau("extension", "inspect", "guard", "--json");
  expect(JSON.parse(inspected.stdout)).toMatchObject({
    name: "guard",
    tools: ["word_count"],
    commands: ["guard"],
    handlers: ["tool_call", "turn_end"],
    failures: [],
  });
  const source = home.path("guard/index.ts");
  await writeFile(
    source,
    (await readFile(source, "utf8")).replace('type: "block"', 'type: "allow"'),
  );
  const broken = await tau("extension", "test", "guard");
  expect(broken.exitCode).toBe(1);
  expect(broken.stdout).toContain("✗ what deletes everything is refused");
  expect(await tau("extension", "new", "guard")).toMatchObject({ exitCode: 2 });
  expect(await tau("extension", "new", "../up")).toMatchObject({ exitCode: 2 });
  expect(await tau("extension", "test", "nowhere")).toMatchObject({ exitCode: 2 });
});

test("its types are whole: an editor has no complaint, and has one about a slip", async () => {
  await using home = await isolatedHome();
  await runTau(["extension", "new", "typed"], { cwd: home.root, home });
  const directory = home.path("typed");
  await writeFile(
    join(directory, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        module: "esnext",
        target: "esnext",
        moduleResolution: "bundler",
        lib: ["esnext", "dom"],
        types: ["node"],
        skipLibCheck: false,
      },
      include: ["*.ts"],
    }),
  );
  await symlink(join(root, "node_modules", "@types"), join(directory, "node_modules", "@types"));
  const check = () =>
    Bun.spawnSync([join(root, "node_modules/.tau/bun"), "check", "--no-script"], {
      cwd: directory,
      env: { ...home.env },
    });
  const whole = check();
  expect({
    said: whole.stdout.toString() + whole.stderr.toString(),
    code: whole.exitCode,
  }).toMatchObject({
    code: 0,
  });
  const source = join(directory, "index.ts");
  await writeFile(source, (await readFile(source, "utf8")).replace('tier: "read"', 'tier: "reed"'));
  expect(check().exitCode).not.toBe(0);
});
