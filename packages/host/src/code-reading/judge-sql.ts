// SQL that code sends to a database: what it changes, and which files it names.

import type { CodeReader } from "./code-reader.ts";
import { DATA, exactly, optionsOf, partsOf, text, type Value } from "./code-value.ts";

const READING =
  /^(?:\s|--[^\n]*\n|\/\*.*?\*\/)*(?:select|pragma\s+[\w.]+\s*(?:\(|;|$)|explain|show|describe|desc|with|values|begin|commit|rollback|set|use)\b/is;
const CHANGING =
  /\b(?:insert|update|delete|drop|truncate|alter|create|replace|vacuum|attach|grant|revoke|copy)\b/i;
const LOSING =
  /\b(?:drop|truncate|delete\s+from|alter\s+table\s+\S+\s+drop|drop\s+database|flushall|flushdb)\b/i;
const FILES = /\b(?:to|into|attach(?:\s+database)?|outfile|dumpfile)\s+(['"])([^'"]+)\1/gi;

/** Of any database; `file` is the one that it is, if that is known to be a file. */
export function judgeSql(reader: CodeReader, statement: Value, file?: Value): void {
  for (const option of optionsOf(statement)) {
    const whole = exactly(option);
    const seen =
      whole ??
      partsOf(option)
        .filter((part) => typeof part === "string")
        .join(" ? ");
    for (const [, , path] of seen.matchAll(FILES)) reader.acts.overwrite(text(path!));
    const isReading =
      READING.test(seen) &&
      (whole !== undefined || !CHANGING.test(seen)) &&
      !/\bwith\b[\s\S]*\b(?:insert|update|delete)\b/i.test(seen);
    if (file) {
      if (isReading) reader.acts.read(file);
      else reader.acts.overwrite(file);
    } else if (LOSING.test(seen)) reader.acts.critical("deletes something that may not come back");
  }
}

/** Where a database in a file is kept; nothing for one in memory. */
export function databaseFile(path: Value | undefined): Value | undefined {
  const exact = path && exactly(path);
  if (path === undefined || exact === ":memory:" || exact === "") return undefined;
  if (exact?.startsWith("file:"))
    return text(
      exact
        .slice("file:".length)
        .replace(/\?.*$/s, "")
        .replace(/^\/\/(?=\/)/, ""),
    );
  return path ?? DATA;
}
