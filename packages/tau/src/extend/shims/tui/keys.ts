// Keys as the family's code reads them: bytes of a terminal, and names for them.

import { decodeSequence, decodeText } from "@tau/tui/input/decode-key";
import { parseChord, strokeOf } from "@tau/tui/keys/key-stroke";
import type { KeyPress } from "@tau/tui/key-input";

const PLAIN = [
  "escape esc enter return tab space backspace delete insert clear home end pageUp pageDown",
  "up down left right f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12",
]
  .join(" ")
  .split(" ");

const SIGNS: Readonly<Record<string, string>> = {
  backtick: "`",
  hyphen: "-",
  equals: "=",
  leftbracket: "[",
  rightbracket: "]",
  backslash: "\\",
  semicolon: ";",
  quote: "'",
  comma: ",",
  period: ".",
  slash: "/",
  exclamation: "!",
  at: "@",
  hash: "#",
  dollar: "$",
  percent: "%",
  caret: "^",
  ampersand: "&",
  asterisk: "*",
  leftparen: "(",
  rightparen: ")",
  underscore: "_",
  plus: "+",
  pipe: "|",
  tilde: "~",
  leftbrace: "{",
  rightbrace: "}",
  colon: ":",
  lessthan: "<",
  greaterthan: ">",
  question: "?",
};

const MODIFIED = ["ctrl", "shift", "alt", "super"];

function modifiedNames(): Record<string, (key: string) => string> {
  const names: Record<string, (key: string) => string> = {};
  for (const first of MODIFIED) {
    names[first] = (key) => `${first}+${key}`;
    for (const second of MODIFIED) {
      if (second === first) continue;
      names[first + second[0]!.toUpperCase() + second.slice(1)] = (key) =>
        `${first}+${second}+${key}`;
    }
  }
  return names;
}

export const Key: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(PLAIN.map((name) => [name, name])),
  ...SIGNS,
  ...modifiedNames(),
};

function pressed(data: string): KeyPress | undefined {
  if (data.startsWith("\x1b")) return decodeSequence(data);
  return decodeText(data)[0];
}

/** Whether these bytes are that key. */
export function matchesKey(data: string, key: string): boolean {
  const press = pressed(data);
  const wanted = parseChord(key);
  return press !== undefined && wanted.ok && wanted.chord[0] === strokeOf(press);
}

/** The name of the key that these bytes are. */
export function parseKey(data: string): string | undefined {
  const press = pressed(data);
  return press && strokeOf(press);
}

export const isKeyRelease = (): boolean => false;
export const isKeyRepeat = (): boolean => false;
export const isKittyProtocolActive = (): boolean => false;
export const setKittyProtocolActive = (): void => {};
export const decodeKittyPrintable = (): undefined => undefined;

/** What the keys of the family's own actions are called; nobody has changed them here. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  "tui.select.up": ["up"],
  "tui.select.down": ["down"],
  "tui.select.pageUp": ["pageUp"],
  "tui.select.pageDown": ["pageDown"],
  "tui.select.confirm": ["enter"],
  "tui.select.cancel": ["escape", "ctrl+c"],
  "tui.input.submit": ["enter"],
  "tui.input.newLine": ["shift+enter"],
  "tui.input.tab": ["tab"],
  "app.interrupt": ["escape"],
  selectUp: ["up"],
  selectDown: ["down"],
  selectConfirm: ["enter"],
  selectCancel: ["escape", "ctrl+c"],
};

export const TUI_KEYBINDINGS = ACTIONS;

export class KeybindingsManager {
  matches(data: string, action: string): boolean {
    return this.getKeys(action).some((key) => matchesKey(data, key));
  }

  getKeys(action: string): readonly string[] {
    return ACTIONS[action] ?? [];
  }
}

const manager = new KeybindingsManager();

export function getKeybindings(): KeybindingsManager {
  return manager;
}

/** The family's program has its own; here they are Tau's, and the user's to change. */
export function setKeybindings(): void {}
