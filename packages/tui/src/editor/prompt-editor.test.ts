import { expect, test } from "bun:test";
import { TerminalEmulator } from "@tau/testkit/terminal-emulator";
import fc from "fast-check";
import type { KeyPress } from "../key-input.ts";
import { KeyBindings } from "../keys/key-bindings.ts";
import { colourlessTheme } from "../theme/built-in-theme.ts";
import { displayWidth } from "../width.ts";
import type { Completion } from "./completion.ts";
import { EDITOR_ACTIONS } from "./editor-actions.ts";
import { EditorModel } from "./editor-model.ts";
import { PromptEditor, type PromptEditorOptions, type Submission } from "./prompt-editor.ts";
import { listHistory } from "./prompt-history.ts";

function keyPress(chord: string): KeyPress {
  const parts = chord.split("+");
  const key = parts.pop()!;
  const held = { ctrl: false, alt: false, shift: false, meta: false };
  for (const name of parts) held[name as keyof typeof held] = true;
  const typed = [...key].length === 1 && !held.ctrl && !held.alt ? key : "";
  return { type: "key", key: key.toLowerCase(), text: typed, ...held };
}

function makeEditor(options: Partial<PromptEditorOptions> = {}) {
  const sent: Submission[] = [];
  const editor = new PromptEditor({
    theme: colourlessTheme(),
    requestRender: () => undefined,
    onSubmit: (submission) => sent.push(submission),
    ...options,
  });
  const press = (...chords: string[]): boolean[] =>
    chords.map((chord) => editor.handleKey(keyPress(chord)));
  const type = (text: string): void => {
    for (const letter of text) editor.handleKey({ ...keyPress("x"), key: letter, text: letter });
  };
  return { editor, sent, press, type };
}

test("Enter sends, Shift-Enter and a backslash break the line, an empty prompt is not sent", () => {
  const { editor, sent, press, type } = makeEditor();
  press("enter");
  type("one");
  press("shift+enter");
  type("two\\");
  press("enter");
  type("three");
  press("enter");
  expect(sent).toEqual([{ text: "one\ntwo\nthree", shown: "one\ntwo\nthree", how: "send" }]);
  expect(editor.text).toBe("");
});

test("the meaning of each Enter is a choice", () => {
  const remaps = new Map([
    ["editor.newline", [["ctrl+j"], ["enter"], ["shift+enter"]]],
    ["editor.submit", [["alt+enter"]]],
    ["editor.followUp", [["ctrl+enter"]]],
  ]);
  const bindings = new KeyBindings(EDITOR_ACTIONS, remaps);
  expect(bindings.conflicts).toEqual([]);
  const { sent, press, type } = makeEditor({ bindings });
  type("a");
  press("enter");
  type("b");
  press("alt+enter");
  type("c");
  press("ctrl+enter");
  expect(sent.map(({ text, how }) => [text, how])).toEqual([
    ["a\nb", "send"],
    ["c", "followUp"],
  ]);
});

test("keys that are not the editor's are left to others", () => {
  const { press, type } = makeEditor();
  expect(press("ctrl+c", "ctrl+d", "escape", "f5", "ctrl+r")).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  type("draft");
  expect(press("escape", "escape")).toEqual([true, false]);
});

test("a paste of many lines never sends and expands when sent", () => {
  const { editor, sent, press } = makeEditor();
  const text = "x\n".repeat(200);
  editor.handleKey({ type: "paste", text });
  expect(sent).toEqual([]);
  expect(editor.render(40).rows).toEqual(["[paste #1, 201 lines]"]);
  press("enter");
  expect(sent[0]!.text).toBe(text);
  expect(sent[0]!.shown).toBe("[paste #1, 201 lines]");
});

test("history: by prefix with the arrows, the draft comes back", () => {
  const history = listHistory(["fix the test", "fix the test", "explain", "fix the build"]);
  const { editor, press, type } = makeEditor({ history });
  type("fix");
  press("up");
  expect(editor.text).toBe("fix the test");
  press("up");
  expect(editor.text).toBe("fix the build");
  press("up");
  expect(editor.text).toBe("fix the build");
  press("down", "down");
  expect(editor.text).toBe("fix");
});

test("a recalled command is not offered for completion: the arrows go on through history", () => {
  const history = listHistory(["/model", "older"]);
  const offers = [{ label: "/model", insert: "/model" }];
  const { editor, press } = makeEditor({ history, completion: { complete: () => offers } });
  press("up", "up");
  expect(editor.text).toBe("older");
  press("down");
  expect(editor.render(40).rows).toEqual(["/model"]);
});

test("incremental search finds, goes on, takes or cancels", () => {
  const history = listHistory(["build it", "test it", "build all"]);
  const { editor, press, type } = makeEditor({ history });
  type("draft");
  press("ctrl+r");
  type("buil");
  expect(editor.render(40).rows).toEqual(["search: buil", "build it"]);
  press("ctrl+r");
  expect(editor.render(40).rows[1]).toBe("build all");
  press("ctrl+r");
  expect(editor.render(40).rows).toEqual(["no match: buil", "build all"]);
  press("escape");
  expect(editor.text).toBe("draft");
  press("ctrl+r");
  type("all");
  press("enter");
  expect(editor.text).toBe("build all");
});

test("completion: late answers are dropped, typing never waits, choosing replaces the word", async () => {
  const waiting: { query: string; signal: AbortSignal; answer: (items: Completion[]) => void }[] =
    [];
  const { editor, press, type, sent } = makeEditor({
    completion: {
      complete({ query }, signal) {
        const { promise, resolve } = Promise.withResolvers<Completion[]>();
        waiting.push({ query, signal, answer: resolve });
        return promise;
      },
    },
  });
  type("see @sr");
  expect(waiting.map((entry) => entry.query)).toEqual(["", "s", "sr"]);
  expect(waiting.map((entry) => entry.signal.aborted)).toEqual([true, true, false]);
  waiting[0]!.answer([{ label: "late", insert: "late" }]);
  waiting[2]!.answer([
    { label: "src/a.ts", insert: "@src/a.ts ", detail: "file" },
    { label: "src/b.ts", insert: "@src/b.ts " },
  ]);
  await Bun.sleep(0);
  expect(editor.render(40).rows).toEqual(["see @sr", "❯ src/a.ts  file", "  src/b.ts"]);
  press("down", "enter");
  expect(editor.text).toBe("see @src/b.ts ");
  expect(sent).toEqual([]);
  expect(editor.render(40).rows).toEqual(["see @src/b.ts "]);
});

test("a command may be sent with the same Enter; Esc closes the offers and keeps the draft", () => {
  const offers = [{ label: "/model", insert: "/model", submits: true }];
  const { editor, press, type, sent } = makeEditor({ completion: { complete: () => offers } });
  type("/mo");
  press("escape");
  expect(editor.render(40).rows).toEqual(["/mo"]);
  type("d");
  expect(editor.render(40).rows).toEqual(["/mod"]);
  press("ctrl+u");
  type("/m");
  press("enter");
  expect(sent.map(({ text }) => text)).toEqual(["/model"]);
});

test("a provider that breaks is reported and typing goes on", async () => {
  const failures: unknown[] = [];
  const completion = { complete: (): Promise<never> => Promise.reject(new Error("broken index")) };
  const { editor, type } = makeEditor({ completion, onFailure: (error) => failures.push(error) });
  type("@a");
  await Bun.sleep(0);
  type("b");
  expect(failures).toHaveLength(1);
  expect(editor.text).toBe("@ab");
});

test("the other editor gets the text and gives it back as one step", async () => {
  const { editor, press, type } = makeEditor({
    externalEditor: (text) => Promise.resolve(`${text}, edited`),
  });
  type("draft");
  press("ctrl+g");
  type("lost");
  await Bun.sleep(0);
  expect(editor.text).toBe("draft, edited");
  press("ctrl+_");
  expect(editor.text).toBe("draft");
});

test("a tall text scrolls inside its rows and says what is hidden", () => {
  const { editor, press } = makeEditor({ maxRows: 3 });
  editor.setText("1\n2\n3\n4\n5");
  expect(editor.render(20).rows).toEqual(["3", "4", "5", "↑2 ↓0 of 5 lines"]);
  press("up", "up", "up");
  expect(editor.render(20)).toMatchObject({
    rows: ["2", "3", "4", "↑1 ↓1 of 5 lines"],
    caret: { row: 0, column: 1 },
  });
});

test("on a low screen it takes no more rows than there are, with the caret and the offer in them", async () => {
  let room = 5;
  const offers = Array.from({ length: 12 }, (_, index) => ({
    insert: `/${index}`,
    label: `/${index}`,
  }));
  const completion = { complete: () => offers };
  const { editor, press, type } = makeEditor({ room: () => room, completion });
  editor.setText("1\n2\n3\n4\n5\n6\n7");
  for (const [rows, caret] of [
    [5, 3],
    [3, 1],
    [2, 0],
  ] as const) {
    room = rows;
    press("ctrl+end");
    expect(editor.render(20)).toMatchObject({ rows: { length: rows }, caret: { row: caret } });
    press("ctrl+home");
    expect(editor.render(20)).toMatchObject({ rows: { length: rows }, caret: { row: 0 } });
  }
  editor.setText("");
  type("/");
  await Bun.sleep(0);
  for (const rows of [2, 4, 6]) {
    room = rows;
    expect(editor.render(20)).toMatchObject({ rows: { length: rows }, caret: { row: 0 } });
  }
  press("up");
  expect(editor.render(20).rows.at(-1)).toBe("❯ /11");
});

test("the caret of a real terminal stands where the editor says", async () => {
  const emulator = new TerminalEmulator({ columns: 20, rows: 8, reply: () => undefined });
  const { editor } = makeEditor({ prompt: "> " });
  editor.setText("日本 e\u0301 👩‍👩‍👧 wide and wrapped 한글");
  const { rows, caret } = editor.render(20);
  const upToCaret = [...rows.slice(0, caret!.row), rows[caret!.row]!].join("\r\n");
  emulator.write(new TextEncoder().encode(upToCaret), () => undefined);
  await emulator.flush();
  const { row, column } = emulator.cursor();
  emulator.dispose();
  expect({ row, column }).toEqual(caret!);
});

test("law: rows fit the width and the caret is inside, whatever was typed", () => {
  const action = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => ({ type: "paste", text }) as const),
    fc
      .constantFrom(
        "left",
        "up",
        "down",
        "home",
        "end",
        "backspace",
        "shift+enter",
        "ctrl+w",
        "ctrl+y",
      )
      .map(keyPress),
  );
  fc.assert(
    fc.property(
      fc.array(action, { maxLength: 30 }),
      fc.integer({ min: 2, max: 40 }),
      (inputs, columns) => {
        const { editor } = makeEditor({ prompt: "❯ ", maxRows: 4 });
        for (const input of inputs) {
          editor.handleKey(input);
          const { rows, caret } = editor.render(columns);
          for (const row of rows) expect(displayWidth(row)).toBeLessThanOrEqual(columns);
          expect(caret!.row).toBeLessThan(rows.length);
          expect(caret!.column).toBeLessThan(columns);
          expect(editor.render(columns)).toEqual({ rows, stableRows: 0, caret });
        }
      },
    ),
    { numRuns: 150 },
  );
});

// Ten times what is promised: a loaded machine must not fail the test, a change of order must.
test("a large paste and a key in a large text stay quick", () => {
  const model = new EditorModel();
  const paste = "a line of text that somebody copied\n".repeat(150_000);
  const pasteStart = performance.now();
  model.paste(paste);
  expect(performance.now() - pasteStart).toBeLessThan(500);
  model.reset();
  model.setText("some line of the text\n".repeat(10_000));
  model.moveRows(-5_000, 80);
  const keys = 200;
  const start = performance.now();
  for (let count = 0; count < keys; count++) {
    model.insert(count % 20 === 0 ? "\n" : "x");
    model.moveRows(-1, 80);
    model.moveRows(1, 80);
  }
  expect((performance.now() - start) / keys).toBeLessThan(10);
});
