// Whether the code of a plugin is what it was: all of its files with its packages, except texts, and
// manifests without what changes with every release.

import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { rootOf, type LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import type { PluginPlace } from "../../discovery/plugins/plugin-places.ts";

const TEXT = /\.(?:md|mdc|txt)$|(?:^|\/)licen[cs]e$/i;
const MANIFESTS: ReadonlySet<string> = new Set(["package.json", "plugin.json"]);
const OF_A_RELEASE: ReadonlySet<string> = new Set(["version", "description", "homepage"]);

/** Undefined if its files are gone. */
export async function codeDigest(
  plugin: LockedPlugin,
  place: PluginPlace,
): Promise<string | undefined> {
  const root = rootOf(plugin, place);
  if (root === undefined) return undefined;
  const hasher = new Bun.CryptoHasher("sha256");
  try {
    const files = await Array.fromAsync(new Bun.Glob("**/*").scan({ cwd: root, dot: true }));
    for (const file of files.toSorted()) {
      if (TEXT.test(file)) continue;
      const bytes = await readFile(join(root, file));
      const content = MANIFESTS.has(basename(file)) ? lasting(bytes.toString()) : bytes;
      hasher.update(`${file.length}:${file}${content.length}:`).update(content);
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
  return hasher.digest("hex");
}

function lasting(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (key, value) =>
      OF_A_RELEASE.has(key) && typeof value === "string" ? undefined : value,
    );
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}
