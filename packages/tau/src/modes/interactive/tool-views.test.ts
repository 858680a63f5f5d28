import { expect, test } from "bun:test";
import { fitSpans } from "@tau/tui/components/spans";
import { builtInTheme, colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { displayWidth } from "@tau/tui/width";
import fc from "fast-check";
import { SyntaxHighlighter } from "../../highlight/syntax-highlighter.ts";
import type { CallLook, CallPhase, CallState } from "../../feature-api/tool-view.ts";
import { BUILT_IN } from "../../features/built-in.ts";
import { loadTerminalFeatures, loadToolViews } from "./tool-views.ts";

/** Every view that a feature brings, and a tool that nobody knows. */
const TERMINAL = await loadTerminalFeatures(BUILT_IN);
const NAMES = [...TERMINAL.flatMap(({ views = {} }) => Object.keys(views)), "some_other_tool"];
const SAMPLES = TERMINAL.flatMap(({ samples = [] }) => samples);
const PHASES: readonly CallPhase[] = [
  "writing",
  "waiting",
  "running",
  "done",
  "failed",
  "refused",
  "stopped",
];
/** Names that views look for: those of the samples, at any depth. */
const ARGUMENTS = [...new Set(SAMPLES.flatMap((call) => keysIn(call.arguments)))].join(" ");
const DETAILS = [...new Set(SAMPLES.flatMap(({ done }) => keysIn(done.details)))].join(" ");
const LATER = [...new Set(SAMPLES.flatMap(({ done }) => keysIn(done.later)))].join(" ");

function keysIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysIn)];
}

const theme = builtInTheme("dark", { depth: "truecolor" });
const highlighter = new SyntaxHighlighter({ theme });
await highlighter.preload();

function stateOf(name: string, changes: Partial<CallState>): CallState {
  return { name, arguments: {}, phase: "done", output: "", ...changes };
}

function resultOf(text: string, isError = false): CallState["result"] {
  return { content: [{ type: "text", text }], isError };
}

const hostilePiece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(
    "\x1b]0;title\x07",
    "\x1b[2J\x1b[H",
    "\x1b]52;c;aGk=\x07",
    "\x1bP+q\x1b\\",
    "\u009b31m",
    "\u202eevil",
    "e\u0301\u0301\u0301\u0301".repeat(20),
    "\t\ttab",
    "\r\n",
    "\n",
    "\r",
    "日本語",
    "👩‍👩‍👧",
    "¶a.ts#AB12\n*12:const x = 1;\n-3:old\n+3:new\n…\n",
    "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n",
    "*** Update File: x\n@@\n-a\n+b\n",
    "[exit code 1]",
    "[… 12 more characters left out …]",
    "a very long word ".repeat(20),
  ),
);
const hostileText = fc.array(hostilePiece, { maxLength: 8 }).map((parts) => parts.join(""));
const leaf = fc.oneof(
  hostileText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, Number.NaN, [], {}, "constructor", "__proto__", "update"),
);
const keys = (words: string) => fc.constantFrom(...words.split(" "));
const record = (
  words: string,
  value: fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> =>
  fc.dictionary(fc.oneof(keys(words), hostileText), value, { maxKeys: 10 });
const nested = (words: string): fc.Arbitrary<Record<string, unknown>> =>
  record(words, fc.oneof(leaf, fc.array(fc.oneof(leaf, record(words, leaf)), { maxLength: 3 })));

const anyState = fc
  .record({
    arguments: nested(ARGUMENTS),
    details: fc.oneof(nested(DETAILS), leaf),
    later: fc.option(record(LATER, record(LATER, leaf)), { nil: undefined }),
    phase: fc.constantFrom(...PHASES),
    output: hostileText,
    text: fc.option(hostileText, { nil: undefined }),
  })
  .map(({ text, ...state }) => ({
    ...state,
    result: text === undefined ? undefined : resultOf(text),
  }));

/** Whatever is left once colours are taken out must be printable. */
function isHarmless(row: string): boolean {
  const bare = row.replaceAll(/\x1b\[[0-9;:]*m/g, "");
  return !/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(bare);
}

test("every view has a sample in the gallery, and every tool of a feature has a view", () => {
  const sampled = new Set(SAMPLES.map(({ name }) => name));
  expect(NAMES.filter((name) => !sampled.has(name))).toEqual(["some_other_tool"]);
  const tools = BUILT_IN.flatMap((feature) => feature.tools ?? []);
  expect(tools.filter((name) => !NAMES.includes(name))).toEqual([]);
});

test("law: whatever a call holds, its view is harmless and no wider than asked", async () => {
  const viewOf = await loadToolViews(BUILT_IN);
  fc.assert(
    fc.property(
      fc.constantFrom(...NAMES),
      anyState,
      fc.integer({ min: 10, max: 200 }),
      fc.constantFrom("short", "full"),
      (name, given, columns, detail) => {
        const state: CallState = { name, ...given };
        const look: CallLook = { theme, columns, detail, cwd: "/w", highlighter };
        const view = viewOf(name);
        const title = fitSpans(view.title(state, look), columns);
        const remark = view.remark?.(state, look) ?? "";
        const rows = view.body(state, look);
        for (const row of [title, ...rows]) {
          expect(displayWidth(row)).toBeLessThanOrEqual(columns);
          expect([row, isHarmless(row)]).toEqual([row, true]);
        }
        expect([remark, isHarmless(remark)]).toEqual([remark, true]);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a line of ten megabytes is cut before anybody measures it", async () => {
  const viewOf = await loadToolViews(BUILT_IN);
  const giant = `${"x日\u0301".repeat(3_000_000)}\nend`;
  const given = Object.fromEntries(
    "command path content input pattern pat host action reason poll paths"
      .split(" ")
      .map((key) => [key, giant]),
  );
  for (const name of NAMES) {
    for (const phase of ["writing", "running", "done", "failed"] as const) {
      const state = stateOf(name, {
        arguments: {
          ...given,
          cells: [{ code: giant }],
          edits: [{ oldText: giant, newText: giant }],
        },
        phase,
        output: giant,
        details: { diff: `@@ -1,1 +1,1 @@\n-${giant}` },
        result: resultOf(giant),
      });
      const look: CallLook = { theme, columns: 80, detail: "short", cwd: "/", highlighter };
      const view = viewOf(name);
      view.remark?.(state, look);
      const rows = [fitSpans(view.title(state, look), 80), ...view.body(state, look)];
      expect(rows.filter((row) => displayWidth(row) > 80)).toEqual([]);
    }
  }
});

test("nothing takes longer than in proportion to its length", async () => {
  const viewOf = await loadToolViews(BUILT_IN);
  // What makes careless expressions look at the same places again and again.
  const runs = [
    " ",
    "\n",
    "\r",
    "\t",
    ":",
    "[",
    "]",
    "*",
    "¶ ",
    "\b",
    "a",
    "\x1b[",
    "\x1b]",
    "#",
    "+",
  ];
  for (const run of runs) {
    const bad = `${run.repeat(60_000)}${"\b".repeat(run === "a" ? 60_000 : 0)}!\n¶a${run.repeat(60_000)}b`;
    const given = Object.fromEntries(
      "command path content input pattern pat host action reason poll paths"
        .split(" ")
        .map((key) => [key, bad]),
    );
    for (const name of NAMES) {
      for (const phase of ["writing", "running", "done", "failed"] as const) {
        const state = stateOf(name, {
          arguments: {
            ...given,
            cells: [{ code: bad }],
            edits: [{ oldText: bad, newText: `${bad}!` }],
          },
          phase,
          output: bad,
          details: { diff: `@@ -1,2 +1,2 @@\n-${bad}\n+${bad}` },
          result: resultOf(bad),
        });
        for (const detail of phase === "done" ? (["short", "full"] as const) : ["short" as const]) {
          const look: CallLook = { theme, columns: 80, detail, cwd: "/", highlighter };
          const view = viewOf(name);
          view.remark?.(state, look);
          const title = fitSpans(view.title(state, look), 80);
          view.body(state, look);
          expect(displayWidth(title)).toBeLessThanOrEqual(80);
        }
      }
    }
  }
}, 120_000);

const plain: CallLook = {
  theme: colourlessTheme(),
  columns: 60,
  detail: "short",
  cwd: "/home/me/shop",
};

test("a command shows the end of what it prints, and how it ended", async () => {
  const bash = (await loadToolViews(BUILT_IN))("bash");
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join("\n");
  const running = stateOf("bash", {
    arguments: { command: "make\nmake install", cwd: "/home/me/shop/lib" },
    phase: "running",
    output: `${lines}\nprogress 10%\rprogress 90%\r`,
  });
  expect(fitSpans(bash.title(running, plain), 60)).toBe("make … in lib");
  const rows = bash.body(running, plain);
  expect(rows).toHaveLength(9);
  expect(rows[0]).toBe("… +13 lines");
  expect(rows.at(-1)).toBe("progress 90%");
  const failed = stateOf("bash", {
    arguments: { command: "make" },
    phase: "failed",
    result: resultOf(`${lines}\n[exit code 2]`, true),
  });
  expect(bash.remark!(failed, plain)).toBe("exit code 2");
  expect(bash.body(failed, plain)).toEqual([
    "… +15 lines",
    ..."16 17 18 19 20".split(" ").map((n) => `line ${n}`),
  ]);
  expect(bash.body(failed, { ...plain, detail: "full" })).toHaveLength(20);
});

test("an edit shows what it changed, from its details or from the text alone", async () => {
  const edit = (await loadToolViews(BUILT_IN))("edit");
  const diff =
    "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -3,3 +3,3 @@\n one\n--- a/two\n+new two\n three\n";
  const done = stateOf("edit", {
    arguments: { input: "¶src/a.ts#AB12\nreplace 4..4:\n+new two" },
    details: { path: "src/a.ts", op: "update", diff },
    result: resultOf("¶src/a.ts#CD34\n-4:-- a/two\n+4:new two"),
  });
  expect(fitSpans(edit.title(done, plain), 60)).toBe("src/a.ts");
  expect(edit.remark!(done, plain)).toBe("+1 −1");
  // A removed line that looks like the head of a file is a removed line.
  expect(edit.body(done, plain)).toEqual(["3   one", "4 - -- a/two", "4 + new two", "5   three"]);
  const { details: _, ...fromLog } = done;
  expect(edit.body(fromLog, plain)).toEqual(["4 - -- a/two", "4 + new two"]);
  const writing = { ...fromLog, phase: "writing", result: undefined } as unknown as CallState;
  expect(edit.body(writing, plain)).toEqual(["replace 4..4:", "+new two"]);
  const replacing = stateOf("edit", {
    phase: "writing",
    arguments: { path: "x", edits: [{ oldText: "a\nb", newText: "c" }, { oldText: "d" }] },
  });
  expect(edit.body(replacing, plain)).toEqual(["- a", "- b", "+ c", "…", "- d"]);
});

test("search shows the lines that matched, read only how much was read", async () => {
  const viewOf = await loadToolViews(BUILT_IN);
  const text = "¶src/a.ts#AB12\n 1:before\n*2:hit();\n 3:after\n\n# b.md\n*9|hit";
  const found = stateOf("search", {
    arguments: { pattern: "hit", paths: ["src", "b.md"], i: true },
    details: { fileCount: 2, totals: { matches: 2, files: 2 } },
    result: resultOf(text),
  });
  const search = viewOf("search");
  expect(fitSpans(search.title(found, plain), 60)).toBe("/hit/i in src and 1 more");
  expect(search.remark!(found, plain)).toBe("2 matches in 2 files");
  expect(search.body(found, plain)).toEqual(["src/a.ts", "❯   2 hit();", "b.md", "❯   9 hit"]);
  const read = viewOf("read");
  const state = stateOf("read", {
    arguments: { path: "/home/me/shop/src/a.ts:10-20" },
    details: { lines: 80, shown: [{ first: 9, last: 23 }] },
    result: resultOf("¶src/a.ts#AB12\n9:x"),
  });
  expect(fitSpans(read.title(state, plain), 60)).toBe("src/a.ts:10-20");
  expect(read.remark!(state, plain)).toBe("15 of 80 lines");
  expect(read.body(state, plain)).toEqual([]);
  expect(read.body(state, { ...plain, detail: "full" })).toEqual(["src/a.ts", "    9 x"]);
});

test("pictures are named by their size", async () => {
  const png = Buffer.alloc(40);
  png.write("\x89PNG\r\n\x1a\n", "latin1");
  png.writeUInt32BE(640, 16);
  png.writeUInt32BE(480, 20);
  const state = stateOf("eval", {
    arguments: { cells: [{ language: "py", code: "plot()" }] },
    result: {
      ...resultOf("(no output)")!,
      content: [
        { type: "text", text: "done" },
        { type: "image", mimeType: "image/png", data: png.toString("base64") },
        { type: "image", mimeType: "image/png", data: "?" },
      ],
    },
  });
  const view = (await loadToolViews(BUILT_IN))("eval");
  expect(view.body(state, plain)).toEqual(["done", "[image 640×480]", "[image]"]);
});
