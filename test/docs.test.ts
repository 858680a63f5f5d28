// The documentation says what is: generated pages are current, links lead somewhere.

import { expect, test } from "bun:test";
import { Glob } from "bun";
import { existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { GENERATED } from "../scripts/docs.ts";
import { agentScript, handIn, task } from "./support/agent-script.ts";
import { launcher, root } from "./support/run-tau.ts";

/** A table's columns may be aligned by the formatter; that is not a difference. */
const normalise = (text: string): string =>
  text.replace(/ +\|/g, " |").replace(/\| ?-+ ?(?=\|)/g, "| --- ");

for (const [path, make] of Object.entries(GENERATED)) {
  test(`${path} is what npm run docs would write`, async () => {
    expect(normalise(await Bun.file(join(root, path)).text())).toBe(normalise(await make()));
  });
}

test("every relative link in the documentation leads to a file", async () => {
  const broken: string[] = [];
  const pages = (
    await Promise.all(
      ["*.md", "docs/**/*.md"].map((glob) => Array.fromAsync(new Glob(glob).scan({ cwd: root }))),
    )
  ).flat();
  expect(pages.length).toBeGreaterThan(5);
  for (const page of pages) {
    const text = await Bun.file(join(root, page)).text();
    for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
      if (!existsSync(join(root, dirname(page), target!))) broken.push(`${page} → ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test("the map of the docs in the README names every page", async () => {
  const readme = await Bun.file(join(root, "README.md")).text();
  const pages = await Array.fromAsync(new Glob("docs/**/*.md").scan({ cwd: root }));
  expect(pages.filter((page) => !readme.includes(`(${page})`))).toEqual([]);
});

test("the example of the embedding page runs as it stands", async () => {
  await using home = await isolatedHome();
  const page = await Bun.file(join(root, "docs/embedding.md")).text();
  const [, example] = /```ts\n([\s\S]*?)```/.exec(page)!;
  const program = example!.replace("/path/to/a/project", home.root);
  await home.write("notes.txt", "hello\n");
  const script = await home.write("example.ts", program);
  await symlink(join(root, "node_modules"), home.path("node_modules"));
  const run = Bun.spawn([process.execPath, script], { env: home.env, cwd: root, stderr: "pipe" });
  const [out, err] = await Promise.all([run.stdout.text(), run.stderr.text()]);
  expect(err).toBe("");
  expect(out).toContain("ran read\n");
  expect(out).toContain("\ndone ");
  expect(await run.exited).toBe(0);
});

test("the example of agents on the embedding page runs as it stands", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(
    agentScript({
      Main: ({ turn }) =>
        turn === 1
          ? {
              toolCalls: [
                task("task", { id: "One", assignment: "x" }, { id: "Two", assignment: "y" }),
              ],
            }
          : { text: "noted" },
      "*": ({ last }) => ({ toolCalls: [handIn(`done: ${last}`)] }),
    }),
  );
  const page = await Bun.file(join(root, "docs/embedding.md")).text();
  const example = [...page.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, code]) => code!)
    .find((code) => code.includes("AGENT_RUNNER"))!;
  const script = await home.write("example.ts", example.replace("/path/to/a/project", home.root));
  await symlink(join(root, "node_modules"), home.path("node_modules"));
  const env = { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const run = Bun.spawn([process.execPath, script], { env, cwd: root, stderr: "pipe" });
  const [out, err] = await Promise.all([run.stdout.text(), run.stderr.text()]);
  expect(err).toBe("");
  expect(out).toContain("\ndone: Where are sessions locked?\n");
  expect(out).toContain("One uses yield\n");
  expect(out).toContain("One idle completed\nTwo idle completed\n");
  expect(await run.exited).toBe(0);
});

test("the example of the RPC page runs as it stands", async () => {
  await using home = await isolatedHome();
  const page = await Bun.file(join(root, "docs/rpc.md")).text();
  const [, example] = /```ts\n([\s\S]*?)```/.exec(page)!;
  const program = example!
    .replace("/path/to/a/project", home.root)
    .replace('"tau", "--mode"', `"${launcher}", "-m", "tau/demo", "--mode"`)
    .replace("tidy up the README", "look around");
  await home.write("notes.txt", "hello\n");
  const script = await home.write("example.ts", program);
  await symlink(join(root, "node_modules"), home.path("node_modules"));
  const run = Bun.spawn([process.execPath, script], { env: home.env, cwd: root, stderr: "pipe" });
  const [out, err] = await Promise.all([run.stdout.text(), run.stderr.text()]);
  expect(err).toBe("");
  expect(out).toContain('"name":"read"');
  expect(out).toContain('reason: "done"');
  expect(await run.exited).toBe(0);
});
