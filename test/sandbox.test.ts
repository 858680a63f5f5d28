// A sandbox as users meet it: one setting, and what the model starts stays in the project.

import { existsSync } from "node:fs";
import { expect, test } from "bun:test";
import { textOf } from "@tau/ai/message";
import { KINDS, sandboxTest, type Kind } from "@tau/host/sandbox/test/sandbox-test";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

const bash = (command: string) => ({ name: "bash", arguments: { command } });
const cell = (language: string, code: string) => ({
  name: "eval",
  arguments: { cells: [{ language, code }] },
});

/** In and out of the project, by every way to run something. */
const CALLS = [
  bash("echo in > by-bash; echo out > ../by-bash"),
  cell("py", "open('by-py', 'w').write('in')\nopen('../by-py', 'w').write('out')"),
  cell(
    "js",
    'await Bun.write("by-js", "in"); try { await Bun.write("../by-js", "out") } catch (e) { console.log(e.message) }',
  ),
  { name: "search", arguments: { pattern: "needle", paths: "." } },
];

/** What the model was told of the calls, with everything allowed that the sandbox allows. */
async function runConfined(home: IsolatedHome, kind: Kind, path?: string): Promise<string[]> {
  const replies = CALLS.map((call) => ({ toolCalls: [call] }));
  await using server = await ModelServer.start([...replies, { text: "done" }]);
  const env = {
    OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
    TAU_NO_TITLE: "1",
    PATH: path ?? process.env.PATH ?? "",
  };
  await home.write("work/README", "a needle");
  const settled = { cwd: home.path("work"), home, env };
  for (const [key, value] of [
    ["sandbox.mode", "workspace"],
    ["sandbox.kind", kind],
  ] as const) {
    expect(await runTau(["config", "set", key, value], settled)).toMatchObject({ exitCode: 0 });
  }
  const result = await runTau(["-p", "-m", "ollama/x", "--yolo", "write"], settled);
  expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
  const told = server.requests.at(CALLS.length)!.decoded.messages;
  return told.filter(({ role }) => role === "toolResult").map(textOf);
}

for (const kind of KINDS) {
  sandboxTest(
    `with sandbox.mode workspace commands and cells write in the project alone (${kind})`,
    async () => {
      await using home = await isolatedHome();
      const [byBash, byPython, byJavaScript, search] = await runConfined(home, kind);
      const refused = kind === "bubblewrap" ? "Read-only file system" : "Permission denied";
      expect(byBash).toContain(refused);
      expect(byPython).toContain(refused);
      expect(byJavaScript).toMatch(/EROFS|EACCES/);
      expect(search).toContain("needle");
      for (const name of ["by-bash", "by-py", "by-js"]) {
        expect((await home.read(`work/${name}`)).trim()).toBe("in");
        expect(existsSync(home.path(name))).toBe(false);
      }
    },
    60_000,
    kind,
  );
}

test("wanted and not to be had, nothing runs at all", async () => {
  await using home = await isolatedHome();
  await home.write("no-programs/README", "");
  const told = await runConfined(home, "bubblewrap", home.path("no-programs"));
  const words =
    "Not run: the sandbox is not available: bubblewrap (bwrap) is not installed; install the package bubblewrap";
  expect(told.map((text) => text.includes(words))).toEqual(CALLS.map(() => true));
  for (const name of ["by-bash", "by-py", "by-js"]) {
    expect(existsSync(home.path(`work/${name}`))).toBe(false);
    expect(existsSync(home.path(name))).toBe(false);
  }
});
