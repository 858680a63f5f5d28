// Reads a user's remap file: a flat JSON object from action to one key or a list of keys.
// A mistake costs only its own line; everything else still applies, and each mistake is
// named so that it can be found.

import type { KeyAction, Remaps } from "./key-bindings.ts";
import { parseChord, type Chord } from "./key-stroke.ts";

export interface RemapReading {
  remaps: Remaps;
  /** One sentence each, with the next step. */
  problems: readonly string[];
}

/** A file of a few hundred lines is large; more is no remap file. */
const MAX_FILE_CHARS = 256 * 1024;

export function parseRemapFile(text: string, actions: readonly KeyAction[]): RemapReading {
  const remaps = new Map<string, readonly Chord[]>();
  const refuse = (problem: string): RemapReading => ({ remaps, problems: [problem] });
  if (text.length > MAX_FILE_CHARS) {
    return refuse("The keybindings file is too large; the default keys apply.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuse(
      `The keybindings file is not valid JSON (${why}); until you correct it, the default keys apply.`,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse(`The keybindings file must be an object such as {"app.model.select": "Ctrl+L"}.`);
  }
  const names = new Map<string, string>();
  for (const action of actions) {
    for (const former of action.formerIds ?? []) names.set(former, action.id);
  }
  for (const action of actions) names.set(action.id, action.id);
  const problems: string[] = [];
  for (const [name, keys] of Object.entries(value)) {
    const id = names.get(name);
    if (id === undefined) {
      problems.push(`There is no action "${name}"; see the list of keys for the names.`);
      continue;
    }
    // The present name wins where a file has both.
    if (id !== name && Object.hasOwn(value, id)) continue;
    const chords = readKeys(name, keys, problems);
    if (chords) remaps.set(id, chords);
  }
  return { remaps, problems };
}

function readKeys(name: string, keys: unknown, problems: string[]): Chord[] | undefined {
  const written: unknown[] = Array.isArray(keys) ? keys : [keys];
  const chords: Chord[] = [];
  for (const text of written) {
    if (typeof text !== "string") {
      problems.push(`${name}: give a key such as "Ctrl+P", a list of keys, or [] to disable it.`);
      return undefined;
    }
    const reading = parseChord(text);
    if (reading.ok) chords.push(reading.chord);
    else problems.push(`${name}: ${reading.why}`);
  }
  // A list of nothing but mistakes must not disable the action.
  return chords.length > 0 || written.length === 0 ? chords : undefined;
}
