import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { bashName, shellGlob, lostName, writtenPath } from "./byte-name.ts";

const CAFE = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2e, 0x74, 0x78, 0x74]);

test("bytes that are no character are escaped; the rest stays readable", () => {
  expect(bashName(CAFE)).toBe(String.raw`$'caf\351.txt'`);
  expect(bashName(Buffer.from("é 'x'\\\n\u0001"))).toBe("$'é \\'x\\'\\\\\\n\\001'");
  expect(writtenPath(Buffer.concat([Buffer.from("/a b/"), CAFE]))).toBe(
    String.raw`/a b/$'caf\351.txt'`,
  );
  expect(shellGlob(String.raw`/it's a/b/$'caf\351.txt'/$'a b\376'`)).toBe(
    String.raw`/'it'\''s a'/b/caf?.txt/$'a b'?`,
  );
});

test.skipIf(!Bun.which("bash"))("bash reads exactly these bytes, whatever they are", async () => {
  const bytes = fc.uint8Array({ min: 1, minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 20 }), async (names) => {
      const words = names.map((name) => bashName(Buffer.from(name)));
      const printed = Bun.spawn(["bash", "-c", `printf '%s\\0' ${words.join(" ")}`], {
        env: { LC_ALL: "C.UTF-8" },
      });
      const out = Buffer.from(await printed.stdout.bytes());
      expect(out).toEqual(Buffer.concat(names.flatMap((name) => [name, Buffer.from([0])])));
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
  expect(await lostName(`${scratch.root}/d\ufffd/caf\ufffd.txt`)).toBe(found);
  expect(await lostName(found)).toBe(found);
  expect(await lostName(`${scratch.root}/other\ufffd`)).toBeUndefined();
  expect(await lostName(`${scratch.root}/plain.txt`)).toBeUndefined();
});
