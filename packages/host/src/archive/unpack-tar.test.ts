// Unpacking: an ordinary tree comes out as it was, and whatever an archive holds, nothing of it is outside.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { lstat, mkdir, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { makeTar, makeTgz, type TarEntry } from "@tau/testkit/tar";
import { ArchiveError } from "./archive-error.ts";
import { unpackTar } from "./unpack-tar.ts";

const LIMITS = { signal: new AbortController().signal, maxBytes: 1_000_000, maxFiles: 100 };

async function unpacked(entries: readonly TarEntry[], how: { strip?: number } = {}) {
  const scratch = await createScratchDirectory();
  const archive = await scratch.write("a.tgz", makeTgz(entries));
  const target = scratch.path("target");
  await mkdir(target);
  const failure = await unpackTar(archive, target, { ...LIMITS, ...how }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { scratch, target, failure };
}

test("files, directories, links and executable bits, without the leading directory", async () => {
  const { scratch, target, failure } = await unpacked(
    [
      { name: "package/", type: "5" },
      { name: "package/a/b.txt", content: "b" },
      { name: "package/run.sh", content: "#!/bin/sh", mode: 0o755 },
      { name: "package/a/link", type: "2", linkName: "../run.sh" },
      { name: "package/nowhere", type: "2", linkName: "gone" },
      { name: "package/.git/config", content: "evil" },
    ],
    { strip: 1 },
  );
  await using _ = scratch;
  expect(failure).toBeUndefined();
  expect((await readdir(target, { recursive: true })).toSorted()).toEqual([
    "a",
    join("a", "b.txt"),
    join("a", "link"),
    "run.sh",
  ]);
  expect(await readFile(join(target, "a/link"), "utf8")).toBe("#!/bin/sh");
  expect((await stat(join(target, "run.sh"))).mode & 0o111).not.toBe(0);
  expect((await stat(join(target, "a/b.txt"))).mode & 0o111).toBe(0);
});

test.each<[string, TarEntry[], string]>([
  ["a name above", [{ name: "../x", content: "x" }], "unsafe_name"],
  ["an absolute name", [{ name: "/tmp/x", content: "x" }], "unsafe_name"],
  ["a link above", [{ name: "l", type: "2", linkName: "../.." }], "is_link"],
  ["an absolute link", [{ name: "l", type: "2", linkName: "/etc/passwd" }], "is_link"],
  ["a hard link", [{ name: "l", type: "1", linkName: "x" }], "is_link"],
  [
    "a link whose way leads out through another",
    [
      { name: "x/y/l", type: "2", linkName: "../../z" },
      { name: "z/", type: "5" },
      { name: "out", type: "2", linkName: "x/y/l/../.." },
    ],
    "is_link",
  ],
  [
    "a file below a file",
    [
      { name: "a", content: "x" },
      { name: "a/b", content: "x" },
    ],
    "not_directory",
  ],
  ["a bomb", [{ name: "a", content: "x".repeat(1_000_001) }], "too_large"],
  ["too many", Array.from({ length: 101 }, (_, at) => ({ name: `f${at}` })), "too_many"],
])("%s is refused", async (_name, entries, code) => {
  const { scratch, failure } = await unpacked(entries);
  await using _ = scratch;
  expect(failure).toBeInstanceOf(ArchiveError);
  expect((failure as ArchiveError).code).toBe(code as ArchiveError["code"]);
  expect((await readdir(scratch.root)).toSorted()).toEqual(["a.tgz", "target"]);
});

/** Without following links. */
async function everything(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const one of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, one.name);
    found.push(path, ...(one.isDirectory() ? await everything(path) : []));
  }
  return found;
}

const part = fc.constantFrom("a", "b", "c", "..", ".", "", "a.txt");
const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));
const entry: fc.Arbitrary<TarEntry> = fc.record({
  name: path,
  type: fc.constantFrom("0", "1", "2", "5"),
  linkName: fc.oneof(path, fc.constantFrom("/etc", "/tmp", "..")),
  content: fc.constantFrom("", "text"),
});

test("whatever is in it, all that is written is inside and leads inside", async () => {
  await using scratch = await createScratchDirectory();
  let round = 0;
  const check = fc.asyncProperty(fc.array(entry, { maxLength: 8 }), async (entries) => {
    const place = `round-${round++}`;
    const plain = entries.map((one) => (one.type === "0" ? one : { ...one, content: "" }));
    const archive = await scratch.write(`${place}/a.tar`, makeTar(plain));
    const target = scratch.path(place, "target");
    await mkdir(target);
    await unpackTar(archive, target, LIMITS).catch((error: unknown) => {
      if (!(error instanceof ArchiveError)) throw error;
    });
    expect((await readdir(scratch.path(place))).toSorted()).toEqual(["a.tar", "target"]);
    const root = await realpath(target);
    for (const found of await everything(target)) {
      const real = await realpath(found);
      expect(real === root || real.startsWith(root + sep) || (await lstat(found)).isFile()).toBe(
        true,
      );
    }
  });
  await fc.assert(check, { numRuns: 300 });
});
