// Keys and pastes as the bytes that a terminal would send for them: xterm's own encoding, which is
// what programs find under the terminal's name. What that cannot express is sent as the nearest
// key without the modifier, as terminals do.

import type { KeyInput, KeyPress } from "@tau/tui/key-input";

export interface InputModes {
  /** Arrows, Home and End are sent as SS3. */
  applicationCursor: boolean;
  bracketedPaste: boolean;
}

const ESCAPE = "\x1b";
const SHIFT_BIT = 1;
const ALT_BIT = 2;
const CTRL_BIT = 4;

/** `CSI X`, or `SS3 X` where the program asked for it; `CSI 1;m X` with modifiers. */
const CURSOR_KEYS: Readonly<Record<string, string>> = {
  up: "A",
  down: "B",
  right: "C",
  left: "D",
  clear: "E",
  end: "F",
  home: "H",
};
/** `SS3 X`; with modifiers as above. */
const FIRST_FUNCTION_KEYS: Readonly<Record<string, string>> = {
  f1: "P",
  f2: "Q",
  f3: "R",
  f4: "S",
};
/** `CSI n ~`. */
const NUMBERED_KEYS: Readonly<Record<string, number>> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
  f13: 25,
  f14: 26,
  f15: 28,
  f16: 29,
  f17: 31,
  f18: 32,
  f19: 33,
  f20: 34,
  menu: 29,
};
/** Keys with a byte of their own. */
const BYTE_KEYS: Readonly<Record<string, string>> = {
  enter: "\r",
  tab: "\t",
  escape: ESCAPE,
  backspace: "\x7f",
};
/** What Ctrl makes of keys that are no letters. */
const CONTROL_BYTES: Readonly<Record<string, string>> = {
  space: "\0",
  "@": "\0",
  "2": "\0",
  "[": ESCAPE,
  "3": ESCAPE,
  "\\": "\x1c",
  "4": "\x1c",
  "]": "\x1d",
  "5": "\x1d",
  "^": "\x1e",
  "6": "\x1e",
  "/": "\x1f",
  _: "\x1f",
  "-": "\x1f",
  "7": "\x1f",
  "?": "\x7f",
  "8": "\x7f",
};

/** Empty where a terminal would send nothing. */
export function encodeInput(input: KeyInput, modes: InputModes): string {
  return input.type === "paste" ? encodePaste(input.text, modes) : encodeKey(input, modes);
}

function encodePaste(text: string, { bracketedPaste }: InputModes): string {
  const typed = text
    .replaceAll(/\r\n|\n/g, "\r")
    // What is pasted is text: it must neither act as keys nor end the paste it is in.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "");
  return bracketedPaste ? `${ESCAPE}[200~${typed}${ESCAPE}[201~` : typed;
}

function encodeKey(press: KeyPress, { applicationCursor }: InputModes): string {
  const { key } = press;
  const modifier = modifierOf(press);
  const letter = CURSOR_KEYS[key] ?? FIRST_FUNCTION_KEYS[key];
  if (letter !== undefined) {
    if (modifier > 0) return `${ESCAPE}[1;${modifier + 1}${letter}`;
    const isSingleShift = key in FIRST_FUNCTION_KEYS || applicationCursor;
    return `${ESCAPE}${isSingleShift ? "O" : "["}${letter}`;
  }
  const number = NUMBERED_KEYS[key];
  if (number !== undefined) {
    return `${ESCAPE}[${number}${modifier > 0 ? `;${modifier + 1}` : ""}~`;
  }
  const byte = BYTE_KEYS[key];
  return byte === undefined ? encodeCharacter(press) : encodeByteKey(press, byte);
}

function modifierOf({ shift, alt, meta, ctrl }: KeyPress): number {
  return (shift ? SHIFT_BIT : 0) + (alt || meta ? ALT_BIT : 0) + (ctrl ? CTRL_BIT : 0);
}

function encodeByteKey({ key, alt, meta, ctrl, shift }: KeyPress, byte: string): string {
  const before = alt || meta ? ESCAPE : "";
  if (key === "tab" && shift) return `${before}${ESCAPE}[Z`;
  if (key === "backspace" && ctrl) return `${before}\b`;
  return before + byte;
}

function encodeCharacter(press: KeyPress): string {
  const { key, text, ctrl, shift, alt, meta } = press;
  const before = alt || meta ? ESCAPE : "";
  if (ctrl) {
    const byte = /^[a-z]$/.test(key)
      ? String.fromCharCode(key.charCodeAt(0) & 0x1f)
      : CONTROL_BYTES[key];
    if (byte !== undefined) return before + byte;
  }
  const plain = key === "space" ? " " : key;
  // A name that is not known here types nothing.
  if (text === "" && [...plain].length > 1) return "";
  return before + (text || (shift ? plain.toUpperCase() : plain));
}
