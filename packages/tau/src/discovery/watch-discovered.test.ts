// Changes are told by kind, once things rest; afterwards no handle is left.

import { expect, test } from "bun:test";
import { mkdir, rename, rm } from "node:fs/promises";
import type { KindId } from "./kinds.ts";
import { findIn, type Found } from "./test/find-in.ts";
import { watchDiscovered } from "./watch-discovered.ts";

/** Long enough for a loaded machine; a test that passes waits far less. */
const PATIENCE_MS = 10_000;

async function watching(found: Found, cwd = found.project) {
  const told: ReadonlySet<KindId>[] = [];
  let wake: (() => void) | undefined;
  const watch = await watchDiscovered({
    cwd,
    home: found.home,
    agentDirectory: found.agentDirectory,
    quietMs: 20,
    onChange: (kinds) => {
      told.push(kinds);
      wake?.();
    },
  });
  const until = async (kind: KindId): Promise<void> => {
    const deadline = performance.now() + PATIENCE_MS;
    while (!told.some((kinds) => kinds.has(kind))) {
      const left = deadline - performance.now();
      if (left <= 0)
        throw new Error(
          `nobody told of ${kind}; told: ${JSON.stringify(told.map((one) => [...one]))}`,
        );
      await new Promise<void>((done) => {
        wake = done;
        setTimeout(done, Math.min(left, 100));
      });
    }
    told.length = 0;
  };
  return {
    told,
    until,
    isPartial: () => watch.isPartial,
    [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  };
}

test("what is written, added, renamed and removed is told by its kind", async () => {
  await using found = await findIn({
    project: { ".tau/commands/a.md": "a", "AGENTS.md": "x" },
    home: { ".claude/skills/s/SKILL.md": "s" },
  });
  await using watch = await watching(found);
  const at = (path: string) => found.scratch.path("home/work/project", path);
  await Bun.write(at(".tau/commands/a.md"), "changed");
  await watch.until("commands");
  await Bun.write(at(".tau/commands/b.md"), "new");
  await watch.until("commands");
  await rename(at(".tau/commands/b.md"), at(".tau/commands/c.md"));
  await watch.until("commands");
  await rm(at(".tau/commands/c.md"));
  await watch.until("commands");
  await Bun.write(at("AGENTS.md"), "changed");
  await watch.until("context");
  await Bun.write(found.scratch.path("home/.claude/skills/s/SKILL.md"), "changed");
  await watch.until("skills");
  expect(watch.isPartial()).toBe(false);
});

test("directories that appear are watched from then on", async () => {
  await using found = await findIn({});
  await using watch = await watching(found);
  const at = (path: string) => found.scratch.path("home/work/project", path);
  await mkdir(at(".claude/skills/new"), { recursive: true });
  await watch.until("skills");
  await Bun.write(at(".claude/skills/new/SKILL.md"), "x");
  await watch.until("skills");
  await rm(at(".claude"), { recursive: true });
  await watch.until("skills");
  await mkdir(at(".claude/commands"), { recursive: true });
  await watch.until("commands");
  await Bun.write(at(".claude/commands/x.md"), "x");
  await watch.until("commands");
});

test("what concerns nobody is not told, and much at once is told once or twice", async () => {
  await using found = await findIn({ project: { ".tau/commands/a.md": "a", "src/x.ts": "" } });
  await using watch = await watching(found);
  const at = (path: string) => found.scratch.path("home/work/project", path);
  for (let count = 0; count < 20; count++) await Bun.write(at(`notes-${count}.txt`), "x");
  await Bun.write(at("src/y.ts"), "");
  await Bun.write(found.scratch.path("home/.bash_history"), "x");
  for (let count = 0; count < 50; count++) await Bun.write(at(".tau/commands/a.md"), `${count}`);
  const { told } = watch;
  while (told.length === 0) await Bun.sleep(10);
  // The rest of the burst, if it was cut in two by a slow machine.
  await Bun.sleep(300);
  expect(told.length).toBeLessThan(20);
  expect([...new Set(told.flatMap((kinds) => [...kinds]))]).toEqual(["commands"]);
});

test("once closed it tells nothing, and nothing keeps the program alive", async () => {
  await using found = await findIn({ project: { ".tau/commands/a.md": "a" } });
  const program = `
    import { watchDiscovered } from ${JSON.stringify(new URL("watch-discovered.ts", import.meta.url).pathname)};
    import { writeFileSync, readdirSync } from "node:fs";
    const place = ${JSON.stringify({ cwd: found.project, home: found.home, agentDirectory: found.agentDirectory })};
    let told = 0;
    const watch = await watchDiscovered({ ...place, quietMs: 1, onChange: () => told++ });
    await watch[Symbol.asyncDispose]();
    writeFileSync(place.cwd + "/.tau/commands/a.md", "b");
    await Bun.sleep(200);
    // A second one is left open on purpose: it does not keep the program alive.
    await watchDiscovered({ ...place, onChange: () => {} });
    console.log("told", told);
  `;
  const script = await found.scratch.write("program.ts", program);
  const run = Bun.spawn([process.execPath, script], { stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([run.stdout.text(), run.stderr.text()]);
  expect({ out, err, code: await run.exited }).toEqual({ out: "told 0\n", err: "", code: 0 });
});
