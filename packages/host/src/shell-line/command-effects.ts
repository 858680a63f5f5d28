// What one command of a line does, and what that makes of it.

import type { PathTarget } from "./place-path.ts";

/**
 * `guarded`: critical, deletes or overwrites outside, runs what it downloads, or takes other
 * rights. `unknown`: what matters cannot be told from the text. `other`: runs programs that may do
 * anything, or talks to the network. From best to worst; a line is as bad as its worst command.
 */
const LINE_CLASSES = ["read-only", "writes-inside", "other", "unknown", "guarded"] as const;
export type LineClass = (typeof LINE_CLASSES)[number];

/** Of what may have secrets in it: `cat .*`. */
export const HIDDEN_FILES = "hidden files, with the secrets that may be in them";

export interface CommandEffects {
  /** As it stands in the line. */
  text: string;
  /**
   * The programs it comes to, each with its arguments, one blank between them: without quotes,
   * directories, assignments and what stands before (`env`, `timeout 5`, `git -C …`).
   */
  spellings: string[];
  /** Undefined where the name is not known, or it is no program. */
  program: string | undefined;
  reads: boolean;
  /** May come to be. */
  writes: PathTarget[];
  /** Were there and are gone, or have another content. */
  deletes: PathTarget[];
  overwrites: PathTarget[];
  network: boolean;
  /** Programs that may do anything: scripts, builds, whatever the tables do not know. */
  executes: boolean;
  downloads: boolean;
  downloadsAndExecutes: boolean;
  /** Something leaves the machine: an upload, a message, an address with data in it. */
  sends: boolean;
  /** What it reads of secrets: "/home/me/.netrc, credentials". */
  readsSecrets: string[];
  /** Files that it may read, as far as they are named; patterns among them. */
  readsFiles: Set<string>;
  /** What may have secrets in it and is read for other reasons most of the time: all of a project. */
  mayReadSecrets: string[];
  /** It asks an address that the line chooses, so that a word in it can carry data. */
  reaches: boolean;
  elevates: boolean;
  /** Why it is critical. */
  critical: string[];
  /** Why it cannot be judged. */
  unknown: string[];
}

export function noEffects(text: string): CommandEffects {
  return {
    text,
    spellings: [],
    program: undefined,
    reads: false,
    writes: [],
    deletes: [],
    overwrites: [],
    network: false,
    executes: false,
    downloads: false,
    downloadsAndExecutes: false,
    sends: false,
    readsSecrets: [],
    readsFiles: new Set(),
    mayReadSecrets: [],
    reaches: false,
    elevates: false,
    critical: [],
    unknown: [],
  };
}

export function noteSpelling(
  { spellings }: CommandEffects,
  name: string,
  args: readonly { prefix: string }[],
): void {
  const spelling = [name, ...args.map(({ prefix }) => prefix)].join(" ");
  if (!spellings.includes(spelling)) spellings.push(spelling);
}

export function classOf(effects: CommandEffects): LineClass {
  if (guardedReasons(effects).length > 0) return "guarded";
  if (unknownReasons(effects).length > 0) return "unknown";
  if (effects.executes || effects.network || effects.sends) return "other";
  if (effects.writes.some(({ place }) => place === "outside" || place === "unknown"))
    return "other";
  const isWriting = [effects.writes, effects.deletes, effects.overwrites].some(
    (targets) => targets.length > 0,
  );
  return isWriting ? "writes-inside" : "read-only";
}

/** Without their subject, the command; each effect that somebody must agree to. */
export function guardedReasons(effects: CommandEffects): string[] {
  const { writes, deletes, overwrites } = effects;
  const reasons = [...effects.critical];
  if (effects.downloadsAndExecutes) reasons.push("runs what it downloads");
  if (effects.elevates) reasons.push("runs with another user's privileges");
  if (effects.sends && effects.readsSecrets.length > 0)
    reasons.push(...effects.readsSecrets.map((what) => `may send ${what}`));
  for (const target of deletes) {
    if (target.guard !== undefined) reasons.push(`deletes ${named(target)}, ${target.guard}`);
    else if (isGuarded(target)) reasons.push(`deletes ${named(target)}`);
  }
  for (const target of [...overwrites, ...writes]) {
    if (target.guard !== undefined) reasons.push(`changes ${named(target)}, ${target.guard}`);
  }
  for (const target of overwrites) {
    if (target.guard === undefined && target.place === "outside")
      reasons.push(
        `${target.isNew ? "creates" : "overwrites"} ${named(target)} outside the workspace`,
      );
  }
  return [...new Set(reasons)];
}

export function unknownReasons(effects: CommandEffects): string[] {
  const reasons = [...effects.unknown];
  const isOpen = ({ place }: PathTarget): boolean => place === "unknown";
  if (effects.deletes.some(isOpen)) reasons.push("what it deletes cannot be determined");
  if (effects.overwrites.some(isOpen)) reasons.push("what it overwrites cannot be determined");
  return [...new Set(reasons)];
}

function named({ path }: PathTarget): string {
  return path ?? "files";
}

/** The workspace as a whole and its history cannot be had back either. */
function isGuarded({ place, isRoot, path }: PathTarget): boolean {
  if (place === "outside" || isRoot) return true;
  return place === "inside" && path !== undefined && /\/\.git(?:\/\*)?$/.test(path);
}

export function worst(classes: Iterable<LineClass>): LineClass {
  let index = 0;
  for (const each of classes) index = Math.max(index, LINE_CLASSES.indexOf(each));
  return LINE_CLASSES[index]!;
}
