// Where a path leads: inside what the agent works on, to temporary files, or outside. Links are
// followed if the context knows how; those that the line itself makes are followed too.

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
  /** What it is, if nobody changes it unasked. */
  guard?: string;
  /** There is no such file yet, as far as that is known. */
  isNew?: boolean;
}

/** Writing to them changes no file. */
const STREAMS =
  /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|fd\/\d+|u?random)$|^\/proc\/(?:self|thread-self)\/fd\/\d+$/;

const UNKNOWN_TARGET: PathTarget = { path: undefined, place: "unknown", isRoot: false };

export function isStream({ text, isPipe }: Field): boolean {
  return isPipe === true || (text !== undefined && STREAMS.test(posix.normalize(text)));
}

export interface PlaceOptions {
  /** The entry itself is meant: what deletes or moves a link does not follow it. */
  isEntry?: boolean;
  /** Links that the line makes, and where they lead. */
  links?: ReadonlyMap<string, string>;
}

/** One for each directory that the shell may be in, and for each way that a link may lead. */
export function placePath(
  field: Field,
  state: ShellState,
  context: ShellContext,
  options: PlaceOptions = {},
): PathTarget[] {
  const paths = pathsOf(field, state);
  if (!paths) return [placePrefix(field, context)];
  return paths.flatMap((path) => {
    const own = placeReal(path, context, options);
    const through = throughLinks(posix.normalize(path), options);
    return [own, ...through.map((each) => placeReal(each, context, {}))];
  });
}

/** Absolute, with every `..` that it has, for each directory that the shell may be in. */
export function pathsOf(field: Field, { directories }: ShellState): string[] | undefined {
  if (field.text === undefined || field.isMany) return undefined;
  // An address of a file is its path.
  const text = field.text.replace(/^file:(?:\/\/(?:localhost)?)?(?=\/)/i, "");
  if (text === "" || (field.isPattern && text.split("/").some(mayMatchParent))) return undefined;
  if (text.startsWith("/")) return [text];
  return directories?.map((from) => `${from}/${text}`);
}

/** By where it really leads; but said as it is written. */
function placeReal(raw: string, context: ShellContext, { isEntry }: PlaceOptions): PathTarget {
  const path = tidy(posix.normalize(raw));
  const { guards, real } = context;
  const led = real ? (isEntry ? realEntry(raw, real) : real(raw)) : path;
  const target = placeAbsolute(tidy(led), realContext(context));
  const guard = guards?.(path) ?? (led === path ? undefined : guards?.(led));
  const isNew = target.place === "outside" && context.exists?.(led) === false && !/[*?[]/.test(led);
  return {
    ...target,
    path: target.place === "outside" ? tidy(led) : path,
    guard,
    isNew: isNew || undefined,
  };
}

function tidy(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") || "/" : path;
}

function realEntry(path: string, real: (path: string) => string): string {
  const { dir, base } = posix.parse(tidy(path));
  if (base === "" || base === "." || base === "..") return real(path);
  return posix.join(real(dir), base);
}

/** The roots may be reached through links as well. */
function realContext(context: ShellContext): ShellContext {
  const { real, workspace, temporary, home } = context;
  if (!real) return context;
  return {
    ...context,
    workspace: real(workspace),
    home: real(home),
    temporary: temporary.map(real),
  };
}

/** Where the path leads through links that the line has made by then. */
function throughLinks(path: string, { links, isEntry }: PlaceOptions): string[] {
  if (!links) return [];
  const found = new Set<string>();
  let paths = [path];
  for (let deep = 0; paths.length > 0 && deep < MAX_LINKS; deep++) {
    const next = paths.flatMap((each) => throughOne(each, links, isEntry === true));
    paths = next.filter((each) => !found.has(each));
    for (const each of paths) found.add(each);
  }
  return [...found];
}

/** A link may lead to another one. */
const MAX_LINKS = 4;

function throughOne(path: string, links: ReadonlyMap<string, string>, isEntry: boolean): string[] {
  const parts = path.split("/");
  return [...links].flatMap(([link, target]) => {
    const places = link.split("/");
    if (parts.length < places.length + (isEntry ? 1 : 0)) return [];
    const isBelowLink = places.every((name, at) => name === parts[at] || /[*?[]/.test(parts[at]!));
    return isBelowLink ? [posix.join(target, ...parts.slice(places.length))] : [];
  });
}

function placeAbsolute(path: string, context: ShellContext): PathTarget {
  const { workspace, temporary, home } = context;
  // Whoever starts at home or above works on none of it in particular: all of it is outside.
  const hasInside = !isBelow(home, workspace);
  const lastStar = /^(.*)\/\*+$/s.exec(path)?.[1];
  for (const root of temporary) {
    // The workspace may itself be a temporary directory.
    if (hasInside && isBelow(workspace, root) && isBelow(path, workspace)) break;
    if (path === root || lastStar === root) return { path, place: "temporary", isRoot: true };
    if (isBelow(path, root) && !isBelow(workspace, path)) {
      return { path, place: "temporary", isRoot: false };
    }
  }
  if (!hasInside) return { path, place: "outside", isRoot: path === workspace };
  if (path === workspace || lastStar === workspace) return { path, place: "inside", isRoot: true };
  if (isBelow(path, workspace)) return { path, place: "inside", isRoot: false };
  return { path, place: "outside", isRoot: false };
}

/** A beginning that leads away from everything of ours is enough to say "outside". */
function placePrefix({ prefix, isPipe }: Field, context: ShellContext): PathTarget {
  const directory = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  if (!directory.startsWith("/") || directory === "/" || isPipe) return UNKNOWN_TARGET;
  const path = posix.normalize(directory).replace(/\/+$/, "");
  const guard = context.guards?.(path);
  const ours = [context.workspace, ...context.temporary];
  if (ours.some((root) => isBelow(root, path) || isBelow(path, root)))
    return { ...UNKNOWN_TARGET, guard };
  return { path, place: "outside", isRoot: false, guard };
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root === "/" ? "/" : `${root}/`);
}

/** `.*` and the like: older shells give `..` for them. */
function mayMatchParent(component: string): boolean {
  return /^\.[.?*[]*[?*[]/.test(component) && !/[^.?*[\]]/.test(component);
}
