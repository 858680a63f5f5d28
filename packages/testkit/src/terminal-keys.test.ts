import { describe, expect, test } from "bun:test";
import { encodeKey, UnknownKey } from "./terminal-keys.ts";

const LEGACY = { applicationCursor: false, disambiguate: false };
const KITTY = { applicationCursor: false, disambiguate: true };

describe("legacy keys", () => {
  test.each([
    ["a", "a"],
    ["A", "A"],
    ["é", "é"],
    ["shift+a", "A"],
    ["+", "+"],
    ["alt++", "\x1b+"],
    ["enter", "\r"],
    ["tab", "\t"],
    ["esc", "\x1b"],
    ["Escape", "\x1b"],
    ["space", " "],
    ["backspace", "\x7f"],
    ["ctrl+backspace", "\b"],
    ["alt+backspace", "\x1b\x7f"],
    ["alt+enter", "\x1b\r"],
    ["shift+tab", "\x1b[Z"],
    ["ctrl+a", "\x01"],
    ["ctrl+c", "\x03"],
    ["ctrl+C", "\x03"],
    ["ctrl+z", "\x1a"],
    ["ctrl+space", "\0"],
    ["ctrl+/", "\x1f"],
    ["ctrl+[", "\x1b"],
    ["ctrl+alt+d", "\x1b\x04"],
    ["alt+b", "\x1bb"],
    ["up", "\x1b[A"],
    ["alt+up", "\x1b[1;3A"],
    ["ctrl+shift+left", "\x1b[1;6D"],
    ["home", "\x1b[H"],
    ["end", "\x1b[F"],
    ["ctrl+end", "\x1b[1;5F"],
    ["pageup", "\x1b[5~"],
    ["shift+pgdn", "\x1b[6;2~"],
    ["insert", "\x1b[2~"],
    ["delete", "\x1b[3~"],
    ["ctrl+delete", "\x1b[3;5~"],
    ["f1", "\x1bOP"],
    ["f4", "\x1bOS"],
    ["f5", "\x1b[15~"],
    ["f12", "\x1b[24~"],
    ["shift+f1", "\x1b[1;2P"],
  ])("%s", (key, bytes) => {
    expect(encodeKey(key, LEGACY)).toBe(bytes);
  });

  test("application mode changes plain cursor keys only", () => {
    const modes = { ...LEGACY, applicationCursor: true };
    expect(encodeKey("up", modes)).toBe("\x1bOA");
    expect(encodeKey("home", modes)).toBe("\x1bOH");
    expect(encodeKey("ctrl+up", modes)).toBe("\x1b[1;5A");
    expect(encodeKey("delete", modes)).toBe("\x1b[3~");
  });

  test.each(["shift+enter", "ctrl+enter", "ctrl+shift+c", "ctrl+é", "hyper+a", "nokey", ""])(
    "%p is refused",
    (key) => {
      expect(() => encodeKey(key, LEGACY)).toThrow(UnknownKey);
    },
  );
});

describe("kitty keys", () => {
  test.each([
    ["a", "a"],
    ["shift+a", "A"],
    ["enter", "\r"],
    ["shift+enter", "\x1b[13;2u"],
    ["esc", "\x1b[27u"],
    ["ctrl+c", "\x1b[99;5u"],
    ["ctrl+shift+c", "\x1b[99;6u"],
    ["alt+b", "\x1b[98;3u"],
    ["shift+tab", "\x1b[9;2u"],
    ["ctrl+space", "\x1b[32;5u"],
    ["space", " "],
    ["up", "\x1b[A"],
    ["f3", "\x1b[13~"],
  ])("%s", (key, bytes) => {
    expect(encodeKey(key, KITTY)).toBe(bytes);
  });
});
