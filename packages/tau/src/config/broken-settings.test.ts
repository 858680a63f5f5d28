// A setting that guards and cannot be read never counts for nothing: whatever is done to the file, the
// strictest value holds, or calls are asked about. The rows are those of the table, so that a new one
// is under the same law.

import { describe, expect, test } from "bun:test";
import { mkdir, rm, symlink } from "node:fs/promises";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { guardingRows, type GuardingRow } from "./guarding-rows.ts";
import { openUserSettings } from "../features/open-user-settings.ts";
import { WHOLE_FILE_BREAKAGES } from "./test/broken-files.ts";
import { SETTINGS_TABLE } from "../features/settings-table.ts";
import type { Settings } from "./settings.ts";

const FILE = ".tau/agent/config.yml";
const ROWS = guardingRows(SETTINGS_TABLE);

/** What a careful user would have said, for rows that have no value stricter than all others. */
const CAREFUL: Readonly<Record<string, unknown>> = {
  "tools.approval": { bash: "deny", read: "prompt" },
  "tools.projectRules": { "/home/ada/shop": ["deny bash(git push*)"] },
  "tools.rules": ["deny bash(git push*)", "prompt read(.env)"],
  "bash.shellPath": "/opt/confined/bash",
  "bashInterceptor.patterns": [{ pattern: "^curl", tool: "read", message: "no" }],
  "python.interpreter": "/opt/confined/python",
  "ssh.config": "/opt/few-hosts",
  disabledSources: ["claude"],
};

function strictValue({ key, row }: GuardingRow): unknown {
  return row.guards.closed ?? CAREFUL[key];
}

/** As an editor leaves it, with something else before and behind. */
function strictText(one: GuardingRow): string {
  const parts = one.key.split(".");
  const lines = parts.slice(0, -1).map((part, depth) => `${"  ".repeat(depth)}${part}:`);
  const last = `${"  ".repeat(parts.length - 1)}${parts.at(-1)}: ${JSON.stringify(strictValue(one))}`;
  return [
    "# mine",
    "compaction:",
    "  reserveTokens: 1000",
    ...lines,
    last,
    "retry:",
    "  maxRetries: 3",
    "",
  ].join("\n");
}

async function open({ root }: ScratchDirectory): Promise<Settings> {
  return openUserSettings({ env: { HOME: root }, cwd: root });
}

/** Nothing is let through that the careful word would have shut out. */
function isClosed(settings: Settings, one: GuardingRow): boolean {
  const { key, row } = one;
  const value = settings.get(key, row);
  const { closed, kind, tool } = row.guards;
  if (Bun.deepEquals(value, strictValue(one))) return true;
  if (closed !== undefined && Bun.deepEquals(value, closed)) return true;
  if (kind === "confinement") return false;
  return settings.lost.some((lost) => lost.tool === undefined || lost.tool === tool);
}

test("every row that guards has a strictest value, or a sample of a careful one", () => {
  const without = ROWS.filter((one) => strictValue(one) === undefined);
  expect(without.map(({ key }) => key)).toEqual([]);
  const keys = ROWS.map(({ key }) => key);
  for (const key of ["tools.approvalMode", "tools.rules", "sandbox.mode", "secrets.enabled"]) {
    expect(keys).toContain(key);
  }
});

test("a row that decides over consent, secrets or confinement guards", () => {
  const loose = SETTINGS_TABLE.keys().filter(
    (key) =>
      /^(?:tools\.(?:appr|rule)|sandbox\.|secrets\.)/.test(key) && !SETTINGS_TABLE.row(key)!.guards,
  );
  expect(loose).toEqual([]);
});

describe("a file of which nothing can be read", () => {
  test.each(WHOLE_FILE_BREAKAGES)("$name", async ({ place }) => {
    for (const one of ROWS) {
      await using scratch = await createScratchDirectory();
      const text = strictText(one);
      await scratch.write(FILE, text);
      expect((await open(scratch)).problems).toEqual([]);
      await rm(scratch.path(FILE));
      await place(scratch.path(FILE), text);
      const settings = await open(scratch);
      expect(settings.lost).toContainEqual({
        problem: expect.objectContaining({ file: scratch.path(FILE) }),
      });
      expect(settings.problems[0]!.message).toContain(
        "every call is asked about until you fix it and start a new session",
      );
      expect({ key: one.key, closed: isClosed(settings, one) }).toEqual({
        key: one.key,
        closed: true,
      });
    }
  });
});

/** Done to the one row; undefined where it cannot be done to it. */
type RowBreakage = (one: GuardingRow, text: string) => string | undefined;

const last = (key: string): string => key.split(".").at(-1)!;
const line = ({ key }: GuardingRow): RegExp => new RegExp(`^( *)${last(key)}: .*$`, "m");
/** One letter of a part that is long enough to be known again. */
const withSlip = (part: string): string | undefined =>
  part.length < 4 ? undefined : part.slice(0, part.length - 2) + part.slice(part.length - 1);

const ROW_BREAKAGES: Readonly<Record<string, RowBreakage>> = {
  "a letter of the name is missing": ({ key }, text) => {
    const slip = withSlip(last(key));
    return slip && text.replace(` ${last(key)}:`, ` ${slip}:`).replace(`\n${key}:`, `\n${slip}:`);
  },
  "a letter of the heading is missing": ({ key }, text) => {
    const [heading = ""] = key.split(".");
    const slip = key.includes(".") ? withSlip(heading) : undefined;
    return slip && text.replace(`\n${heading}:`, `\n${slip}:`);
  },
  "a letter of the name is doubled": ({ key }, text) =>
    last(key).length < 4
      ? undefined
      : text.replace(`${last(key)}:`, `${last(key)}${last(key).at(-1)}:`),
  capitals: ({ key }, text) =>
    text.replace(`${last(key)}:`, `${last(key)[0]!.toUpperCase()}${last(key).slice(1)}:`),
  "words joined by dashes": ({ key }, text) =>
    /[a-z][A-Z]/.test(last(key))
      ? text.replace(
          last(key),
          last(key).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        )
      : undefined,
  "a value of another kind": (one, text) =>
    text.replace(line(one), `$1${last(one.key)}: ${one.row.type === "list" ? "{a: 1}" : "[[1]]"}`),
  "a word that is none": (one, text) => text.replace(line(one), `$1${last(one.key)}: "alwaysask"`),
  "no value": (one, text) =>
    one.row.type === "text" || isEmptyWithoutValue(one)
      ? undefined
      : text.replace(line(one), `$1${last(one.key)}:`),
  "no value, beside something that is not understood": (one, text) =>
    one.row.type === "text"
      ? undefined
      : `${text.replace(line(one), `$1${last(one.key)}:`)}nonsense: 1\n`,
  "no space after the colon": (one, text) =>
    text.replace(line(one), (found) => found.replace(": ", ":")),
  "a word in place of what is below the heading": ({ key }, text) =>
    key.split(".").length === 2
      ? text.replace(new RegExp(`^${key.split(".")[0]}:\n.*$`, "m"), `${key.split(".")[0]}: strict`)
      : undefined,
  "the name itself, dotted, a second time": ({ key }, text) =>
    key.includes(".") ? `${text}${key}: ${looseText(key)}\n` : undefined,
  "spaces that are none": ({ key }, text) =>
    key.includes(".") ? text.replace(`  ${last(key)}:`, `\u00a0\u00a0${last(key)}:`) : undefined,
};

/** A list or map of consent: all its entries may be commented out. */
function isEmptyWithoutValue({ row }: GuardingRow): boolean {
  return row.guards.kind === "consent" && (row.type === "list" || row.type === "record");
}

/** Whatever the default is: what would count if the last of two did. */
function looseText(key: string): string {
  return JSON.stringify(SETTINGS_TABLE.row(key)!.default);
}

describe("a row that cannot be understood", () => {
  test.each(Object.keys(ROW_BREAKAGES))("%s", async (name) => {
    await using scratch = await createScratchDirectory();
    let tried = 0;
    for (const one of ROWS) {
      const text = strictText(one);
      const broken = ROW_BREAKAGES[name]!(one, text);
      // A word fits where any word does.
      if (broken === undefined || (name === "a word that is none" && one.row.type === "text"))
        continue;
      expect(broken).not.toBe(text);
      tried++;
      await scratch.write(FILE, broken);
      const settings = await open(scratch);
      const told = settings.problems.map(({ message }) => message).join("\n");
      expect({ key: one.key, broken, told, closed: isClosed(settings, one) }).toMatchObject({
        closed: true,
      });
      expect(told).toContain("until you fix it and start a new session");
    }
    expect(tried).toBeGreaterThan(0);
  });

  test("one that is not near anything that guards is only told", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write(
      FILE,
      "lsp:\n  enabled: true\neval:\n  rb: true\ntask:\n  maxDepth: 2\nroles: {a: b}\n",
    );
    const settings = await open(scratch);
    expect(settings.problems).toHaveLength(4);
    expect(settings.lost).toEqual([]);
    for (const { closed } of settings.layers) expect([...(closed ?? [])]).toEqual([]);
  });

  test.each([
    "permissions:\n  deny: [Bash]\n",
    "tools:\n  bash: deny\n",
    "tools:\n  bash: prompt\n",
    "rules:\n  - deny bash(git push*)\n",
    "approvalMode: always-ask\n",
    "approval: {bash: prompt}\n",
    "tool:\n  approvalMode: write\n",
    "compaction:\n  approvalMode: write\n",
    "tools.approval.bash: deny\n",
    "Tools:\n  ApprovalMode: always-ask\n",
    "tools: always-ask\n",
    "tools: [approvalMode]\n",
    "denyTools: [bash]\n",
    "disallowedTools: [Bash]\n",
    "blockedTools: Bash\n",
    "blocked: [bash]\n",
    "tools:\n  disallowed-tools: [Bash]\n",
    "{approvalMode:always-ask}\n",
  ])("%p is asked about, or has the strictest mode", async (text) => {
    await using scratch = await createScratchDirectory();
    await scratch.write(FILE, text);
    const settings = await open(scratch);
    const mode = settings.get("tools.approvalMode", SETTINGS_TABLE.row("tools.approvalMode")!);
    expect(settings.lost.length > 0 || mode === "always-ask").toBe(true);
    expect(settings.problems[0]!.line).toBeGreaterThan(0);
  });
});

test.each([
  ["bash: {disabled: true}\n", "bash.enabled"],
  ["eval: {jss: false}\n", "eval.js"],
  ["tools: {bash: {enabled: false}}\n", "bash.enabled"],
])("%p switches off what it was about", async (text, key) => {
  await using scratch = await createScratchDirectory();
  await scratch.write(FILE, text);
  const settings = await open(scratch);
  expect(settings.get(key, SETTINGS_TABLE.row(key)!)).toBe(false);
  expect(settings.problems[0]!.message).toContain(`${key} is false until you fix it`);
});

test("of many settings that nobody knows, the first are told, and all that close something", async () => {
  await using scratch = await createScratchDirectory();
  const lines = Array.from({ length: 9 }, (_, at) => `setting${at}x: ${at}`);
  await scratch.write(FILE, [...lines, "aprovalMode: write", "theirs: 1", ""].join("\n"));
  const { problems } = await open(scratch);
  expect(problems.map(({ line, message }) => [line, message.split(";")[0]])).toEqual([
    [1, "there is no such setting"],
    [2, "there is no such setting"],
    [3, "there is no such setting"],
    [10, "there is no such setting (did you mean tools.approvalMode?)"],
    [undefined, "7 more settings are unknown (lines 4–9, 11)"],
  ]);
  await scratch.write(FILE, lines.slice(0, 4).join("\n"));
  expect((await open(scratch)).problems.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
});

test("what a broken file says nothing about stays as it is; the rest is confined", async () => {
  await using scratch = await createScratchDirectory();
  const group = async (text: string) => {
    await scratch.write(FILE, text);
    const settings = await open(scratch);
    return ["sandbox.mode", "sandbox.network", "secrets.enabled"].map((key) =>
      settings.get(key, SETTINGS_TABLE.row(key)!),
    );
  };
  expect(await group("theme: {dark: x\n")).toEqual(["off", "off", false]);
  expect(await group("theme: {dark: x\nSandbox:\n")).toEqual(["workspace", "off", false]);
  expect(await group("theme: {dark: x\n# my secrets\n")).toEqual(["off", "off", true]);
});

test("a directory that may not be entered, a link to nowhere: the file is not taken for absent", async () => {
  await using scratch = await createScratchDirectory();
  await mkdir(scratch.path(".tau/agent"), { recursive: true });
  expect((await open(scratch)).lost).toEqual([]);
  await symlink("nowhere", scratch.path(FILE));
  expect((await open(scratch)).problems[0]!.message).toStartWith("is a dangling link");
});
