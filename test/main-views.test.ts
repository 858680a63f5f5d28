// The main views as their user sees them, in a small and in a large terminal. A visible change
// carries a snapshot; the README shows one of them.

import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal, type TerminalSession } from "@tau/testkit/terminal";
import { answer, armed } from "./support/consent.ts";
import { launcher } from "./support/run-tau.ts";

const SIZES = [
  [80, 24],
  [200, 50],
] as const;
/** Tall enough for all of it. */
const PICTURE = [80, 44] as const;

const FILES: Readonly<Record<string, string>> = {
  "README.md": "# Sundial\n\nTells the time by the sun: a library and a small command.\n",
  "package.json": '{ "name": "sundial", "version": "1.0.0" }\n',
  "src/dial.ts": "export const hour = (angle: number): number => angle / 15;\n",
  "src/main.ts": 'import { hour } from "./dial.ts";\nconsole.log(hour(90));\n',
};

/** The same commit in every run. */
const WHEN = {
  GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z",
  GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z",
};

async function openProject() {
  const home = await isolatedHome();
  const cwd = home.path("sundial");
  for (const [name, text] of Object.entries(FILES)) await home.write(`sundial/${name}`, text);
  await mkdir(cwd, { recursive: true });
  const git = async (...args: string[]): Promise<void> => {
    const child = Bun.spawn(["git", ...args], {
      cwd,
      env: { ...home.env, ...WHEN },
      stdout: "ignore",
    });
    expect(await child.exited).toBe(0);
  };
  await git("init", "-q", "-b", "main");
  await git("add", "-A");
  await git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Begin");
  return { home, cwd };
}

/** What moves or differs from run to run, as what it stands for. */
function shown(terminal: TerminalSession): string {
  return (
    terminal
      .screen()
      .join("\n")
      .replaceAll(/[⠀-⣿]/g, "⠋")
      // Only what takes a second is timed at all.
      .replaceAll(/(done) {2}[\d.]+s$/gm, "$1")
      .replaceAll(/\b\d+(?:\.\d+)?s\b/g, "0s")
      .trimEnd()
  );
}

/** Pages show what there is to see, not what somebody remembers. */
const page = (path: string): Promise<string> => Bun.file(join(import.meta.dir, "..", path)).text();
const inFence = (screen: string): string => `\`\`\`text\n${screen.replace(/^\n+/, "")}\n\`\`\``;

test.each([...SIZES, PICTURE])("the demo at %i by %i", async (columns, rows) => {
  const { home, cwd } = await openProject();
  await using _home = home;
  await using terminal = runInTerminal([launcher], { cwd, env: home.env, columns, rows });
  await terminal.waitFor("No model is connected");
  await terminal.waitFor("⎇ main");
  await terminal.waitForIdle();
  expect(shown(terminal)).toMatchSnapshot("start");
  terminal.send("/");
  await terminal.waitFor("/compact");
  await terminal.waitForIdle();
  expect(shown(terminal)).toMatchSnapshot("commands");
  terminal.press("backspace");
  terminal.send("look around");
  terminal.press("enter");
  await terminal.waitFor("Next, try:");
  await terminal.waitForIdle();
  const answer = shown(terminal);
  expect(answer).toMatchSnapshot("answer");
  if (rows === PICTURE[1]) {
    expect(await page("README.md")).toContain(inFence(answer));
  }
  terminal.send("/help");
  terminal.press("enter");
  await terminal.waitFor("/hotkeys shows all keyboard shortcuts.");
  await terminal.waitForIdle();
  expect(shown(terminal)).toMatchSnapshot("help");
});

test.each(SIZES)("work, a question and what waits at %i by %i", async (columns, rows) => {
  const { home, cwd } = await openProject();
  await using _home = home;
  await using server = await ModelServer.start([
    {
      thinking: "The angle of the sun moves by fifteen degrees an hour.",
      text: "I will look at the **dial** first, then change it:\n\n```ts\nconst x: number = 1;\n```\n",
      toolCalls: [
        { name: "read", arguments: { path: "src/dial.ts" } },
        { name: "write", arguments: { path: "src/zone.ts", content: "export const zone = 1;\n" } },
      ],
    },
    { toolCalls: [{ name: "bash", arguments: { command: "rm -rf ../precious" } }] },
    {
      toolCalls: [
        {
          name: "bash",
          arguments: { command: "echo begun; until [ -e go ]; do sleep 0.05; done" },
        },
      ],
    },
    { text: "Done." },
  ]);
  const env = {
    ...home.env,
    TAU_NO_TITLE: "1",
    OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
  };
  await using terminal = runInTerminal([launcher, "-m", "ollama/sun"], { cwd, env, columns, rows });
  await terminal.waitFor("⎇ main");
  terminal.send("add a time zone");
  terminal.press("enter");
  await armed(terminal);
  await terminal.waitForIdle();
  const scratch = home.root;
  expect(shown(terminal).replaceAll(scratch, "~")).toMatchSnapshot("question");
  await answer(terminal, "n");
  // What the command prints, and not the command.
  await terminal.waitFor(/^ +begun/m);
  terminal.send("and a test for it");
  terminal.press("enter");
  await terminal.waitFor("next  and a test");
  terminal.send("then tell me how");
  await terminal.waitFor("Running bash");
  await terminal.waitFor("› then tell me how");
  // The file that was written is seen by git a moment later.
  await terminal.waitFor("⎇ main*");
  const work = shown(terminal).replaceAll(scratch, "~");
  expect(work).toMatchSnapshot("work");
  if (columns === 80) expect(await page("docs/terminal.md")).toContain(inFence(work));
  await Bun.write(join(cwd, "go"), "");
});
