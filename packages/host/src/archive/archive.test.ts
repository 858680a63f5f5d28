// What an archive shows, and every way in which it is refused.

import { describe, expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { open, truncate } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { StorageError } from "../storage-error.ts";
import { ArchiveError, type ArchiveErrorCode } from "./archive-error.ts";
import { openMember, writeMember, type ArchiveContent } from "./archive.ts";
import { splitArchivePath } from "./archive-path.ts";
import { FileRanges } from "./file-ranges.ts";
import { safeMemberName, wantedMember } from "./member-name.ts";
import { makeTarHeader, padded } from "./tar-header.ts";
import { newZipMember } from "./zip-member.ts";
import { readZipDirectory } from "./zip-directory.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function textOf(content: ArchiveContent): string {
  if (content.type !== "file") throw new Error("it is a directory");
  return new TextDecoder().decode(content.bytes);
}

function namesOf(content: ArchiveContent): string[] {
  if (content.type !== "directory") throw new Error("it is a file");
  return content.listing.children.map(({ name, kind }) =>
    kind === "directory" ? `${name}/` : name,
  );
}

async function refusal(run: Promise<unknown>): Promise<ArchiveErrorCode> {
  const outcome = await run.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof ArchiveError)) throw new Error(`no ArchiveError: ${String(outcome)}`);
  expect(outcome.message).toMatch(/^[^\n]+: [^\n]+\.$|^Say [^\n]+\.$/);
  return outcome.code;
}

/** A zip by hand: whatever a dishonest one may claim. */
async function handMade(
  dir: ScratchDirectory,
  members: {
    name: string;
    content: string;
    change?: (record: DataView, local: DataView) => void;
  }[],
): Promise<string> {
  const locals: Uint8Array[] = [];
  const records: Uint8Array[] = [];
  let offset = 0;
  for (const { name, content, change } of members) {
    const data = bytes(content);
    const made = newZipMember({
      name,
      content: data,
      packed: data,
      mode: undefined,
      now: new Date(),
    });
    const record = made.record(offset);
    change?.(new DataView(record.buffer), new DataView(made.local.buffer));
    locals.push(made.local);
    records.push(record);
    offset += made.local.length;
  }
  const end = new DataView(new ArrayBuffer(22));
  const size = records.reduce((sum, record) => sum + record.length, 0);
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, records.length, true);
  end.setUint16(10, records.length, true);
  end.setUint32(12, size, true);
  end.setUint32(16, offset, true);
  return dir.write("made.zip", Buffer.concat([...locals, ...records, Buffer.from(end.buffer)]));
}

describe.each(["zip", "tar", "tar.gz", "tgz"])("a %s", (suffix) => {
  test("is made, listed, read and changed", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path(`sub/new.${suffix}`);
    expect(await writeMember(path, "docs/a.md", bytes("first"))).toEqual({ created: true });
    expect(await writeMember(path, "./docs//b.md", bytes("second"))).toEqual({ created: false });
    await writeMember(path, "top.txt", bytes(""));
    expect(namesOf(await openMember(path, ""))).toEqual(["docs/", "top.txt"]);
    expect(namesOf(await openMember(path, "docs/"))).toEqual(["a.md", "b.md"]);
    expect(textOf(await openMember(path, "docs/a.md"))).toBe("first");
    await writeMember(path, "docs/a.md", bytes("again"));
    expect(textOf(await openMember(path, "docs\\a.md"))).toBe("again");
    expect(textOf(await openMember(path, "top.txt"))).toBe("");
  });

  test("says what it has not", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path(`a.${suffix}`);
    await writeMember(path, "docs/a.md", bytes("first"));
    expect(await refusal(openMember(path, "docs/b.md"))).toBe("not_found");
    expect(await refusal(openMember(path, "nowhere"))).toBe("not_found");
    expect(await refusal(openMember(path, "docs/a.md/deeper"))).toBe("not_directory");
    expect(await refusal(openMember(path, "../a"))).toBe("unsafe_name");
    expect(await refusal(writeMember(path, "../a", bytes("x")))).toBe("unsafe_name");
    expect(await refusal(writeMember(path, "docs", bytes("x")))).toBe("is_directory");
    expect(await refusal(writeMember(path, "docs/", bytes("x")))).toBe("is_directory");
    expect(await refusal(writeMember(path, "", bytes("x")))).toBe("is_directory");
    expect(await refusal(writeMember(path, "docs/a.md/b", bytes("x")))).toBe("not_directory");
    // Nothing of that has changed it.
    expect(textOf(await openMember(path, "docs/a.md"))).toBe("first");
    expect(namesOf(await openMember(path, ""))).toEqual(["docs/"]);
  });

  test("that is missing or no archive is refused", async () => {
    await using dir = await createScratchDirectory();
    await expect(openMember(dir.path(`none.${suffix}`), "")).rejects.toBeInstanceOf(StorageError);
    await expect(openMember(dir.root + `/`, "")).rejects.toBeInstanceOf(ArchiveError);
    const fake = await dir.write(
      `fake.${suffix}`,
      "just some text, no archive at all\n".repeat(40),
    );
    expect(await refusal(openMember(fake, ""))).toBe("corrupt");
    expect(await refusal(writeMember(fake, "a", bytes("x")))).toBe("corrupt");
    expect(await dir.read(`fake.${suffix}`)).toStartWith("just some text");
  });

  test("that is cut anywhere is read or refused, never anything else", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path(`cut.${suffix}`);
    await writeMember(path, "a.txt", bytes("some text ".repeat(200)));
    await writeMember(path, "b.txt", bytes("more"));
    const whole = await Bun.file(path).bytes();
    for (let length = whole.length - 1; length > 0; length -= Math.ceil(whole.length / 40)) {
      await Bun.write(path, whole.subarray(0, length));
      const outcome = await openMember(path, "a.txt").catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ArchiveError);
      else expect(textOf(outcome as ArchiveContent)).toBe("some text ".repeat(200));
    }
  });

  test("that is damaged anywhere is read or refused, and written or refused", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path(`bad.${suffix}`);
    await writeMember(path, "a.txt", bytes("some text ".repeat(50)));
    await writeMember(path, "dir/b.txt", bytes("more"));
    const whole = await Bun.file(path).bytes();
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 12 }),
        async (at, change) => {
          const damaged = new Uint8Array(whole);
          damaged.set(change.subarray(0, damaged.length - at), at);
          await Bun.write(path, damaged);
          for (const run of [
            () => openMember(path, "a.txt"),
            () => openMember(path, ""),
            () => writeMember(path, "c.txt", bytes("new")),
          ]) {
            const outcome = await run().catch((error: unknown) => error);
            if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ArchiveError);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("stops with its signal", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path(`a.${suffix}`);
    await writeMember(path, "a", bytes("x"));
    const signal = AbortSignal.abort();
    await expect(openMember(path, "a", { signal })).rejects.toThrow("abort");
    await expect(writeMember(path, "b", bytes("y"), { signal })).rejects.toThrow("abort");
    expect(namesOf(await openMember(path, ""))).toEqual(["a"]);
  });

  test("keeps what each of several puts in at the same time", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path(`a.${suffix}`);
    const names = ["a", "b", "c", "d", "e"];
    const written = await Promise.all(names.map((name) => writeMember(path, name, bytes(name))));
    expect(written.map(({ created }) => created)).toEqual([true, false, false, false, false]);
    expect(namesOf(await openMember(path, ""))).toEqual(names);
  });

  test("lists no more children than are wanted and says how many are missing", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path(`a.${suffix}`);
    for (const name of ["a", "b", "c"]) await writeMember(path, name, bytes("x"));
    const content = await openMember(path, "", { limit: 2 });
    expect(content.type === "directory" && content.listing.omitted).toBe(1);
    expect(namesOf(content)).toEqual(["a", "b"]);
  });
});

test("an archive that another program writes meanwhile is not replaced", async () => {
  await using dir = await createScratchDirectory();
  const path = dir.path("a.tar");
  await writeMember(path, "a", bytes("x".repeat(1000)));
  let isWritten = false;
  const signal = new AbortController().signal;
  // Asked for before each piece is copied: the moment at which somebody else writes.
  signal.throwIfAborted = () => {
    if (!isWritten) appendFileSync(path, new Uint8Array(512));
    isWritten = true;
  };
  expect(await refusal(writeMember(path, "b", bytes("y"), { signal }))).toBe("changed");
  expect(namesOf(await openMember(path, ""))).toEqual(["a"]);
});

describe("a zip that deceives", () => {
  test("is not unpacked beyond what a member claims", async () => {
    await using dir = await createScratchDirectory();
    const claims = (size: number, packed?: number) => (record: DataView, local: DataView) => {
      record.setUint32(24, size, true);
      local.setUint32(22, size, true);
      if (packed !== undefined) record.setUint32(20, packed, true);
    };
    const big = await handMade(dir, [{ name: "a", content: "abc", change: claims(2 ** 31) }]);
    expect(await refusal(openMember(big, "a"))).toBe("too_large");
    const ratio = await handMade(dir, [{ name: "a", content: "abc", change: claims(2 ** 24) }]);
    expect(await refusal(openMember(ratio, "a"))).toBe("corrupt");
    const longer = await handMade(dir, [{ name: "a", content: "abc", change: claims(2) }]);
    expect(await refusal(openMember(longer, "a"))).toBe("corrupt");
    const beyond = await handMade(dir, [{ name: "a", content: "abc", change: claims(3, 4000) }]);
    expect(await refusal(openMember(beyond, "a"))).toBe("corrupt");
  });

  test("says what it is packed or locked with", async () => {
    await using dir = await createScratchDirectory();
    const set = (at: number, value: number) => (record: DataView) =>
      record.setUint16(at, value, true);
    const path = await handMade(dir, [
      { name: "locked", content: "x", change: set(8, 1) },
      { name: "lzma", content: "x", change: set(10, 14) },
      { name: "wrong", content: "x", change: (record) => record.setUint32(16, 1, true) },
      { name: "lost", content: "x", change: (record) => record.setUint32(42, 5, true) },
      { name: "fine", content: "y" },
    ]);
    expect(await refusal(openMember(path, "locked"))).toBe("encrypted");
    expect(await refusal(openMember(path, "lzma"))).toBe("unsupported");
    await expect(openMember(path, "lzma")).rejects.toThrow("LZMA");
    expect(await refusal(openMember(path, "wrong"))).toBe("corrupt");
    expect(await refusal(openMember(path, "lost"))).toBe("corrupt");
    expect(textOf(await openMember(path, "fine"))).toBe("y");
  });

  test("hides names that lead out of it, keeps them, and says how many", async () => {
    await using dir = await createScratchDirectory();
    const names = ["../up", "/etc/passwd", "C:/x", "a\\b", "ok/../../up", "nul\0"];
    const path = await handMade(
      dir,
      [...names, "good"].map((name) => ({ name, content: name })),
    );
    const before = await openMember(path, "");
    expect(namesOf(before)).toEqual(["good"]);
    expect(before.type === "directory" && before.listing.unsafe).toBe(names.length);
    await writeMember(path, "good", bytes("new"));
    await using file = await FileRanges.open(path);
    const { entries } = await readZipDirectory(file);
    expect(entries).toHaveLength(names.length + 1);
  });

  test("cannot be rewritten where its members overlap", async () => {
    await using dir = await createScratchDirectory();
    const path = await handMade(dir, [
      { name: "a", content: "x".repeat(100) },
      { name: "b", content: "y", change: (record) => record.setUint32(42, 0, true) },
    ]);
    expect(await refusal(writeMember(path, "c", bytes("z")))).toBe("corrupt");
  });

  test("has the later of two members with one name, and one after it is replaced", async () => {
    await using dir = await createScratchDirectory();
    const path = await handMade(dir, [
      { name: "a", content: "old" },
      { name: "b", content: "between" },
      { name: "a", content: "later" },
    ]);
    expect(textOf(await openMember(path, "a"))).toBe("later");
    await writeMember(path, "a", bytes("new"));
    await using file = await FileRanges.open(path);
    expect((await readZipDirectory(file)).entries.map(({ name }) => name)).toEqual(["b", "a"]);
    expect(textOf(await openMember(path, "a"))).toBe("new");
    expect(textOf(await openMember(path, "b"))).toBe("between");
  });

  test("is read behind a program that unpacks it", async () => {
    await using dir = await createScratchDirectory();
    const made = await handMade(dir, [{ name: "a", content: "inside" }]);
    const whole = Buffer.concat([Buffer.from("#!/bin/sh\nexit\n"), await Bun.file(made).bytes()]);
    const path = await dir.write("sfx.zip", whole);
    expect(textOf(await openMember(path, "a"))).toBe("inside");
    await writeMember(path, "b", bytes("more"));
    expect(textOf(await openMember(path, "a"))).toBe("inside");
    expect(textOf(await openMember(path, "b"))).toBe("more");
    expect(await dir.read("sfx.zip")).toStartWith("#!/bin/sh\nexit\n");
  });

  test("of many gigabytes costs only the member", async () => {
    await using dir = await createScratchDirectory();
    const made = await handMade(dir, [{ name: "a", content: "inside" }]);
    const whole = await Bun.file(made).bytes();
    const path = dir.path("huge.zip");
    const hole = 8 * 1024 ** 3;
    await using handle = await open(path, "w");
    await truncate(path, hole);
    await handle.write(whole, 0, whole.length, hole);
    expect(textOf(await openMember(path, "a"))).toBe("inside");
  });
});

describe("a tar", () => {
  const file = (name: string, content: string): Uint8Array => {
    const data = new Uint8Array(padded(content.length));
    data.set(bytes(content));
    const header = makeTarHeader({ name, mode: 0o644, size: content.length, modifiedS: 1 });
    return Buffer.concat([header, data]);
  };

  test("that is named .tgz is read even when it is not packed, and the other way around", async () => {
    await using dir = await createScratchDirectory();
    const plain = file("a", "inside");
    const path = await dir.write("plain.tgz", plain);
    expect(textOf(await openMember(path, "a"))).toBe("inside");
    const packed = await dir.write("packed.tar", gzipSync(plain));
    expect(textOf(await openMember(packed, "a"))).toBe("inside");
    await writeMember(packed, "b", bytes("more"));
    expect((await Bun.file(packed).bytes()).subarray(0, 2)).toEqual(new Uint8Array([0x1f, 0x8b]));
  });

  test("hides names that lead out of it", async () => {
    await using dir = await createScratchDirectory();
    const path = await dir.write(
      "evil.tar",
      Buffer.concat(["../../up", "/root", "good"].map((name) => file(name, name))),
    );
    const content = await openMember(path, "");
    expect(namesOf(content)).toEqual(["good"]);
    expect(content.type === "directory" && content.listing.unsafe).toBe(2);
  });

  test("with a member that is too large refuses that member only", async () => {
    await using dir = await createScratchDirectory();
    const size = 65 * 1024 * 1024;
    const header = makeTarHeader({ name: "big", mode: 0o644, size, modifiedS: 1 });
    const whole = Buffer.concat([header, Buffer.alloc(size), file("small", "inside")]);
    const path = await dir.write("big.tar.gz", gzipSync(whole));
    expect(await refusal(openMember(path, "big"))).toBe("too_large");
    expect(textOf(await openMember(path, "small"))).toBe("inside");
  });

  test("keeps what is said about all of it when its first member is replaced", async () => {
    await using dir = await createScratchDirectory();
    await Bun.$`git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && echo 1 > f && git add f && git -c user.name=a -c user.email=a@b commit -q -m y && git archive -o out.tar HEAD`
      .cwd(dir.root)
      .quiet();
    const id = (await Bun.$`git get-tar-commit-id < out.tar`.cwd(dir.root).text()).trim();
    await writeMember(dir.path("out.tar"), "f", bytes("2"));
    expect((await Bun.$`git get-tar-commit-id < out.tar`.cwd(dir.root).text()).trim()).toBe(id);
    expect(textOf(await openMember(dir.path("out.tar"), "f"))).toBe("2");
  });
});

describe("paths", () => {
  test.each<[string, [string, string][]]>([
    ["a.zip", [["a.zip", ""]]],
    ["a.zip:in/b.txt", [["a.zip", "in/b.txt"]]],
    ["A.ZIP:x", [["A.ZIP", "x"]]],
    ["dir/a.tar.gz:x", [["dir/a.tar.gz", "x"]]],
    ["a.tgz:", [["a.tgz", ""]]],
    [
      "a.zip:b.zip:c",
      [
        ["a.zip:b.zip", "c"],
        ["a.zip", "b.zip:c"],
      ],
    ],
    ["C:\\w\\a.tar:x", [["C:\\w\\a.tar", "x"]]],
    ["a.zipper:x", []],
    ["a.txt", []],
    [".zip", []],
    ["dir/.zip:x", []],
    ["", []],
  ])("%s", (path, wanted) => {
    expect(splitArchivePath(path).map(({ archive, member }) => [archive, member])).toEqual(wanted);
  });

  test("put together again are what was split", () => {
    const piece = fc.constantFrom("a", ".zip", ".tar", ".gz", ".tgz", ":", "/", "b");
    fc.assert(
      fc.property(
        fc.array(piece).map((all) => all.join("")),
        (path) => {
          for (const { archive, member } of splitArchivePath(path)) {
            expect([archive, `${archive}:${member}`]).toContain(path);
          }
        },
      ),
    );
  });

  test("of members never lead out, however they are written", () => {
    const piece = fc.constantFrom("..", ".", "/", "\\", "a", "C:", "\0", "", "//", "x.txt");
    fc.assert(
      fc.property(
        fc.array(piece).map((all) => all.join("")),
        (path) => {
          let wanted: string;
          try {
            wanted = wantedMember(path);
          } catch (error) {
            expect(error).toBeInstanceOf(ArchiveError);
            return;
          }
          expect(wanted.split("/")).not.toContain("..");
          expect(wanted.startsWith("/")).toBe(false);
          expect(safeMemberName(wanted)).toBe(wanted);
        },
      ),
      { numRuns: 500 },
    );
  });
});
