// The small parts of kernels: the clock that can stand still, messages from a stranger, where
// Python is found, and the diff of cells.

import { describe, expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { CellClock } from "./cell-clock.ts";
import { findPython } from "./find-python.ts";
import { hasShownValue, scriptOf } from "./javascript/cell-code.ts";
import { unifiedDiff } from "./javascript/unified-diff.ts";
import { kernelFrame } from "./kernel-frame.ts";

describe("a cell's clock", () => {
  test("expires once its own time is over, and not while anyone holds it", async () => {
    let expired = 0;
    using clock = new CellClock(150, () => void (expired += 1));
    const first = clock.pause();
    const second = clock.pause();
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await Bun.sleep(400);
    expect(expired).toBe(0);
    second[Symbol.dispose]();
    await Bun.sleep(600);
    expect(expired).toBe(1);
  });

  test("that is put away never expires, whoever lets go of it later", async () => {
    let expired = 0;
    const clock = new CellClock(30, () => void (expired += 1));
    const pause = clock.pause();
    clock[Symbol.dispose]();
    pause[Symbol.dispose]();
    await Bun.sleep(150);
    expect(expired).toBe(0);
  });
});

test("whatever a kernel sends is a message or nothing", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom("ready", "display", "status", "call", "done"),
      (value, type) => {
        const frame = kernelFrame(
          typeof value === "object" && value !== null && !Array.isArray(value)
            ? { ...value, type }
            : value,
        );
        if (frame !== undefined) expect(frame.type).toBe(type);
      },
    ),
  );
  expect(kernelFrame({ type: "call", id: 1, kind: "steal", args: {} })).toBeUndefined();
  expect(kernelFrame({ type: "done", id: 1, outcome: "great", error: 3 })).toEqual({
    type: "done",
    id: 1,
    outcome: "error",
  });
});

describe("which Python", () => {
  test("the named one, then the active, the first that may be used, the managed and the system's", async () => {
    await using scratch = await createScratchDirectory();
    const python = async (place: string) => {
      await scratch.write(`${place}/bin/python3`, "");
      return scratch.path(place);
    };
    const query = {
      environments: ["repo/a/venv", "repo/.venv", "repo/venv"].map((one) => scratch.path(one)),
      env: { PATH: scratch.path("system/bin") } as Record<string, string>,
      managed: scratch.path("managed"),
    };
    expect(findPython(query)).toBeUndefined();
    const system = await scratch.write("system/bin/python3", "#!/bin/sh\n");
    await Bun.$`chmod +x ${system}`.quiet();
    expect(findPython(query)).toEqual({ path: system });
    // Not one of those that may be used.
    await python(".venv");
    expect(findPython(query)).toEqual({ path: system });
    for (const place of ["managed", "repo/venv", "repo/.venv", "repo/a/venv", "active"]) {
      const directory = await python(place);
      if (place === "active") query.env.VIRTUAL_ENV = directory;
      expect(findPython(query)).toEqual({
        path: `${directory}/bin/python3`,
        virtualEnv: directory,
      });
    }
    // What is relative leads into whatever directory this is.
    const relative = { ...query.env, VIRTUAL_ENV: "active" };
    expect(findPython({ env: relative })).toEqual({ path: system });
    expect(findPython({ ...query, interpreter: "python3" })).toEqual({ path: system });
    expect(findPython({ ...query, interpreter: "/not/there" })).toBeUndefined();
  });
});

describe("the diff of cells", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 20 })
    .map((lines) => lines.join("\n"));

  test("turns the one text into the other", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(applied(a, unifiedDiff(a, b, { a: "a", b: "b" }))).toBe(b);
      }),
    );
  });

  test("of equal texts is empty", () => {
    fc.assert(fc.property(text, (a) => expect(unifiedDiff(a, a, { a: "a", b: "b" })).toBe("")));
  });
});

/** As patch(1) does: what is left or added, with the unchanged lines between the hunks. */
function applied(a: string, diff: string): string {
  if (diff === "") return a;
  const source = a.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  for (const row of diff.split("\n").slice(2, -1)) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(row);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      while (at < start) out.push(source[at++]!);
    } else if (row.startsWith("\\")) out.push(out.pop()!.replace(/\n$/, ""));
    else if (row.startsWith("+")) out.push(`${row.slice(1)}\n`);
    else {
      const line = source[at++]!;
      expect(line.replace(/\n$/, "")).toBe(row.slice(1));
      if (row.startsWith(" ")) out.push(line);
      else out.push("");
    }
  }
  return [...out, ...source.slice(at)].join("");
}

test("any text becomes a script or a syntax error, and no script has an import at its top", () => {
  fc.assert(
    fc.property(fc.string(), (code) => {
      let script: string;
      try {
        script = scriptOf(code);
      } catch (error) {
        expect((error as Error).name).toBe("SyntaxError");
        return;
      }
      expect(script).not.toMatch(/^import\s/m);
    }),
  );
});

test("a value that got a name is not shown", () => {
  const shows = (code: string) => hasShownValue(scriptOf(code));
  for (const code of [
    "const x = 5",
    "let a = 1, b = { c: 2 }",
    "class K {}",
    "const { a, b: [c] } = f()",
    "const [a = ')'] = g",
    "import a from 'a'",
    "enum E { A }",
    "x = 5",
    "a.b = { value: 1 }",
  ]) {
    expect({ code, shows: shows(code) }).toEqual({ code, shows: false });
  }
  for (const code of [
    "x",
    "x == 5",
    "({ a: 1 })",
    "[1, 2]",
    "(x) => x",
    "f(y = 1)",
    "`${a} = b`",
  ]) {
    expect({ code, shows: shows(code) }).toEqual({ code, shows: true });
  }
});
