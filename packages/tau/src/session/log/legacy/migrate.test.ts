// Files of versions 1 to 3 open, keep every byte, and go on in a successor.

import { describe, expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { appendFile, readdir, readFile } from "node:fs/promises";
import { hashOf } from "../blob-store.ts";
import { openSession } from "../open-session.ts";
import { allEntries, expectConsistent, mortalProcess, user } from "../test/support.ts";
import { lines, message, open, PICTURE, placed, STARTED } from "./test/legacy-files.ts";

describe("an old file", () => {
  const header = { ...STARTED, version: 3 };

  test("bad lines are named and passed over; missing parents make roots", async () => {
    await using dir = await createScratchDirectory();
    const text = lines(
      header,
      "{broken",
      message("u1", "lost", { role: "user", content: "x" }),
      '{"torn":',
    );
    const path = await placed(dir, text);
    await using log = await open(dir, path, "write");
    expect(log.repairs).toMatchObject([
      { kind: "migrated" },
      { kind: "bad_line", line: 2 },
      { kind: "bad_line", line: 4 },
    ]);
    expect(await log.childrenOf(null)).toMatchObject([{ id: "u1" }]);
  });

  test("images come over from the older blob store", async () => {
    await using dir = await createScratchDirectory();
    const hash = hashOf(PICTURE);
    await dir.write(`agent/blobs/${hash}`, PICTURE);
    const images = [hash, "0".repeat(64)].map((name) => ({
      type: "image",
      mimeType: "image/png",
      data: `blob:sha256:${name}`,
    }));
    const path = await placed(
      dir,
      lines(header, message("u1", null, { role: "user", content: images })),
    );
    await using log = await open(dir, path, "write");
    const [found] = await allEntries(log);
    expect(found).toMatchObject({
      message: { content: [{ type: "image", data: PICTURE.toString("base64") }, { type: "text" }] },
    });
    expect(await readdir(dir.path("tau/blobs"))).toEqual([hash]);
    expect(await readFile(log.path!, "utf8")).toContain("0".repeat(64));
  });
});

describe("a successor", () => {
  const old = lines(
    { ...STARTED, version: 3 },
    message("u1", null, { role: "user", content: "one" }),
  );

  test("is made once, and opened again from then on, by either name", async () => {
    await using dir = await createScratchDirectory();
    const path = await placed(dir, old);
    for (const text of ["two", "three"]) {
      await using log = await open(dir, path, "write");
      await log.append(user(text));
    }
    await using log = await open(dir, dir.path("agent/sessions/-pi/old.v4.jsonl"), "write");
    expect(await allEntries(log)).toHaveLength(3);
    expect(await readFile(path, "utf8")).toBe(old);
  });

  test("is made anew where the original has grown meanwhile", async () => {
    await using dir = await createScratchDirectory();
    const path = await placed(dir, old);
    await (await open(dir, path, "write")).close();
    await appendFile(path, lines(message("u2", "u1", { role: "user", content: "elsewhere" })));
    await using log = await open(dir, path, "write");
    expect(log.path).toBe(dir.path("agent/sessions/-pi/old.v4-2.jsonl"));
    expect(await allEntries(log)).toHaveLength(2);
  });

  test("is complete or not there, wherever the process dies", async () => {
    await using whole = await createScratchDirectory();
    const counting = createFaultyStorage(createDiskStorage());
    const options = { mode: "write", processes: mortalProcess() } as const;
    await (await openSession(await placed(whole, old), { ...options, storage: counting })).close();
    for (let at = 1; at <= counting.writes.length; at += 1) {
      for (const fault of [
        { kind: "tear", bytes: 30 },
        { kind: "crash-after" },
        { kind: "fail" },
        { kind: "power-loss" },
      ] as const) {
        await using dir = await createScratchDirectory();
        const path = await placed(dir, old);
        const storage = createFaultyStorage(createDiskStorage(), [{ at, fault }]);
        const first = await openSession(path, { ...options, storage }).catch(() => undefined);
        await first?.close().catch(() => undefined);
        await using log = await open(dir, path, "write");
        expect(await allEntries(log)).toMatchObject([{ id: "u1" }]);
        expect(await readFile(path, "utf8")).toBe(old);
      }
    }
  });
});

test("whatever an old file holds, nothing of it stops the rest", async () => {
  const word = fc.constantFrom(
    "message",
    "compaction",
    "label",
    "custom",
    "custom_message",
    "model_change",
    "x",
    "a1",
    "user",
    "assistant",
  );
  const value = fc.oneof(word, fc.jsonValue({ depthSize: "xsmall" }));
  const anything = fc.dictionary(
    fc.constantFrom(
      "type",
      "id",
      "parentId",
      "timestamp",
      "message",
      "role",
      "content",
      "summary",
      "targetId",
      "firstKeptEntryId",
    ),
    fc.oneof(
      value,
      fc.dictionary(fc.constantFrom("role", "content", "type", "usage", "api"), value),
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(anything, { maxLength: 6 }),
      fc.constantFrom(1, 2, 3),
      async (values, version) => {
        await using dir = await createScratchDirectory();
        const last = message("end", null, { role: "user", content: "end" });
        const path = await placed(dir, lines({ ...STARTED, version }, ...values, last));
        await using log = await open(dir, path, "write");
        expect((await allEntries(log)).at(-1)).toMatchObject({
          message: { content: [{ text: "end" }] },
        });
        await expectConsistent(log);
      },
    ),
    { numRuns: 150 },
  );
}, 30_000);
