// How a key with its modifiers is written, compared and printed. One canonical spelling
// (`ctrl+alt+shift+meta+key`) makes looking up a binding a string comparison.

import type { KeyPress } from "../key-input.ts";

/** The canonical spelling of one key with its modifiers, as `ctrl+shift+p`. */
export type Stroke = string;

/** One stroke, or several one after the other. */
export type Chord = readonly Stroke[];

export type ChordReading = { ok: true; chord: Chord } | { ok: false; why: string };

const MODIFIERS = ["ctrl", "alt", "shift", "meta"] as const;
type Modifier = (typeof MODIFIERS)[number];

const MODIFIER_NAMES: Readonly<Record<string, Modifier>> = {
  ctrl: "ctrl",
  control: "ctrl",
  alt: "alt",
  option: "alt",
  opt: "alt",
  shift: "shift",
  meta: "meta",
  super: "meta",
  cmd: "meta",
  command: "meta",
};

const KEY_ALIASES: Readonly<Record<string, string>> = {
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  pgup: "pageup",
  pgdn: "pagedown",
  pgdown: "pagedown",
  bksp: "backspace",
  spacebar: "space",
  plus: "+",
};

const NAMED_KEYS = new Set([
  ..."enter escape tab backspace delete insert space home end".split(" "),
  ..."pageup pagedown up down left right menu clear".split(" "),
  ...Array.from({ length: 35 }, (_, index) => `f${index + 1}`),
]);

const LETTER = /^\p{L}$/u;

function spell(modifiers: ReadonlySet<Modifier>, key: string): Stroke {
  // A character such as `?` says by itself that shift was held, and terminals disagree
  // about whether to mention it.
  const mentionsShift = NAMED_KEYS.has(key) || LETTER.test(key);
  const kept = MODIFIERS.filter(
    (name) => modifiers.has(name) && (name !== "shift" || mentionsShift),
  );
  return [...kept, key].join("+");
}

/** The stroke that a press stands for. */
export function strokeOf(press: KeyPress): Stroke {
  const modifiers = new Set(MODIFIERS.filter((name) => press[name]));
  const key = press.key === " " ? "space" : press.key.toLowerCase();
  return spell(modifiers, key);
}

function parseStroke(text: string): Stroke | undefined {
  // A `+` at the end is the key itself: `ctrl++`.
  const parts = text.endsWith("+") ? [...text.slice(0, -1).split("+"), "+"] : text.split("+");
  const names = parts.map((part) => part.trim().toLowerCase()).filter((part) => part !== "");
  const written = names.pop();
  if (written === undefined) return undefined;
  const key = KEY_ALIASES[written] ?? written;
  if (!NAMED_KEYS.has(key) && [...key].length !== 1) return undefined;
  const modifiers = new Set<Modifier>();
  for (const name of names) {
    const modifier = MODIFIER_NAMES[name];
    if (!modifier) return undefined;
    modifiers.add(modifier);
  }
  return spell(modifiers, key);
}

/** More strokes than this nobody remembers; a longer one is a mistake in a file. */
const MAX_STROKES = 4;

/** Reads `Ctrl+P` or `ctrl+x ctrl+e`; case and the order of modifiers do not matter. */
export function parseChord(text: string): ChordReading {
  const written = text.trim().split(/\s+/);
  if (text.trim() === "") return { ok: false, why: "The key is empty; write one such as Ctrl+P." };
  if (written.length > MAX_STROKES) {
    return { ok: false, why: `"${text}" has more than ${MAX_STROKES} keys; use a shorter one.` };
  }
  const chord: Stroke[] = [];
  for (const part of written) {
    const stroke = parseStroke(part);
    if (stroke === undefined) {
      return { ok: false, why: `"${part}" is not a key; write one such as Ctrl+P or Shift+Enter.` };
    }
    chord.push(stroke);
  }
  return { ok: true, chord };
}

const PRINTED: Readonly<Record<string, string>> = {
  pageup: "PgUp",
  pagedown: "PgDn",
  escape: "Esc",
};

function printStroke(stroke: Stroke): string {
  const parts = stroke.endsWith("++")
    ? [...stroke.slice(0, -2).split("+"), "+"]
    : stroke.split("+");
  const capital = (part: string): string => part.slice(0, 1).toUpperCase() + part.slice(1);
  return parts.map((part) => (part === "" ? "+" : (PRINTED[part] ?? capital(part)))).join("+");
}

/** For hints and menus: `Ctrl+X Ctrl+E`. `parseChord` reads it back. */
export function printChord(chord: Chord): string {
  return chord.map((stroke) => (stroke === "+" ? "+" : printStroke(stroke))).join(" ");
}
