import { expect, test } from "bun:test";
import fc from "fast-check";
import type { KeyPress } from "../key-input.ts";
import { ChordMatcher } from "./chord-matcher.ts";
import { KeyBindings, type KeyAction } from "./key-bindings.ts";
import { parseChord, printChord, strokeOf } from "./key-stroke.ts";
import { parseRemapFile } from "./remap-file.ts";

const ACTIONS: readonly KeyAction[] = [
  {
    id: "app.model.cycleForward",
    defaultKeys: ["Ctrl+P"],
    description: "Next model",
    context: "app",
    formerIds: ["cycleModelForward"],
  },
  { id: "app.model.select", defaultKeys: ["Ctrl+L"], description: "Choose", context: "app" },
  {
    id: "app.editor.external",
    defaultKeys: ["Ctrl+X Ctrl+E"],
    description: "Edit",
    context: "app",
  },
  { id: "tree.filter", defaultKeys: ["Ctrl+L"], description: "Filter", context: "tree" },
];

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  const none = { ctrl: false, alt: false, shift: false, meta: false };
  return { type: "key", key, text: "", ...none, ...held };
}

const ctrl = { ctrl: true };

test("the same key, however it is written", () => {
  const spellings = ["Ctrl+Shift+P", "shift+ctrl+p", "CONTROL+SHIFT+P"];
  for (const text of spellings)
    expect(parseChord(text)).toEqual({ ok: true, chord: ["ctrl+shift+p"] });
  expect(parseChord("ctrl++")).toEqual({ ok: true, chord: ["ctrl++"] });
  expect(strokeOf(press("?", { shift: true }))).toBe("?");
  expect(strokeOf(press("p", { shift: true, ctrl: true }))).toBe("ctrl+shift+p");
  expect(parseChord("Hyper+X").ok).toBe(false);
  expect(parseChord("ctrl+").ok).toBe(true);
  expect(parseChord("  ").ok).toBe(false);
});

test("law: what is printed is read back as the same chord", () => {
  const key = fc.constantFrom("a", "z", "enter", "escape", "pageup", "f5", "+", "?", "space", "é");
  const stroke = fc
    .tuple(fc.subarray(["ctrl", "alt", "shift", "meta"]), key)
    .map(([held, name]) => [...held, name].join("+"));
  fc.assert(
    fc.property(fc.array(stroke, { minLength: 1, maxLength: 4 }), (strokes) => {
      const first = parseChord(strokes.join(" "));
      expect(first.ok).toBe(true);
      if (first.ok) expect(parseChord(printChord(first.chord))).toEqual(first);
    }),
  );
});

test("a remap changes dispatch and hints, an empty list disables, a former name works", () => {
  const file = `{"cycleModelForward": "alt+m", "app.model.select": []}`;
  const { remaps, problems } = parseRemapFile(file, ACTIONS);
  expect(problems).toEqual([]);
  const bindings = new KeyBindings(ACTIONS, remaps);
  expect(bindings.hint("app.model.cycleForward")).toBe("Alt+M");
  expect(bindings.actionFor("app", ["ctrl+p"])).toBeUndefined();
  expect(bindings.actionFor("app", ["ctrl+l"])).toBeUndefined();
  expect(bindings.actionFor("tree", ["ctrl+l"])).toBe("tree.filter");
  expect(bindings.keysOf("app.model.select")).toEqual([]);
});

test("each mistake of a file is named and costs only itself", () => {
  const file = `{"app.nothing": "a", "app.model.select": "Hyper+X", "tree.filter": 3, "app.model.cycleForward": ["f2"]}`;
  const { remaps, problems } = parseRemapFile(file, ACTIONS);
  expect(problems).toHaveLength(3);
  expect(problems.join(" ")).toContain("app.nothing");
  expect([...remaps.keys()]).toEqual(["app.model.cycleForward"]);
  expect(parseRemapFile("{oops", ACTIONS).problems[0]).toContain("default keys apply");
  expect(parseRemapFile("[]", ACTIONS).problems).toHaveLength(1);
});

test("two actions on one key in one context are a named conflict; the remapped one wins", () => {
  const { remaps } = parseRemapFile(`{"app.model.select": "ctrl+p"}`, ACTIONS);
  const bindings = new KeyBindings(ACTIONS, remaps);
  expect(bindings.conflicts.map((conflict) => conflict.keys)).toEqual(["Ctrl+P"]);
  expect(bindings.conflicts[0]!.message).toContain("app.model.cycleForward");
  expect(bindings.actionFor("app", ["ctrl+p"])).toBe("app.model.select");
  expect(new KeyBindings(ACTIONS).conflicts).toEqual([]);
  const shadow = parseRemapFile(`{"app.model.select": "ctrl+x"}`, ACTIONS).remaps;
  expect(new KeyBindings(ACTIONS, shadow).conflicts).toHaveLength(1);
});

test("chords of several strokes, contexts innermost first", () => {
  const matcher = new ChordMatcher(new KeyBindings(ACTIONS));
  expect(matcher.press(["tree", "app"], press("l", ctrl))).toEqual({
    kind: "action",
    action: "tree.filter",
  });
  expect(matcher.press(["app"], press("x", ctrl))).toEqual({ kind: "pending", typed: "Ctrl+X" });
  expect(matcher.press(["app"], press("e", ctrl))).toEqual({
    kind: "action",
    action: "app.editor.external",
  });
  matcher.press(["app"], press("x", ctrl));
  expect(matcher.press(["app"], press("q"))).toEqual({ kind: "unknown", typed: "Ctrl+X Q" });
  expect(matcher.press(["app"], press("q"))).toEqual({ kind: "none" });
});
