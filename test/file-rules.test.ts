// Rules about files, in every spelling and whichever tool it is: a refusal to have one read or changed.

import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { userText } from "@tau/ai/message";
import { embed, saidIn } from "./support/embedded.ts";

const FILE = ".tau/agent/config.yml";

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

const bash = (command: string): Call => ({ name: "bash", arguments: { command } });
const read = (path: string): Call => ({ name: "read", arguments: { path } });
const write = (path: string): Call => ({ name: "write", arguments: { path, content: "x\n" } });
const cell = (language: string, code: string): Call => ({
  name: "eval",
  arguments: { cells: [{ language, code }] },
});

/** Which of the calls are refused by the settings, in yolo. */
async function refused(
  calls: readonly Call[],
  files: Record<string, string>,
): Promise<{ refused: boolean[]; results: string[] }> {
  await using embedding = await embed([
    ...calls.map((call) => ({ toolCalls: [call] })),
    { text: "done" },
  ]);
  const { home } = embedding;
  await mkdir(home.path("work"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await home.write(name, text);
  const session = await embedding.start({ cwd: home.path("work"), approvalMode: "yolo" });
  await session.prompt(userText("go"));
  await session[Symbol.asyncDispose]();
  const results = saidIn(embedding.server, -1).filter((line) => line.startsWith("toolResult"));
  expect(results).toHaveLength(calls.length);
  return { refused: results.map((result) => result.includes("Your settings refuse")), results };
}

const rules = (...texts: string[]) => ({
  [FILE]: `tools:\n  rules:\n${texts.map((text) => `    - ${text}\n`).join("")}`,
});

test.each(["~", "$HOME", "${HOME}"])("%s in a rule about files is the home", async (home) => {
  const found = await refused(
    [
      read("~/outside.txt"),
      read("../outside.txt"),
      bash("cat ../outside.txt"),
      write("../notes.txt"),
      read("own.txt"),
      read("other.txt"),
    ],
    {
      "outside.txt": "x",
      "work/own.txt": "x",
      "work/other.txt": "x",
      ...rules(
        `deny read(${home}/outside.txt)`,
        `deny read(${home}/work/own.txt)`,
        `deny write(${home}/notes*)`,
      ),
    },
  );
  expect(found.refused).toEqual([true, true, true, true, true, false]);
});

const CHANGING: Record<string, Record<string, string>> = {
  "write, Tau's own": rules("deny write(README.md)"),
  "edit, Tau's own": rules("deny edit(README.md)"),
  "a pattern": rules("deny write(*.md)"),
  "the home": rules("deny write(~/work/README.md)"),
  "Claude Code": { ".claude/settings.json": '{"permissions":{"deny":["Edit(README.md)"]}}' },
  "Claude Code, a pattern": {
    ".claude/settings.json": '{"permissions":{"deny":["Write(*.md)"]}}',
  },
  OpenCode: { ".config/opencode/opencode.json": '{"permission":{"edit":{"*.md":"deny"}}}' },
};

test.each(Object.entries(CHANGING))("changing refused, by %s", async (_name, files) => {
  const calls = [
    write("README.md"),
    write("../work/README.md"),
    { name: "edit", arguments: { input: "¶README.md#0000\ndelete 1\n" } },
    bash("echo x > README.md"),
    bash("echo x >> ./README.md"),
    bash("rm README.md"),
    bash("rm READ*"),
    bash("rm -r ../work/docs ."),
    bash("sed -i s/a/b/ README.md"),
    bash("mv README.md x"),
    bash("cp package.json README.md"),
    bash("cd .. && tee work/README.md < work/package.json"),
    bash("python3 -c \"open('README.md', 'w')\""),
    cell("js", "require('fs').rmSync('README.md')"),
    cell("py", "open('README.md', 'w').write('x')"),
    bash("cat README.md"),
    bash("echo x > other.txt"),
    write("new.txt"),
  ];
  const found = await refused(calls, {
    "work/README.md": "a\n",
    "work/package.json": "{}",
    ...files,
  });
  const allowed = 3;
  expect(calls.filter((_call, at) => !found.refused[at])).toEqual(calls.slice(-allowed));
});

test("a file that may not be changed keeps its directory; the last rule counts", async () => {
  const found = await refused(
    [
      bash("rm -r docs"),
      bash("rm -rf d*"),
      bash("rm -r build"),
      bash("echo > yarn.lock"),
      write("bun.lock"),
    ],
    {
      "work/docs/deep/a.md": "a",
      "work/build/x": "x",
      ...rules("deny write(docs/deep/*)", "deny write(*.lock)", "allow write(yarn.lock)"),
    },
  );
  expect(found.refused).toEqual([true, true, false, false, true]);
});

const CLAUDE = ".claude/settings.json";
const OPEN_CODE = ".config/opencode/opencode.json";
const claude = (...deny: string[]) => ({
  [CLAUDE]: JSON.stringify({ permissions: { deny } }, null, 2),
});
const openCode = (settings: object) => ({ [OPEN_CODE]: JSON.stringify(settings) });

test.each<[name: string, files: Record<string, string>, call: Call, rule: string]>([
  [
    "Tau's rules",
    rules("deny bash(git push*)"),
    bash("git push"),
    "deny bash(git push*), in ~/.tau/agent/config.yml",
  ],
  ["the home", rules("deny read(~/x)"), read("~/x"), "deny read(~/x), in ~/.tau/agent/config.yml"],
  [
    "a policy",
    { [FILE]: "tools: {approval: {bash: deny}}\n" },
    bash("ls"),
    "tools.approval.bash: deny, in ~/.tau",
  ],
  [
    "Claude Code",
    claude("Bash(git push:*)"),
    bash("git push -f"),
    `permissions.deny: Bash(git push:*), in ~/${CLAUDE}`,
  ],
  [
    "Claude Code, optional words",
    claude("Bash(git *)"),
    bash("git"),
    "permissions.deny: Bash(git *)",
  ],
  [
    "Claude Code, beside the project",
    claude("Read(../outside.txt)"),
    bash("cat ~/outside.txt"),
    "Read(../outside.txt)",
  ],
  [
    "Claude Code, notebooks",
    claude("NotebookEdit"),
    write("a/b.ipynb"),
    "permissions.deny: NotebookEdit",
  ],
  [
    "OpenCode",
    openCode({ permission: { bash: { "git push *": "deny" } } }),
    bash("git push"),
    `permission.bash: "git push *", in ~/${OPEN_CODE}`,
  ],
  [
    "OpenCode, outside",
    openCode({ permission: { external_directory: "deny" } }),
    read("../outside.txt"),
    "permission.external_directory: deny",
  ],
  [
    "OpenCode, outside, a command",
    openCode({ permission: { external_directory: "deny" } }),
    bash("cat ../outside.txt"),
    "permission.external_directory",
  ],
  [
    "OpenCode, outside, a change",
    openCode({ permission: { external_directory: "deny" } }),
    write("../new.txt"),
    "permission.external_directory",
  ],
  ["OpenCode, switched off", openCode({ tools: { bash: false } }), bash("ls"), "tools.bash: false"],
  [
    "OpenCode, its agent",
    openCode({ agent: { build: { permission: { bash: "deny" } } } }),
    bash("ls"),
    "agent.build.permission.bash",
  ],
])("a refusal names the rule and its file: %s", async (_name, files, call, rule) => {
  const found = await refused([call], { "outside.txt": "x", x: "x", "work/a.txt": "x", ...files });
  const [result = ""] = found.results;
  const shown = result.replaceAll(/\/[^\s"]*?tau-scratch-\w+/g, "~");
  expect(shown).toContain(`Your settings refuse this call of ${call.name} (`);
  expect(shown).toContain(rule);
});

test.each<[name: string, files: Record<string, string>, call: Call]>([
  ["notebooks are not all files", claude("NotebookEdit"), write("a.md")],
  ["several edits are not a new file", claude("MultiEdit"), write("a.md")],
  [
    "inside is not outside",
    openCode({ permission: { external_directory: "deny" } }),
    bash("cat a.txt > /dev/null"),
  ],
  [
    "another command",
    openCode({ permission: { bash: { "git push *": "deny" } } }),
    bash("git pushed"),
  ],
  ["switched on again", openCode({ tools: { "*": false, bash: true } }), bash("ls")],
])("what a rule of another tool does not say: %s", async (_name, files, call) => {
  const found = await refused([call], { "work/a.txt": "x", ...files });
  expect(found.refused).toEqual([false]);
});

test("what is not taken over is said, and a slip with its line and its words", async () => {
  await using embedding = await embed([{ text: "done" }]);
  const { home } = embedding;
  const settings = { permissions: { defaultMode: "plan", deny: ["Bash(ls)", "Bahs(rm:*)"] } };
  await home.write(CLAUDE, JSON.stringify(settings, null, 2));
  await mkdir(home.path("work"), { recursive: true });
  const { session, notices } = await embedding.open({ cwd: home.path("work") });
  await session[Symbol.asyncDispose]();
  const told = notices.join("\n");
  expect(told).toContain(`${home.path(CLAUDE)}: permissions.defaultMode: plan is not taken over`);
  expect(told).toContain(
    `${home.path(CLAUDE)}:6: permissions.deny.1: "Bahs(rm:*)" is unknown (did you mean Bash?)`,
  );
});
