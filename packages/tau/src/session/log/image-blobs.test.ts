// Images in and out of the blob store, and what is left when the store is not there.

import { describe, expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { chmod, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NewEntry } from "../entry.ts";
import { createBlobStore, hashOf } from "./blob-store.ts";
import { externaliseImages, rehydrateImages } from "./image-blobs.ts";
import { allEntries, reply, result } from "./test/support.ts";
import { temporarySession } from "./test/temporary-session.ts";

const PICTURE = Buffer.alloc(3000, "picture").toString("base64");
const SMALL = Buffer.alloc(30, "icon").toString("base64");

function withImage(data: string): NewEntry {
  return result("c", "see", data);
}

describe("a blob store", () => {
  test("writes each content once, whoever comes first", async () => {
    await using dir = await createScratchDirectory();
    const storage = createFaultyStorage(createDiskStorage());
    const stores = [1, 2, 3].map(() => createBlobStore(storage, dir.path("blobs")));
    const bytes = Buffer.from("content");
    const blob = { hash: hashOf(bytes), bytes };
    await Promise.all(stores.map((store) => store.put(blob)));
    const writes = storage.writes.length;
    for (const store of [...stores, createBlobStore(storage, dir.path("blobs"))]) {
      await store.put(blob);
      expect(await store.get(blob.hash)).toEqual(bytes);
    }
    expect(storage.writes.length).toBe(writes);
    expect(await readdir(dir.path("blobs"))).toEqual([blob.hash]);
  });

  test("takes damaged content for missing, and replaces it when it can", async () => {
    await using dir = await createScratchDirectory();
    const storage = createDiskStorage();
    const bytes = Buffer.from("content");
    const blob = { hash: hashOf(bytes), bytes };
    await createBlobStore(storage, dir.path("blobs")).put(blob);
    await writeFile(dir.path("blobs", blob.hash), "contend");
    const store = createBlobStore(storage, dir.path("blobs"));
    expect(await store.get(blob.hash)).toBeUndefined();
    await store.put(blob);
    expect(await store.get(blob.hash)).toEqual(bytes);
    await rm(dir.path("blobs"), { recursive: true });
    await store.put(blob);
    expect(await store.get(blob.hash)).toEqual(bytes);
  });
});

test("any entry comes back as it was, whatever images it holds", async () => {
  await using dir = await createScratchDirectory();
  const store = createBlobStore(createDiskStorage(), dir.path("blobs"));
  const data = fc.oneof(
    fc
      .uint8Array({ minLength: 700, maxLength: 1200 })
      .map((bytes) => Buffer.from(bytes).toString("base64")),
    fc.string({ maxLength: 1100 }),
    fc.constantFrom(PICTURE, SMALL, `${PICTURE}=`, ` ${PICTURE}`, PICTURE.replace("c", "\n")),
  );
  const image = fc.record({ type: fc.constant("image"), mimeType: fc.string(), data });
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      image,
      fc.jsonValue(),
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie("node"), { maxKeys: 3 }),
    ),
  })).node;
  await fc.assert(
    fc.asyncProperty(value, async (details) => {
      const entry = { type: "custom", details };
      const before = structuredClone(entry);
      const { value: outside, blobs } = externaliseImages(entry);
      for (const blob of blobs) await store.put(blob);
      const missing: unknown[] = [];
      const copy = JSON.parse(JSON.stringify(outside)) as typeof entry;
      expect(await rehydrateImages(copy, store, (blob) => missing.push(blob))).toEqual(
        JSON.parse(JSON.stringify(before)),
      );
      expect(entry).toEqual(before);
      expect(missing).toEqual([]);
    }),
  );
});

describe("a session", () => {
  test("keeps large images outside, once, and gives them back", async () => {
    await using session = await temporarySession();
    {
      await using log = await session.create();
      await log.append(withImage(PICTURE));
      await log.appendAll([withImage(PICTURE), withImage(SMALL)]);
    }
    const text = await session.dir.read("s.jsonl");
    expect(text).not.toContain(PICTURE);
    expect(text).toContain(SMALL);
    expect(text.match(/"blob:sha256:[0-9a-f]{64}"/g)).toHaveLength(2);
    expect(await readdir(session.blobs.directory)).toEqual([
      hashOf(Buffer.from(PICTURE, "base64")),
    ]);
    await using log = await session.open("read");
    expect(await allEntries(log)).toMatchObject([PICTURE, PICTURE, SMALL].map(withImage));
  });

  test("is read without its images, with a note where they were, and never a false one", async () => {
    await using session = await temporarySession();
    {
      await using log = await session.create();
      await log.append(withImage(PICTURE));
      await log.append(reply("seen"));
    }
    const [name] = await readdir(session.blobs.directory);
    const path = join(session.blobs.directory, name!);
    const note = { type: "text", text: `[An image was here; its data (${name}) is missing.]` };
    const ruin: (() => Promise<unknown>)[] = [
      () => writeFile(path, "other bytes"),
      () => chmod(session.blobs.directory, 0),
      () => rm(path),
    ];
    for (const damage of ruin) {
      await damage();
      await using log = await session.open("write");
      const [first] = await log.branch();
      await log.branch();
      await chmod(session.blobs.directory, 0o700);
      if (process.getuid?.() === 0 && damage === ruin[1]) continue;
      expect(first).toMatchObject({ message: { content: [{ text: "see" }, note] } });
      expect(log.repairs.filter((repair) => repair.kind === "missing_blob")).toHaveLength(1);
    }
  });

  test("without a blob store keeps images in its lines", async () => {
    await using session = await temporarySession();
    await using log = await session.create({ blobs: undefined });
    await log.append(withImage(PICTURE));
    await using reading = await session.open("read", { blobs: undefined });
    expect(await allEntries(reading)).toMatchObject([withImage(PICTURE)]);
  });
});
