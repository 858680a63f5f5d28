import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Component } from "../component.ts";
import type { KeyPress } from "../key-input.ts";
import { KeyBindings } from "../keys/key-bindings.ts";
import { builtInTheme, colourlessTheme } from "../theme/built-in-theme.ts";
import { displayWidth } from "../width.ts";
import { createAnimationClock } from "./animation-clock.ts";
import { ConfirmDialog } from "./confirm-dialog.ts";
import { DiffView, type DiffLine } from "./diff-view.ts";
import { InputDialog } from "./input-dialog.ts";
import { KeyHints } from "./key-hints.ts";
import { ListView } from "./list-view.ts";
import { Panel } from "./panel.ts";
import { ProgressBar } from "./progress-bar.ts";
import { SelectDialog } from "./select-dialog.ts";
import { SELECTION_ACTIONS } from "./selection-actions.ts";
import { breakSpans, fitSpans, wrapSpans } from "./spans.ts";
import { Spinner } from "./spinner.ts";
import { TableView } from "./table-view.ts";
import { Tabs } from "./tabs.ts";
import { TextBlock } from "./text-block.ts";
import { TreeView, type TreeNode } from "./tree-view.ts";
import { changedWords } from "./word-changes.ts";

const theme = colourlessTheme();
const requestRender = (): void => undefined;

function key(name: string, held: Partial<KeyPress> = {}): KeyPress {
  const text = [...name].length === 1 ? name : "";
  return {
    type: "key",
    key: name,
    text,
    ctrl: false,
    alt: false,
    shift: false,
    meta: false,
    ...held,
  };
}

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc
    .array(fc.constantFrom("word ", "日本", "e\u0301", "\n", "\t", "\x1b[31m", "👩‍👩‍👧", "\u202e"), {
      maxLength: 30,
    })
    .map((parts) => parts.join("")),
);
const anyWidth = fc.integer({ min: 1, max: 50 });

test("law: no component is wider than asked or lets a control character through", () => {
  const coloured = builtInTheme("dark", { depth: "truecolor" });
  const clock = createAnimationClock(requestRender);
  fc.assert(
    fc.property(anyText, anyWidth, (text, columns) => {
      const item = { value: 1, label: text, detail: text };
      const node: TreeNode = {
        id: "a",
        label: text,
        children: [{ id: "b", label: text, detail: text }],
      };
      const lines: DiffLine[] = [
        { kind: "removed", text, oldLine: 9 },
        { kind: "added", text: `${text}x`, newLine: 9 },
        { kind: "gap", text },
      ];
      const block = new TextBlock({ text, indent: 2 });
      const components: Component[] = [
        block,
        new Panel({ title: text, content: block, theme: coloured }),
        new DiffView({ lines, theme: coloured }),
        new ListView({ items: [item], theme: coloured, requestRender, onChoose: requestRender }),
        new TreeView({
          roots: [node],
          theme: coloured,
          requestRender,
          onChoose: requestRender,
          markedPath: ["a", "b"],
        }),
        new TableView({ header: [text, "b"], rows: [[text, text], ["c"]], theme: coloured }),
        new Tabs({ tabs: [{ title: text, content: block }], theme: coloured, requestRender }),
        new Spinner({ clock, theme: coloured, label: text }),
        new ProgressBar({ clock, theme: coloured, label: text }),
        new InputDialog({ title: text, initial: text, theme: coloured, requestRender }),
        new ConfirmDialog({ title: text, question: text, theme: coloured, requestRender }),
      ];
      for (const component of components) {
        const { rows, stableRows } = component.render(columns);
        expect(component.render(columns).rows).toEqual([...rows]);
        expect(stableRows).toBe(
          component.state === "final" ? rows.length : Math.min(stableRows, rows.length),
        );
        for (const row of rows) {
          expect(displayWidth(row)).toBeLessThanOrEqual(columns);
          expect(row.replace(/\x1b\[[\d;]*m/g, "")).not.toMatch(
            /[\u0000-\u001f\u007f-\u009f\u202e]/,
          );
        }
      }
    }),
    { numRuns: 150 },
  );
  clock.stop();
});

test("law: wrapping loses nothing but blanks, breaking nothing at all", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "日", "é", "-"), maxLength: 60 });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 2, max: 20 }), (first, second, columns) => {
      const spans = [{ text: first }, { text: second }];
      const bare = (value: string): string => value.replaceAll(" ", "");
      expect(bare(wrapSpans(spans, columns).join(""))).toBe(bare(first + second));
      expect(breakSpans(spans, columns).join("")).toBe(first + second);
      expect(displayWidth(fitSpans(spans, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});

test("wrapping breaks at blanks and paints each row by itself", () => {
  const bold = (text: string): string => `<${text}>`;
  expect(wrapSpans([{ text: "one two", paint: bold }, { text: " three" }], 8)).toEqual([
    "<one two>",
    "three",
  ]);
  expect(wrapSpans([{ text: "abcdefghij", paint: bold }], 4)).toEqual(["<abcd>", "<efgh>", "<ij>"]);
  expect(wrapSpans([], 4)).toEqual([""]);
});

test("a text that grows is stable up to its last whole line", () => {
  const block = new TextBlock({ text: "one\ntw", state: "live" });
  expect(block.render(10)).toEqual({ rows: ["one", "tw"], stableRows: 1 });
  block.append("o\n");
  block.finish();
  expect(block.render(10)).toEqual({ rows: ["one", "two"], stableRows: 2 });
});

test("a diff has numbers, signs and the words that changed", () => {
  const lines: DiffLine[] = [
    { kind: "context", text: "same", oldLine: 9, newLine: 9 },
    { kind: "removed", text: "const a = 1;", oldLine: 10 },
    { kind: "added", text: "const a = 2;", newLine: 10 },
    { kind: "gap" },
  ];
  expect(new DiffView({ lines, theme }).render(30).rows).toEqual([
    " 9   same",
    "10 - const a = 1;",
    "10 + const a = 2;",
    "…",
  ]);
  expect(new DiffView({ lines, theme, maxRows: 1 }).render(30).rows[1]).toBe("… 3 more lines");
  expect(changedWords("const a = 1;", "const a = 2;").after).toEqual([
    { text: "const a = ", changed: false },
    { text: "2", changed: true },
    { text: ";", changed: false },
  ]);
});

test("law: the parts of changed words make the lines again", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b ", "(", ";", " "), maxLength: 80 });
  fc.assert(
    fc.property(line, line, (before, after) => {
      const words = changedWords(before, after);
      expect(words.before.map((part) => part.text).join("")).toBe(before);
      expect(words.after.map((part) => part.text).join("")).toBe(after);
      const kept = (parts: typeof words.after): string =>
        parts
          .filter((part) => !part.changed)
          .map((part) => part.text)
          .join("");
      expect(kept(words.before)).toBe(kept(words.after));
    }),
  );
});

test("a list filters, pages, wraps around and chooses", () => {
  const items = Array.from({ length: 25 }, (_, index) => ({
    value: index,
    label: `item ${index}`,
  }));
  const chosen: number[] = [];
  const list = new ListView({
    items,
    theme,
    requestRender,
    maxRows: 3,
    onChoose: ({ value }) => chosen.push(value),
  });
  expect(list.render(20).rows).toEqual(["❯ item 0", "  item 1", "  item 2", "1 of 25"]);
  list.handleKey(key("up"));
  expect(list.selected?.value).toBe(24);
  list.handleKey(key("home"));
  list.handleKey(key("pagedown"));
  expect(list.render(20).rows).toEqual(["  item 1", "  item 2", "❯ item 3", "4 of 25"]);
  for (const letter of "m17") list.handleKey(key(letter));
  expect(list.render(20).rows).toEqual(["filter: m17", "❯ item 17"]);
  list.handleKey(key("enter"));
  expect(chosen).toEqual([17]);
  expect(list.handleKey(key("escape"))).toBe(false);
});

test("what stands beside the labels of a list stands in one column", () => {
  const items = [
    { value: 1, label: "日本", detail: "wide" },
    { value: 2, label: "longer label", detail: "other" },
    { value: 3, label: "no detail" },
  ];
  const list = new ListView({ items, theme, requestRender, onChoose: requestRender });
  expect(list.render(40).rows).toEqual([
    "❯ 日本          wide",
    "  longer label  other",
    "  no detail",
  ]);
});

test("a diff whose lines nobody can number has no numbers", () => {
  const lines: DiffLine[] = [
    { kind: "removed", text: "old", oldLine: 0 },
    { kind: "added", text: "new words", newLine: 0 },
  ];
  expect(new DiffView({ lines, theme }).render(30).rows).toEqual(["- old", "+ new words"]);
});

test("a tree folds, and shows the marked path", () => {
  const roots: TreeNode[] = [
    {
      id: "r",
      label: "root",
      children: [
        { id: "a", label: "a", children: [{ id: "c", label: "c" }] },
        { id: "b", label: "b" },
      ],
    },
  ];
  const chosen: string[] = [];
  const tree = new TreeView({
    roots,
    theme,
    requestRender,
    markedPath: ["r", "a"],
    onChoose: ({ id }) => chosen.push(id),
  });
  expect(tree.render(30).rows).toEqual(["  ▾ ● root", "❯ ├─▾ ● a", "  │ └─  c", "  └─  b"]);
  tree.handleKey(key("left"));
  expect(tree.render(30).rows).toEqual(["  ▾ ● root", "❯ ├─▸ ● a", "  └─  b"]);
  tree.handleKey(key("left"));
  expect(tree.selected?.id).toBe("r");
  tree.handleKey(key("enter"));
  expect(chosen).toEqual(["r"]);
});

test("a tree as deep as a long conversation is drawn without overflow", () => {
  let node: TreeNode = { id: "end", label: "end" };
  for (let depth = 0; depth < 20_000; depth++)
    node = { id: `n${depth}`, label: "n", children: [node] };
  const tree = new TreeView({ roots: [node], theme, requestRender, onChoose: requestRender });
  tree.handleKey(key("end"));
  expect(tree.selected?.id).toBe("end");
  expect(tree.render(40).rows).toHaveLength(16);
});

test("panel, tabs and hints", () => {
  const content = new TextBlock({ text: "hello" });
  expect(new Panel({ title: "T", content, theme }).render(14)).toEqual({
    rows: ["╭─ T ────────╮", "│ hello      │", "╰────────────╯"],
    stableRows: 3,
  });
  const tabs = new Tabs({
    tabs: [
      { title: "A", content },
      { title: "B", content },
    ],
    theme,
    requestRender,
  });
  expect(tabs.render(20).rows).toEqual(["[A]  B  ", "hello"]);
  tabs.handleKey(key("tab"));
  expect(tabs.chosen).toBe(1);
  const bindings = new KeyBindings(SELECTION_ACTIONS, new Map([["selection.accept", [["f2"]]]]));
  const hints = [
    { action: "selection.accept", label: "choose" },
    { action: "selection.cancel", label: "leave" },
  ];
  expect(new KeyHints({ hints, bindings, theme }).render(40).rows).toEqual([
    "F2 choose · Esc leave",
  ]);
  expect(new KeyHints({ hints, bindings, theme }).render(12).rows).toEqual(["F2 choose"]);
});

test("the clock ticks only for what is drawn", async () => {
  const drawn = Promise.withResolvers<void>();
  let spinner: Spinner | undefined;
  let frames = 0;
  const clock = createAnimationClock(() => {
    frames++;
    // Drawn once more, then out of sight.
    if (frames === 1) spinner!.render(20);
    else drawn.resolve();
  }, 5);
  spinner = new Spinner({ clock, theme, label: "working" });
  expect(clock.running).toBe(false);
  const first = spinner.render(20).rows;
  expect(spinner.render(20).rows).toEqual([...first]);
  await drawn.promise;
  expect(clock.running).toBe(false);
  expect(frames).toBe(2);
  spinner.finish("success", "done");
  expect(spinner.render(20)).toEqual({ rows: ["✓ done"], stableRows: 1 });
  expect(clock.running).toBe(false);
});

test("a bar shows how far", () => {
  const clock = createAnimationClock(requestRender);
  const bar = new ProgressBar({ clock, theme, label: "files", barColumns: 10 });
  bar.set(0.5);
  expect(bar.render(40).rows).toEqual(["█████░░░░░ 50% files"]);
  expect(clock.running).toBe(false);
  bar.set(1);
  expect(bar.state).toBe("final");
});

test("dialogs answer once, or are cancelled", async () => {
  const items = [
    { value: "a", label: "first" },
    { value: "b", label: "second" },
  ];
  const select = new SelectDialog({ title: "Pick", items, theme, requestRender });
  select.handleKey(key("down"));
  select.handleKey(key("enter"));
  expect(await select.result).toBe("b");
  expect(select.state).toBe("final");
  expect(select.handleKey(key("enter"))).toBe(false);
  const confirm = new ConfirmDialog({
    title: "Sure?",
    question: "Delete it?",
    theme,
    requestRender,
  });
  expect(confirm.handleKey(key("f9"))).toBe(true);
  confirm.handleKey(key("enter"));
  expect(await confirm.result).toBe(false);
  const abort = new AbortController();
  const input = new InputDialog({ title: "Name", theme, requestRender, signal: abort.signal });
  abort.abort();
  expect(await input.result).toBeUndefined();
});

test("an input dialog checks, hides and takes one line", async () => {
  const check = (text: string): string | undefined =>
    text.length < 4 ? "Type at least four letters." : undefined;
  const dialog = new InputDialog({ title: "Key", theme, requestRender, show: "hidden", check });
  dialog.handleKey({ type: "paste", text: "ab\n" });
  dialog.handleKey(key("enter"));
  expect(dialog.render(40).rows.join("\n")).toContain("at least four");
  dialog.handleKey(key("c", { text: "c" }));
  dialog.handleKey({ type: "paste", text: "d" });
  expect(dialog.render(20).rows[1]).toContain("****");
  expect(dialog.render(20).caret).toEqual({ row: 1, column: 6 });
  dialog.handleKey(key("enter"));
  expect(await dialog.result).toBe("abcd");
});

test("a choice begins where it is told to, and says what Enter would take", async () => {
  const seen: (number | undefined)[] = [];
  const dialog = new SelectDialog({
    title: "Level",
    items: [1, 2, 3].map((value) => ({ value, label: `level ${value}` })),
    selected: 1,
    onMove: (item) => void seen.push(item?.value),
    theme,
    requestRender,
  });
  expect(dialog.render(20).rows[2]).toContain("❯ level 2");
  dialog.handleKey(key("down"));
  dialog.handleKey(key("x"));
  expect(seen).toEqual([3, undefined]);
  dialog.handleKey(key("backspace"));
  dialog.handleKey(key("enter"));
  expect(await dialog.result).toBe(1);
});
