// What is said to and by Cursor's service, for whoever has to find out why it broke: its protocol is
// written down nowhere. Off unless `DEBUG_CURSOR` is set; keys and tokens are no part of it, but the
// conversation is.

import { appendFileSync } from "node:fs";
import type { Environment } from "@tau/ai/environment";
import type { CallTrace } from "@tau/ai/wire";
import { writeError } from "../base/output.ts";

/** Enough to see what a message is; the whole conversation would be sent with every request. */
const SNIPPET_CHARS = 2000;
const VERBOSE = new Set(["2", "verbose"]);
const OFF = new Set(["", "0", "false", "no", "off"]);

export function cursorTrace(env: Environment): CallTrace | undefined {
  const wish = (env.DEBUG_CURSOR ?? "").trim().toLowerCase();
  if (OFF.has(wish)) return undefined;
  const path = env.DEBUG_CURSOR_LOG;
  // On a terminal that Tau draws on, lines in between would only be damage.
  if (!path && process.stderr.isTTY) return undefined;
  const isVerbose = VERBOSE.has(wish);
  return (what, data) => {
    const kinds = typeof data === "object" && data !== null ? Object.keys(data) : [];
    const detail = isVerbose ? snippet(data) : undefined;
    const line = JSON.stringify({ at: new Date().toISOString(), what, kinds, detail });
    if (path) appendFileSync(path, `${line}\n`, { mode: 0o600 });
    else writeError(`${line}\n`);
  };
}

function snippet(data: unknown): string | undefined {
  const text = JSON.stringify(data, (_key, value: unknown) =>
    value instanceof Uint8Array ? `${value.length} bytes` : value,
  );
  return text?.slice(0, SNIPPET_CHARS).toWellFormed();
}
