// One whole escape sequence, or typed text, as key presses. It knows the old encoding, xterm's
// modifyOtherKeys and the Kitty keyboard protocol; a sequence that is no key gives nothing.

import type { KeyPress } from "../key-input.ts";
import {
  CODE_KEYS,
  FIRST_FUNCTIONAL_CODE,
  FIRST_HIGH_FUNCTION_KEY,
  KEYPAD_LETTERS,
  KEYPAD_TEXT,
  LAST_FUNCTIONAL_CODE,
  LAST_HIGH_FUNCTION_KEY,
  LETTER_KEYS,
  TILDE_KEYS,
} from "./key-names.ts";

interface Modifiers {
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  meta: boolean;
}

const NONE: Modifiers = { ctrl: false, alt: false, shift: false, meta: false };
const SHIFT_BIT = 1;
const ALT_BIT = 2;
const CTRL_BIT = 4;
// Super and Meta: what a Mac calls Command arrives as the first.
const META_BITS = 8 | 32;
const RELEASE_EVENT = 3;
const MODIFY_OTHER_KEYS = 27;
const MAX_CODE_POINT = 0x10ffff;

let segmenter: Intl.Segmenter | undefined;

/** Typed text: a key press for each character as a reader counts them. */
export function decodeText(text: string): KeyPress[] {
  if (/^[\x20-\x7e]*$/.test(text)) return Array.from(text, (char) => character(char, NONE));
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const keys: KeyPress[] = [];
  for (const { segment } of segmenter.segment(text)) {
    if (segment === "\r\n") keys.push(named("enter", NONE), control("\n"));
    else if (/^[\u0000-\u001f\u007f]$/.test(segment)) keys.push(control(segment));
    else if (!/^[\u0080-\u009f]/.test(segment)) keys.push(character(segment, NONE));
  }
  return keys;
}

/** One escape sequence; undefined for what is no key press: releases, reports, mouse. */
export function decodeSequence(sequence: string): KeyPress | undefined {
  if (sequence === "\x1b") return named("escape", NONE);
  if (sequence.startsWith("\x1b[") && sequence.length > 2) return decodeCsi(sequence);
  if (sequence.startsWith("\x1bO") && sequence.length === 3) return decodeSingleShift(sequence[2]!);
  const rest = sequence.slice(1);
  if (/^[\]P_^X]./s.test(rest)) return undefined;
  const [key] = decodeText(rest);
  return key && { ...key, alt: true, text: "" };
}

function decodeCsi(sequence: string): KeyPress | undefined {
  const linux = /^\u001b\[\[([A-E])$/.exec(sequence);
  if (linux) return named(`f${linux[1]!.charCodeAt(0) - 64}`, NONE);
  const match = /^\u001b\[([\d;:]*)([A-Za-z~])$/.exec(sequence);
  if (!match) return undefined;
  const parameters = match[1]!.split(";").map((part) => part.split(":"));
  const final = match[2]!;
  const [modifiers, event] = modifiersOf(parameters[1]);
  if (event === RELEASE_EVENT) return undefined;
  if (final === "u") return decodeCode(parameters, modifiers);
  if (final === "Z") return named("tab", { ...modifiers, shift: true });
  if (final !== "~") {
    const name = LETTER_KEYS[final];
    return name === undefined ? undefined : named(name, modifiers);
  }
  const number = Number(parameters[0]?.[0]);
  if (number === MODIFY_OTHER_KEYS) {
    return decodeCode([parameters[2] ?? [""], parameters[1] ?? [""]], modifiers);
  }
  const name = TILDE_KEYS[number];
  return name === undefined ? undefined : named(name, modifiers);
}

function decodeCode(
  parameters: readonly (readonly string[])[],
  modifiers: Modifiers,
): KeyPress | undefined {
  const [codeText, shiftedText, baseText] = parameters[0] ?? [];
  const code = Number(codeText);
  if (!codeText || code > MAX_CODE_POINT) return undefined;
  const name = CODE_KEYS[code];
  if (name === "space") return character(" ", modifiers);
  if (name !== undefined) return named(name, modifiers);
  if (KEYPAD_TEXT[code] !== undefined) return character(KEYPAD_TEXT[code], modifiers);
  if (code >= FIRST_HIGH_FUNCTION_KEY && code <= LAST_HIGH_FUNCTION_KEY) {
    return named(`f${code - FIRST_HIGH_FUNCTION_KEY + 13}`, modifiers);
  }
  // A modifier pressed alone, media keys.
  if (code >= FIRST_FUNCTIONAL_CODE && code <= LAST_FUNCTIONAL_CODE) return undefined;
  if (code < 0x20) return { ...control(String.fromCharCode(code)), ...modifiers, ctrl: true };
  const typed = textOf(parameters[2]);
  // A chord means the key's place; on another layout that is the key of the base layout.
  const isChord = modifiers.ctrl || modifiers.alt || modifiers.meta;
  const place = isChord && code > 0x7e && Number(baseText) >= 0x20 ? Number(baseText) : code;
  const shifted = modifiers.shift && shiftedText ? textOf([shiftedText]) : "";
  const key = character(textOf([String(place)]), modifiers);
  if (isChord) return key;
  return { ...key, text: typed || shifted || key.text };
}

function textOf(codes: readonly string[] | undefined): string {
  return (codes ?? [])
    .map(Number)
    .filter((code) => code >= 0x20 && code <= MAX_CODE_POINT && code !== 0x7f)
    .map((code) => String.fromCodePoint(code))
    .join("");
}

function modifiersOf(part: readonly string[] | undefined): [Modifiers, number] {
  const bits = Math.max(Number(part?.[0] || 1) - 1, 0);
  const modifiers = {
    ctrl: (bits & CTRL_BIT) !== 0,
    alt: (bits & ALT_BIT) !== 0,
    shift: (bits & SHIFT_BIT) !== 0,
    meta: (bits & META_BITS) !== 0,
  };
  return [modifiers, Number(part?.[1] ?? 1)];
}

function decodeSingleShift(letter: string): KeyPress | undefined {
  const name = LETTER_KEYS[letter];
  if (name !== undefined) return named(name, NONE);
  const keypad = KEYPAD_LETTERS[letter];
  if (keypad !== undefined)
    return keypad === "enter" ? named(keypad, NONE) : character(keypad, NONE);
  return undefined;
}

function named(key: string, modifiers: Modifiers): KeyPress {
  return { type: "key", key, text: "", ...modifiers };
}

function character(text: string, modifiers: Modifiers): KeyPress {
  const key = text.toLowerCase();
  const isUpper = key !== text;
  const shift = modifiers.shift || isUpper;
  const isChord = modifiers.ctrl || modifiers.alt || modifiers.meta;
  const typed = modifiers.shift && !isUpper ? text.toUpperCase() : text;
  const name = text === " " ? "space" : key;
  return { type: "key", key: name, ...modifiers, shift, text: isChord ? "" : typed };
}

/** The characters that Ctrl makes, and the keys that have one of their own. */
function control(char: string): KeyPress {
  const code = char.charCodeAt(0);
  if (code === 0x0d) return named("enter", NONE);
  if (code === 0x09) return named("tab", NONE);
  if (code === 0x1b) return named("escape", NONE);
  if (code === 0x7f || code === 0x08) return named("backspace", NONE);
  const ctrl = { ...NONE, ctrl: true };
  if (code === 0) return named("space", ctrl);
  return named(String.fromCharCode(code + 0x40).toLowerCase(), ctrl);
}
