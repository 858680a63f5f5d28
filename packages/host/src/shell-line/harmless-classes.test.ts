// The promises of the two harmless classes, held against a real shell: lines that are said to only
// look are run, and nothing has changed; lines that are said to write inside change nothing outside.

import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { classifyShellLine } from "./classify-shell-line.ts";
import { CLASSIFIED_LINES } from "./fixtures/classified-lines.ts";

/** Long for any of these; what still runs then is ended. */
const TIMEOUT_MS = 10_000;

async function openWorkspace() {
  const scratch = await createScratchDirectory();
  await fill(scratch);
  await scratch.write("home/.keep", "");
  await scratch.write("home/c", "mine\n");
  const workspace = scratch.path("work");
  const context = { cwd: workspace, home: scratch.path("home"), workspace, temporary: [] };
  return { scratch, workspace, context };
}

async function fill(scratch: Awaited<ReturnType<typeof createScratchDirectory>>): Promise<void> {
  await scratch.write("work/a", "one\ntwo\n");
  await scratch.write("work/b", "three\n");
  await scratch.write("work/file", "x\n");
  await scratch.write("work/src/a.ts", "foo\n");
}

async function snapshot(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const rows = entries.map(async (entry): Promise<[string, string]> => {
    const path = join(entry.parentPath, entry.name);
    return [path, entry.isFile() ? await readFile(path, "utf8") : "directory"];
  });
  return Object.fromEntries(await Promise.all(rows));
}

async function run(line: string, cwd: string, home: string): Promise<void> {
  const child = Bun.spawn(["bash", "--noprofile", "--norc", "-c", "--", line], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
  await child.exited;
  clearTimeout(timer);
}

test("every line of the table that only looks changes nothing", async () => {
  const { scratch, workspace, context } = await openWorkspace();
  await using _ = scratch;
  const before = await snapshot(scratch.root);
  for (const line of CLASSIFIED_LINES["read-only"]) {
    // Package managers are slow to start and keep caches of their own.
    if (/\b(?:npm|pip|docker|node)\b|\/dev\/tcp/.test(line)) continue;
    await run(line, workspace, context.home);
    expect({ line, files: await snapshot(scratch.root) }).toEqual({ line, files: before });
  }
}, 120_000);

const LOOKERS = [
  "ls",
  "cat",
  "echo",
  "wc",
  "head",
  "grep a",
  "sort",
  "sed -n p",
  "git status",
  "x=",
];
const { line: lines } = fc.letrec<{ word: string; command: string; line: string }>((tie) => ({
  word: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      "a",
      "b",
      "'a'",
      '"a"',
      "*",
      "$x",
      '"$x"',
      "{a,b}",
      "\\a",
      "$'a'",
      "~/c",
      "src",
    ),
    tie("command").map((inner) => `$(${inner})`),
    tie("command").map((inner) => `"$(${inner})"`),
    tie("command").map((inner) => `\`${inner.replaceAll(/[`\\]/g, "")}\``),
    tie("command").map((inner) => `<(${inner})`),
    tie("command").map((inner) => `\${y:-$(${inner})}`),
  ),
  command: fc.oneof(
    { maxDepth: 3 },
    fc
      .tuple(
        fc.constantFrom(
          ...LOOKERS,
          ...LOOKERS,
          ...LOOKERS,
          "rm",
          "touch",
          "x=",
          "sort -o",
          "tee",
          "cp b",
          "grep a",
          "eval",
          "env",
          "xargs",
          "command",
          "$x",
          "bash -c",
          "find . -name",
          "cd src; rm",
          "r''m",
          "head",
          "sed -i s/a/b/",
          "sed -n p",
          "printf",
        ),
        fc.array(tie("word"), { maxLength: 3 }),
        fc.constantFrom(
          "",
          "",
          "",
          " > g",
          " 2>/dev/null",
          " >/dev/null",
          " <a",
          " >>a",
          " &> h",
          " <<< z",
        ),
      )
      .map(
        ([name, args, redirect]) =>
          `${name}${name.endsWith("=") ? "" : " "}${args.join(" ")}${redirect}`,
      ),
    tie("line").map((inner) => `( ${inner} )`),
    tie("line").map((inner) => `if ls a; then ${inner}; fi`),
    tie("line").map((inner) => `for x in a b; do ${inner}; done`),
    tie("line").map((inner) => `bash -c '${inner.replaceAll("'", "'\\''")}'`),
    tie("line").map((inner) => `eval '${inner.replaceAll("'", "'\\''")}'`),
    tie("line").map((inner) => `cat <<E\n$(${inner})\nE\n`),
  ),
  line: fc
    .array(fc.tuple(tie("command"), fc.constantFrom(" | ", " && ", "; ", "\n", " || ")), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) =>
      parts.map(([text, next], i) => (i === parts.length - 1 ? text : text + next)).join(""),
    ),
}));

test("no line reaches farther than its class says", async () => {
  const { scratch, workspace, context } = await openWorkspace();
  await using _ = scratch;
  const before = await snapshot(scratch.root);
  const outside = (files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(`${workspace}/`)));
  const counts = { "read-only": 0, "writes-inside": 0 };
  await fc.assert(
    fc.asyncProperty(lines, async (line) => {
      const found = classifyShellLine(line, context).class;
      if (found !== "read-only" && found !== "writes-inside") return;
      counts[found]++;
      await rm(workspace, { recursive: true });
      await fill(scratch);
      await run(line, workspace, context.home);
      const after = await snapshot(scratch.root);
      if (found === "read-only") expect(after).toEqual(before);
      else expect(outside(after)).toEqual(outside(before));
    }),
    { numRuns: 4000 },
  );
  expect(counts["read-only"]).toBeGreaterThan(30);
  expect(counts["writes-inside"]).toBeGreaterThan(30);
}, 240_000);
