// Where a path really leads: links are followed one component after another, as the system does
// it, so that `link/..` is the directory that the link's target is in. Of what does not exist yet
// the rest is kept as it is. Nothing is opened, so no pipe or device can hold it up.

import { lstatSync, readlinkSync } from "node:fs";
import { posix } from "node:path";
import { bytePath, mayBeByteName, onDisk } from "../walk/byte-path.ts";

/** As many as Linux follows. */
const MAX_LINKS = 40;
/** Longer than any system takes. */
const MAX_COMPONENTS = 1024;
/** Links there are another process's, or lead where only the process itself gets. */
const NOT_FOLLOWED = /^\/proc(?:\/|$)/;

/** Links that lead to a mount which the system itself calls by the link's own path. */
const mounts = new Set<string>();

/** For as long as it is one: of an isolated tree, which only its namespace sees as a directory. */
export function nameMount(path: string): Disposable {
  mounts.add(path);
  return { [Symbol.dispose]: () => mounts.delete(path) };
}

/** The path must be absolute; it is in the end as well. */
export function realPlace(path: string): string {
  const open = path.split("/").toReversed();
  let links = 0;
  let real = "";
  for (let steps = 0; open.length > 0; steps++) {
    if (steps > MAX_COMPONENTS) return posix.normalize(path);
    const name = open.pop()!;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      real = real.slice(0, Math.max(0, real.lastIndexOf("/")));
      continue;
    }
    const next = `${real}/${name}`;
    const target = NOT_FOLLOWED.test(next) || mounts.has(next) ? undefined : linkTarget(next);
    if (target === undefined) {
      real = next;
      continue;
    }
    // More than that is a circle: the system refuses it, and so nothing is to be followed.
    if (++links > MAX_LINKS) return posix.normalize(path);
    if (target.startsWith("/")) real = "";
    open.push(...target.split("/").toReversed());
  }
  return real === "" ? "/" : real;
}

/** Undefined if it is no link, does not exist or cannot be looked at. */
function linkTarget(path: string): string | undefined {
  try {
    const named = onDisk(path);
    if (!lstatSync(named).isSymbolicLink()) return undefined;
    const target = readlinkSync(named);
    if (!mayBeByteName(target)) return target;
    return bytePath(readlinkSync(named, { encoding: "buffer" }));
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Missing, forbidden, too long, not a directory: there is nothing to follow. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
