// The variables that outweigh settings that guard, with the strictest word for each: what holds if the
// file that may have set them cannot be read.

import { aliasesOf, VARIABLE_NAMES, variableRow } from "./environment-table.ts";
import type { KnownRows } from "./settings-layer.ts";

/** Those that the text names; all of them if it is not known. */
export function closedVariables(text: string | undefined, known: KnownRows): [string, string][] {
  return VARIABLE_NAMES.flatMap((name): [string, string][] => {
    const { setting } = variableRow(name);
    const closed = setting === undefined ? undefined : known.row(setting)?.guards?.closed;
    if (closed === undefined) return [];
    const isNamed = [name, ...aliasesOf(name)].some((one) => text?.includes(one) ?? true);
    return isNamed ? [[name, String(closed)]] : [];
  });
}
