// The law of edits, against real bash: exact to the byte, or refused and untouched.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { runBash } from "../test/converse.ts";
import {
  appendScript,
  createScript,
  MAX_FILE_BYTES,
  parseReport,
  replaceScript,
  type EditReport,
} from "./edit-script.ts";

const PIECES = [
  "a",
  "b",
  "ab",
  "aa",
  " ",
  "\n",
  "\r\n",
  "'",
  '"',
  "`",
  "$x",
  "\\",
  "*",
  "?",
  "[a]",
  "é",
  "日本",
  "🙂",
  "\x01",
  "\x7f",
  "%s",
  "!",
  "&",
  "~",
];
const piecewise = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...PIECES), { maxLength: most }).map((parts) => parts.join(""));
const anyBytes = fc.uint8Array({ min: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes));

async function report(root: string, script: string): Promise<EditReport | undefined> {
  return parseReport((await runBash(root, script)).text);
}

/** What the edit should do, on the bytes; undefined where it must refuse. */
function expected(
  file: Buffer,
  old: Buffer,
  text: Buffer,
  everywhere: boolean,
): Buffer | undefined {
  const first = file.indexOf(old);
  if (first < 0 || (!everywhere && file.indexOf(old, first + 1) >= 0)) return undefined;
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = first; at >= 0; at = file.indexOf(old, from)) {
    parts.push(file.subarray(from, at), text);
    from = at + old.length;
  }
  return Buffer.concat([...parts, file.subarray(from)]);
}

test("a replacement is exact, or refused with every byte as it was", async () => {
  await using scratch = await createScratchDirectory();
  const target = scratch.path("it's a file");
  const content = fc.oneof(
    piecewise(12).map((text) => Buffer.from(text)),
    anyBytes,
  );
  const old = piecewise(2).filter((text) => text !== "");
  await fc.assert(
    fc.asyncProperty(
      content,
      content,
      old,
      piecewise(5),
      fc.boolean(),
      fc.boolean(),
      async (before, after, old, text, planted, everywhere) => {
        const file = planted ? Buffer.concat([before, Buffer.from(old), after]) : before;
        await writeFile(target, file);
        const wanted = expected(file, Buffer.from(old), Buffer.from(text), everywhere);
        const got = await report(
          scratch.root,
          replaceScript({ path: "it's a file", old, text, everywhere }),
        );
        expect(got?.done).toBe(wanted !== undefined);
        expect((await readFile(target)).equals(wanted ?? file)).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
}, 30_000);

test("appending keeps the line ends, and a missing final one missing", async () => {
  await using scratch = await createScratchDirectory();
  const target = scratch.path("f");
  await fc.assert(
    fc.asyncProperty(piecewise(8), piecewise(4), async (before, line) => {
      await writeFile(target, before);
      expect(await report(scratch.root, appendScript({ path: "f", text: line }))).toEqual({
        done: true,
        count: 1,
      });
      const eol = before.includes("\r\n") ? "\r\n" : "\n";
      const whole = before === "" || before.endsWith("\n");
      expect(await readFile(target, "utf8")).toBe(
        whole ? before + line + eol : before + eol + line,
      );
    }),
    { numRuns: 40 },
  );
}, 30_000);

const change = { old: "x", text: "y", everywhere: false };

test.each<[string, string, (root: string) => Promise<unknown>]>([
  ["binary", "f", (root) => writeFile(`${root}/f`, "x\0")],
  ["binary", "f", (root) => writeFile(`${root}/f`, "\0x")],
  ["too-large", "f", (root) => writeFile(`${root}/f`, `x${"a".repeat(MAX_FILE_BYTES)}`)],
  ["missing", "f", async () => {}],
  ["no-folder", "a/f", async () => {}],
  ["not-a-file", "f", (root) => mkdir(`${root}/f`)],
  ["link", "f", (root) => symlink("/etc/hosts", `${root}/f`)],
  ["outside", "d/f", (root) => symlink("/tmp", `${root}/d`)],
  ["absent", "f", (root) => writeFile(`${root}/f`, "X")],
  ["many", "f", (root) => writeFile(`${root}/f`, "xx")],
])("refuses: %s", async (reason, path, prepare) => {
  await using scratch = await createScratchDirectory();
  await prepare(scratch.root);
  const before = await readFile(scratch.path("f")).catch(() => undefined);
  const got = await report(scratch.root, replaceScript({ path, ...change }));
  expect(got).toEqual({ done: false, reason });
  expect(await readFile(scratch.path("f")).catch(() => undefined)).toEqual(before);
});

test("a file of the largest size, at its end, stays quick and keeps its mode", async () => {
  await using scratch = await createScratchDirectory();
  const filling = "abcdefg\n".repeat(MAX_FILE_BYTES / 8 - 1);
  await scratch.write("f", `${filling}1234567x`);
  await chmod(scratch.path("f"), 0o755);
  expect(await report(scratch.root, replaceScript({ path: "f", ...change }))).toEqual({
    done: true,
    count: 1,
  });
  expect(await scratch.read("f")).toBe(`${filling}1234567y`);
  expect((await Bun.file(scratch.path("f")).stat()).mode & 0o777).toBe(0o755);
});

test("creating writes the text as lines, and never over anything", async () => {
  await using scratch = await createScratchDirectory();
  expect(await report(scratch.root, createScript({ path: "a", text: "$x 'y'" }))).toEqual({
    done: true,
    count: 1,
  });
  expect(await scratch.read("a")).toBe("$x 'y'\n");
  expect(await report(scratch.root, createScript({ path: "a", text: "z" }))).toEqual({
    done: false,
    reason: "exists",
  });
  expect(await scratch.read("a")).toBe("$x 'y'\n");
  await symlink("/tmp/tau-demo-nowhere", scratch.path("dangling"));
  expect(await report(scratch.root, createScript({ path: "dangling", text: "z" }))).toEqual({
    done: false,
    reason: "link",
  });
});
