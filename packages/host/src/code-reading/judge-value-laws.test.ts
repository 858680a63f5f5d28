// Laws of values: a function does the same through whatever it is reached, and a path leads to the
// same place through whatever links the code has made.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { classifyShellLine } from "../shell-line/classify-shell-line.ts";
import { JUDGED_CONTEXT } from "../shell-line/fixtures/judged-context.ts";
import { quote } from "./code-acts.ts";
import { judgeJavaScript, judgePython } from "./judge-code.ts";

const WORLD = { home: "/home/me", cwd: "/home/me/project", hasHelpers: true };

/** Expressions that give what they are made of, in both languages. */
const PYTHON_WAYS: readonly ((inner: string) => string)[] = [
  (f) => `[${f}][0]`,
  (f) => `(1, ${f})[1]`,
  (f) => `(${f}, 1)[:1][0]`,
  (f) => `{'k': ${f}}['k']`,
  (f) => `{'k': ${f}}.get('k')`,
  (f) => `next(iter({${f}: 1}))`,
  (f) => `list({${f}: 1}.keys())[0]`,
  (f) => `{${f}: 1}.popitem()[0]`,
  (f) => `[*{${f}: 1}][0]`,
  (f) => `dict([('k', ${f})])['k']`,
  (f) => `({} | {'k': ${f}})['k']`,
  (f) => `{**{'k': ${f}}}['k']`,
  (f) => `[g for g in [${f}]][0]`,
  (f) => `next(g for g in [${f}])`,
  (f) => `(lambda g: g)(${f})`,
  (f) => `(lambda: ${f})()`,
  (f) => `(lambda g=${f}: g)()`,
  (f) => `(${f} if x else print)`,
  (f) => `(x or ${f})`,
  (f) => `functools.partial(${f})`,
  (f) => `types.SimpleNamespace(k=${f}).k`,
  (f) => `(g := ${f})`,
];
const JAVASCRIPT_WAYS: readonly ((inner: string) => string)[] = [
  (f) => `[${f}][0]`,
  (f) => `[1, ${f}].at(-1)`,
  (f) => `[...[${f}]][0]`,
  (f) => `({ k: ${f} }).k`,
  (f) => `({ k: ${f} })['k']`,
  (f) => `({ get k() { return ${f} } }).k`,
  (f) => `({ ...{ k: ${f} } }).k`,
  (f) => `Object.values({ k: ${f} })[0]`,
  (f) => `Object.create({ k: ${f} }).k`,
  (f) => `Object.fromEntries([['k', ${f}]]).k`,
  (f) => `new Map([['k', ${f}]]).get('k')`,
  (f) => `new Map([[${f}, 1]]).keys().next().value`,
  (f) => `[...new Map([[${f}, 1]])][0][0]`,
  (f) => `[...new Set([${f}])][0]`,
  (f) => `((g) => g)(${f})`,
  (f) => `(() => ${f})()`,
  (f) => `((g = ${f}) => g)()`,
  (f) => `(x ? ${f} : console.log)`,
  (f) => `(x ?? ${f})`,
  (f) => `(0, ${f})`,
  (f) => `(function* () { yield ${f} })().next().value`,
];

function wrapped(ways: readonly ((inner: string) => string)[], inner: string) {
  return fc
    .array(fc.constantFrom(...ways), { minLength: 1, maxLength: 3 })
    .map((chosen) => chosen.reduce((code, way) => way(code), inner));
}

test("a function that deletes is seen through any value of Python", () => {
  fc.assert(
    fc.property(wrapped(PYTHON_WAYS, "os.remove"), (code) => {
      const { deletes, unknown } = judgePython(
        `import os, functools, types\nx = None\n(${code})('../a')`,
        WORLD,
      );
      expect(deletes.some(({ text }) => text === "../a") || unknown.length > 0).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test("and through any value of JavaScript", () => {
  fc.assert(
    fc.property(wrapped(JAVASCRIPT_WAYS, "fs.rmSync"), (code) => {
      const { deletes, unknown } = judgeJavaScript(`var x = null; (${code})('../a')`, WORLD);
      expect(deletes.some(({ text }) => text === "../a") || unknown.length > 0).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test("a function that only computes is not taken for one", () => {
  fc.assert(
    fc.property(wrapped(PYTHON_WAYS, "len"), wrapped(JAVASCRIPT_WAYS, "Math.max"), (py, js) => {
      const python = judgePython(`import os, functools, types\nx = None\n(${py})('../a')`, WORLD);
      const script = judgeJavaScript(`var x = null; (${js})('../a')`, WORLD);
      for (const { deletes, overwrites, unknown } of [python, script])
        expect([...deletes, ...overwrites, ...unknown]).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

/** Each link leads to the one before it, the first to a place; the last is written through. */
const chains = fc.array(fc.constantFrom("symlink", "rename"), { minLength: 1, maxLength: 3 });

function isAsked(steps: readonly string[], place: string): boolean {
  const lines = steps.map((step, at) =>
    at === 0 ? `os.symlink('${place}', 'l0')` : `os.${step}('l${at - 1}', 'l${at}')`,
  );
  const code = ["import os", ...lines, `open('l${steps.length - 1}/a', 'w')`].join("\n");
  const { class: found } = classifyShellLine(`python3 -c ${quote(code)}`, JUDGED_CONTEXT);
  return found === "guarded" || found === "unknown";
}

/** Machines are busy. */
const PATIENCE_MS = 30_000;

test(
  "what is written through links is written where they lead",
  () => {
    fc.assert(
      fc.property(chains, (steps) => {
        expect(isAsked(steps, "../docs")).toBe(true);
        expect(isAsked(steps, "data")).toBe(false);
      }),
      { numRuns: 20 },
    );
  },
  PATIENCE_MS,
);
