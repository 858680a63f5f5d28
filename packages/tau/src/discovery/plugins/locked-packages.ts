// The packages that a plugin needs, as the lockfile keeps them: by their place below `node_modules`, each with its
// exact version and the integrity of its tarball. A project's lockfile is a stranger's: every word is checked.

import { isPluginName } from "./plugin-name.ts";

export type LockedPackages = Readonly<
  Record<string, { name: string; version: string; integrity: string }>
>;

const VERSION = /^\d[\w.+-]*$/;
const INTEGRITY = /^sha(?:512|384|256)-[\w+/=?\s-]+$/;

/** Undefined if they are not such: then nothing can be restored from them. */
export function readLockedPackages(given: unknown): LockedPackages | undefined {
  if (!isRecord(given)) return undefined;
  const entries = Object.entries(given).flatMap(([path, one]) => {
    if (!path.split("/node_modules/").every(isPackageName) || !isRecord(one)) return [];
    const { name, version, integrity } = one;
    if (typeof version !== "string" || !VERSION.test(version)) return [];
    if (typeof integrity !== "string" || !INTEGRITY.test(integrity)) return [];
    return isPackageName(name) ? [[path, { name, version, integrity }] as const] : [];
  });
  return entries.length === Object.keys(given).length ? Object.fromEntries(entries) : undefined;
}

/** It becomes a directory. */
export function isPackageName(name: unknown): name is string {
  return isPluginName(name) && !name.toLowerCase().split("/").includes("node_modules");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
