// Replacing or adding one member leaves every other one as it was, judged by another program;
// and what is put in comes out.

import { expect } from "bun:test";
import { readdir, stat } from "node:fs/promises";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { openMember, writeMember } from "./archive.ts";
import { safeMemberName } from "./member-name.ts";
import { makeArchive, readArchive, type PythonMember } from "./test/python-archives.ts";

const part = fc.constantFrom("a", "b", "long".repeat(30), "é", "名前", "x y", "c.txt");
const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const member = fc.record({
  name,
  data: fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  mode: fc.constantFrom(0o644, 0o755, 0o600),
  mtime: fc.integer({ min: 400_000_000, max: 1_700_000_000 }).map((seconds) => seconds * 2),
  kind: fc.constantFrom("file", "file", "file", "link", "directory"),
  target: fc.constantFrom("a", "../b"),
  stored: fc.boolean(),
}) as fc.Arbitrary<PythonMember>;

/** No file below a file, no two of one name. */
function consistent(members: readonly PythonMember[]): PythonMember[] {
  const kept: PythonMember[] = [];
  for (const next of members) {
    const clashes = kept.some(
      ({ name: other }) =>
        other === next.name ||
        other.startsWith(`${next.name}/`) ||
        next.name.startsWith(`${other}/`),
    );
    if (!clashes) kept.push(next);
  }
  return kept;
}

const PYTHON = { program: "python3", proves: "archives as another program sees them" };

for (const format of ["zip", "tar", "tar-gnu", "tar.gz"] as const) {
  testWith(
    PYTHON,
    `${format}: one member changes, all others stay`,
    async (python) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(member, { maxLength: 6 }).map(consistent),
          fc.nat(10),
          fc.uint8Array({ maxLength: 5000 }),
          async (members, pick, content) => {
            await using dir = await createScratchDirectory();
            const path = dir.path(`archive.${format.replace("-gnu", "")}`);
            await makeArchive(python, path, format, members.map(asDirectory));
            const before = await readArchive(python, path);
            const files = members.filter(({ kind }) => kind === "file");
            const target =
              files.length > 0 && pick % 2 === 0 ? files[pick % files.length] : undefined;
            const wanted = target?.name ?? "new/deep/file.bin";
            const others = (all: PythonMember[]) =>
              all.filter((one) => safeMemberName(one.name) !== wanted);

            await writeMember(path, wanted, content);
            const after = await readArchive(python, path);
            expect(others(after)).toEqual(others(before));
            // In its old place, or behind all others.
            const at = before.findIndex((one) => one.name === wanted);
            expect(after.findIndex((one) => one.name === wanted)).toBe(at < 0 ? before.length : at);
            const written = after.find((one) => one.name === wanted)!;
            expect(written.data).toBe(Buffer.from(content).toString("base64"));

            const ours = await openMember(path, wanted);
            expect(ours.type === "file" && Buffer.from(ours.bytes).equals(content)).toBe(true);
            for (const file of files.filter((one) => one.name !== wanted)) {
              const opened = await openMember(path, file.name);
              if (opened.type !== "file") throw new Error(`${file.name} is no file`);
              expect(Buffer.from(opened.bytes).toString("base64")).toBe(file.data);
              expect(opened.member.mode).toBe(file.mode);
            }
            if (target) {
              const opened = await openMember(path, wanted);
              expect(opened.type === "file" && opened.member.mode).toBe(target.mode);
            }
            expect(await readdir(dir.root)).toHaveLength(1);
          },
        ),
        { numRuns: 8 },
      );
    },
    120_000,
  );
}

function asDirectory(one: PythonMember): PythonMember {
  return one.kind === "directory" ? { ...one, name: `${one.name}/`, data: "" } : one;
}

testWith(PYTHON, "an archive keeps its own permissions when it is rewritten", async (python) => {
  await using dir = await createScratchDirectory();
  for (const format of ["zip", "tar"]) {
    const path = dir.path(`a.${format}`);
    await makeArchive(python, path, format, []);
    await Bun.$`chmod 640 ${path}`.quiet();
    await writeMember(path, "x", new Uint8Array([1]));
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  }
});
