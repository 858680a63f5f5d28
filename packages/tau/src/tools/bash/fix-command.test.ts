// What is repaired in a command, and what is left alone because it would mean something else.

import { parseShellLine } from "@tau/host/shell-line/parse-shell-line";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { beginsWithCd, fixCommand } from "./fix-command.ts";

const fix = fixCommand;

describe("a trailing cut", () => {
  test.each([
    ["npm test | head", "npm test"],
    ["npm test 2>&1 | tail -20", "npm test"],
    ["cargo build 2>&1 | tail -n 20 2>&1", "cargo build"],
    ["seq 9999|head -1", "seq 9999"],
    ["ls && git log | head --lines=5", "ls && git log"],
    ["rg foo src | sort | head -n5", "rg foo src | sort"],
    ["echo '| head' | head", "echo '| head'"],
    ["timeout 60 npm test 2>&1 | tail -5", "timeout 60 npm test"],
    ["FOO=1 make |& tail", "FOO=1 make"],
  ])("%s", (command, expected) => {
    const fixed = fix(command);
    expect(fixed.command).toBe(expected);
    expect(fixed.notes.length).toBeGreaterThan(0);
  });

  test.each([
    "yes | head",
    "cat /dev/urandom | head -1",
    "tail -f log | head",
    "npm run dev | head -50",
    "./server | head",
    'cat "$f" | head',
    "ls | head -c 100",
    "ls | tail -n +5",
    "ls | tail -f",
    "ls | head file",
    "ls | head > out",
    "ls | head -5 | wc -l",
    "ls | head; echo done",
    "ls | head && echo done",
    "ls | head &",
    "(ls | head)",
    "x=$(ls | head -1)",
    "! ls | head",
    "time ls | head",
    "for i in a; do ls | head; done",
    "cat <<E | head\na\nE",
    "echo 'ls | head'",
    "ls | head # x",
    "ls | head |",
    "while :; do ls; done | head",
  ])("is left: %s", (command) => {
    expect(fix(command)).toEqual({ command, notes: [] });
  });
});

describe("a trailing 2>&1", () => {
  test.each([
    ["make 2>&1", "make"],
    ["a && b 2>&1", "a && b"],
  ])("%s", (command, expected) => expect(fix(command).command).toBe(expected));

  test.each([
    "make >log 2>&1",
    "make 2>&1 >log",
    "make 2>&1 | grep x",
    "exec 2>&1",
    "2>&1",
    "make 1>&2",
    "(make) 2>&1",
  ])("is left: %s", (command) => expect(fix(command).command).toBe(command));
});

describe("a leading cd is for what follows it", () => {
  test.each([
    "cd src && ls",
    "cd 'a b' && ls && pwd",
    "cd -- /usr/lib && make | tail -5",
    "cd $x && ls",
  ])("%s", (command) => expect(beginsWithCd(command)).toBe(true));

  test.each([
    "cd src",
    "cd src; ls",
    "cd src || ls",
    "cd && ls",
    "cd src && ls &",
    "(cd src && ls)",
  ])("but not: %s", (command) => expect(beginsWithCd(command)).toBe(false));
});

test("what was understood is understood afterwards, and a second time changes nothing", () => {
  const part = fc.constantFrom(
    "ls",
    "npm test",
    "cd src",
    "echo 'a b'",
    "x=$(ls)",
    "cat <<E\nhi\nE\n",
    "(ls)",
    "head -5",
    "tail",
    "2>&1",
    "$x",
  );
  const operator = fc.constantFrom(" | ", " && ", "; ", " ", " || ", " 2>&1 | ", "\n");
  fc.assert(
    fc.property(fc.array(fc.tuple(part, operator), { maxLength: 6 }), (parts) => {
      const command = parts.flat().join("");
      const isKnown = (text: string): boolean =>
        parseShellLine(text).body.items.every((item) => item.command.type !== "unknown");
      const { command: fixed } = fix(command);
      if (!isKnown(command)) expect(fixed).toBe(command);
      else {
        expect(isKnown(fixed)).toBe(true);
        // Only cuts that stood behind cuts are left, one a time.
        expect(fixed.startsWith(fix(fixed).command)).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});
