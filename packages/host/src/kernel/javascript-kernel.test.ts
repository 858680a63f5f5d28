// JavaScript cells in a real process: what stays from cell to cell, imports, values, and all that
// a cell may do to its kernel.

import { describe, expect, test } from "bun:test";
import { canInspectProcesses, processesWithEnv, waitUntilGone } from "@tau/testkit/processes";
import { CELL_ENV, javaScriptCells } from "./test/cells.ts";

describe("from one cell to the next", () => {
  test("what is declared stays, and may be declared again", async () => {
    await using cells = await javaScriptCells();
    const first = await cells.run(
      "const a = 1; let b = 2; var c = 3; function f() { return a + b } class K { x = 1 }",
    );
    expect(first).toMatchObject({ end: "ok", text: "" });
    expect((await cells.run("[a, b, c, f(), new K().x]")).text).toBe("‹[ 1, 2, 3, 3, 1 ]›");
    await cells.run("const a = 10; let { b, ...rest } = { b: 20, d: 4 }; class K { x = 2 }");
    expect((await cells.run("[a, b, rest.d, f(), new K().x]")).text).toBe("‹[ 10, 20, 4, 30, 2 ]›");
    expect((await cells.run("_.length")).text).toBe("‹5›");
    await cells.kernel.reset();
    expect((await cells.run("typeof a")).text).toBe('‹"undefined"›');
  });

  test("await, return and types work at the top", async () => {
    await using cells = await javaScriptCells();
    expect((await cells.run("const n: number = await Promise.resolve(4); n as number")).text).toBe(
      "‹4›",
    );
    expect((await cells.run("if (n > 3) return 'early'; n")).text).toBe('‹"early"›');
    expect((await cells.run("interface I { a: string }\ntype T = I;")).text).toBe("");
    expect((await cells.run("enum E { A, B }\nE.B")).text).toBe("‹1›");
    expect((await cells.run("const id = <T,>(x: T) => x; id<string>('t')")).text).toBe('‹"t"›');
    const required = "await Promise.all([() => require('node:path').sep].map((f) => f()))";
    expect((await cells.run(required)).text).toBe('‹[ "/" ]›');
    expect((await cells.run("({ value: 1 })")).text).toBe("‹{\n  value: 1,\n}›");
    expect((await cells.run("")).end).toBe("ok");
  });

  test("imports begin at the working directory; edited modules are read again, packages are not", async () => {
    await using cells = await javaScriptCells();
    await cells.write("dep.ts", "export const word = 'one';");
    await cells.write("mod.ts", "export { word } from './dep.ts'; export const made = {};");
    await cells.write("node_modules/pack/package.json", '{"name":"pack","main":"index.js"}');
    await cells.write("node_modules/pack/index.js", "module.exports = { made: {} };");
    await cells.run(
      "import pack from 'pack'; const before = pack.made; import { word } from './mod.ts'",
    );
    expect((await cells.run("word")).text).toBe('‹"one"›');
    await cells.write("dep.ts", "export const word = 'two';");
    expect((await cells.run("(await import('./mod.ts')).word")).text).toBe('‹"two"›');
    expect((await cells.run("require('pack').made === before")).text).toBe("‹true›");
    expect((await cells.run("import gone from 'not-there'")).error?.message).toContain("not-there");
    expect((await cells.run("import { basename } from 'node:path'; basename('/a/b')")).text).toBe(
      '‹"b"›',
    );
  });

  test("import.meta is that of a file in the working directory", async () => {
    await using cells = await javaScriptCells();
    await cells.write("data.json", '{"a":1}');
    const beside = "(await Bun.file(new URL('./data.json', import.meta.url)).json()).a";
    expect((await cells.run(beside)).text).toBe("‹1›");
    expect((await cells.run("import.meta.dir === process.cwd()")).text).toBe("‹true›");
    expect((await cells.run("const { main, file } = import.meta; [main, file]")).text).toBe(
      '‹[ false, "cell.js" ]›',
    );
    expect(
      (await cells.run("import.meta.resolve('./data.json').endsWith('/data.json')")).text,
    ).toBe("‹true›");
    expect((await cells.run("'import.meta'")).text).toBe('‹"import.meta"›');
  });

  test("two kernels share nothing", async () => {
    await using one = await javaScriptCells();
    await using two = await javaScriptCells();
    await Promise.all([one.run("globalThis.x = 1"), two.run("var y = 2")]);
    expect((await two.run("[typeof x, y]")).text).toBe('‹[ "undefined", 2 ]›');
  });
});

describe("output", () => {
  test("from the console and both streams in order, with displays in their place", async () => {
    await using cells = await javaScriptCells();
    const { text } = await cells.run(`
console.log("a", { b: [1] });
console.error("c");
process.stdout.write("d");
display("e");
process.stderr.write("f");
print("g");
console.table([{ x: 1 }]);
7`);
    expect(text).toStartWith("a { b: [ 1 ] }\nc\nd‹e›fg\n");
    expect(text).toContain("│ 1 │");
    expect(text).toEndWith("‹7›");
  });

  test("of 100 MB is read to its end", async () => {
    await using cells = await javaScriptCells();
    const code = "for (let i = 0; i < 1600; i++) console.log('x'.repeat(65535))";
    const { printedBytes, end } = await cells.run(code);
    expect({ printedBytes, end }).toEqual({ printedBytes: 1600 * 65_536, end: "ok" });
  });

  test("values of every kind", async () => {
    await using cells = await javaScriptCells();
    const bundles: unknown[] = [];
    await cells.run(
      `const circle: any = { a: 1 }; circle.self = circle;
       display({ a: 1 }, circle, 3n, { type: "markdown", text: "# t" },
         { type: "image", mimeType: "image/png", data: new Uint8Array([1, 2]) }, null)`,
      { onDisplay: (bundle) => void bundles.push(bundle) },
    );
    expect(bundles).toEqual([
      { "application/json": { a: 1 }, "text/plain": "{\n  a: 1,\n}" },
      { "text/plain": "{\n  a: 1,\n  self: [Circular],\n}" },
      { "text/plain": "3n" },
      { "text/markdown": "# t" },
      { "image/png": "AQI=", "text/plain": "" },
      { "text/plain": "null" },
    ]);
    const huge = await cells.run("'ü'.repeat(5_000_000)");
    expect(huge.text).toContain("characters left out");
    expect((await cells.run("({ get bad() { throw 1 } })")).end).toBe("ok");
    const proxy =
      "new Proxy({}, { get() { throw new Error('p') }, ownKeys() { throw new Error('q') } })";
    expect((await cells.run(proxy)).end).toBe("ok");
  });

  test("of what outlives its cell comes with the next one, also an error nobody caught", async () => {
    await using cells = await javaScriptCells();
    await cells.run("setTimeout(() => { console.log('late'); throw new Error('astray') }, 50); 1");
    await Bun.sleep(600);
    const { text } = await cells.run("2");
    expect(text).toStartWith(
      "[printed since the last cell]\nlate\n[nobody caught this] Error: astray",
    );
    expect(text).toEndWith("‹2›");
  });
});

describe("errors", () => {
  test("quote the lines of cells that led there", async () => {
    await using cells = await javaScriptCells();
    await cells.run("function inner(x) {\n  throw new TypeError(`bad ${x}`);\n}");
    const { error, end } = await cells.run("await 1;\nfunction outer() {\n  inner(5);\n}\nouter()");
    expect(end).toBe("error");
    expect(error).toMatchObject({ name: "TypeError", message: "bad 5" });
    const [, first, second] = error!.traceback.split("\n");
    expect(first).toStartWith("    at cell 1: throw");
    expect(second).toBe("    at cell 2: inner(5);");
    expect(error!.traceback).not.toContain("serve-cells");
  });

  test("of syntax show the place", async () => {
    await using cells = await javaScriptCells();
    const { error } = await cells.run("let ok = 1;\nconst = 2");
    expect(error).toMatchObject({ name: "SyntaxError" });
    expect(error!.traceback).toContain("(line 2)\n    const = 2\n          ^");
  });

  test("that are no errors, causes, and an exit", async () => {
    await using cells = await javaScriptCells();
    await cells.run("var x = 1");
    expect((await cells.run("throw 5")).error?.traceback).toBe("thrown: 5");
    expect((await cells.run("throw null")).error?.traceback).toBe("thrown: null");
    const caused = "throw new Error('top', { cause: new Error('root') })";
    expect((await cells.run(caused)).error?.traceback).toContain("caused by Error: root");
    expect((await cells.run("process.exit()")).end).toBe("ok");
    expect((await cells.run("process.exit(3)")).error?.message).toContain("process.exit(3)");
    expect((await cells.run("x")).text).toBe("‹1›");
  });

  test("that end the process are told, and the next cell starts anew", async () => {
    await using cells = await javaScriptCells();
    await cells.run("var x = 1");
    const died = await cells.run(
      "console.log('last'); process.kill(process.pid, 'SIGKILL'); for (;;) {}",
    );
    expect(died).toMatchObject({
      end: "died",
      ending: "SIGKILL",
      isStateLost: true,
      text: "last\n",
    });
    expect((await cells.run("typeof x")).text).toBe('‹"undefined"›');
  });
});

describe("being stopped", () => {
  test("a busy loop is interrupted and what was defined survives", async () => {
    await using cells = await javaScriptCells();
    await cells.run("var x = 1");
    for (const code of [
      "for (;;) {}",
      "while (true) console.log('.'.repeat(1000))",
      "await (async () => { for (;;) {} })()",
    ]) {
      const result = await cells.run(code, { timeoutMs: 300 });
      expect({ code, end: result.end, lost: result.isStateLost }).toEqual({
        code,
        end: "timeout",
        lost: false,
      });
      expect((await cells.run("x")).text).toBe("‹1›");
    }
  });

  test("what cannot be interrupted is ended, and it is said that state is lost", async () => {
    await using cells = await javaScriptCells();
    for (const code of ["await new Promise(() => {})", "await 1; for (;;) {}"]) {
      const result = await cells.run(code, { timeoutMs: 300 });
      expect(result).toMatchObject({ end: "timeout", isStateLost: true });
      expect((await cells.run("1")).text).toBe("‹1›");
    }
  });

  test("a cell that waits for a call fails with it and keeps its state", async () => {
    await using cells = await javaScriptCells();
    const stop = new AbortController();
    const result = await cells.run("var x = 3; await tool.endless()", {
      signal: stop.signal,
      onCall: () => {
        stop.abort();
        return new Promise(() => {});
      },
    });
    expect(result).toMatchObject({ end: "aborted", isStateLost: false });
    expect((await cells.run("x")).text).toBe("‹3›");
  });
});

describe("helpers", () => {
  test("the cell's time stands still while it waits for a call", async () => {
    await using cells = await javaScriptCells();
    const onCall = async ({ args }: { args: unknown }) => {
      await Bun.sleep(900);
      return args;
    };
    const code = "[await tool.a({ x: 1 }), await completion('p', { model: 'smol' })]";
    const { text, end } = await cells.run(code, { timeoutMs: 600, onCall });
    expect(end).toBe("ok");
    expect(text).toContain('name: "a"');
    expect(text).toContain('prompt: "p"');
  });

  test("refusals are thrown; parallel keeps the order, holds the width and fails as one", async () => {
    await using cells = await javaScriptCells();
    let now = 0;
    let most = 0;
    const onCall = async ({
      kind,
      args,
    }: {
      kind: string;
      args: Readonly<Record<string, unknown>>;
    }) => {
      if (kind === "concurrency") return 2;
      most = Math.max(most, ++now);
      await Bun.sleep(10);
      now--;
      const { n } = args.args as { n: number };
      if (n < 0) throw new Error("negative");
      return n * 2;
    };
    const list = "await parallel([1, 2, 3, 4, 5].map((n) => () => tool.d({ n })))";
    expect((await cells.run(list, { onCall })).text).toBe("‹[ 2, 4, 6, 8, 10 ]›");
    expect(most).toBe(2);
    const staged = "await pipeline([1, 2], (n) => n + 1, async (n) => tool.d({ n }))";
    expect((await cells.run(staged, { onCall })).text).toBe("‹[ 4, 6 ]›");
    const failed = await cells.run("await parallel([() => tool.d({ n: -1 }), () => 1])", {
      onCall,
    });
    expect(failed.error).toMatchObject({ name: "ToolError", message: "negative" });
  });

  test("files and text", async () => {
    await using cells = await javaScriptCells();
    const { text, statuses } = await cells.run(`
await write("sub/a.txt", "one\\ntwo\\nthree\\n");
await append("sub/a.txt", "four");
await write("sub/b.txt", "one\\n2\\nthree\\nfour");
print(await read("sub/a.txt", { offset: 2, limit: 2 }));
print(await diff("sub/a.txt", "sub/b.txt"));
print(await tree());
print(sort("b\\na\\nb", { unique: true }), uniq("a\\na\\nb", { count: true }), counter("a\\nb\\na"));
[env("NEW", "1"), env("NEW"), env("NONE")]`);
    expect(text).toBe(
      "two\nthree\n\n--- sub/a.txt\n+++ sub/b.txt\n@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n four\n\\ No newline at end of file\n\n" +
        "sub/\n  a.txt\n  b.txt\na\nb 2 a\n1 b [ [ 'a', 2 ], [ 'b', 1 ] ]\n" +
        '‹[ "1", "1", undefined ]›',
    );
    expect(statuses[0]).toEqual({ op: "write", path: "sub/a.txt", characters: 14 });
    expect((await cells.run("await read('agent://x')")).error?.message).toContain("tool.read");
    expect((await cells.run("await read('sub')")).error?.message).toContain("tree");
  });
});

describe("where it runs", () => {
  test("settings of the working directory have no say in how it starts", async () => {
    await using cells = await javaScriptCells();
    await cells.write("bunfig.toml", 'preload = ["./evil.ts"]\n');
    await cells.write("evil.ts", "globalThis.evil = true;");
    await cells.write(".env", "EVIL=1\n");
    const { text } = await cells.run(
      "[typeof evil, process.env.EVIL, process.cwd(), typeof process.send]",
    );
    expect(text).toBe(`‹[ "undefined", undefined, "${cells.root}", "undefined" ]›`);
  });

  test.skipIf(!canInspectProcesses)("nothing outlives a Tau that is killed", async () => {
    await using cells = await javaScriptCells();
    const mark = { name: "TAU_TEST_MARK", value: `88${process.pid}` };
    const program = await cells.write(
      "tau.ts",
      `import { cellsSourceCommand, createJavaScriptKernel } from ${JSON.stringify(import.meta.resolve("./javascript-kernel.ts"))};
       const kernel = createJavaScriptKernel({ cwd: "/", command: cellsSourceCommand(), env: process.env });
       await kernel.run('Bun.spawn(["setsid", "sleep", "1000"]); for (;;) {}', { timeoutMs: 600000, onOutput() {} });`,
    );
    const child = Bun.spawn([process.execPath, program], {
      env: { ...CELL_ENV, [mark.name]: mark.value },
      stdout: "ignore",
      stderr: "inherit",
    });
    // Itself, its kernel, and what the cell started.
    while ((await processesWithEnv(mark)).length < 3) await Bun.sleep(20);
    child.kill("SIGKILL");
    await waitUntilGone(() => processesWithEnv(mark), { timeoutMs: 15_000 });
    expect(await processesWithEnv(mark)).toEqual([]);
  });
});
