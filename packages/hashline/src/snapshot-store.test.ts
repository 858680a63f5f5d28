import { expect, test } from "bun:test";
import fc from "fast-check";
import { SnapshotStore } from "./snapshot-store.ts";
import { contentTag } from "./tag.ts";

test("a text is found by the tag it was shown under, for its own path only", () => {
  const store = new SnapshotStore();
  const { tag } = store.record("a", "one\n");
  expect(tag).toBe(contentTag("one\n"));
  expect(store.find("a", tag)).toMatchObject({ kind: "found", snapshot: { text: "one\n" } });
  expect(store.find("b", tag)).toEqual({ kind: "unknown" });
  expect(store.find("a", "0000")).toEqual({ kind: "unknown" });
  expect(store.latest("a")?.tag).toBe(tag);
  expect(store.latest("b")).toBeUndefined();
});

test("line ends do not make another version, the newest text is kept", () => {
  const store = new SnapshotStore();
  const { tag } = store.record("a", "one\ntwo\n");
  expect(store.record("a", "one\r\ntwo\r\n").tag).toBe(tag);
  expect(store.find("a", tag)).toMatchObject({ snapshot: { text: "one\r\ntwo\r\n" } });
  expect(store.storedLength).toBe("one\r\ntwo\r\n".length);
});

/** Two texts with one tag; tags have 20 bits, so a few thousand texts hold such a pair. */
function collision(): [string, string] {
  const seen = new Map<string, string>();
  for (let at = 0; ; at++) {
    const text = `text ${at}\n`;
    const other = seen.get(contentTag(text));
    if (other !== undefined) return [other, text];
    seen.set(contentTag(text), text);
  }
}

test("a tag never comes to mean another text of the same file", () => {
  const [one, other] = collision();
  const store = new SnapshotStore({ versionsPerPath: 2 });
  const first = store.record("a", one);
  const second = store.record("a", other);
  expect(second.tag).not.toBe(first.tag);
  expect(store.find("a", first.tag)).toMatchObject({ snapshot: { text: one } });
  expect(store.find("a", second.tag)).toMatchObject({ snapshot: { text: other } });
  store.record("a", "third\n");
  store.record("a", "fourth\n");
  expect(store.find("a", first.tag)).toEqual({ kind: "forgotten" });
  expect(store.record("a", other).tag).not.toBe(first.tag);
});

test("limits hold, and the newest text always stays", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.string({ maxLength: 40 }))),
      (records) => {
        const limits = { paths: 3, versionsPerPath: 2, storedLength: 60 };
        const store = new SnapshotStore(limits);
        const meaning = new Map<string, string>();
        for (const [path, text] of records) {
          const { tag } = store.record(path, text);
          const key = `${path} ${tag}`;
          const plain = text.replaceAll("\r\n", "\n");
          expect(meaning.get(key) ?? plain).toBe(plain);
          meaning.set(key, plain);
          expect(store.find(path, tag)).toMatchObject({ kind: "found", snapshot: { text } });
          expect(store.storedLength).toBeLessThanOrEqual(limits.storedLength);
          const kept = ["a", "b", "c", "d"].filter((name) => store.latest(name));
          expect(kept.length).toBeLessThanOrEqual(limits.paths);
        }
      },
    ),
  );
});

test("one text larger than everything is kept all the same", () => {
  const store = new SnapshotStore({ storedLength: 10 });
  store.record("a", "small\n");
  const { tag } = store.record("b", "x".repeat(100));
  expect(store.find("b", tag).kind).toBe("found");
  expect(store.latest("a")).toBeUndefined();
});

test("own work is told from changes from outside", () => {
  const store = new SnapshotStore();
  const base = store.record("a", "1\n");
  store.record("a", "2\n", "written");
  expect(store.isOwnWork("a", base, "2\n")).toBe(true);
  store.record("a", "2\n");
  expect(store.isOwnWork("a", base, "2\n")).toBe(true);
  expect(store.isOwnWork("a", base, "3\n")).toBe(false);
  store.record("a", "3\n");
  store.record("a", "4\n", "written");
  expect(store.isOwnWork("a", base, "4\n")).toBe(false);
  store.forget("a");
  expect(store.find("a", base.tag)).toEqual({ kind: "forgotten" });
});

test("a tag of a file that had to make way is forgotten, not free for another text", () => {
  const [one, other] = collision();
  const store = new SnapshotStore({ paths: 1 });
  const { tag } = store.record("a", one);
  store.record("b", "x\n");
  expect(store.find("a", tag)).toEqual({ kind: "forgotten" });
  expect(store.record("a", other).tag).not.toBe(tag);
});
