// Where a path leads: inside what the agent works on, to temporary files, or outside. By text
// alone; a link inside the workspace that leads out of it is not seen.

import { posix } from "node:path";
import type { Field } from "./field.ts";
import type { ShellContext } from "./shell-context.ts";
import type { ShellState } from "./shell-state.ts";

export type Place = "inside" | "temporary" | "outside" | "unknown";

export interface PathTarget {
  /** Absolute; undefined where only the running shell knows it. */
  path: string | undefined;
  place: Place;
  /** The workspace itself, a temporary directory itself, or all that is in it. */
  isRoot: boolean;
}

/** Writing to them changes no file. */
const STREAMS = /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|fd\/\d+|u?random)$/;

const UNKNOWN_TARGET: PathTarget = { path: undefined, place: "unknown", isRoot: false };

export function isStream(field: Field): boolean {
  return field.text !== undefined && STREAMS.test(field.text);
}

/** One for each directory that the shell may be in. */
export function placePath(field: Field, state: ShellState, context: ShellContext): PathTarget[] {
  const { text } = field;
  if (text === undefined || field.isMany) return [placePrefix(field, context)];
  if (text === "") return [UNKNOWN_TARGET];
  if (field.isPattern && text.split("/").some(mayMatchParent)) return [UNKNOWN_TARGET];
  if (text.startsWith("/")) return [placeAbsolute(posix.normalize(text), context)];
  if (!state.directories) return [UNKNOWN_TARGET];
  return state.directories.map((from) => placeAbsolute(posix.join(from, text), context));
}

function placeAbsolute(given: string, context: ShellContext): PathTarget {
  const path = given.length > 1 ? given.replace(/\/+$/, "") || "/" : given;
  const { workspace, temporary } = context;
  const lastStar = path.endsWith("/*") ? path.slice(0, -2) : undefined;
  for (const root of temporary) {
    // The workspace may itself be a temporary directory.
    if (isBelow(workspace, root) && isBelow(path, workspace)) break;
    if (path === root || lastStar === root) return { path, place: "temporary", isRoot: true };
    if (isBelow(path, root) && !isBelow(workspace, path)) {
      return { path, place: "temporary", isRoot: false };
    }
  }
  if (path === workspace) return { path, place: "inside", isRoot: true };
  if (isBelow(path, workspace)) return { path, place: "inside", isRoot: false };
  return { path, place: "outside", isRoot: false };
}

/** A beginning that leads away from everything of ours is enough to say "outside". */
function placePrefix({ prefix }: Field, context: ShellContext): PathTarget {
  const directory = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  if (!directory.startsWith("/") || directory === "/") return UNKNOWN_TARGET;
  const path = posix.normalize(directory).replace(/\/+$/, "");
  const ours = [context.workspace, ...context.temporary];
  if (ours.some((root) => isBelow(root, path) || isBelow(path, root))) return UNKNOWN_TARGET;
  return { path, place: "outside", isRoot: false };
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root === "/" ? "/" : `${root}/`);
}

/** `.*` and the like: older shells give `..` for them. */
function mayMatchParent(component: string): boolean {
  return /^\.[.?*[]*[?*[]/.test(component) && !/[^.?*[\]]/.test(component);
}
