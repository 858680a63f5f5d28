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

test("help lists the flags of an extension that the line names", async () => {
  await using home = await isolatedHome();
  await home.write(
    "quota.ts",
    `import { defineExtension } from "@tau/extension";
     const flags = [{ name: "quota-day", value: "day", summary: "Which day" }];
     export default defineExtension({ name: "quota", flags });`,
  );
  const help = (...args: string[]) => runTau([...args, "--help"], { cwd: home.root, home });
  const named = await help("-e", "quota.ts");
  expect(named).toMatchObject({ exitCode: 0, stderr: "" });
  expect(named.stdout).toContain(
    "Flags of extensions\n      --quota-day <day>  Which day\n\nExamples",
  );
  expect((await help()).stdout).not.toContain("extensions\n      --");
});

test("a test that never settles fails, and the next one is run", async () => {
  await using home = await isolatedHome();
  await home.write(
    "waiting/index.ts",
    `import { defineExtension, defineTool } from "@tau/extension";
     const parameters = { type: "object", properties: {} };
     const execute = () => new Promise<string>(() => {});
     const never = defineTool({ name: "never", description: "Waits.", parameters, execute });
     export default defineExtension({ name: "waiting", tools: [never] });`,
  );
  await home.write(
    "waiting/index.test.ts",
    `import { run, test } from "@tau/extension/testing";
     test("waits for nothing", () => new Promise(() => {}));
     test("waits for a tool", () => run({ model: [{ calls: [{ name: "never" }] }] }));
     test("is fine", () => {});`,
  );
  const runner = join(root, "packages/tau/src/cli/extension/run-tests.ts");
  const script = `import { runTests } from ${JSON.stringify(runner)};
    process.exit(await runTests("waiting", ${JSON.stringify(home.root)}, { limitMs: 1500 }));`;
  const { stdout, exitCode } = Bun.spawnSync([join(root, "node_modules/.tau/bun"), "-e", script], {
    cwd: root,
    env: { ...home.env },
  });
  const why = "    it was not done after 1.5 s and is not waited for any longer";
  expect({ said: stdout.toString().split("\n"), exitCode }).toEqual({
    said: [
      "✗ waits for nothing",
      why,
      "✗ waits for a tool",
      why,
      "✓ is fine",
      "1 passed, 2 failed",
      "",
    ],
    exitCode: 1,
  });
});

test("a test file that cannot be loaded is named with the line, and the others are run", async () => {
  await using home = await isolatedHome();
  const imported = 'import { test } from "@tau/extension/testing";\n';
  await home.write("slip/a.test.ts", `${imported}const x = ;\n`);
  await home.write("slip/b.test.ts", `${imported}test("is fine", () => {});\n`);
  expect(await runTau(["extension", "test", "slip"], { cwd: home.root, home })).toMatchObject({
    stdout: "✗ a.test.ts cannot be loaded: line 2: Unexpected ;\n✓ is fine\n1 passed, 1 failed\n",
    stderr: "",
    exitCode: 1,
  });
  const loaded = await runTau(["extension", "inspect", "slip/b.test.ts"], { cwd: home.root, home });
  expect(loaded.stdout).toContain(
    "it is a test: it imports @tau/extension/testing; run it with `tau extension test`",
  );
});

test("its types are whole: an editor has no complaint, and has one about a slip", async () => {
  await using home = await isolatedHome();
  const { directory, check } = await typed(home);
  expect(check()).toMatchObject({ exitCode: 0 });
  const source = join(directory, "index.ts");
  await writeFile(source, (await readFile(source, "utf8")).replace('tier: "read"', 'tier: "reed"'));
  expect(check().exitCode).not.toBe(0);
});

test("an editor has no complaint about the examples of the docs", async () => {
  await using home = await isolatedHome();
  const { directory, check } = await typed(home);
  const pages = ["extensions.md", "extension-ui.md"];
  const texts = await Promise.all(pages.map((page) => readFile(join(root, "docs", page), "utf8")));
  const examples = texts
    .flatMap((text) => [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)])
    .map(([, code = ""]) => code)
    .filter((code) => code.includes('"@tau/extension'));
  expect(examples.length).toBeGreaterThanOrEqual(6);
  for (const [at, code] of examples.entries()) await writeFile(join(directory, `${at}.ts`), code);
  expect(check()).toEqual({ said: "", exitCode: 0 });
});

test("the types know every hook that the docs name, and widgets that draw", async () => {
  await using home = await isolatedHome();
  const { directory, check } = await typed(home);
  const page = await readFile(join(root, "docs/extensions.md"), "utf8");
  const table = page.slice(page.indexOf("### Hooks"), page.indexOf("Handlers run in the order"));
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  const hooks = rows.flatMap((row) => [...row.split("|")[1]!.matchAll(/`(\w+)`/g)]);
  expect(hooks.length).toBeGreaterThan(15);
  await writeFile(
    join(directory, "all.ts"),
    `import { defineExtension } from "@tau/extension";
     export default defineExtension({
       name: "all",
       hooks: { ${hooks.map(([, name]) => `${name}: (told) => void told`).join(", ")} },
       setup: ({ ui }) => {
         const row = ui.theme?.style("accent")("on") ?? "on";
         ui.setWidget("one", () => ({ state: "live", render: () => ({ rows: [row], stableRows: 0 }) }));
         return {
           hooks: {
             run_start: ({ request }) => ({ request: { maxOutput: (request.maxOutput ?? 2) / 2 } }),
             turn_end: () => ({ type: "compact", reason: "full" }),
             failure: ({ failure }) => (failure.retryable ? { type: "retry", afterMs: 5 } : undefined),
             session_before_tree: (_told, { signal }) =>
               signal.aborted ? undefined : { cancel: true, reason: "no" },
           },
         };
       },
     });`,
  );
  expect(check()).toEqual({ said: "", exitCode: 0 });
});

/** A new extension, as an editor sees it. */
async function typed(home: Awaited<ReturnType<typeof isolatedHome>>) {
  await runTau(["extension", "new", "typed"], { cwd: home.root, home });
  const directory = home.path("typed");
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "esnext",
    target: "esnext",
    moduleResolution: "bundler",
    lib: ["esnext", "dom"],
    types: ["node"],
    skipLibCheck: false,
  };
  await writeFile(
    join(directory, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts"] }),
  );
  await symlink(join(root, "node_modules", "@types"), join(directory, "node_modules", "@types"));
  const check = () => {
    const bun = join(root, "node_modules/.tau/bun");
    const { stdout, stderr, exitCode } = Bun.spawnSync([bun, "check", "--no-script"], {
      cwd: directory,
      env: { ...home.env },
    });
    return { said: exitCode === 0 ? "" : `${stdout}${stderr}`, exitCode };
  };
  return { directory, check };
}
