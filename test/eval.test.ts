// Code cells as a model uses them: a session whose model calls the tool, and the tool through its
// table, on real interpreters.

import { describe, expect, test as plainTest } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { ToolError, type ToolContent } from "@tau/agent/tool";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf, userText } from "@tau/tau/sdk";
import type { EvalBridge } from "@tau/tau/tools/eval/bridge";
import { DEFAULT_EVAL_SETTINGS, type EvalSettings } from "@tau/tau/tools/eval/settings";
import { createEvalTool, type EvalDetails } from "@tau/tau/tools/eval/tool";
import { createReadTool } from "@tau/tau/tools/read/tool";
import { Workspace } from "@tau/tau/tools/workspace";
import { testWith } from "@tau/testkit/require-program";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { ModelServer } from "@tau/testkit/model-server";
import { embed } from "./support/embedded.ts";
import { runTau } from "./support/run-tau.ts";

const LIMIT_MS = 60_000;
const NEED = { program: ["python3", "python"], proves: "cells in Python" };
const test = (name: string, body: () => Promise<void>): void =>
  testWith(NEED, name, body, LIMIT_MS);

interface Answer {
  text: string;
  images: { mimeType: string; data: string }[];
  isError: boolean;
  details: EvalDetails | undefined;
}

interface Bench extends AsyncDisposable {
  home: IsolatedHome;
  workspace: Workspace;
  table: ToolTable;
  call(cells: object[], signal?: AbortSignal): Promise<Answer>;
  py(code: string, more?: object): Promise<Answer>;
  js(code: string, more?: object): Promise<Answer>;
}

interface BenchOptions {
  env?: Record<string, string>;
  settings?: EvalSettings;
  bridge?: (table: () => ToolTable) => EvalBridge;
  update?: (text: string) => void;
}

/** Tools of the table, called as the session would. */
function bridgeTo(table: () => ToolTable): EvalBridge {
  let calls = 0;
  return {
    async callTool(name, args, signal) {
      const call = {
        type: "toolCall" as const,
        id: `nested-${++calls}`,
        name,
        arguments: { ...args },
      };
      const { result } = await table().run(call, { signal, update: () => undefined });
      if (result.isError) throw new ToolError(textOf(result), result.content);
      return { content: result.content };
    },
  };
}

async function open(options: BenchOptions = {}): Promise<Bench> {
  const home = await isolatedHome();
  const env = { ...home.env, PATH: process.env.PATH, ...options.env };
  const workspace = new Workspace({ cwd: home.root, env });
  const bridge = (options.bridge ?? bridgeTo)(() => table);
  const tool = createEvalTool(workspace, bridge, options.settings);
  const table = new ToolTable([tool, createReadTool(workspace)]);
  const call = async (cells: object[], signal = new AbortController().signal): Promise<Answer> => {
    const run = await table.run(
      { type: "toolCall", id: "c", name: "eval", arguments: { cells } },
      { signal, update: (text) => options.update?.(text) },
    );
    expect(run.bug).toBeUndefined();
    const { content, isError } = run.result;
    const images = content.filter((block: ToolContent) => block.type === "image");
    return { text: textOf(run.result), images, isError, details: run.details as EvalDetails };
  };
  return {
    home,
    workspace,
    table,
    call,
    py: (code, more = {}) => call([{ language: "py", code, ...more }]),
    js: (code, more = {}) => call([{ language: "js", code, ...more }]),
    async [Symbol.asyncDispose]() {
      await tool[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

test("a model's cells keep their state from call to call of one session", async () => {
  const calls = [
    [{ language: "py", code: "total = sum(range(10))\nprint('counted')" }],
    [
      { language: "py", code: "total" },
      { language: "js", code: "const n = 2; n ** 5", title: "power" },
    ],
    [{ language: "py", code: "total / 0" }],
  ];
  await using embedding = await embed((_, turn) => {
    const cells = calls[turn - 1];
    return cells ? { toolCalls: [{ name: "eval", arguments: { cells } }] } : { text: "done" };
  });
  const { home } = embedding;
  await using workspace = new Workspace({
    cwd: home.root,
    env: { ...home.env, PATH: process.env.PATH },
  });
  await using tool = createEvalTool(workspace);
  await using session = await embedding.start({
    session: { kind: "memory" },
    toolNames: [],
    tools: [tool],
  });
  expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
  const results = session.messages.filter((message) => message.role === "toolResult");
  expect(results.map(textOf)).toEqual([
    "counted",
    "[1/2]\n45\n[2/2] power\n32",
    expect.stringMatching(
      /^Traceback[^\n]*\n {2}File "<cell 3>", line 1, in <module>\n {4}total \/ 0\n[^]*\n\[ZeroDivisionError: division by zero\]$/,
    ),
  ]);
  expect(results.map(({ isError }) => isError)).toEqual([false, false, true]);
});

describe("a call", () => {
  test("resets one language and leaves the other", async () => {
    await using bench = await open();
    await bench.call([
      { language: "py", code: "x = 1" },
      { language: "js", code: "var x = 2" },
    ]);
    const { text } = await bench.call([
      { language: "py", code: "'x' in globals()", reset: true },
      { language: "js", code: "x" },
      { language: "py", code: "y = 1" },
      { language: "py", code: "y" },
    ]);
    expect(text).toBe("[1/4]\nFalse\n[2/4]\n2\n[3/4]\n(no output)\n[4/4]\n1");
  });

  test("stops at the first cell that fails; the state of those before stays", async () => {
    await using bench = await open();
    const { text, isError } = await bench.call([
      { language: "py", code: "kept = 'yes'", title: "set" },
      { language: "py", code: "print('out')\nraise ValueError('bad')", title: "fail" },
      { language: "py", code: "kept = 'overwritten'" },
    ]);
    expect(isError).toBe(true);
    expect(text).toStartWith("[1/3] set\n(no output)\n[2/3] fail\nout\nTraceback");
    expect(text).toEndWith("[cell 2 of 3: ValueError: bad; the cell after it did not run]");
    expect((await bench.py("kept")).text).toBe("'yes'");
  });

  test("says what happened to cells that were stopped or ended their kernel", async () => {
    await using bench = await open();
    const stopped = await bench.py("x = 1\nwhile True: pass", { timeout: 1 });
    expect(stopped.text).toMatch(
      /^\[stopped after 1 s at <cell 1>, line 2; what cells have defined is kept\]$/,
    );
    expect((await bench.py("x")).text).toBe("1");
    const ended = await bench.py("print('bye'); import os; os._exit(3)");
    expect(ended.text).toBe(
      "bye\n[the kernel ended (exit code 3) and everything that py cells defined is lost; the next cell starts a new one]",
    );
    const hung = await bench.js("await new Promise(() => {})", { timeout: 1 });
    expect(hung.text).toBe(
      "[stopped after 1 s; the kernel had to be ended and everything that js cells defined is lost]",
    );
  });

  test("is aborted with what it had, and the next one works", async () => {
    const stop = new AbortController();
    await using bench = await open({ update: (text) => text.includes("begun") && stop.abort() });
    const answer = await bench.call(
      [{ language: "py", code: "x = 7\nprint('begun')\nimport time\ntime.sleep(1000)" }],
      stop.signal,
    );
    expect(answer.isError).toBe(true);
    expect(answer.text).toBe("begun\n[aborted; what cells have defined is kept]");
    expect((await bench.py("x")).text).toBe("7");
  });

  test("with arguments that do not fit is refused before anything runs", async () => {
    await using bench = await open();
    for (const cells of [
      [],
      [{ language: "rb", code: "" }],
      [{ language: "py" }],
      [{ language: "py", code: "", timeout: 0 }],
      [{ language: "py", code: "", timeout: 601 }],
      [{ language: "py", code: "", timeout: 1.5 }],
    ]) {
      expect((await bench.call(cells)).isError).toBe(true);
    }
    expect((await bench.py("")).text).toBe("(no output)");
  });
});

describe("what is shown", () => {
  test("long output is cut for the model and whole in an artifact", async () => {
    await using bench = await open();
    const { text, details } = await bench.py("for i in range(100000): print('line', i)");
    expect(text.length).toBeLessThan(60_000);
    expect(text).toStartWith("line 0\nline 1\n");
    expect(text).toContain("[… 99,997 lines like these …]");
    expect(text).toContain(`line 99999\n[the whole output: artifact://${details!.artifactId}]`);
    const store = await bench.workspace.artifacts();
    const [kept] = await store.list();
    expect(kept).toMatchObject({ id: details!.artifactId, tool: "eval", bytes: 1_088_890 });
    expect((await bench.py(`output(${details!.artifactId})[:13]`)).text).toBe("'line 0\\nline 1'");
  });

  test("pictures become blocks, in both languages, and a broken one a sentence", async () => {
    await using bench = await open();
    const png = onePixel();
    const py = await bench.py(
      `import base64\nclass P:\n    def _repr_png_(self): return base64.b64decode("${png}")\nprint("before")\nP()\ndisplay(P())\nP()`,
    );
    expect(py.text).toContain("before");
    expect(py.text).toContain("[image 1]");
    expect(py.images).toHaveLength(2);
    expect(py.images[0]).toMatchObject({ type: "image", mimeType: "image/png" });
    const js = await bench.js(`display({ type: "image", mimeType: "image/png", data: "${png}" })`);
    expect(js).toMatchObject({ text: "[image 1]", isError: false });
    expect(js.images).toHaveLength(1);
    const broken = await bench.js(
      `display({ type: "image", mimeType: "image/png", data: "aGk=" })`,
    );
    expect(broken.text).toStartWith("[an image that cannot be shown: ");
    expect(broken.images).toEqual([]);
    const many = await bench.js(
      `for (let i = 0; i < 20; i++) display({ type: "image", mimeType: "image/png", data: "${png}" })`,
    );
    expect(many.images).toHaveLength(12);
    expect(many.text).toContain("8 more images are not shown");
  });

  test("details tell renderers of cells, structures and what helpers did", async () => {
    await using bench = await open();
    const { details } = await bench.call([
      { language: "py", code: "write('a.txt', 'x')\ndisplay({'a': 1})", title: "one" },
      { language: "js", code: "display([true]); console.log('hi')" },
    ]);
    expect(details).toMatchObject({
      languages: ["py", "js"],
      jsonOutputs: [{ a: 1 }, [true]],
      cells: [
        {
          language: "py",
          title: "one",
          status: "complete",
          output: "{'a': 1}",
          statusEvents: [{ op: "write", path: "a.txt", characters: 1 }],
        },
        { language: "js", status: "complete", output: "[ true ]\nhi" },
      ],
    });
  });

  test("whoever watches sees it as it comes", async () => {
    const seen: string[] = [];
    const stop = new AbortController();
    await using bench = await open({
      update: (text) => {
        seen.push(text);
        if (text.includes("two")) stop.abort();
      },
    });
    const code = "import time\nprint('one')\ntime.sleep(0.3)\nprint('two')\ntime.sleep(1000)";
    await bench.call([{ language: "py", code }], stop.signal);
    expect(seen.join("")).toContain("one\ntwo");
  });
});

describe("asking the session", () => {
  test("a tool's text comes back, its refusal is raised, and the deadline stands still", async () => {
    await using bench = await open({
      bridge: (table) => ({
        async callTool(name, args, signal) {
          await Bun.sleep(1500);
          return bridgeTo(table).callTool!(name, args, signal);
        },
      }),
    });
    await bench.home.write("note.txt", "remember me\n");
    const py = await bench.py("tool.read(path='note.txt').split('\\n')[-1]", { timeout: 1 });
    expect(py).toMatchObject({ isError: false });
    expect(py.text).toContain("remember me");
    const js = await bench.js("(await tool.read({ path: 'note.txt' })).includes('remember me')", {
      timeout: 1,
    });
    expect(js.text).toBe("true");
    const missing = await bench.py("tool.read(path='none.txt')");
    expect(missing.isError).toBe(true);
    expect(missing.text).toContain("ToolError:");
    expect((await bench.py("tool.nothing()")).text).toContain('There is no tool "nothing"');
  });

  test("cells within cells: the other language runs, the same one is refused, nothing hangs", async () => {
    await using bench = await open();
    const inner = (language: string, code: string) =>
      `{"cells": [{"language": "${language}", "code": ${JSON.stringify(code)}}]}`;
    expect((await bench.py(`tool.eval(${inner("js", "6 * 7")})`)).text).toBe("'42'");
    const same = await bench.py(`x = 1\ntool.eval(${inner("py", "x = 2")})`);
    expect(same.isError).toBe(true);
    expect(same.text).toContain("put the code into that cell");
    expect((await bench.py("x")).text).toBe("1");
    const reset = `{"cells": [{"language": "py", "code": "1", "reset": True}]}`;
    expect((await bench.py(`tool.eval(${reset})`)).text).toContain("put the code into that cell");
    expect((await bench.py("x")).text).toBe("1");
  });

  test("models and agents are asked with their options, and refused where there are none", async () => {
    const asked: unknown[] = [];
    await using bench = await open({
      bridge: () => ({
        complete: async (prompt, options) => (asked.push({ prompt, options }), { fits: true }),
        runAgent: async (prompt, options) => (asked.push({ prompt, options }), `did ${prompt}`),
        concurrency: () => 2,
      }),
    });
    const py = await bench.py(
      "completion('p', model='smol', schema={'type': 'object'})['fits'], parallel([lambda: agent('a', label='l'), lambda: agent('b')])",
    );
    expect(py.text).toBe("(True, ['did a', 'did b'])");
    const js = await bench.js("await agent('c', { agentType: 'explore' })");
    expect(js.text).toBe('"did c"');
    expect(asked).toContainEqual({
      prompt: "p",
      options: { model: "smol", schema: { type: "object" } },
    });
    expect(asked).toContainEqual({ prompt: "a", options: { label: "l" } });
    expect(asked).toContainEqual({ prompt: "c", options: { agentType: "explore" } });
    expect(bench.table.get("eval")!.description).toContain("completion(");
    await using plain = await open({ bridge: () => ({}) });
    expect((await plain.py("completion('p')")).text).toContain("There is no model to ask here.");
    expect((await plain.js("await tool.read({})")).text).toContain("No tools can be called");
    expect(plain.table.get("eval")!.description).not.toContain("completion(");
  });
});

describe("the place", () => {
  test("cells run in the session's directory, without the keys of models", async () => {
    await using bench = await open({
      env: { OPENAI_API_KEY: "sk-secret", ANTHROPIC_API_KEY: "sk-secret", PLAIN: "kept" },
    });
    const names = "['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'PLAIN']";
    const py = await bench.py(`import os\nos.getcwd(), [os.environ.get(n) for n in ${names}]`);
    expect(py.text).toBe(`('${bench.home.root}', [None, None, 'kept'])`);
    const js = await bench.js(`[process.cwd(), ...${names}.map((n) => process.env[n])]`);
    expect(js.text).toContain('undefined, undefined, "kept"');
    const all = "import os; 'sk-secret' in str(dict(os.environ))";
    expect((await bench.py(all)).text).toBe("False");
    expect((await bench.js("JSON.stringify(process.env).includes('sk-secret')")).text).toBe(
      "false",
    );
  });

  test("languages can be turned off, Python be chosen, and each cell be made to forget", async () => {
    const { eval: rows, python } = DEFAULT_EVAL_SETTINGS;
    await using off = await open({ settings: { eval: { ...rows, js: false }, python } });
    expect((await off.js("1")).text).toBe("[Cells in js are turned off (the setting eval.js).]");
    await using gone = await open({
      settings: { eval: rows, python: { ...python, interpreter: "/none/python" } },
    });
    expect((await gone.py("1")).text).toContain("python.interpreter");
    expect((await gone.js("1")).text).toBe("1");
    await using forgetful = await open({
      settings: { eval: rows, python: { ...python, kernelMode: "per-call" } },
    });
    const { text } = await forgetful.call([
      { language: "py", code: "x = 1" },
      { language: "py", code: "'x' in globals()" },
    ]);
    expect(text).toContain("[2/2]\nFalse");
  });
});

test("the examples of the documentation give what it says", async () => {
  const page = await Bun.file(join(import.meta.dir, "../docs/cells.md")).text();
  const examples = [...page.matchAll(/```(py|js)\n([^]*?)```\n(?:\n```text\n([^]*?)\n```)?/g)];
  expect(examples.length).toBeGreaterThan(7);
  await using bench = await open();
  for (const [, language, code, shown = "(no output)"] of examples) {
    const { text } = await bench.call([{ language, code }]);
    // Newer interpreters underline the place as well.
    expect({ code, text: text.replace(/^ *[~^]+\n/gm, "") }).toEqual({ code, text: shown });
  }
});

plainTest("the words to the model are few", async () => {
  await using home = await isolatedHome();
  await using workspace = new Workspace({ cwd: home.root, env: home.env });
  await using tool = createEvalTool(workspace, { complete: async () => "" });
  expect(tool.description.length).toBeLessThan(1700);
  expect(tool).toMatchObject({ name: "eval", tier: "exec", concurrency: "exclusive" });
});

/** A red pixel, in base64. */
function onePixel(): string {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(Bun.hash.crc32(body), body.length + 4);
    return out;
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from([0, 255, 0, 0]))),
    chunk("IEND", Buffer.alloc(0)),
  ]).toString("base64");
}

test("in a session a cell calls tools, which are judged like any other call", async () => {
  await using embedding = await embed((_request, turn) => {
    const code = `
const listing = await tool.read({ path: "notes.txt:raw" });
let refused = "";
// Put together here, so that nobody sees it in the cell itself.
const command = ["r", "m"].join("") + " -rf ~/../outside";
try { await tool.bash({ command }); } catch (error) { refused = error.message; }
[listing, refused].join("\\n");`;
    return turn === 1
      ? { toolCalls: [{ name: "eval", arguments: { cells: [{ language: "js", code }] } }] }
      : { text: "done" };
  });
  await embedding.home.write("notes.txt", "a note\n");
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  const said = session.messages.map(textOf).join("\n");
  expect(said).toContain("a note");
  expect(said).toContain("consent");
});

plainTest("an error shows the lines of cells and nothing of the program around them", async () => {
  await using home = await isolatedHome();
  const cells = (code: string) => ({
    toolCalls: [{ name: "eval", arguments: { cells: [{ language: "js", code }] } }],
  });
  await using server = await ModelServer.start([
    cells("await 1;\nnull.x"),
    cells("not a program"),
    { text: "done" },
  ]);
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  await runTau(["-p", "-m", "ollama/x", "--yolo", "go"], { cwd: home.root, home, env });
  const { messages } = server.requests.at(-1)!.decoded;
  const results = messages.filter(({ role }) => role === "toolResult").map(textOf);
  expect(results).toHaveLength(2);
  expect(results[0]).toContain("at cell 1: ");
  for (const text of results) expect(text).not.toMatch(/main\.[jt]s/);
});

plainTest("helpers of cells are judged when they write", async () => {
  await using home = await isolatedHome();
  await mkdir(home.path("work"));
  const cells = (language: string, code: string) => ({
    toolCalls: [{ name: "eval", arguments: { cells: [{ language, code }] } }],
  });
  // Only when it runs it is known which file it is.
  await home.write("work/name.txt", "~/.bashrc");
  const hidden = `const name = await read("name.txt");\nawait write("own.txt", "mine");\nawait write(name, "evil")`;
  const run = async (...flags: string[]) => {
    await using server = await ModelServer.start([cells("js", hidden), { text: "done" }]);
    const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
    const args = ["-p", "-m", "ollama/x", ...flags, "go"];
    await runTau(args, { cwd: home.path("work"), home, env });
    return server.requests.at(-1)!.decoded.messages.map(textOf).join("\n");
  };
  expect(await run()).toContain("Not written: it creates ~/.bashrc, a shell start-up file.");
  expect(await home.read("work/own.txt")).toBe("mine");
  expect(existsSync(home.path(".bashrc"))).toBe(false);
  await run("--yolo");
  expect(await home.read(".bashrc")).toBe("evil");
});
