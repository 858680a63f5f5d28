// Files whose names are not UTF-8, through the program: lists show a form that the tools and the shell
// take, and what is judged is the file that the form means.

import { describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { textOf } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { runTau, spawnTau } from "./support/run-tau.ts";

const NAME = String.raw`$'caf\351.txt'`;
const NOTE =
  "[names written as $'…' are not UTF-8: tools take them as they stand; in bash, write ? for each \\NNN]";
const bytes = (text: string) => Buffer.from(text, "latin1");

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

interface Scene {
  /** By path below the project, as Latin-1. */
  files?: Record<string, string>;
  settings?: string;
  flags?: readonly string[];
}

/** The results of these calls, and what is there afterwards, by path as Latin-1. */
async function results(
  calls: readonly (Call | ((last: string) => Call))[],
  { files = { "sub/caf\xe9.txt": "needle\n" }, settings, flags = [] }: Scene = {},
) {
  await using home = await isolatedHome();
  const root = home.path("p");
  for (const [path, text] of Object.entries(files)) {
    const place = bytes(`${root}/${path}`);
    await mkdir(place.subarray(0, place.lastIndexOf("/")), { recursive: true });
    await writeFile(place, text);
  }
  if (settings !== undefined) await home.write(".tau/agent/config.yml", settings);
  let last = "";
  await using server = await ModelServer.start(({ decoded: { messages } }, turn) => {
    last = messages.map(textOf).at(-1) ?? "";
    const call = calls[turn - 1];
    if (!call) return { text: "done" };
    return { toolCalls: [typeof call === "function" ? call(last) : call] };
  });
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions"), TAU_NO_TITLE: "1" };
  await runTau(["-p", "-m", "ollama/x", ...flags, "go"], { cwd: root, home, env });
  const { messages } = server.requests.at(-1)!.decoded;
  const texts = messages.filter(({ role }) => role === "toolResult").map(textOf);
  const left: Record<string, string> = {};
  const listed = await readdir(bytes(root), { recursive: true, encoding: "buffer" }).catch(
    () => [] as Buffer[],
  );
  for (const path of listed) {
    const whole = Buffer.concat([bytes(`${root}/`), path]);
    const text = await readFile(whole, "utf8").catch(() => undefined);
    if (text !== undefined) left[path.toString("latin1")] = text;
  }
  return { texts, left };
}

const edit = (hunk: string) => (last: string) => ({
  name: "edit",
  arguments: { input: `${/^¶.*$/m.exec(last)?.[0] ?? "¶none"}\n${hunk}\n` },
});

describe.skipIf(process.platform !== "linux")("names that are not UTF-8", () => {
  test("are listed as the tools and the shell take them", async () => {
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
    expect(search).toMatch(/^¶sub\/\$'caf\\351\.txt'#\w+\n\*1[:|]needle\n/);
    expect(files).toBe(`sub/${NAME}\n\n${NOTE}`);
    expect(cat).toBe("needle");
    expect(texts.join("")).not.toContain("\ufffd");
  });

  test("are read, searched and found by that form", async () => {
    const dir = String.raw`$'d\376'`;
    const { texts } = await results(
      [
        { name: "read", arguments: { path: `${dir}/${NAME}:2` } },
        { name: "search", arguments: { pattern: "two", paths: `${dir}/${NAME}` } },
        { name: "search", arguments: { pattern: "two", paths: [dir] } },
        { name: "search", arguments: { pattern: "two", paths: `${dir}/${NAME}:2-2` } },
        { name: "find", arguments: { paths: [`${dir}/*.ts`, `${dir}/${NAME}`] } },
        { name: "read", arguments: { path: dir } },
        { name: "ast_grep", arguments: { pat: "f($A)", paths: dir } },
      ],
      {
        files: {
          "d\xfe/caf\xe9.txt": "one\ntwo\n",
          "d\xfe/a.ts": "f(1);\n",
          "d\xfe/hidden.log": "two\n",
          "d\xfe/.gitignore": "*.log\n",
          ".git/HEAD": "ref: refs/heads/main\n",
        },
      },
    );
    const [read, one, tree, part, found, listed, ast] = texts as [string, ...string[]];
    expect(read).toContain("2:two");
    for (const text of [one, tree, part]) {
      expect(text).toMatch(/¶\$'d\\376'\/\$'caf\\351\.txt'#\w+\n/);
      expect(text).toContain("*2:two");
    }
    expect(tree).not.toContain("hidden.log");
    expect(found).toContain("a.ts");
    expect(found).toContain(NAME);
    expect(listed).toContain(NAME);
    expect(ast).toContain("f(1)");
  });

  test("are written, edited, moved and deleted, and nothing else is", async () => {
    const { texts, left } = await results(
      [
        { name: "read", arguments: { path: NAME } },
        edit("replace 1..1:\n+changed"),
        edit(String.raw`move to new/$'na\357ve.txt'`),
        { name: "write", arguments: { path: String.raw`$'\377'/made.txt`, content: "made\n" } },
        { name: "write", arguments: { path: String.raw`$'over\351'`, content: "new\n" } },
        { name: "read", arguments: { path: String.raw`$'gone\351'` } },
        edit("delete file"),
        {
          name: "ast_edit",
          arguments: { ops: [{ pat: "f($A)", out: "g($A)" }], paths: String.raw`$'a\351.ts'` },
        },
        { name: "resolve", arguments: { action: "apply", reason: "as asked" } },
      ],
      {
        files: {
          "caf\xe9.txt": "needle\n",
          "over\xe9": "old\n",
          "gone\xe9": "x\n",
          "a\xe9.ts": "f(1);\n",
        },
      },
    );
    expect(texts.slice(0, 7).join("\n")).not.toMatch(/does not exist|cannot|error/i);
    expect(left).toMatchObject({
      "new/na\xefve.txt": "changed\n",
      "\xff/made.txt": "made\n",
      "over\xe9": "new\n",
      "a\xe9.ts": "g(1);\n",
    });
    expect(Object.keys(left).sort()).toEqual([
      "a\xe9.ts",
      "new/na\xefve.txt",
      "over\xe9",
      "\xff/made.txt",
    ]);
  });

  test("are patched by the names that git writes", async () => {
    const names = String.raw`--- "a/caf\351.txt"
+++ "b/caf\351.txt"`;
    const { left } = await results(
      [{ name: "edit", arguments: { input: `${names}\n@@ -1 +1 @@\n-needle\n+thread\n` } }],
      { files: { "caf\xe9.txt": "needle\n" }, settings: "edit:\n  mode: patch\n" },
    );
    expect(left).toEqual({ "caf\xe9.txt": "thread\n" });
  });

  test("with a decoder's signs are refused with the form to use, and nothing is made", async () => {
    const path = "sub/caf\ufffd.txt";
    const { texts, left } = await results([
      { name: "read", arguments: { path } },
      { name: "write", arguments: { path, content: "x\n" } },
      { name: "edit", arguments: { input: `¶${path}#ABCD\nreplace 1..1:\n+x\n` } },
    ]);
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text).toContain(`Name it as it is listed: sub/${NAME}`);
    expect(Object.keys(left)).toEqual(["sub/caf\xe9.txt"]);
  });

  test("a file that is really called so is another file", async () => {
    const { texts, left } = await results(
      [
        { name: "find", arguments: { paths: "*" } },
        { name: "read", arguments: { path: NAME } },
        { name: "read", arguments: { path: String.raw`$'$\'caf\\351.txt\''` } },
        edit("replace 1..1:\n+changed"),
        { name: "read", arguments: { path: "$'x'" } },
      ],
      { files: { "caf\xe9.txt": "bytes\n", [NAME]: "literal\n", "$'x'": "plain\n" } },
    );
    const [found, read, literal, , plain] = texts as [string, ...string[]];
    expect(found).toContain(String.raw`$'$\'caf\\351.txt\''`);
    expect(read).toContain("1:bytes");
    expect(literal).toContain("1:literal");
    expect(plain).toContain("1:plain");
    expect(left).toEqual({ "caf\xe9.txt": "bytes\n", [NAME]: "changed\n", "$'x'": "plain\n" });
  });

  test("are judged by what they mean", async () => {
    const { texts, left } = await results(
      [
        { name: "read", arguments: { path: String.raw`$'\056env'` } },
        { name: "read", arguments: { path: String.raw`$'d\376'/key.pem` } },
        { name: "read", arguments: { path: String.raw`keys/$'a\351.pem'` } },
        { name: "search", arguments: { pattern: "SECRET", paths: String.raw`$'d\376'` } },
        { name: "write", arguments: { path: String.raw`$'\056\056'/$'out\351'`, content: "x" } },
        {
          name: "write",
          arguments: { path: String.raw`$'d\376'/.git/hooks/$'\160re-commit'`, content: "x" },
        },
      ],
      {
        files: {
          ".env": "SECRET=1\n",
          "d\xfe/key.pem": "SECRET\n",
          "keys/a\xe9.pem": "SECRET\n",
          "../out\xe9": "mine\n",
          "d\xfe/.git/HEAD": "ref: x\n",
        },
        settings:
          "tools:\n  rules:\n    - deny read(.env)\n    - deny read(keys/*.pem)\n    - deny read(*/key.pem)\n",
      },
    );
    const [env, key, pem, search, above, hook] = texts as [string, ...string[]];
    expect(env).toContain("(deny read(.env)");
    expect(key).toContain("(deny read(*/key.pem)");
    expect(pem).toContain("(deny read(keys/*.pem)");
    expect(search).toContain("No matches found");
    expect(above).toContain(String.raw`(it overwrites ~/$'out\351', outside the project)`);
    expect(hook).toContain("pre-commit, a git hook)");
    expect(left["d\xfe/.git/hooks/pre-commit"]).toBeUndefined();
  });

  test("a script under such a name is judged by its content, however it is run", async () => {
    const script = "#!/bin/sh\nrm -rf ~/precious\n";
    const run = (command: string) => ({ name: "bash", arguments: { command } });
    const { texts } = await results([
      { name: "write", arguments: { path: String.raw`$'x\351.sh'`, content: script } },
      run("bash x?.sh"),
      run("sh -e x*.sh"),
      run("cp x?.sh copy.sh && bash copy.sh"),
      run("mv x?.sh moved.sh"),
      run("bash moved.sh"),
    ]);
    const [written, plain, star, copied, moved, last] = texts as [string, ...string[]];
    expect(written).toContain("Wrote");
    for (const text of [plain, star, copied, last]) expect(text).toMatch(/it deletes .*precious/);
    expect(moved).toBe("(no output)");
  });

  test("go to other programs as they are", async () => {
    await using home = await isolatedHome();
    await writeFile(bytes(`${home.root}/caf\xe9.txt`), "x");
    const child = spawnTau(["find", "*.txt", "-0"], { cwd: home.root, home });
    expect(Buffer.from(await child.stdout.bytes())).toEqual(bytes("caf\xe9.txt\0"));
    expect(await child.exited).toBe(0);
  });
});
