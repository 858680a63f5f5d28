// What is repaired in a command, and what is left alone because it would mean something else.

import { parseShellLine } from "@tau/host/shell-line/parse-shell-line";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fixCommand } from "./fix-command.ts";

const fix = (command: string) => fixCommand(command, { stripTrailing: true, hasCwd: false });

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

  test("is left where the setting says so", () => {
    const options = { stripTrailing: false, hasCwd: false };
    expect(fixCommand("ls 2>&1 | head", options)).toEqual({ command: "ls 2>&1 | head", notes: [] });
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

describe("a leading cd", () => {
  test.each([
    ["cd src && ls", "ls", "src"],
    ["cd 'a b' && ls && pwd", "ls && pwd", "a b"],
    ["cd -- /usr/lib && make 2>&1 | tail -5", "make", "/usr/lib"],
    ["cd src &&\n  ls | wc", "ls | wc", "src"],
  ])("%s", (command, expected, cwd) => {
    expect(fix(command)).toMatchObject({ command: expected, cwd });
  });

  test.each([
    "cd src",
    "cd src; ls",
    "cd src && ls || pwd",
    "cd $x && ls",
    "cd ~ && ls",
    "cd - && ls",
    "cd s* && ls",
    "cd a b && ls",
    "cd && ls",
    "cd src && ls &",
    "cd src && ls; pwd",
    "cd src >x && ls",
    "(cd src && ls)",
  ])("is left: %s", (command) => {
    expect(fix(command)).toEqual({ command, notes: [] });
  });

  test("is left where the call names a directory", () => {
    const options = { stripTrailing: true, hasCwd: true };
    expect(fixCommand("cd a && ls", options)).toEqual({ command: "cd a && ls", notes: [] });
  });
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
      const { command: fixed, cwd } = fix(command);
      if (!isKnown(command)) expect(fixed).toBe(command);
      else {
        expect(isKnown(fixed)).toBe(true);
        const again = fixCommand(fixed, { stripTrailing: true, hasCwd: cwd !== undefined });
        // Only cuts that stood behind cuts are left, one a time.
        expect(fixed.startsWith(again.command) || again.cwd !== undefined).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});
