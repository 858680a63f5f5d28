// Structural search and rewrite in whole sessions: what the model is shown, what it is made to
// do next, and what is on the disk at each point.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "@tau/host/syntax/language-table";
import { textOf, userText } from "@tau/tau/sdk";
import type { ScriptedCall, ScriptedTurn } from "@tau/testkit/script";
import { embed, type Embedding } from "./support/embedded.ts";
import { root } from "./support/run-tau.ts";

const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args } satisfies ScriptedCall],
});
const grep = (args: Record<string, unknown>) => call("ast_grep", args);
const edit = (args: Record<string, unknown>) => call("ast_edit", args);
const apply = call("resolve", { action: "apply", reason: "as wanted" });
const discard = call("resolve", { action: "discard", reason: "not wanted" });

/** Results in the order in which the model was told them. */
async function resultsOf(embedding: Embedding, options: { cwd?: string } = {}): Promise<string[]> {
  // The project is the whole home of the test, which is not overwritten unasked.
  const wishes = { session: { kind: "memory" }, approvalMode: "yolo" } as const;
  await using session = await embedding.start({ ...wishes, ...options });
  expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
  return session.messages.filter(({ role }) => role === "toolResult").map(textOf);
}

const TAG = /#[0-9A-Z]{4}/g;
const untagged = (text: string): string => text.replaceAll(TAG, "#TAG");

test("matches come with their lines, their surroundings and what the holes stand for", async () => {
  await using embedding = await embed([
    grep({ pat: "log($MSG, $$$REST)", paths: "src" }),
    { text: "seen" },
  ]);
  const { home } = embedding;
  await home.write(
    "src/a.ts",
    "// log(1, 2)\nfunction f() {\n  log(\n    'two',\n    2, 3,\n  );\n}\nf();\n",
  );
  await home.write("src/b.py", "x = 1\nlog('p', *y)\n");
  await home.write("src/c.txt", "log(1, 2)\n");
  const [text] = await resultsOf(embedding);
  expect(untagged(text!)).toBe(
    [
      "¶src/a.ts#TAG",
      " 2:function f() {",
      "*3:  log(",
      "*4:    'two',",
      "*5:    2, 3,",
      "*6:  );",
      "    $MSG='two'  $REST=2, 3,",
      " 7:}",
      " 8:f();",
      "",
      "¶src/b.py#TAG",
      " 1:x = 1",
      "*2:log('p', *y)",
      "    $MSG='p'  $REST=*y",
      "",
      "2 matches in 2 files (2 files searched).",
    ].join("\n"),
  );
});

test("a rule, a language and what is wrong with either are told so that they can be mended", async () => {
  await using embedding = await embed([
    grep({
      rule: { kind: "function_declaration", has: { pattern: "await $X", stopBy: "end" } },
      paths: "a.ts",
    }),
    grep({ pat: "foo(", paths: ["a.ts"] }),
    grep({ rule: { kind: "no_such_kind" }, paths: ["a.ts"] }),
    grep({ pat: "f()", lang: "klingon", paths: ["a.ts"] }),
    grep({ pat: "f()", paths: ["missing.ts", "nowhere/*.ts"] }),
    grep({ pat: "nothing($A)", paths: ["a.ts", "missing.ts"] }),
    grep({ paths: ["a.ts"] }),
    grep({ pat: "echo $A", lang: "bash", paths: ["script.inc", "."] }),
    grep({ pat: "g($A)", paths: ["torn.ts"] }),
    { text: "seen" },
  ]);
  const { home } = embedding;
  await home.write("a.ts", "async function f() {\n  await g();\n}\nfunction h() {}\n");
  await home.write("script.inc", "echo hello\n");
  await home.write("torn.ts", "g(1);\nlet = = 2;\n");
  const texts = await resultsOf(embedding);
  expect(untagged(texts[0]!)).toBe(
    [
      "¶a.ts#TAG",
      "*1:async function f() {",
      "*2:  await g();",
      "*3:}",
      "    $X=g()",
      " 4:function h() {}",
    ].join("\n"),
  );
  expect(texts[1]).toStartWith("typescript: The pattern is not typescript code");
  expect(texts[2]).toStartWith("typescript: The rule does not fit typescript");
  expect(texts[3]).toStartWith('There is no language "klingon" here. There are bash, c, cpp,');
  expect(texts[4]).toBe("None of these exist: missing.ts, nowhere/*.ts.");
  expect(texts[5]).toBe("No matches found\n\nNot found: missing.ts");
  expect(texts[6]).toContain("Give pat");
  expect(untagged(texts[7]!)).toStartWith("¶script.inc#TAG\n*1:echo hello\n    $A=hello\n");
  expect(texts[8]).toContain("torn.ts is not well formed");
});

test("pages of twenty files follow on one another, and hot files are cut", async () => {
  await using embedding = await embed([
    grep({ pat: "hit($N)", paths: ["many/**/*.js"] }),
    grep({ pat: "hit($N)", paths: ["many"], skip: 20 }),
    grep({ pat: "hit($N)", paths: ["many"], skip: 40 }),
    grep({ pat: "hit($N)", paths: ["many"], skip: 60 }),
    grep({ pat: "hit($N)", paths: ["hot.js"] }),
    { text: "seen" },
  ]);
  const { home } = embedding;
  for (let at = 10; at < 55; at++) await home.write(`many/${at}/f.js`, `hit(${at});\n`);
  await home.write(".gitignore", "ignored\n");
  await home.write("many/ignored/f.js", "hit(0);\n");
  await home.write("many/node_modules/x/f.js", "hit(0);\n");
  await home.write("many/.hidden.js", "hit(99);\n".repeat(30));
  await home.write("hot.js", "hit(1);\n".repeat(230));
  await Bun.$`git init -q`.cwd(home.root).env(home.env).quiet();
  const texts = await resultsOf(embedding);
  const names = texts
    .slice(0, 4)
    .map((text) => [...text.matchAll(/^¶(.*)#/gm)].map(([, path]) => path!));
  expect(names.map((page) => page.length)).toEqual([20, 20, 6, 0]);
  const all = names.flat();
  expect(all).toEqual(all.toSorted());
  expect(new Set(all).size).toBe(46);
  expect(all[0]).toBe("many/.hidden.js");
  expect(all.some((path) => path.includes("ignored") || path.includes("node_modules"))).toBe(false);
  expect(texts[0]).toContain("[20 of 30 matches; search many/.hidden.js alone for the others]");
  expect(texts[0]).toContain("75 matches in 46 files, files 1 to 20 shown");
  expect(texts[0]).toContain("Use skip=20 for the next page.");
  expect(texts[2]).not.toContain("skip=");
  expect(texts[3]).toBe("No matches found after skip=60: 46 files match in all.");
  expect(texts[4]!.match(/^\*/gm)).toHaveLength(200);
  expect(texts[4]).toContain(
    "[200 of 230 matches; narrow the pattern, or read hot.js:201- for the others]",
  );
});

const OLD: Record<string, string> = {
  "src/a.ts": "call(1, 2);\nkeep();\ncall(3);\n",
  "src/b.py": "if x:\r\n    call(a)\r\n",
  "src/c.ts": "keep();\n",
};
const NEW: Record<string, string> = {
  "src/a.ts": "made(1, 2).end();\nkeep();\nmade(3).end();\n",
  "src/b.py": "if x:\r\n    made(a).end()\r\n",
  "src/c.ts": "keep();\n",
};
/** As long as before. */
const CHANGED = OLD["src/b.py"]!.replace("a", "b");
const rewrite = edit({ ops: [{ pat: "call($$$A)", out: "made($$$A).end()" }], paths: ["src"] });

function contents({ home }: Embedding): Record<string, string> {
  const paths = Object.keys(OLD);
  return Object.fromEntries(paths.map((path) => [path, readFileSync(home.path(path), "utf8")]));
}

async function withSources(script: Parameters<typeof embed>[0]): Promise<Embedding> {
  const embedding = await embed(script);
  for (const [path, text] of Object.entries(OLD)) await embedding.home.write(path, text);
  return embedding;
}

test("a rewrite is shown, the next choice is forced, and applying writes what was shown", async () => {
  const onDisk: Record<string, string>[] = [];
  await using embedding: Embedding = await withSources([
    rewrite,
    () => {
      onDisk.push(contents(embedding));
      return apply;
    },
    { text: "done" },
  ]);
  const [shown, applied] = await resultsOf(embedding);
  expect(untagged(shown!)).toBe(
    [
      "¶src/a.ts#TAG",
      "-1:call(1, 2);",
      "+1:made(1, 2).end();",
      " 2:keep();",
      "-3:call(3);",
      "+3:made(3).end();",
      "",
      "¶src/b.py#TAG",
      " 1:if x:",
      "-2:    call(a)",
      "+2:    made(a).end()",
      "",
      "3 replacements in 2 files (3 files searched).",
      "",
      "Nothing is written yet. Call resolve to apply or discard it (preview-1).",
    ].join("\n"),
  );
  expect(onDisk[0]).toEqual(OLD);
  const choices = embedding.server.requests.map(({ decoded }) => decoded.toolChoice);
  expect(choices).toEqual([undefined, { name: "resolve" }, undefined]);
  expect(untagged(applied!)).toBe(
    "Applied 3 replacements in 2 files.\n¶src/a.ts#TAG\n¶src/b.py#TAG",
  );
  // The tags are those of the new texts.
  expect(applied!.match(TAG)).not.toEqual(shown!.match(TAG));
  expect(contents(embedding)).toEqual(NEW);
});

test("what is discarded changes nothing", async () => {
  await using embedding = await withSources([rewrite, discard, { text: "done" }]);
  const [, settled] = await resultsOf(embedding);
  expect(settled).toContain("Nothing was written");
  expect(contents(embedding)).toEqual(OLD);
});

test("one file that changed after the preview, to the same size, stops the whole of it", async () => {
  await using embedding: Embedding = await withSources([
    rewrite,
    () => {
      writeFileSync(embedding.home.path("src/b.py"), CHANGED);
      return apply;
    },
    { text: "done" },
  ]);
  const [, refused] = await resultsOf(embedding);
  expect(refused).toStartWith("src/b.py is no longer what the preview was made from");
  expect(contents(embedding)).toEqual({ ...OLD, "src/b.py": CHANGED });
});

test("what cannot be rewritten says why and leaves no preview", async () => {
  const ops = (...pairs: [string, string][]) => pairs.map(([pat, out]) => ({ pat, out }));
  await using embedding = await embed([
    edit({ ops: ops(["f($A)", "g($A)"], ["f($A) ", "h($A)"]), paths: ["a.ts"] }),
    edit({ ops: ops(["  ", "x"]), paths: ["a.ts"] }),
    edit({ ops: [], paths: ["a.ts"] }),
    edit({ ops: ops(["f($A)", "g($A)"]), paths: ["nested.ts"] }),
    edit({ ops: ops(["f($A)", "f($A)"]), paths: ["a.ts"] }),
    edit({ ops: ops(["f(", "g("]), paths: ["a.ts"] }),
    edit({ ops: ops(["f($A)", "g($B)"]), paths: ["a.ts"] }),
    edit({ ops: ops(["f($A)", "g($A)"]), paths: ["torn.ts", "made.ts"] }),
    edit({ ops: ops(["f($A)", "g($A)"]), paths: ["gone.ts"] }),
    { text: "done" },
  ]);
  const { home } = embedding;
  const files: Record<string, string> = {
    "a.ts": "f(1);\n",
    "nested.ts": "f(f(1));\n",
    "torn.ts": "f(1);\nlet = = 2;\n",
    "made.ts": "// Code generated by x. DO NOT EDIT.\nf(1);\n",
  };
  for (const [path, text] of Object.entries(files)) await home.write(path, text);
  const texts = await resultsOf(embedding);
  expect(texts[0]).toBe("ops[1].pat is there twice: f($A). Give each pattern once.");
  expect(texts[1]).toBe("ops[0].pat is empty: write the code to look for.");
  expect(texts[2]).toContain("ops");
  expect(texts[3]).toStartWith("nested.ts: On lines 1 and 1, matches of operation 1 are nested");
  expect(texts[4]).toBe("No replacements made");
  expect(texts[5]).toStartWith(
    "No replacements made\nops[0], typescript: The pattern is not typesc",
  );
  expect(texts[6]).toContain("The replacement uses $B, but the pattern captures $A");
  expect(texts[7]).toContain("torn.ts: The text is not well-formed typescript");
  expect(texts[7]).toContain("made.ts is written by a program");
  expect(texts[8]).toContain("gone.ts does not exist");
  for (const { decoded } of embedding.server.requests) {
    expect(decoded.toolChoice).toBeUndefined();
  }
  for (const [path, text] of Object.entries(files)) expect(await home.read(path)).toBe(text);
});

test("a rewrite of many files shows some, names the others and writes them all", async () => {
  await using embedding = await embed([
    edit({
      ops: [
        { pat: "old($N)", out: "" },
        { pat: "two($N)", out: "2" },
      ],
      paths: ["*.rs"],
    }),
    apply,
    grep({ pat: "x.$F()", paths: ["f10.rs"] }),
    { text: "done" },
  ]);
  for (let at = 10; at < 40; at++) {
    await embedding.home.write(`f${at}.rs`, `fn f() {\n    two(${at});\n    x.go();\n}\n`);
  }
  const [shown, applied, found] = await resultsOf(embedding);
  expect(shown!.match(/^¶/gm)).toHaveLength(20);
  expect(shown).toContain("Not shown, with the number of replacements: f30.rs (1), f31.rs (1)");
  expect(applied).toContain("Applied 30 replacements in 30 files.");
  expect(applied).toContain("and 10 more files");
  for (let at = 10; at < 40; at++) {
    expect(await embedding.home.read(`f${at}.rs`)).toBe("fn f() {\n    2;\n    x.go();\n}\n");
  }
  // What was written is known under the tag that it was announced with.
  expect(found!.match(TAG)![0]).toBe(applied!.match(TAG)![0]);
});

describe("the page about structural search", async () => {
  const page = await Bun.file(join(root, "docs/structural.md")).text();

  test("names every language", () => {
    const [, listed] = /<!-- languages -->\s*([\s\S]*?)\s*<!-- end -->/.exec(page)!;
    const names = listed!.replaceAll(/\s+/g, " ").replace(/\.$/, "").split(", ");
    expect(names).toEqual(LANGUAGES.map(({ name }) => name));
  });

  test("shows what really happens", async () => {
    const blocks = [...page.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)];
    const calls = blocks.filter(([, language]) => language === "json");
    const results = blocks.filter(([, language]) => language === "text");
    await using embedding = await embed([
      ...calls.map(([, , tool, args]) => call(tool!, JSON.parse(args!))),
      { text: "done" },
    ]);
    const [, , name, source] = blocks.find(([, language]) => language === "ts")!;
    await embedding.home.write(`project/${name}`, source!);
    const cwd = embedding.home.path("project");
    const told = await resultsOf(embedding, { cwd });
    expect(told).toEqual(results.map(([, , , text]) => text!.trimEnd()));
  });
});
