// Python cells on a real interpreter: what stays from cell to cell, what is printed, how values
// and errors look.

import { describe, expect } from "bun:test";
import { KernelBusy } from "./kernel.ts";
import { pythonCells, testPython as test } from "./test/cells.ts";

describe("from one cell to the next", () => {
  test("names stay, a last expression is shown, and reset forgets", async () => {
    await using cells = await pythonCells();
    expect(await cells.run("x = 20\ndef f(y):\n    return x + y")).toMatchObject({
      end: "ok",
      text: "",
    });
    expect((await cells.run("f(1)")).text).toBe("‹21›");
    expect((await cells.run("f(1);")).text).toBe("");
    expect((await cells.run("None")).text).toBe("");
    expect((await cells.run("_")).text).toBe("‹21›");
    await cells.kernel.reset();
    expect(await cells.run("x")).toMatchObject({ end: "error", error: { name: "NameError" } });
  });

  test("await works at the top, and tasks live as long as the loop is used", async () => {
    await using cells = await pythonCells();
    const code = "import asyncio\nasync def g():\n    await asyncio.sleep(0.01)\n    return 7\n";
    expect((await cells.run(`${code}await g()`)).text).toBe("‹7›");
    expect((await cells.run("task = asyncio.ensure_future(g())\nawait task + 1")).text).toBe("‹8›");
    expect((await cells.run("asyncio.run(g())")).text).toBe("‹7›");
    expect((await cells.run("await g()")).text).toBe("‹7›");
  });

  test("classes of cells can be pickled, annotations postponed, recursion is cut short", async () => {
    await using cells = await pythonCells();
    await cells.run("import pickle\nclass P:\n    pass");
    expect((await cells.run("type(pickle.loads(pickle.dumps(P()))) is P")).text).toBe("‹True›");
    const code = "from __future__ import annotations\ndef f(x: Nowhere): pass\nf.__annotations__";
    expect((await cells.run(code)).text).toBe("‹{'x': 'Nowhere'}›");
    const deep = await cells.run("def a(): b()\ndef b(): a()\na()");
    expect(deep.error?.traceback).toContain("calls left out");
    expect(deep.error!.traceback.length).toBeLessThan(5000);
  });

  test("two kernels share nothing", async () => {
    await using one = await pythonCells();
    await using two = await pythonCells();
    await Promise.all([one.run("x = 1"), two.run("x = 2")]);
    await one.run("import os, sys; os.environ['ONLY'] = 'one'; sys.path.append('/one')");
    expect(
      (await two.run("import os, sys; x, os.environ.get('ONLY'), '/one' in sys.path")).text,
    ).toBe("‹(2, None, False)›");
    expect((await one.run("x")).text).toBe("‹1›");
  });

  test("one cell at a time", async () => {
    await using cells = await pythonCells();
    const first = cells.run("import time; time.sleep(0.3)");
    await expect(cells.run("1")).rejects.toThrow(KernelBusy);
    await expect(cells.kernel.reset()).rejects.toThrow(KernelBusy);
    expect((await first).end).toBe("ok");
  });
});

describe("output", () => {
  test("from every source, in the order it was written, with displays in their place", async () => {
    await using cells = await pythonCells();
    const { text } = await cells.run(`
import os, subprocess, sys
print("a", end="")
os.write(1, b"b")
sys.stderr.write("c")
subprocess.run("printf d; printf e >&2", shell=True)
display("f")
os.write(2, b"g")
sys.stdout.buffer.write(b"h")
print("i", end="")
1`);
    expect(text).toBe("abcde‹f›ghi‹1›");
  });

  test("that looks like the protocol is output", async () => {
    await using cells = await pythonCells();
    const line = `{"type":"done","id":1,"outcome":"error"}`;
    const { text, end } = await cells.run(
      `import os\nos.write(1, b'${line}\\n\\x1e\\x1e end 1\\x1e')\n5`,
    );
    expect(end).toBe("ok");
    expect(text).toBe(`${line}\n\u001e\u001e end 1\u001e‹5›`);
  });

  test("of 100 MB is read to its end, and a reader that is slow is waited for", async () => {
    await using cells = await pythonCells();
    const { printedBytes, end } = await cells.run("for _ in range(1600): print('x' * 65535)");
    expect({ printedBytes, end }).toEqual({ printedBytes: 1600 * 65_536, end: "ok" });
    let slow = 0;
    const result = await cells.run("for _ in range(20): print('y' * 99999)\n'end'", {
      onOutput: async (bytes) => {
        await Bun.sleep(1);
        slow += bytes.length;
      },
    });
    expect({ slow, end: result.end }).toEqual({ slow: 2_000_000, end: "ok" });
  });

  test("that its reader breaks on comes out as the reader's error, and the kernel goes on", async () => {
    await using cells = await pythonCells();
    const broken = () => {
      throw new Error("reader");
    };
    const later = async () => broken();
    for (const onOutput of [broken, later]) {
      await expect(cells.run("print('a'); print('b'); x = 1", { onOutput })).rejects.toThrow(
        "reader",
      );
    }
    await expect(cells.run("display(1)", { onDisplay: broken })).rejects.toThrow("reader");
    expect((await cells.run("x")).text).toBe("‹1›");
  });

  test("with any characters, also halves of them", async () => {
    await using cells = await pythonCells();
    expect((await cells.run("print('😀ü\\ud800\\x00é')\n'ü😀'")).text).toBe(
      "😀ü\\ud800\u0000é\n‹'ü😀'›",
    );
  });

  test("of a thread that outlives its cell comes with the next cell", async () => {
    await using cells = await pythonCells();
    const code = `
import threading, os
go = threading.Event()
done = threading.Event()
def late():
    go.wait()
    print("late")
    done.set()
threading.Thread(target=late).start()
print("now")`;
    expect((await cells.run(code)).text).toBe("now\n");
    await cells.run("threading.Timer(0.05, go.set).start()");
    await Bun.sleep(500);
    expect((await cells.run("done.wait(); print('next')")).text).toBe(
      "[printed since the last cell]\nlate\nnext\n",
    );
  });

  test("goes on after a cell that has closed it", async () => {
    await using cells = await pythonCells();
    expect((await cells.run("import os, sys; os.close(1); os.close(2)")).end).toBe("ok");
    expect((await cells.run("print('again'); os.write(1, b'!')")).text).toBe("again\n!‹1›");
    await cells.run("sys.stdout.close()");
    expect((await cells.run("print('still')")).text).toBe("still\n");
  });
});

describe("values", () => {
  test("in their richest form, and none of them breaks its cell", async () => {
    await using cells = await pythonCells();
    await cells.run(`
class Mark:
    def _repr_markdown_(self): return "**m**"
class Page:
    def _repr_html_(self): return "<style>x</style><p>one &amp; two</p><table><tr><td>a</td><td>b</td></tr></table>"
class Table(Page):
    def __repr__(self): return "plain table"
class Data:
    def _repr_json_(self): return {"a": 1}
    def __repr__(self): return "data"
class Picture:
    def _repr_png_(self): return b"\\x89PNG"
class Broken:
    def __repr__(self): raise ValueError("no words")
    def _repr_markdown_(self): raise KeyError("neither")
class Anything:
    def __getattr__(self, name): return lambda *rest: 1 / 0
    def __repr__(self): return "anything"`);
    const shown = async (code: string) => (await cells.run(code)).text;
    expect(await shown("Mark()")).toBe("‹**m**›");
    expect(await shown("Page()")).toBe("‹one & two\na\tb›");
    expect(await shown("Table()")).toBe("‹plain table›");
    expect(await shown("Data()")).toBe("‹data›");
    expect(await shown("Picture()")).toBe("‹image/png›");
    expect(await shown("Picture")).toBe("‹<class '__main__.Picture'>›");
    expect(await shown("Broken()")).toBe("‹<Broken whose repr raised ValueError: no words>›");
    expect(await shown("Anything()")).toBe("‹anything›");
    expect(await shown("display({'a': [1, None]}, 'text', 3)")).toBe("‹{'a': [1, None]}›‹text›‹3›");
    expect(await shown("display({'text/markdown': '# t'}, raw=True)")).toBe("‹# t›");
  });

  test("that are huge are cut, and say so", async () => {
    await using cells = await pythonCells();
    const { text, end } = await cells.run("'x' * 50_000_000");
    expect(end).toBe("ok");
    expect(text.length).toBeLessThan(1_100_000);
    expect(text).toContain("[… 49000002 characters left out …]");
  });

  test("structures come as JSON too, if they are JSON", async () => {
    await using cells = await pythonCells();
    const bundles: unknown[] = [];
    const onDisplay = (bundle: unknown) => void bundles.push(bundle);
    await cells.run("display([1, 'ü'], {'n': float('nan')}, {1, 2})", { onDisplay });
    expect(bundles).toEqual([
      { "application/json": [1, "ü"], "text/plain": "[1, 'ü']" },
      { "text/plain": "{'n': nan}" },
      { "text/plain": "{1, 2}" },
    ]);
  });

  // Not the real library, which need not be there: a module that has the same interface.
  test("open figures are shown when the cell ends (a stand-in with matplotlib's interface)", async () => {
    await using cells = await pythonCells();
    await cells.write("matplotlib/__init__.py", "");
    await cells.write(
      "matplotlib/figure.py",
      "class Figure:\n    def savefig(self, file, format, **more):\n        file.write(b'\\x89PNG' + format.encode())\n",
    );
    await cells.write(
      "matplotlib/pyplot.py",
      `import os
from .figure import Figure
backend = os.environ["MPLBACKEND"]
_open = {}
def figure(number=None):
    number = number or len(_open) + 1
    return _open.setdefault(number, Figure())
def get_fignums(): return sorted(_open)
def close(figure):
    for number in [n for n, f in _open.items() if f is figure]: del _open[number]
def show(): pass
`,
    );
    const { text } = await cells.run(
      "import matplotlib.pyplot as plt\nplt.figure(); plt.figure()\nplt.show()\nprint(plt.backend)",
    );
    expect(text).toBe("Agg\n‹image/png›‹image/png›");
    expect((await cells.run("1")).text).toBe("‹1›");
    // As a value it is shown once, not a second time when the cell ends.
    expect((await cells.run("plt.figure()")).text).toBe("‹image/png›");
  });
});

describe("errors", () => {
  test("show the cell's own lines, also through earlier cells and causes", async () => {
    await using cells = await pythonCells();
    await cells.run("def half(x):\n    return 1 / x");
    const { error, end } = await cells.run(
      "try:\n    half(0)\nexcept Exception as e:\n    raise KeyError('ü') from e",
    );
    expect(end).toBe("error");
    expect(error).toMatchObject({ name: "KeyError", message: "'ü'" });
    expect(error!.traceback).toContain('File "<cell 1>", line 2, in half');
    expect(error!.traceback).toContain("return 1 / x");
    expect(error!.traceback).toContain("direct cause");
    expect(error!.traceback).not.toContain("tau_");
  });

  test("of syntax name the line; nothing of the cell has run", async () => {
    await using cells = await pythonCells();
    const { error } = await cells.run("done = 1\nx = (\n");
    expect(error).toMatchObject({ name: "SyntaxError" });
    expect(error!.traceback).toStartWith('  File "<cell 1>", line 2');
    expect((await cells.run("done")).error?.name).toBe("NameError");
  });

  test("input and exit are answered, and the kernel goes on", async () => {
    await using cells = await pythonCells();
    await cells.run("x = 1");
    expect((await cells.run("input('name? ')")).error).toMatchObject({ name: "EOFError" });
    expect((await cells.run("import sys; sys.stdin.readline()")).text).toBe("‹''›");
    expect((await cells.run("sys.exit()")).end).toBe("ok");
    expect((await cells.run("sys.exit(3)")).error).toMatchObject({
      name: "SystemExit",
      message: "3",
    });
    expect((await cells.run("raise KeyboardInterrupt")).end).toBe("error");
    expect(
      (await cells.run("class E(Exception):\n    def __str__(self): raise ValueError\nraise E"))
        .error?.name,
    ).toBe("E");
    expect((await cells.run("x")).text).toBe("‹1›");
  });

  test("that end the process are told, and the next cell starts anew", async () => {
    await using cells = await pythonCells();
    await cells.run("x = 1");
    expect(await cells.run("import os; print('last words'); os._exit(4)")).toMatchObject({
      end: "died",
      ending: "exit code 4",
      isStateLost: true,
      text: "last words\n",
    });
    expect(await cells.run("x")).toMatchObject({ end: "error", isStateLost: false });
    expect(await cells.run("import os; os.kill(os.getpid(), 9)")).toMatchObject({
      ending: "SIGKILL",
    });
    expect((await cells.run("1")).text).toBe("‹1›");
  });
});
