// Nothing that a stricter setting would have asked about runs unasked because the setting could not be
// read: broken settings × modes × calls, each compared with what the file was meant to say.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { parseDocument } from "yaml";
import { WHOLE_FILE_BREAKAGES } from "../../config/test/broken-files.ts";
import { SECRET_ROWS } from "../secrets/settings.ts";
import { SANDBOX_ROWS } from "../sandbox/settings.ts";
import { BUILT_IN_TOOLS } from "../tool-names.ts";

import { openUserSettings } from "../open-user-settings.ts";
import { APPROVAL_MODES, APPROVAL_ROWS } from "./settings.ts";
import { judge, judgedCalls, looser, type Judged } from "./test/judged-calls.ts";

const FILE = ".tau/agent/config.yml";
const FAMILY = ".omp/agent/config.yml";
/** By the file's own mode, and by a flag's on top of it. */
const FLAGS = [undefined, ...APPROVAL_MODES];

const POLICIES = BUILT_IN_TOOLS.map(
  (tool, at) => `    ${tool}: ${at % 2 === 0 ? "prompt" : "deny"}`,
);

/** What careful people write. */
const STRICT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    APPROVAL_MODES.map((mode) => [`mode ${mode}`, `tools:\n  approvalMode: ${mode}\n`]),
  ),
  "a word for each tool": `tools:\n  approval:\n${POLICIES.join("\n")}\n`,
  rules:
    "tools:\n  approvalMode: write\n  rules:\n    - deny bash(git push*)\n    - prompt read(.env)\n    - deny write\n    - prompt ast_*\n",
};

test("there is a call of every tool", async () => {
  await using scratch = await createScratchDirectory();
  const calls = await judgedCalls(scratch);
  expect(new Set(calls.map(({ tool }) => tool.name))).toEqual(new Set(BUILT_IN_TOOLS));
});

describe("broken settings × modes: every call is asked about, whoever says otherwise", () => {
  test.each(WHOLE_FILE_BREAKAGES)("$name", async ({ place }) => {
    await using scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    await scratch.write(".claude/settings.json", '{"permissions":{"allow":["Bash","Edit"]}}');
    for (const [file, text] of Object.entries(STRICT).flatMap(([, one]) => [
      [FILE, one],
      [FAMILY, one],
    ]) as [string, string][]) {
      await scratch.write(file, text);
      const intended = new Map(
        await Promise.all(
          FLAGS.map(async (mode) => [mode, await judge(scratch, calls, { mode })] as const),
        ),
      );
      await rm(scratch.path(file));
      await place(scratch.path(file), text);
      for (const mode of FLAGS) {
        const broken = await judge(scratch, calls, { mode });
        expect(looser(intended.get(mode)!, broken)).toEqual([]);
        expect(new Set(Object.values(broken.outcomes))).toEqual(new Set(["ask"]));
        for (const reason of Object.values(broken.reasons)) {
          expect(reason).toContain(scratch.path(file));
          expect(reason).toContain("until you fix it and start a new session");
        }
      }
      await rm(scratch.path(file), { recursive: true });
    }
  });

  test("what is allowed elsewhere does not lift it", async () => {
    await using scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    const all = BUILT_IN_TOOLS.map((tool) => `${tool}: allow`).join(", ");
    await scratch.write(
      FILE,
      `tools: {approvalMode: yolo, rules: ["allow *"], approval: {${all}}}\n`,
    );
    await scratch.write(FAMILY, "theme: {\n");
    const { outcomes } = await judge(scratch, calls, { mode: "yolo" });
    expect(new Set(Object.values(outcomes))).toEqual(new Set(["ask"]));
  });

  test("what can still be read and refuses, refuses", async () => {
    await using scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    await scratch.write(FAMILY, "tools: {approval: {bash: deny}}\n");
    await scratch.write(FILE, "theme: {\n");
    const { outcomes } = await judge(scratch, calls, { mode: "yolo" });
    for (const { name, tool } of calls)
      expect(outcomes[name]).toBe(tool.name === "bash" ? "block" : "ask");
  });
});

describe("a word that cannot be understood: the calls it may have been about are asked about", () => {
  const cases: readonly [intended: string, broken: string][] = [
    ["approvalMode: always-ask", "approvalMode: alwaysask"],
    ["approvalMode: always-ask", "approvalMode: Always-Ask"],
    ["approvalMode: write", "approvalMode: writ"],
    ["approvalMode: always-ask", "approvalMode: [always-ask]"],
    ["approvalMode: always-ask", "approvalMode: true"],
    ["approvalMode: always-ask", "approvalMode:"],
    ["approvalMode: always-ask", "aprovalMode: always-ask"],
    ["approvalMode: always-ask", "mode: always-ask"],
    ["rules: [deny bash]", "rules: deny bash"],
    ["rules: [deny bash]", "rules: {deny: bash}"],
    ["rules: [deny bash]", "rules:\n  aproval: {}"],
    ["rules: [deny bash]", "rules: [{deny: bash}]"],
    ["rules: [deny bash]", "rules: [[deny bash]]"],
    ["rules: [deny bash]", "rules: [dney bash]"],
    ["rules: [deny bash]", "rules: [Deny bash]"],
    ["rules: [deny bash]", "rules: [bash]"],
    ["rules: [deny bash]", "rules: ['deny: bash']"],
    ["rules: [deny bash]", "rules: [deny Bash]"],
    ["rules: [deny bash]", "rules: [deny bsh]"],
    ["rules: [deny bash]", "rules: [deny shell]"],
    ["rules: [deny bash(touch*)]", "rules: ['deny bash(touch*']"],
    ["rules: [deny bash(touch*)]", "rules: ['deny Bash(touch*)']"],
    ["rules: [deny bash(touch*)]", "rules: ['deny bash touch*']"],
    ["rules: [deny read]", "rules: [deny Read]"],
    ["rules: ['deny bash(x*)', 'deny read(*)']", "rules:\n   - deny bash(x*)\n    - deny read(*)"],
    ["rules: ['deny *']", "rules: ['deny']"],
    ["rules: ['deny *']", "rules: [7]"],
    ["rules: [prompt search]", "rules: [prompt Grep]"],
    ["approval: {bash: deny}", "approval: {bsh: deny}"],
    ["approval: {bash: deny}", "approval: {Bash: deny}"],
    ["approval: {bash: prompt}", "approval: {bash: promt}"],
    ["approval: {bash: prompt}", "approval: {bash: ask}"],
    ["approval: {bash: deny}", "approval: {bash: false}"],
    ["approval: {bash: deny}", "approval: {bash: }"],
    ["approval: {bash: deny}", "approval: [bash, deny]"],
    ["approval: {bash: deny}", "approval: deny"],
    ["approval: {read: deny, bash: deny}", "approval: {'*': deny}"],
    ["approval: {ast_edit: deny}", "approval: {'ast_*': deny}"],
    ["approval: {bash: deny}", "approval.bash: deny"],
    ["approval: {bash: deny}", "aproval: {bash: deny}"],
    ["approval: {bash: deny}", "bash: deny"],
    ["approval: {bash: deny}", "approval: {bash:deny}"],
    ["approval: {bash: deny}", "approval: {bash :deny}"],
    ["approval: {bash: deny}", "approval: {bash deny}"],
    ["approval: {bash: prompt, write: prompt}", "approval: {bash:prompt, write: prompt}"],
    ["approvalMode: always-ask", "{approvalMode:always-ask}"],
    ["approvalMode: always-ask", "approval: {mode: always-ask}"],
    ["approval: {read: prompt, bash: prompt}", "approval: {default: prompt}"],
    ["rules: ['deny *']", "rules: [deny everything]"],
    ["rules: [deny bash(touch*)]", "rules: ['deny commands(touch*)']"],
    ["rules: [deny bash]", "rules: ['deny bash()']"],
    ["rules: [deny bash]", "denyTools: [bash]"],
    ["rules: [deny bash]", "disallowedTools: [Bash]"],
    ["rules: [deny bash]", "disallowed: [Bash]"],
    ["rules: [deny bash]", "blockedTools: Bash"],
    ["rules: ['deny bash(touch: x*)', deny bash]", "rules:\n    - deny bash(touch: x*)"],
  ];
  test.each(cases)("%s, written as %s", async (good, bad) => {
    await using scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    for (const mode of FLAGS) {
      await scratch.write(FILE, `tools:\n  ${good}\n`);
      const intended = await judge(scratch, calls, { mode });
      expect(intended.settings.problems).toEqual([]);
      await scratch.write(FILE, `tools:\n  ${bad}\n`);
      const broken = await judge(scratch, calls, { mode });
      expect({ mode, looser: looser(intended, broken) }).toEqual({ mode, looser: [] });
      expect(broken.settings.problems[0]).toMatchObject({ file: scratch.path(FILE) });
      expect(broken.settings.problems[0]!.line).toBeGreaterThan(1);
    }
  });

  test("of another tool nothing more is asked than before", async () => {
    await using scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    await scratch.write(FILE, "tools:\n  rules: [deny Bash(git push*)]\n");
    const { outcomes } = await judge(scratch, calls, { mode: "yolo" });
    for (const { name, tool } of calls) {
      expect(outcomes[name]).toBe(tool.name === "bash" ? "ask" : "allow");
    }
  });

  test.each([
    "rules: [allow bsh(ls)]",
    "rules: ['allow bash(ls']",
    "rules: [deny mcp__files__delete]",
    "rules: [prompt browser]",
    "approval: {browser: prompt, mcp__x: deny, web_search: deny, images: prompt}",
    "approval: {bsh: allow}",
    "rules: []",
    "approval: {}",
    "rules:",
    "rules:\n  #  - deny bash",
    "approval:",
    "approval: {browser: deny, my-tool: prompt, lookup: prompt}",
    "approval: {bash:allow}",
    "approval: {allow: [bash]}",
    "rules:\n    - allow ssh(build: make)",
    "denyTools: []",
  ])("%s loses nothing", async (text) => {
    await using scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    const before = await judge(scratch, calls);
    await scratch.write(FILE, `tools:\n  ${text}\n`);
    const after = await judge(scratch, calls);
    expect(after.outcomes).toEqual(before.outcomes);
  });
});

describe("the calls that are asked about, and why", () => {
  test.each<[text: string, tool: string | undefined, message: string]>([
    ["approval: {bash:deny}", "bash", "a space is missing after the colon: `bash: deny`"],
    ["approval: {browser: promt}", "browser", '"promt" (did you mean prompt?)'],
    [
      "approval: {bash: ask}",
      "bash",
      'expected allow, prompt or deny, not "ask" (did you mean prompt?)',
    ],
    ["approval: {mode: always-ask}", undefined, "mode (did you mean tools.approvalMode?)"],
    ["approval: {default: prompt}", undefined, "there is no tool default"],
    ["approval: {ask: [bash]}", undefined, "expected allow, prompt or deny"],
    ["approval: {bash=deny}", undefined, '"bash=deny" is not a policy such as `bash: deny`'],
    ["approval: {bash deny}", "bash", "is not a policy"],
    ["approval: {ask: bash}", undefined, "expected allow, prompt or deny"],
    ["rules: [deny all]", undefined, "there is no tool all"],
    ["rules: ['deny git(push*)']", "bash", "there is no tool git (did you mean bash?)"],
    ["rules: [deny images]", undefined, "there is no tool images; every call is asked about"],
    ["rules: ['deny webserch(x)']", undefined, "there is no tool webserch"],
    ["rules: ['deny fetch(https://x/*)']", undefined, "there is no tool fetch"],
    ["rules: ['deny bash()']", "bash", "the parentheses are empty"],
    ["rules: ['deny bash( touch* )']", "bash", "remove the spaces"],
    ["rules: [\"deny bash('touch*')\"]", "bash", "quotes stand inside of the brackets"],
    ["rules: ['deny bash(/touch.*/)']", "bash", "the parentheses contain a regular expression"],
    ["rules: ['deny bash(touch*), bash(rm*)']", "bash", "two rules are joined into one"],
    ["rules: ['prompt write( )']", "write", "the parentheses are empty"],
    ['rules:\n    - deny bash(git commit -m "a: b"*)', "bash", "put the rule in quotes"],
    ["rules:\n    - deny: bash", "bash", "is not a rule"],
    ["rules: [deny Bash]", "bash", "(did you mean bash?); every call of bash is asked"],
  ])("%s: %s", async (text, tool, message) => {
    await using scratch = await createScratchDirectory();
    await scratch.write(FILE, `tools:\n  ${text}\n`);
    const { lost } = await openUserSettings({ env: { HOME: scratch.root }, cwd: scratch.root });
    expect(lost.map((one) => one.tool)).toEqual([tool]);
    expect(lost[0]!.problem.message).toContain(message);
    expect(lost[0]!.problem.message).toEndWith("until you fix it and start a new session");
  });

  test.each<[text: string, message: string]>([
    ["tools: {approvalMode:write}", "a space is missing after the colon: `approvalMode: write`"],
    ["approvalMode: write", "(did you mean tools.approvalMode?); tools.approvalMode is always-ask"],
    ["Tools: {approvalMode: write}", "(did you mean tools.approvalMode?); tools.approvalMode is"],
    ["tool: {approvalMode: write}", "(did you mean tools.approvalMode?); tools.approvalMode is"],
    ["sandbox: {enabled: true}", "(did you mean sandbox.mode?); sandbox.mode is workspace"],
    ["permissions: {deny: [Bash]}", "(approval is set in tools.approvalMode,"],
  ])("%s says what to write", async (text, message) => {
    await using scratch = await createScratchDirectory();
    await scratch.write(FILE, `${text}\n`);
    const { problems } = await openUserSettings({ env: { HOME: scratch.root }, cwd: scratch.root });
    expect(problems.map((one) => one.message)).toEqual([expect.stringContaining(message)]);
  });

  test("a rule that only YAML takes apart says so, and a lost allowance locks nothing", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write(FILE, "tools:\n  rules:\n    - allow ssh(build: make)\n");
    const { lost, problems } = await openUserSettings({
      env: { HOME: scratch.root },
      cwd: scratch.root,
    });
    expect(lost).toEqual([]);
    expect(problems[0]!.message).toBe("put the rule in quotes: it contains a colon and a space");
  });
});

describe("oh-my-pi's words are never loosened, and loosen nothing", () => {
  const words = ["allow", "prompt", "deny", undefined] as const;
  const modes = ["always-ask", "write", "yolo", undefined] as const;
  const table = modes.flatMap((mode) => words.map((word) => ({ mode, word })));
  test.each(table)("$mode, bash: $word", async ({ mode, word }) => {
    await using scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    const plain = await judge(scratch, calls);
    const lines = [
      ...(mode ? [`  approvalMode: ${mode}`] : []),
      ...(word ? [`  approval: {bash: ${word}}`] : []),
    ];
    const text = lines.length === 0 ? "{}\n" : `tools:\n${lines.join("\n")}\n`;
    await scratch.write(FAMILY, text);
    const family = await judge(scratch, calls);
    expect(family.settings.problems).toEqual([]);
    // As strict as the same words said to Tau, allowances left out; and never looser than Tau alone.
    expect(looser(plain, family)).toEqual([]);
    await rm(scratch.path(FAMILY));
    const asked = lines.filter((line) => !/yolo|allow}/.test(line));
    await scratch.write(FILE, asked.length === 0 ? "{}\n" : `tools:\n${asked.join("\n")}\n`);
    const own = await judge(scratch, calls);
    expect(family.outcomes).toEqual(own.outcomes);
    // The user's own words for Tau lie on top.
    await scratch.write(FAMILY, text);
    await scratch.write(FILE, "tools: {approvalMode: yolo, approval: {bash: allow}}\n");
    const { outcomes } = await judge(scratch, calls);
    expect(new Set(Object.values(outcomes))).toEqual(new Set(["allow"]));
  });

  test.each([
    ["PI_CODING_AGENT_DIR", "~/elsewhere", "elsewhere/config.yml"],
    ["PI_CONFIG_DIR", ".mine", ".mine/agent/config.yml"],
  ])("where %s says they are", async (name, value, file) => {
    await using scratch = await createScratchDirectory();
    await scratch.write(file, "tools: {approvalMode: always-ask}\n");
    const env = { HOME: scratch.root, [name]: value };
    const settings = await openUserSettings({ env, cwd: scratch.root });
    expect(settings.group(APPROVAL_ROWS).approvalMode).toBe("always-ask");
  });

  test("a file that cannot be read is named with its remedy, and the remedy works", async () => {
    await using scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    await scratch.write(FAMILY, "tools:\n  approvalMode: always-ask\n  approval: {bash: prompt\n");
    const { reasons, settings } = await judge(scratch, calls, { mode: "yolo" });
    for (const reason of Object.values(reasons))
      expect(reason).toContain("`disabledSources: [omp]`");
    expect(settings.problems[0]).toMatchObject({ line: 3 });
    await scratch.write(FILE, "disabledSources: [omp]\n");
    const after = await judge(scratch, calls, { mode: "yolo" });
    expect(new Set(Object.values(after.outcomes))).toEqual(new Set(["allow"]));
  });
});

describe("settings of other tools that cannot be read", () => {
  const DENIES_BASH = {
    claude: '{"permissions": {"deny": ["Bash"]}}',
    opencode: '{"permission": {"bash": "deny"}}',
  };
  const files = [
    [".claude/settings.json", "claude"],
    [".claude/settings.local.json", "claude"],
    [".config/opencode/opencode.json", "opencode"],
    [".config/opencode/opencode.jsonc", "opencode"],
  ] as const;
  const broken: Record<string, (path: string) => Promise<unknown>> = {
    "no JSON": (path) => writeFile(path, '{\n  "permissions": {"deny": ["Bash"\n'),
    "a list": (path) => writeFile(path, "[]"),
    "a slip in what refuses": (path) =>
      writeFile(path, '{"permissions": {"denny": ["Bash"]}, "permission": {"bash": "dney"}}'),
    "signs for the terminal": (path) => writeFile(path, "\u001b]0;x\u0007"),
    "a directory": (path) => mkdir(path),
    "a link to nowhere": (path) => symlink("nowhere", path),
    "a link to itself": (path) => symlink(path, path),
    "a pipe": async (path) => expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0),
  };
  const table = files.flatMap(([file, source]) =>
    Object.keys(broken).map((name) => ({ file, source, name })),
  );
  test.each(table)("$file: $name", async ({ file, source, name }) => {
    await using scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    const asked = async () => judge(scratch, calls, { mode: "yolo", cwd: scratch.path("work") });
    await scratch.write("work/a.txt", "");
    await scratch.write(file, DENIES_BASH[source]);
    expect(new Set(Object.values((await asked()).outcomes))).toEqual(new Set(["allow", "block"]));
    await rm(scratch.path(file));
    await broken[name]!(scratch.path(file));
    const { outcomes, reasons } = await asked();
    expect(new Set(Object.values(outcomes))).toEqual(new Set(["ask"]));
    for (const reason of Object.values(reasons)) {
      expect(reason).toContain(scratch.path(file));
      expect(reason).toContain(`\`disabledSources: [${source}]\``);
      // oxlint-disable-next-line no-control-regex
      expect(reason).not.toMatch(/[\0-\x1f]/);
    }
    await scratch.write(FILE, `disabledSources: [${source}]\n`);
    expect(new Set(Object.values((await asked()).outcomes))).toEqual(new Set(["allow"]));
  });

  test("of a project that nobody trusts they change nothing", async () => {
    await using scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    for (const file of [".claude/settings.json", "opencode.json"]) {
      await scratch.write(`work/${file}`, "{");
    }
    const { outcomes } = await judge(scratch, calls, { mode: "yolo", cwd: scratch.path("work") });
    expect(new Set(Object.values(outcomes))).toEqual(new Set(["allow"]));
  });
});

describe("a strict file with any damage", () => {
  const text = [
    "# what I let models do",
    "theme:",
    "  dark: titanium",
    "tools:",
    "  approvalMode: always-ask",
    "  approval:",
    "    read: prompt",
    '    "write": deny',
    "  rules:",
    "    - deny bash(git push*)",
    "    - 'prompt search'",
    "    - prompt ast_grep(*)",
    "    - deny edit(a.txt)",
    "sandbox: {mode: workspace, network: off}",
    "secrets:",
    "  enabled: true",
    "",
  ].join("\n");
  const signs = [..."\t \n\r:-#'\"{}[],&*!|>%@?abzA0\\\u00a0\0"];
  const place = fc.nat({ max: text.length - 1 });
  const sign = fc.constantFrom(...signs);
  const line = fc.nat({ max: text.split("\n").length - 2 });
  const atLine = (at: number, change: (one: string) => string): string =>
    text
      .split("\n")
      .map((one, index) => (index === at ? change(one) : one))
      .join("\n");
  const damaged: fc.Arbitrary<string> = fc.oneof(
    place.map((at) => text.slice(0, at) + text.slice(at + 1)),
    fc.tuple(place, sign).map(([at, one]) => text.slice(0, at) + one + text.slice(at)),
    fc.tuple(place, sign).map(([at, one]) => text.slice(0, at) + one + text.slice(at + 1)),
    line.map((at) => atLine(at, (one) => `${one}\n${one}`)),
    line.map((at) => atLine(at, (one) => one.replace(/^ +/, "\t"))),
    line.map((at) => atLine(at, (one) => one.toUpperCase())),
    fc
      .tuple(line, line)
      .map(([at, other]) => atLine(at, (one) => `${one}\n${text.split("\n")[other]}`)),
  );

  /**
   * Settings that say something else and say it clearly are another file, not a broken one: no problem
   * is told then, and a parser that keeps to the letter of YAML finds none either. Everything else must
   * not be looser than the whole file.
   */
  async function hold(broken: string, now: Judged, intended: Judged): Promise<void> {
    const isTold = now.settings.problems.length > 0;
    if (!isTold && parseDocument(broken).errors.length === 0) return;
    const told = now.settings.problems.map(({ message }) => message);
    expect({ broken, told, looser: looser(intended, now) }).toMatchObject({ looser: [] });
    expect({ broken, told, open: opened(intended, now) }).toMatchObject({ open: [] });
  }

  async function strictFile() {
    const scratch = await createScratchDirectory();
    const calls = await judgedCalls(scratch);
    const read = async (given: string): Promise<Judged> => {
      await scratch.write(FILE, given);
      return judge(scratch, calls);
    };
    return { read, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() };
  }

  test("one letter, sign or line of it", async () => {
    await using files = await strictFile();
    const intended = await files.read(text);
    expect(intended.settings.problems).toEqual([]);
    let told = 0;
    await fc.assert(
      fc.asyncProperty(damaged, async (broken) => {
        const now = await files.read(broken);
        if (now.settings.problems.length > 0) told++;
        await hold(broken, now, intended);
      }),
      { numRuns: 2000 },
    );
    expect(told).toBeGreaterThan(500);
  }, 60_000);

  test("its end, wherever it is cut off: the line that is cut counts as the whole one would", async () => {
    await using files = await strictFile();
    for (let at = 1; at < text.length; at++) {
      const end = text.indexOf("\n", at - 1) + 1;
      const intended = await files.read(text.slice(0, end));
      const now = await files.read(text.slice(0, at));
      // Of a word that is cut nobody can say that it was the sandbox's.
      const hasWord =
        text.slice(0, at).includes("sandbox") || !text.slice(0, end).includes("sandbox");
      await hold(
        text.slice(0, at),
        hasWord ? now : { ...now, settings: intended.settings },
        intended,
      );
    }
  }, 60_000);
});

/** What is confined less than it was meant to be. */
function opened(intended: Judged, now: Judged): string[] {
  const [before, after] = [intended, now].map(({ settings }) => ({
    ...settings.group(SANDBOX_ROWS),
    ...settings.group(SECRET_ROWS),
  }));
  return [
    ...(before!.mode === "workspace" && after!.mode === "off" ? ["commands"] : []),
    ...(before!.network === "off" && after!.network === "on" ? ["network"] : []),
    ...(before!.enabled && !after!.enabled ? ["secrets"] : []),
  ];
}
