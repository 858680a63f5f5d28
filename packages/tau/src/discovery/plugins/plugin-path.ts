// A path that a plugin's manifest names: inside of the plugin, or refused.

import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, normalize, relative, sep } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { isBelow } from "../../base/is-below.ts";

/** A manifest names something that is not the plugin's own. */
export class LeadsOut extends Error {
  override readonly name = "LeadsOut";
}

/** Packages come after somebody has agreed to what a plugin may run, and are replaced by others. */
const PACKAGES = "node_modules";

/** Both without links. Disks that do not tell cases apart would take any of them. */
export function isInPackages(path: string, root: string): boolean {
  return relative(root, path).toLowerCase().split(sep).includes(PACKAGES);
}

export type PathInside =
  /** From the root, without `./`; a pattern has no kind. */
  { path: string; kind: "file" | "directory" | "pattern" } | { path: string; kind: "absent" };

/** `root` has no links in it. Rejects with `LeadsOut`. */
export async function pathInside(root: string, named: string, key: string): Promise<PathInside> {
  const path = normalize(named.replaceAll("\\", "/")).replace(/\/+$/, "");
  if (isAbsolute(path) || /^[A-Za-z]:/.test(path) || path.split(sep).includes("..")) {
    throw new LeadsOut(`${key}: ${JSON.stringify(named)} leads out of the plugin`);
  }
  const intoPackages = new LeadsOut(
    `${key}: ${JSON.stringify(named)} leads into node_modules, which is not the plugin's own`,
  );
  // Also a part of a pattern: what it finds is held back besides, however it is written.
  if (path.toLowerCase().includes(PACKAGES)) throw intoPackages;
  if (/[*?[{]/.test(path)) return { path, kind: "pattern" };
  const absolute = join(root, path);
  try {
    const real = await realpath(absolute);
    if (!isBelow(real, root)) {
      throw new LeadsOut(`${key}: ${JSON.stringify(named)} leads out of the plugin by a link`);
    }
    if (isInPackages(real, root)) throw intoPackages;
    const found = await stat(absolute);
    return { path, kind: found.isDirectory() ? "directory" : "file" };
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return { path, kind: "absent" };
  }
}
