// What a terminal sends for a key: "enter", "ctrl+c", "alt+up", "shift+tab", "f5", "é".
// The legacy encoding is xterm's; a program that asked for the kitty keyboard protocol gets
// the unambiguous one. A chord that a legacy terminal cannot express is refused, because
// sending something close to it would test another key than the one named.

export interface KeyModes {
  /** DECCKM: unmodified arrows, Home and End are sent as SS3. */
  applicationCursor: boolean;
  /** Kitty's "disambiguate escape codes" is on. */
  disambiguate: boolean;
}

export class UnknownKey extends Error {
  override readonly name = "UnknownKey";

  constructor(key: string, reason: string) {
    super(`cannot press "${key}": ${reason}`);
  }
}

// Each modifier's bit; the wire carries their sum plus one.
const MODIFIER_BITS: Record<string, number> = {
  shift: 1,
  alt: 2,
  meta: 2,
  option: 2,
  ctrl: 4,
  control: 4,
};
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;

/** Sent as CSI 1;mod X when modified. */
const CURSOR_KEYS: Record<string, string> = {
  up: "A",
  down: "B",
  right: "C",
  left: "D",
  end: "F",
  home: "H",
};
/** The same, but SS3 in every mode when plain. */
const SS3_KEYS: Record<string, string> = { f1: "P", f2: "Q", f3: "R", f4: "S" };
/** Sent as CSI number ~. */
const NUMBERED_KEYS: Record<string, number> = {
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
};
/** Keys with one byte of their own, which is also their number in the kitty protocol. */
const BYTE_KEYS: Record<string, number> = { enter: 13, tab: 9, esc: 27, backspace: 127, space: 32 };
const ALIASES: Record<string, string> = {
  escape: "esc",
  return: "enter",
  del: "delete",
  ins: "insert",
  pgup: "pageup",
  pgdn: "pagedown",
};

/** Control bytes of the keys that are not letters, as on a US keyboard. */
const CONTROL_BYTES: Record<string, number> = {
  " ": 0,
  "@": 0,
  "2": 0,
  "[": 27,
  "3": 27,
  "\\": 28,
  "4": 28,
  "]": 29,
  "5": 29,
  "^": 30,
  "6": 30,
  "/": 31,
  _: 31,
  "-": 31,
  "7": 31,
  "?": 127,
  "8": 127,
};

function parseChord(chord: string): { base: string; modifiers: number } {
  // A trailing "+" is the plus key itself: "+" or "ctrl++".
  const names = chord.endsWith("+") ? [...chord.slice(0, -2).split("+"), "+"] : chord.split("+");
  const last = names.at(-1) ?? "";
  let modifiers = 0;
  for (const name of names.slice(0, -1)) {
    if (name === "" && last === "+") continue;
    const bit = MODIFIER_BITS[name.toLowerCase()];
    if (bit === undefined) throw new UnknownKey(chord, `"${name}" is not a modifier`);
    modifiers |= bit;
  }
  const isCharacter = [...last].length === 1;
  const base = isCharacter ? last : last.toLowerCase();
  return { base: ALIASES[base] ?? base, modifiers };
}

export function encodeKey(chord: string, modes: KeyModes): string {
  const { base, modifiers } = parseChord(chord);
  const suffix = modifiers === 0 ? "" : `;${modifiers + 1}`;

  const numbered = NUMBERED_KEYS[base];
  if (numbered !== undefined) return `\x1b[${numbered}${suffix}~`;
  const cursor = CURSOR_KEYS[base];
  if (cursor !== undefined) {
    if (modifiers !== 0) return `\x1b[1${suffix}${cursor}`;
    return `\x1b${modes.applicationCursor ? "O" : "["}${cursor}`;
  }
  const ss3 = SS3_KEYS[base];
  if (ss3 !== undefined) {
    // CSI R would read as a cursor position report, so kitty moved F3 away from it.
    if (modes.disambiguate && base === "f3") return `\x1b[13${suffix}~`;
    return modifiers === 0 ? `\x1bO${ss3}` : `\x1b[1${suffix}${ss3}`;
  }

  const byte = BYTE_KEYS[base];
  if (byte === undefined && [...base].length !== 1) {
    throw new UnknownKey(chord, `"${base}" is no key that this harness knows`);
  }
  if (modes.disambiguate) return encodeKitty(base, byte, modifiers);
  return byte === undefined
    ? encodeCharacter(chord, base, modifiers)
    : encodeByteKey(chord, base, byte, modifiers);
}

function encodeByteKey(chord: string, base: string, byte: number, modifiers: number): string {
  if (base === "space") return encodeCharacter(chord, " ", modifiers);
  if (base === "tab" && modifiers === SHIFT) return "\x1b[Z";
  if (base === "backspace" && modifiers === CTRL) return "\b";
  if ((modifiers & ~ALT) !== 0) throw new UnknownKey(chord, "a legacy terminal cannot express it");
  return (modifiers === ALT ? "\x1b" : "") + String.fromCharCode(byte);
}

function encodeCharacter(chord: string, character: string, modifiers: number): string {
  const prefix = modifiers & ALT ? "\x1b" : "";
  if (!(modifiers & CTRL)) {
    return prefix + (modifiers & SHIFT ? character.toUpperCase() : character);
  }
  if (modifiers & SHIFT) throw new UnknownKey(chord, "a legacy terminal cannot express it");
  const lower = character.toLowerCase();
  const isLetter = lower >= "a" && lower <= "z";
  // The lower five bits of a letter are its control byte.
  const code = isLetter ? lower.charCodeAt(0) & 0x1f : CONTROL_BYTES[lower];
  if (code === undefined) throw new UnknownKey(chord, "a legacy terminal cannot express it");
  return prefix + String.fromCharCode(code);
}

function encodeKitty(base: string, byte: number | undefined, modifiers: number): string {
  const suffix = modifiers === 0 ? "" : `;${modifiers + 1}`;
  if (byte === undefined || base === "space") {
    const character = byte === undefined ? base : " ";
    // What types text stays text.
    if (modifiers === 0) return character;
    if (modifiers === SHIFT) return character.toUpperCase();
    return `\x1b[${character.toLowerCase().codePointAt(0)}${suffix}u`;
  }
  // Enter, Tab and Backspace stay plain, so that a shell is usable after a crash.
  if (modifiers === 0 && base !== "esc") return String.fromCharCode(byte);
  return `\x1b[${byte}${suffix}u`;
}
