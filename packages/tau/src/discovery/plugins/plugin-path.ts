// A path that a plugin's manifest names: inside of the plugin, or refused.

import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, normalize, sep } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { isBelow } from "../../base/is-below.ts";

/** A manifest names something that is not the plugin's own. */
export class LeadsOut extends Error {
  override readonly name = "LeadsOut";
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
  if (/[*?[{]/.test(path)) return { path, kind: "pattern" };
  const absolute = join(root, path);
  try {
    if (!isBelow(await realpath(absolute), root)) {
      throw new LeadsOut(`${key}: ${JSON.stringify(named)} leads out of the plugin by a link`);
    }
    const found = await stat(absolute);
    return { path, kind: found.isDirectory() ? "directory" : "file" };
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return { path, kind: "absent" };
  }
}
