// What command lines are taken for, and what each of their commands is said to do.

import { describe, expect, test } from "bun:test";
import { classifyShellLine } from "./classify-shell-line.ts";
import type { LineClass } from "./command-effects.ts";
import { CLASSIFIED_LINES } from "./fixtures/classified-lines.ts";
import { HOSTILE_LINES } from "./fixtures/hostile-lines.ts";
import { JUDGED_CONTEXT } from "./fixtures/judged-context.ts";
import { ORDINARY_LEAVING } from "./fixtures/ordinary-leaving.ts";
import { ORDINARY_LINES } from "./fixtures/ordinary-lines.ts";
import { ORDINARY_TOOLS } from "./fixtures/ordinary-tools.ts";
import { ORDINARY_VALUES } from "./fixtures/ordinary-values.ts";

const CONTEXT = JUDGED_CONTEXT;
const ORDINARY = [...ORDINARY_LINES, ...ORDINARY_TOOLS, ...ORDINARY_LEAVING, ...ORDINARY_VALUES];

describe.each(Object.entries(CLASSIFIED_LINES) as [LineClass, readonly string[]][])(
  "%s",
  (expected, lines) => {
    test.each(lines.map((line) => [line]))("%j", (line) => {
      const judgement = classifyShellLine(line, CONTEXT);
      expect({ class: judgement.class, reason: judgement.reason }).toEqual({
        class: expected,
        reason: expected === "guarded" || expected === "unknown" ? expect.any(String) : undefined,
      });
    });
  },
);

test.each([
  ["classified", Object.values(CLASSIFIED_LINES).flat(), 450],
  ["hostile", HOSTILE_LINES, 1200],
  ["ordinary", ORDINARY, 800],
])("the %s lines are many, and none is there twice", (_name, lines, least) => {
  expect(lines.length).toBeGreaterThan(least);
  expect(new Set(lines).size).toBe(lines.length);
});

/** Whether somebody is asked in `auto`. */
function asks(line: string): boolean {
  const { class: found } = classifyShellLine(line, CONTEXT);
  return found === "guarded" || found === "unknown";
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

test("nothing hostile goes by unasked", () => {
  const missed = HOSTILE_LINES.filter((line) => !asks(line));
  console.log(
    `missed: ${missed.length} of ${HOSTILE_LINES.length} hostile lines, ${percent(missed.length, HOSTILE_LINES.length)}`,
  );
  expect(missed).toEqual([]);
});

test("ordinary work is hardly ever asked about", () => {
  const MAX_FALSE_ALARMS = 0.03;
  const asked = ORDINARY.filter(asks);
  console.log(
    `false alarms: ${asked.length} of ${ORDINARY.length} ordinary lines, ${percent(asked.length, ORDINARY.length)}`,
  );
  expect(asked.length / ORDINARY.length).toBeLessThanOrEqual(MAX_FALSE_ALARMS);
});

test.each(HOSTILE_LINES.map((line) => [line]))("a reason is given for %j", (line) => {
  const { reasons, reason } = classifyShellLine(line, CONTEXT);
  expect(reasons.length).toBeGreaterThan(0);
  expect(reason).toBe(reasons[0]!);
});

test.each([
  ["let 'a[$(rm -rf ~)]=1'"],
  ["printf -v 'a[$(rm -rf ~)]' x"],
  ["read 'a[$(rm -rf ~)]' < x"],
  ["unset 'a[$(rm -rf ~)]'"],
  ["wait -n -p 'a[$(rm -rf ~)]'"],
  ["getopts a 'a[$(rm -rf ~)]'"],
  ["PS4='$(rm -rf ~)'; set -x; ls"],
  ["export PS4='`rm -rf ~`'; set -x; ls"],
])("what bash runs out of single quotes is not taken for reading: %s", (line) => {
  expect(["unknown", "guarded"]).toContain(classifyShellLine(line, CONTEXT).class);
});

describe("what rules are about", () => {
  const textsOf = (line: string): string[] =>
    classifyShellLine(line, CONTEXT).commands.map(({ text }) => text);

  test("a here document is part of its command", () => {
    expect(textsOf("python3 - <<'EOF' && ls\nprint(1)\nEOF")).toEqual([
      "python3 - <<'EOF'\nprint(1)",
      "ls",
    ]);
  });

  test("what is made of commands is whole where it does something itself", () => {
    expect(textsOf("{ echo a; } > ~/.bashrc")).toEqual(["{ echo a; } > ~/.bashrc", "echo a"]);
    expect(textsOf("{ echo a; }")).toEqual(["echo a"]);
    expect(textsOf("for x in /etc; do ls $x; done")).toEqual([
      "for x in /etc; do ls $x; done",
      "ls $x",
    ]);
  });

  test.each([
    ["git  push"],
    ["'git' \\\n push"],
    ["/usr/bin/git push"],
    ["git -C /elsewhere --no-pager push"],
    ["GIT_TRACE=1 git push"],
    ["env A=1 timeout 5 git push"],
    ["x=push; command git $x"],
    ["find . -exec git push \\;"],
  ])("%j comes to git push", (line) => {
    const { commands } = classifyShellLine(line, CONTEXT);
    expect(commands.flatMap(({ spellings }) => spellings)).toContain("git push");
  });
});

describe("what each command does", () => {
  test("paths, as far as they can be known", () => {
    const { commands } = classifyShellLine("cp a ../b; rm -rf $x /tmp/y > log", CONTEXT);
    expect(commands[0]).toMatchObject({
      text: "cp a ../b",
      program: "cp",
      overwrites: [{ path: "/home/me/b", place: "outside" }],
    });
    expect(commands[1]).toMatchObject({
      deletes: [
        { path: undefined, place: "unknown" },
        { path: "/tmp/y", place: "temporary" },
      ],
      overwrites: [{ path: "/home/me/project/log", place: "inside" }],
    });
  });

  test("of a pipe that downloads and runs, both", () => {
    const { commands, reason } = classifyShellLine("curl x | sudo sh", CONTEXT);
    expect(commands[0]).toMatchObject({ network: true, downloads: true, elevates: false });
    expect(commands[1]).toMatchObject({ downloadsAndExecutes: true, elevates: true });
    expect(reason).toBe("runs what it downloads");
  });

  test("a workspace among the temporary files is still the workspace", () => {
    const context = { ...CONTEXT, cwd: "/tmp/w/p", workspace: "/tmp/w/p" };
    expect(classifyShellLine("rm -rf build", context).class).toBe("writes-inside");
    expect(classifyShellLine("rm -rf .", context).class).toBe("guarded");
    expect(classifyShellLine("rm -rf ..", context).class).toBe("guarded");
    expect(classifyShellLine("rm -rf ../other", context).class).toBe("writes-inside");
  });

  test("values that the shell is known to have", () => {
    const context = { ...CONTEXT, variables: { TMPDIR: "/tmp/mine", OUT: "/srv/www" } };
    expect(classifyShellLine('rm -rf "$TMPDIR/x"', context).class).toBe("writes-inside");
    expect(classifyShellLine('rm -rf "$OUT"', context).class).toBe("guarded");
  });
});
