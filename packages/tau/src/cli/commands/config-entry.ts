// `tau config` on one entry of a map: `modelRoles.smol`, `tools.projectRules./home/ada/shop`. What
// follows the map's own name is the entry's, whatever signs it has.

import { suggest } from "../../base/suggest.ts";
import type { RecordRow } from "../../config/setting.ts";
import type { KnownRows } from "../../config/settings-layer.ts";
import { EXIT } from "../../exit-code.ts";
import { UserError } from "../../user-error.ts";

export interface MapEntry {
  /** The map's key. */
  key: string;
  row: RecordRow;
  name: string;
}

/** Undefined if no map has such entries. */
export function entryOf(key: string, table: KnownRows): MapEntry | undefined {
  for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1)) {
    const row = table.row(key.slice(0, dot));
    const name = key.slice(dot + 1);
    if (row?.type === "record" && name !== "") return { key: key.slice(0, dot), row, name };
  }
  return undefined;
}

/** Its value in a map; a `UserError` if it is not there. */
export function valueOf({ key, name }: MapEntry, map: unknown): unknown {
  const entries = (map ?? {}) as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(entries, name)) return entries[name];
  const names = Object.keys(entries);
  const near = suggest(name, names);
  const has = names.length === 0 ? "it is empty" : `it has ${names.join(", ")}`;
  const hint = near ? `did you mean ${key}.${near}?` : has;
  throw new UserError(`${key} has no entry ${name}; ${hint}`, EXIT.usage);
}

/** A word of the command line: JSON if it is some, otherwise text. A `UserError` if it cannot be. */
export async function entryValue({ key, row, name }: MapEntry, word: string): Promise<unknown> {
  const value = jsonOrText(word.trim());
  const lost = (await row.guards?.check?.({ [name]: value })) ?? [];
  const wrong = lost.find(({ calls }) => calls !== "none");
  if (!wrong) return value;
  throw new UserError(`${[key, ...wrong.path].join(".")}: ${wrong.message}`, EXIT.usage);
}

function jsonOrText(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch (error) {
    if (error instanceof SyntaxError) return word;
    throw error;
  }
}
