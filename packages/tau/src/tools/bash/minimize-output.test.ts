// Wordy output made shorter, and the law that nothing is lost that may matter.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { minimizeOutput } from "./minimize-output.ts";

const many = (count: number, line: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => line(index));

const CASES: readonly [command: string, noise: string[], kept: string[]][] = [
  [
    "npm install",
    many(30, (i) => `npm http fetch GET 200 https://r/p${i}`),
    ["npm warn deprecated x@1", "added 30 packages in 2s"],
  ],
  [
    "pnpm i",
    many(20, (i) => `Progress: resolved ${i}, reused 0`),
    ["ERR_PNPM_NO_MATCHING_VERSION", "Done in 2s"],
  ],
  ["bun install", many(20, (i) => `+ p${i}@1.0.${i}`), ["20 packages installed"]],
  [
    "cargo test 2>&1",
    [...many(30, (i) => `   Compiling c${i} v1.0.0`), ...many(20, (i) => `test t${i} ... ok`)],
    [
      "test bad ... FAILED",
      "error[E0308]: mismatched types",
      "  --> src/main.rs:3:5",
      "test result: FAILED. 20 passed; 1 failed",
    ],
  ],
  [
    "go test -v ./...",
    [...many(20, (i) => `=== RUN   Test${i}`), ...many(20, (i) => `--- PASS: Test${i} (0.00s)`)],
    ["--- FAIL: TestX (0.00s)", "    x_test.go:12: got 1", "FAIL\tm/x\t0.1s", "ok  \tm/y\t0.1s"],
  ],
  [
    "python -m pytest -v",
    many(30, (i) => `tests/test_a.py::test_${i} PASSED [ ${i}%]`),
    ["tests/test_a.py::test_x FAILED [ 99%]", "E   assert 1 == 2", "1 failed, 30 passed in 1.0s"],
  ],
  [
    "npx vitest run",
    many(30, (i) => ` ✓ src/a${i}.test.ts (3 tests)`),
    [" FAIL  src/b.test.ts", " Tests  1 failed | 90 passed"],
  ],
  [
    "cd app && npm test",
    many(30, (i) => `  ✓ does thing (${i} ms)`),
    ["  ✕ breaks", "Tests: 1 failed"],
  ],
  ["bun test", many(30, (i) => `(pass) it ${i} [1ms]`), ["(fail) other", " 30 pass", " 1 fail"]],
  [
    "make -j4",
    [
      ...many(20, (i) => `gcc -c -O2 f${i}.c -o f${i}.o`),
      ...many(20, (i) => `[ ${i}%] Building C object x`),
    ],
    ["f3.c:10:5: warning: unused", "make: *** [all] Error 2"],
  ],
  [
    "pip install -r r.txt",
    many(30, (i) => `Requirement already satisfied: p${i}`),
    ["WARNING: x", "Successfully installed a-1"],
  ],
  [
    "docker build .",
    many(30, (i) => `#${i} DONE 0.1s`),
    ["#9 ERROR: process failed", "naming to x"],
  ],
  [
    "git clone https://x",
    many(40, (i) => `Receiving objects:  ${i}% (${i}/100)`),
    ["Cloning into 'x'...", "Receiving objects: 100% (100/100), done.", "fatal: early EOF"],
  ],
];

describe("known programs", () => {
  test.each(CASES)("%s", (command, noise, kept) => {
    const short = minimizeOutput(command, [...noise, ...kept].join("\n"));
    const lines = short!.split("\n");
    expect(lines.slice(1)).toEqual(kept);
    expect(lines[0]).toBe(`[… ${noise.length} lines left out …]`);
  });

  test("a line that was written over is many", () => {
    const progress = many(50, (i) => `Receiving objects:  ${i}% (${i}/100)\r`).join("");
    const short = minimizeOutput(
      "git fetch",
      `From x\n${progress}Receiving objects: 100% (100/100), done.\n`,
    );
    expect(short).toBe(
      "From x\n[… 50 lines left out …]\nReceiving objects: 100% (100/100), done.\n",
    );
  });

  test("what is between noise stays where it was", () => {
    const noise = many(10, (i) => `=== RUN   T${i}`).join("\n");
    expect(minimizeOutput("go test", `${noise}\nhello\n${noise}`)).toBe(
      "[… 10 lines left out …]\nhello\n[… 10 lines left out …]",
    );
  });
});

test.each([
  ["a program nobody knows", "frobnicate", "=== RUN\n".repeat(50)],
  ["other output of a known one", "npm install", "hello\n".repeat(50)],
  ["little to gain", "go test", "=== RUN   A\n".repeat(4)],
  ["a command that only mentions one", "echo 'npm install'", "npm http fetch\n".repeat(50)],
  ["a line that cannot be read", "npm install '", "npm http fetch\n".repeat(50)],
])("%s is left alone", (_name, command, output) => {
  expect(minimizeOutput(command, output)).toBeUndefined();
});

test("no line that tells of trouble or names a place is ever dropped", () => {
  const commands = CASES.map(([command]) => command);
  const noise = CASES.flatMap(([, lines]) => lines.slice(0, 3));
  const trouble = fc
    .tuple(
      fc.constantFrom(...noise, ""),
      fc.constantFrom(
        "error",
        "Failed",
        "PANIC",
        "warning:",
        "src/a.ts:12:3",
        "a.py(7)",
        "Makefile:3: x",
      ),
      fc.boolean(),
    )
    .map(([text, word, isBefore]) => (isBefore ? `${word} ${text}` : `${text} ${word}`));
  const line = fc.oneof(fc.constantFrom(...noise), trouble, fc.string());
  fc.assert(
    fc.property(
      fc.constantFrom(...commands),
      fc.array(line, { maxLength: 80 }),
      (command, lines) => {
        const short = minimizeOutput(command, lines.join("\n"));
        if (short === undefined) return;
        const all = lines.join("\n").split(/\r\n|\n|\r/);
        const kept = short.split("\n");
        const mattering = all.filter((each) =>
          /error|failed|panic|warning|\.\w+[:(]\d/i.test(each),
        );
        expect(kept.filter((each) => mattering.includes(each))).toEqual(mattering);
        // In order, and nothing but the notes is new.
        let at = 0;
        for (const each of kept) {
          if (/^\[… \d+ lines? left out …\]$/.test(each)) continue;
          const found = all.indexOf(each, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + 1;
        }
        expect(kept.length).toBeLessThan(all.length);
      },
    ),
    { numRuns: 500 },
  );
});

test("long lines and much output cost little", () => {
  const from = performance.now();
  minimizeOutput("npm install", "a".repeat(3 * 1024 * 1024));
  minimizeOutput("make", "x.y/".repeat(500_000));
  minimizeOutput("git fetch", "Receiving objects:  1% (1/1)\r".repeat(100_000));
  expect(performance.now() - from).toBeLessThan(15_000);
});
