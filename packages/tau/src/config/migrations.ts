// What settings were called and meant before, as a chain of steps from one version of the file to the
// next. Files of every version are read as if they were current, with a word on what has changed; the
// file itself is rewritten when the user says so.

import { isSource } from "./sources.ts";

export const VERSION_KEY = "configVersion";

/** One thing that a step changes. */
export interface SettingChange {
  /** As the file has it. */
  old: string;
  /** What it becomes; undefined where it goes. */
  now?: { key: string; value: unknown };
  /** What stays under the old name; it is removed where absent. */
  rest?: unknown;
  /** For the user, as what follows the old name. */
  why: string;
}

type Tree = Readonly<Record<string, unknown>>;
type Step = (tree: Tree) => SettingChange[];

/** The first brings a file without a version to version 1, and so on. */
const STEPS: readonly Step[] = [fromTheFamily];

export const SETTINGS_VERSION = STEPS.length;

export interface Migration {
  changes: SettingChange[];
  /** The file is for a later Tau than this one. */
  isTooNew: boolean;
}

/** Nothing of the tree itself is changed. */
export function migrationOf(tree: Tree): Migration {
  const { [VERSION_KEY]: given } = tree;
  const version = typeof given === "number" && Number.isInteger(given) && given > 0 ? given : 0;
  let current = tree;
  const changes: SettingChange[] = [];
  for (const step of STEPS.slice(version)) {
    for (const change of step(current)) {
      changes.push(change);
      current = withChange(current, change);
    }
  }
  return { changes, isTooNew: version > SETTINGS_VERSION };
}

/** The tree as it is after a change. */
export function withChange(tree: Tree, { old, now, rest }: SettingChange): Tree {
  const changed = withValue(tree, old, rest);
  return now ? withValue(changed, now.key, now.value) : changed;
}

/** Names of the family whose files open here, and its one list for models and discovery. */
function fromTheFamily(tree: Tree): SettingChange[] {
  const changes: SettingChange[] = [];
  const queueMode = valueAt(tree, "queueMode");
  if (queueMode !== undefined) {
    const isSet = valueAt(tree, "steeringMode") !== undefined;
    const why = isSet
      ? "has been renamed to steeringMode, which is set, too"
      : "has been renamed to steeringMode";
    const now = isSet ? {} : { now: { key: "steeringMode", value: queueMode } };
    changes.push({ old: "queueMode", why, ...now });
  }
  const delay = valueAt(tree, "tasks.todoClearDelay");
  if (delay !== undefined) {
    const now = { key: "todo.clearDelay", value: delay };
    changes.push({ old: "tasks.todoClearDelay", now, why: "has been renamed to todo.clearDelay" });
  }
  const disabled = valueAt(tree, "disabledProviders");
  const mixed = Array.isArray(disabled) ? disabled : [];
  const sources = mixed.flatMap((one) => sourceNamed(one) ?? []);
  if (sources.length > 0) {
    const before = valueAt(tree, "disabledSources");
    const value = [...new Set([...(Array.isArray(before) ? before : []), ...sources])];
    changes.push({
      old: "disabledProviders",
      now: { key: "disabledSources", value },
      rest: mixed.filter((one) => sourceNamed(one) === undefined),
      why: `applies to models only; put ${sources.join(", ")} into disabledSources`,
    });
  }
  if (valueAt(tree, "lastChangelogVersion") !== undefined) {
    changes.push({ old: "lastChangelogVersion", why: "is nothing to set" });
  }
  return changes;
}

function sourceNamed(word: unknown): string | undefined {
  if (word === "native") return "tau";
  return typeof word === "string" && isSource(word) ? word : undefined;
}

/** Nested or dotted, as files have it. */
export function pathIn(tree: Tree, key: string): string[] | undefined {
  if (Object.hasOwn(tree, key)) return [key];
  const [first = "", ...rest] = key.split(".");
  if (rest.length === 0 || !isRecord(tree[first])) return undefined;
  const below = pathIn(tree[first], rest.join("."));
  return below && [first, ...below];
}

function valueAt(tree: Tree, key: string): unknown {
  const path = pathIn(tree, key);
  return path?.reduce<unknown>((at, part) => (at as Tree)[part], tree) ?? undefined;
}

/** `value` undefined takes it out. */
function withValue(tree: Tree, key: string, value: unknown): Tree {
  return placed(tree, pathIn(tree, key) ?? key.split("."), value);
}

function placed(tree: Tree, [first = "", ...rest]: readonly string[], value: unknown): Tree {
  const { [first]: before, ...others } = tree;
  if (rest.length > 0) {
    return { ...tree, [first]: placed(isRecord(before) ? before : {}, rest, value) };
  }
  return value === undefined ? others : { ...tree, [first]: value };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
