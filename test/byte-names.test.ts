// Files whose names are not UTF-8, through the program: lists show a form that works in the shell,
// and whoever gives a tool such a name is told that form.

import { describe, expect, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { textOf } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { runTau, spawnTau } from "./support/run-tau.ts";

const NAME = String.raw`$'caf\351.txt'`;
const NOTE =
  "[names written as $'…' are not UTF-8: only the shell can use them, with ? for each \\NNN; other tools need them renamed]";
const bytes = (text: string) => Buffer.from(text, "latin1");

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** The results of these calls, and what is there afterwards. */
async function results(calls: readonly Call[]) {
  await using home = await isolatedHome();
  const root = home.path("p");
  await mkdir(`${root}/sub`, { recursive: true });
  await writeFile(bytes(`${root}/sub/caf\xe9.txt`), "needle\n");
  await using server = await ModelServer.start((_, turn) => {
    const call = calls[turn - 1];
    return call ? { toolCalls: [call] } : { text: "done" };
  });
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions"), TAU_NO_TITLE: "1" };
  await runTau(["-p", "-m", "ollama/x", "go"], { cwd: root, home, env });
  const { messages } = server.requests.at(-1)!.decoded;
  const texts = messages.filter(({ role }) => role === "toolResult").map(textOf);
  return { texts, left: await readdir(`${root}/sub`, { encoding: "buffer" }) };
}

describe.skipIf(process.platform !== "linux")("names that are not UTF-8", () => {
  test("are listed as the shell takes them, and the shell takes them", async () => {
    const { texts } = await results([
      { name: "find", arguments: { paths: "**/*.txt" } },
      { name: "read", arguments: { path: "." } },
      { name: "search", arguments: { pattern: "needle", paths: "." } },
      { name: "search", arguments: { pattern: "needle", paths: ".", show: "files" } },
      { name: "bash", arguments: { command: "cat sub/caf?.txt" } },
    ]);
    const [found, read, search, files, cat] = texts as [string, string, string, string, string];
    expect(found).toBe(`sub/${NAME}\n\n${NOTE}`);
    expect(read).toMatch(/sub\/ .*\n {2}\$'caf\\351\.txt' {2}7 B/);
    expect(read).toContain(NOTE);
    expect(search).toBe(`# sub/${NAME}\n*1|needle\n\n${NOTE}`);
    expect(files).toBe(`sub/${NAME}\n\n${NOTE}`);
    expect(cat).toBe("needle");
    expect(texts.join("")).not.toContain("\ufffd");
  });

  test("are refused with that form by what cannot open them, and nothing else is made", async () => {
    const sentence =
      "which only the shell can use: cat sub/caf?.txt, or rename it for other tools: mv sub/caf?.txt NEW-NAME.";
    const paths = [`sub/${NAME}`, "sub/caf\ufffd.txt"];
    const { texts, left } = await results(
      paths.flatMap((path) => [
        { name: "read", arguments: { path } },
        { name: "write", arguments: { path, content: "x\n" } },
        { name: "edit", arguments: { input: `¶${path}#ABCD\nreplace 1..1:\nx\n` } },
      ]),
    );
    expect(texts).toHaveLength(6);
    for (const text of texts) expect(text).toContain(sentence);
    expect(left).toEqual([bytes("caf\xe9.txt")]);
  });

  test("go to other programs as they are", async () => {
    await using home = await isolatedHome();
    await writeFile(bytes(`${home.root}/caf\xe9.txt`), "x");
    const child = spawnTau(["find", "*.txt", "-0"], { cwd: home.root, home });
    expect(Buffer.from(await child.stdout.bytes())).toEqual(bytes("caf\xe9.txt\0"));
    expect(await child.exited).toBe(0);
  });
});
