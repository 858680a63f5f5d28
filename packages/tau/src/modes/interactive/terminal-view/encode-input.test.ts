// What a program gets for a key: by table, and by the law that our own reader of keys understands it
// as the key that it was.

import { describe, expect, test } from "bun:test";
import { decodeSequence, decodeText } from "@tau/tui/input/decode-key";
import type { KeyPress } from "@tau/tui/key-input";
import fc from "fast-check";
import { encodeInput, type InputModes } from "./encode-input.ts";

const PLAIN: InputModes = { applicationCursor: false, bracketedPaste: false };

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  const isChord = held.ctrl || held.alt || held.meta;
  const text = isChord || [...key].length > 1 ? "" : held.shift ? key.toUpperCase() : key;
  return { type: "key", key, text, ctrl: false, alt: false, shift: false, meta: false, ...held };
}

describe("keys", () => {
  test.each<[string, KeyPress, string]>([
    ["a letter", press("a"), "a"],
    ["a capital", press("a", { shift: true }), "A"],
    ["a character of many bytes", press("ü"), "ü"],
    ["Ctrl+C", press("c", { ctrl: true }), "\x03"],
    ["Ctrl+[", press("[", { ctrl: true }), "\x1b"],
    ["Ctrl+Space", press("space", { ctrl: true }), "\0"],
    ["a space", press("space", { text: " " }), " "],
    ["Alt+b", press("b", { alt: true }), "\x1bb"],
    ["Alt+B", press("b", { alt: true, shift: true }), "\x1bB"],
    ["Ctrl+Alt+b", press("b", { ctrl: true, alt: true }), "\x1b\x02"],
    ["Enter", press("enter"), "\r"],
    ["Shift+Enter", press("enter", { shift: true }), "\r"],
    ["Escape", press("escape"), "\x1b"],
    ["Backspace", press("backspace"), "\x7f"],
    ["Shift+Tab", press("tab", { shift: true }), "\x1b[Z"],
    ["Up", press("up"), "\x1b[A"],
    ["Ctrl+Left", press("left", { ctrl: true }), "\x1b[1;5D"],
    ["F1", press("f1"), "\x1bOP"],
    ["Shift+F3", press("f3", { shift: true }), "\x1b[1;2R"],
    ["F12", press("f12"), "\x1b[24~"],
    ["Alt+PageUp", press("pageup", { alt: true }), "\x1b[5;3~"],
    ["a key without a meaning", press("launchmail"), ""],
  ])("%s", (_name, key, bytes) => {
    expect(encodeInput(key, PLAIN)).toBe(bytes);
  });

  test("arrows as the program asked for them", () => {
    const modes = { ...PLAIN, applicationCursor: true };
    expect(encodeInput(press("up"), modes)).toBe("\x1bOA");
    expect(encodeInput(press("up", { shift: true }), modes)).toBe("\x1b[1;2A");
  });

  const NAMED = ["up", "down", "left", "right", "home", "end", "insert", "delete", "pageup", "f1"];
  const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"].filter((one) => !"himj[".includes(one));

  test("a reader of keys reads the key that was pressed", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMED, "f5", "f12"),
        fc.record({ ctrl: fc.boolean(), alt: fc.boolean(), shift: fc.boolean() }),
        fc.boolean(),
        (key, held, applicationCursor) => {
          const bytes = encodeInput(press(key, held), { ...PLAIN, applicationCursor });
          expect(decodeSequence(bytes)).toMatchObject({ key, ...held });
        },
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...LETTERS), (key) => {
        const bytes = encodeInput(press(key, { ctrl: true }), PLAIN);
        expect(decodeText(bytes)).toEqual([press(key, { ctrl: true })]);
      }),
    );
  });
});

describe("pastes", () => {
  const paste = (text: string, bracketedPaste: boolean) =>
    encodeInput({ type: "paste", text }, { ...PLAIN, bracketedPaste });

  test("lines end as they do when typed, between marks where the program asked for them", () => {
    expect(paste("a\r\nb\nc", false)).toBe("a\rb\rc");
    expect(paste("a\nb", true)).toBe("\x1b[200~a\rb\x1b[201~");
  });

  test("nothing in it ends the paste or acts as a key", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const inside = paste(`${text}\x1b[201~rm\r`, true).slice(
          "\x1b[200~".length,
          -"\x1b[201~".length,
        );
        expect(inside).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
      }),
    );
  });
});
