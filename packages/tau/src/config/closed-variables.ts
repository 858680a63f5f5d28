// The variables that outweigh settings that guard, with the strictest word for each: what holds if the
// file that may have set them cannot be read.

import type { KnownRows } from "./settings-layer.ts";

/** Those that the text names; all of them if it is not known. */
export function closedVariables(text: string | undefined, known: KnownRows): [string, string][] {
  const { variables } = known;
  return variables.names.flatMap((name): [string, string][] => {
    const setting = variables.row(name)?.setting;
    const closed = setting === undefined ? undefined : known.row(setting)?.guards?.closed;
    if (closed === undefined) return [];
    const isNamed = [name, ...variables.aliasesOf(name)].some((one) => text?.includes(one) ?? true);
    return isNamed ? [[name, String(closed)]] : [];
  });
}
