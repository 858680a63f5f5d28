import { expect, test } from "bun:test";
import { writeFileSync, readdirSync } from "node:fs";
import { createScratchDirectory } from "@tau/testkit/scratch";
import {
  compatProbe,
  describeFacts,
  FactsCache,
  hasProbeMark,
  POSIX_PROBE,
  readPosixProbe,
  readWindowsProbe,
} from "./remote-facts.ts";
import { windowsCommand } from "./windows-command.ts";

test("a POSIX host is known by its own answer, with whatever its startup files print", async () => {
  const child = Bun.spawn(["sh", "-c", POSIX_PROBE], {
    env: { SHELL: "/usr/bin/fish", PATH: process.env.PATH },
  });
  const answer = await child.stdout.text();
  const facts = readPosixProbe(`Welcome!\n${answer}`);
  expect(facts).toMatchObject({ system: "posix", shell: "fish" });
  expect(describeFacts(facts!)).toMatch(/^\w+ \w+, fish$/);
  expect(
    readPosixProbe("'exec' is not recognized as an internal or external command"),
  ).toBeUndefined();
});

test("each shell of Windows answers in its own way", async () => {
  expect(readWindowsProbe("Windows_NT $env:OS\r\n")).toBe("cmd");
  expect(readWindowsProbe("%OS%\r\nWindows_NT\r\n")).toBe("powershell");
  expect(readWindowsProbe("%OS% :OS\n")).toBeUndefined();
  const child = Bun.spawn(["sh", "-c", compatProbe("sh")]);
  expect(hasProbeMark(await child.stdout.text())).toBe(true);
  expect(describeFacts({ system: "windows", shell: "cmd", compat: "bash" })).toBe("Windows, bash");
});

test("a directory cannot end the word it is in", () => {
  expect(windowsCommand("powershell", "dir", "C:\\it's")).toBe(
    "Set-Location -LiteralPath 'C:\\it''s' -ErrorAction Stop; dir",
  );
  expect(windowsCommand("cmd", "dir", 'C:\\a" & calc & "')).toBe('cd /d "C:\\a & calc & " && dir');
  expect(windowsCommand("cmd", "dir")).toBe("dir");
});

test("what is kept is read again; what is torn or of another shape is not", async () => {
  await using scratch = await createScratchDirectory();
  const cache = new FactsCache(scratch.path("cache"));
  const facts = { system: "posix", os: "Linux", arch: "x86_64", shell: "bash" } as const;
  await cache.write("web", "ada web 22 ", facts);
  expect(cache.read("web", "ada web 22 ")).toEqual(facts);
  expect(cache.read("web", "bob web 22 ")).toBeUndefined();
  expect(cache.read("other")).toBeUndefined();
  const [file] = readdirSync(scratch.path("cache"));
  for (const content of ["{", "null", "3", '{"version":99}', '{"version":1,"facts":{}}']) {
    writeFileSync(scratch.path("cache", file!), content);
    expect(cache.read("web")).toBeUndefined();
  }
  // A place that cannot be written costs the memory, nothing else.
  await scratch.write("file", "");
  await new FactsCache(scratch.path("file")).write("web", "", facts);
  expect(new FactsCache(scratch.path("file")).read("web")).toBeUndefined();
});
