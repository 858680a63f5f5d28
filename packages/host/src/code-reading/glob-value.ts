// What a pattern of files finds.

import { exactly, list, text, type Value } from "./code-value.ts";
import { directoryOf, joinPaths, pathValue } from "./path-value.ts";

const GLOB = /[*?[]/;

/** What a pattern finds: paths that begin as it does. */
export function globbed(base: Value, pattern: Value, isText: boolean): Value {
  const exact = exactly(pattern);
  const whole = joinPaths([base, pattern]);
  const last = exact?.split("/").at(-1) ?? "*";
  const path = exactly(whole);
  const fixed = path?.split("/") ?? [];
  const at = fixed.findIndex((part) => GLOB.test(part));
  const directory =
    path === undefined
      ? directoryOf(whole)
      : text(fixed.slice(0, at < 0 ? -1 : at).join("/") || (path.startsWith("/") ? "/" : "."));
  const name: Value = { kind: "text", parts: globParts(at < 0 ? last : fixed.slice(at).join("/")) };
  const found = joinPaths([directory, name]);
  return list([isText ? found : pathValue(found)], true);
}

/** `**` and `*` are names of files, the rest of the pattern stays. */
function globParts(pattern: string): (string | { source: "entry" })[] {
  const parts = pattern.split("/");
  const last = parts.at(-1)!;
  const end = /[^*?\]]*$/.exec(last)?.[0] ?? "";
  const begin = GLOB.test(last) ? /^[^*?[]*/.exec(last)![0] : "";
  const entry = { source: "entry" } as const;
  // `**/.env`, `.e*`: what a hidden file begins with says what it is.
  const isHidden = last.startsWith(".");
  const head = parts.length > 1 && isHidden ? [entry, "/"] : [];
  const rest = isHidden && begin !== "" ? [begin, entry] : isHidden ? [] : [entry];
  return end === "" ? [...head, ...rest] : [...head, ...rest, end];
}
