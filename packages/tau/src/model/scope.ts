// Lists whose entries may hold only below certain directories, such as the models to
// offer at work.

import type { Environment } from "@tau/ai/environment";
import { resolve, sep } from "node:path";
import { expandHome } from "../config/places.ts";

const PATH_KEYS = ["path", "paths", "pathPrefix", "pathPrefixes"] as const;
const VALUE_KEYS = ["models", "providers", "values", "items"] as const;

/** The values that apply in `cwd`; an entry that makes no sense is passed over. */
export function scopedValues(
  entries: readonly unknown[],
  place: { cwd: string; env: Environment },
): string[] {
  const values: string[] = [];
  for (const entry of entries) {
    if (typeof entry === "string") values.push(entry);
    else if (typeof entry === "object" && entry !== null) {
      const record = entry as Record<string, unknown>;
      const paths = PATH_KEYS.flatMap((key) => strings(record[key]));
      if (paths.some((path) => isBelow(place.cwd, resolve(expandHome(path, place.env))))) {
        values.push(...VALUE_KEYS.flatMap((key) => strings(record[key])));
      }
    }
  }
  return values;
}

/** By whole segments: `~/workshop` is not below `~/work`. */
export function isBelow(path: string, directory: string): boolean {
  const base = directory.endsWith(sep) ? directory : directory + sep;
  return path === directory || path.startsWith(base);
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
