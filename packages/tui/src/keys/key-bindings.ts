// Which keys do what. Actions are rows of a table; a user's remaps lie over the defaults;
// dispatch, hints and menus all ask here, so that a remap shows everywhere at once.

import { parseChord, printChord, type Chord } from "./key-stroke.ts";

/** One thing that a key can do. */
export interface KeyAction {
  /** Namespaced, as `app.model.select`. */
  id: string;
  defaultKeys: readonly string[];
  description: string;
  /** Where it applies; the same key may do different things in different contexts. */
  context: string;
  /** Older names under which remap files may know it. */
  formerIds?: readonly string[];
}

/** What a user wants instead of the defaults; an empty list disables the action. */
export type Remaps = ReadonlyMap<string, readonly Chord[]>;

export interface KeyConflict {
  context: string;
  keys: string;
  /** The first of them gets the key. */
  actions: readonly string[];
  message: string;
}

export interface Binding {
  action: KeyAction;
  chords: readonly Chord[];
  remapped: boolean;
}

const spelled = (chord: Chord): string => chord.join(" ");

function defaultChords(action: KeyAction): Chord[] {
  return action.defaultKeys.map((keys) => {
    const reading = parseChord(keys);
    // A wrong default is a bug of ours, not of a user's file.
    if (!reading.ok) throw new Error(`Action ${action.id}: ${reading.why}`);
    return reading.chord;
  });
}

export class KeyBindings {
  readonly bindings: readonly Binding[];
  readonly conflicts: readonly KeyConflict[];
  readonly #byId: ReadonlyMap<string, Binding>;
  readonly #byContext = new Map<string, Map<string, string>>();
  readonly #prefixes = new Map<string, Set<string>>();

  constructor(actions: readonly KeyAction[], remaps: Remaps = new Map()) {
    const bindings = actions.map((action): Binding => {
      const chords = remaps.get(action.id);
      return chords
        ? { action, chords, remapped: true }
        : { action, chords: defaultChords(action), remapped: false };
    });
    this.bindings = bindings;
    this.#byId = new Map(bindings.map((binding) => [binding.action.id, binding]));
    this.conflicts = this.#fill(bindings);
  }

  /** The action that a whole chord stands for in a context. */
  actionFor(context: string, chord: Chord): string | undefined {
    return this.#byContext.get(context)?.get(spelled(chord));
  }

  /** Whether more strokes could make the chord an action's. */
  isBeginning(context: string, chord: Chord): boolean {
    return this.#prefixes.get(context)?.has(spelled(chord)) ?? false;
  }

  /** For hints: the first key of an action, printed; undefined where it has none. */
  hint(actionId: string): string | undefined {
    const chord = this.#byId.get(actionId)?.chords[0];
    return chord && printChord(chord);
  }

  /** For menus: all keys of an action, printed. */
  keysOf(actionId: string): string[] {
    return (this.#byId.get(actionId)?.chords ?? []).map(printChord);
  }

  #fill(bindings: readonly Binding[]): KeyConflict[] {
    const claims = new Map<string, { context: string; chord: Chord; actions: string[] }>();
    // What a user asked for wins over a default that happens to have the same key.
    const ordered = [
      ...bindings.filter((binding) => binding.remapped),
      ...bindings.filter((binding) => !binding.remapped),
    ];
    for (const { action, chords } of ordered) {
      for (const chord of chords) this.#claim(claims, action, chord);
    }
    const conflicts: KeyConflict[] = [];
    for (const { context, chord, actions } of claims.values()) {
      if (actions.length > 1) conflicts.push(conflictOf(context, chord, actions));
      if (this.isBeginning(context, chord)) {
        const longer = ordered.find(
          (other) => other.action.context === context && other.chords.some((c) => begins(chord, c)),
        );
        if (longer) conflicts.push(conflictOf(context, chord, [actions[0]!, longer.action.id]));
      }
    }
    return conflicts;
  }

  #claim(
    claims: Map<string, { context: string; chord: Chord; actions: string[] }>,
    action: KeyAction,
    chord: Chord,
  ): void {
    const { context, id } = action;
    const key = `${context}\0${spelled(chord)}`;
    const claim = claims.get(key) ?? { context, chord, actions: [] };
    if (!claim.actions.includes(id)) claim.actions.push(id);
    claims.set(key, claim);
    const table = this.#byContext.get(context) ?? new Map<string, string>();
    this.#byContext.set(context, table);
    if (!table.has(spelled(chord))) table.set(spelled(chord), id);
    const prefixes = this.#prefixes.get(context) ?? new Set<string>();
    this.#prefixes.set(context, prefixes);
    for (let length = 1; length < chord.length; length++) {
      prefixes.add(spelled(chord.slice(0, length)));
    }
  }
}

const begins = (short: Chord, long: Chord): boolean =>
  long.length > short.length && short.every((stroke, index) => long[index] === stroke);

function conflictOf(context: string, chord: Chord, actions: readonly string[]): KeyConflict {
  const keys = printChord(chord);
  const message = `${keys} is bound to ${actions.join(" and ")} in ${context}; ${actions[0]} gets it. Remap one of them.`;
  return { context, keys, actions, message };
}
