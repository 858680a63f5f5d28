import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createEntryIds, createSessionId } from "./entry-id.ts";
import { sessionDirectory, sessionDirectoryName, sessionFileName } from "./session-path.ts";

const HOME = "/home/me";
const TMP = "/tmp";

describe("the directory of a place", () => {
  test.each([
    ["/home/me", "-"],
    ["/home/me/", "-"],
    ["/home/me/work/tau", "-work-tau"],
    ["/home/melissa/x", "--home-melissa-x--"],
    ["/tmp", "-tmp"],
    ["/tmp/a/b", "-tmp-a-b"],
    ["/srv/app", "--srv-app--"],
    ["/", "----"],
    ["/srv/a:b\\c", "--srv-a-b-c--"],
  ])("%s is %s", (cwd, name) => {
    expect(sessionDirectoryName(cwd, HOME, TMP)).toBe(name);
  });

  test.each([
    ["C:\\Users\\Me\\work", "-work"],
    ["c:\\users\\me", "-"],
    ["C:/Users/Me/a b", "-a b"],
    ["C:\\Windows\\Temp\\x", "-tmp-x"],
    ["D:\\src\\tau", "--D--src-tau--"],
    ["\\\\server\\share\\x", "--server-share-x--"],
  ])("on Windows %s is %s", (cwd, name) => {
    expect(sessionDirectoryName(cwd, "C:\\Users\\Me", "C:\\Windows\\Temp")).toBe(name);
  });

  const part = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
    .map((name) => name.replaceAll("/", "x").replaceAll("\0", "x"));
  const absolute = fc.array(part, { maxLength: 20 }).map((parts) => `/${parts.join("/")}`);

  test("any place gives one short name that is no way out of its directory", () => {
    fc.assert(
      fc.property(absolute, absolute, absolute, (cwd, home, tmp) => {
        const name = sessionDirectoryName(cwd, home, tmp);
        expect(name).toStartWith("-");
        expect(name).not.toMatch(/[/\\:]/);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        expect(name.isWellFormed()).toBe(true);
        expect(sessionDirectoryName(`${cwd}/`, home, tmp)).toBe(name);
      }),
      { numRuns: 500 },
    );
  });

  test("what is below home does not depend on where home is", () => {
    fc.assert(
      fc.property(absolute, absolute, part, (home, other, name) => {
        const from = (base: string): string =>
          sessionDirectoryName(`${base.replace(/\/+$/, "")}/${name}`, base, "");
        expect(from(home)).toBe(from(other));
      }),
    );
  });

  test("long names that differ stay different", () => {
    const long = `/srv/${"deep/".repeat(80)}`;
    const names = ["a", "b"].map((last) => sessionDirectoryName(long + last, HOME, TMP));
    expect(new Set(names).size).toBe(2);
  });

  test("a session's file sorts by its time", () => {
    expect(sessionFileName("2026-02-16T10:20:30.000Z", "id")).toBe(
      "2026-02-16T10-20-30-000Z_id.jsonl",
    );
    const place = { agentDirectory: "/a", cwd: "/home/me/x", home: HOME, tmp: TMP };
    expect(sessionDirectory(place)).toBe("/a/sessions/-x");
  });
});

describe("ids", () => {
  test("of entries never repeat and never go back, whatever the clock does", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 42 }), { minLength: 2 }), (times) => {
        let index = 0;
        let next = createEntryIds(() => times[index++ % times.length]!);
        const ids: string[] = [];
        for (let count = 0; count < 50; count += 1) {
          if (count % 7 === 6)
            next = createEntryIds(() => times[index++ % times.length]!, ids.at(-1));
          ids.push(next());
        }
        expect(ids).toEqual(ids.toSorted());
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}$/);
      }),
    );
  });

  test("of sessions are UUIDs that sort by time", () => {
    const ids = Array.from({ length: 100 }, createSessionId);
    expect(ids).toEqual(ids.toSorted());
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });
});
