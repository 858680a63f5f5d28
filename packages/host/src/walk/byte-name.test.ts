import { expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { lostName, readWrittenPath, writtenPath } from "./byte-name.ts";
import { bytePath, onDisk, pathBytes } from "./byte-path.ts";

const CAFE = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2e, 0x74, 0x78, 0x74]);

test("bytes that are no character are escaped; the rest stays readable", () => {
  expect(writtenPath(Buffer.concat([Buffer.from("/a b/"), CAFE]))).toBe(
    String.raw`/a b/$'caf\351.txt'`,
  );
  expect(writtenPath(Buffer.concat([Buffer.from("é 'x'\\\n\u0001"), CAFE]))).toBe(
    "$'é \\'x\\'\\\\\\n\\001caf\\351.txt'",
  );
  expect(writtenPath("it's/$x/é")).toBe("it's/$x/é");
});

const names = fc.uint8Array({ min: 1, minLength: 1, maxLength: 40 }).map((name) =>
  // No name has a slash.
  Buffer.from(name.map((byte) => (byte === 0x2f ? 0x2e : byte))),
);

test("what is written is read as the same bytes, whatever they are", () => {
  const tricky = fc
    .string({
      unit: fc.constantFrom("$'", "'", "\\", "3", "x", "\\351", "é", "\u{10f7e9}", "\ufffd"),
      minLength: 1,
      maxLength: 9,
    })
    .map((text) => Buffer.from(text));
  fc.assert(
    fc.property(fc.array(fc.oneof(names, tricky), { minLength: 1, maxLength: 5 }), (parts) => {
      const path = Buffer.concat(parts.flatMap((part) => [Buffer.from("/"), part]));
      expect(pathBytes(bytePath(path))).toEqual(path);
      expect(readWrittenPath(writtenPath(path))).toBe(bytePath(path));
      // What is resolved already stays as it is, and the functions of paths leave it so.
      expect(readWrittenPath(bytePath(path))).toBe(bytePath(path));
      expect(basename(bytePath(path))).toBe(bytePath(parts.at(-1)!));
    }),
    { numRuns: 2000 },
  );
});

test("an escaped path is the path that it spells, and nothing can hide in one", () => {
  expect(readWrittenPath(String.raw`$'\056env'`)).toBe(".env");
  expect(readWrittenPath(String.raw`a/$'\x2e\x2e\057\u002e.'/etc`)).toBe("a/../../etc");
  expect(readWrittenPath(String.raw`$'\303\251'`)).toBe("é");
  // Our own form of bytes means the bytes; it has none for dots, slashes and letters.
  expect(readWrittenPath("\u{10f7c3}\u{10f7a9}")).toBe("é");
  expect(readWrittenPath("\u{10f724}HOME")).toBe("$HOME");
  expect(pathBytes(readWrittenPath("\u{10f72e}env"))).toEqual(Buffer.from("\u{10f72e}env"));
  // A zero byte ends a name in C: such a part means nothing.
  expect(readWrittenPath(String.raw`$'.env\000x'`)).toBe(String.raw`$'.env\000x'`);
});

test("a file that is really called so is reached", () => {
  expect(readWrittenPath("$'x'")).toBe("$'x'");
  const own = Buffer.from(String.raw`$'caf\351.txt'`);
  expect(writtenPath(own)).toBe(String.raw`$'$\'caf\\351.txt\''`);
  const read = readWrittenPath(writtenPath(own));
  expect(pathBytes(read)).toEqual(own);
  expect(readWrittenPath(read)).toBe(read);
});

test.skipIf(!Bun.which("bash"))("bash reads exactly these bytes, whatever they are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(names, { minLength: 1, maxLength: 20 }), async (some) => {
      // With a byte that is no character, so that each is in bash's form.
      const all = some.map((name) => Buffer.concat([name, Buffer.of(0xff)]));
      const words = all.map((name) => writtenPath(name));
      const printed = Bun.spawn(["bash", "-c", `printf '%s\\0' ${words.join(" ")}`], {
        env: { LC_ALL: "C.UTF-8" },
      });
      const out = Buffer.from(await printed.stdout.bytes());
      expect(out).toEqual(Buffer.concat(all.flatMap((name) => [name, Buffer.from([0])])));
    }),
    { numRuns: 50 },
  );
});

test.skipIf(process.platform !== "linux")("a name that lost its bytes is found again", async () => {
  await using scratch = await createScratchDirectory();
  const directory = Buffer.concat([Buffer.from(`${scratch.root}/d`), Buffer.from([0xfe])]);
  await mkdir(directory);
  await writeFile(Buffer.concat([directory, Buffer.from("/"), CAFE]), "x");
  const found = String.raw`${scratch.root}/$'d\376'/$'caf\351.txt'`;
  expect(writtenPath((await lostName(`${scratch.root}/d\ufffd/caf\ufffd.txt`))!)).toBe(found);
  expect(await readFile(onDisk(readWrittenPath(found)), "utf8")).toBe("x");
  expect(await lostName(`${scratch.root}/other\ufffd`)).toBeUndefined();
  expect(await lostName(`${scratch.root}/plain.txt`)).toBeUndefined();
});
