// Whether a part can be drawn. Events in a log may be another version's, with other fields: what
// does not fit is passed over, like an entry of a kind that nobody knows.

import { isRecord } from "../log/line.ts";
import type { ShownPart } from "./block.ts";

export function isSound(part: ShownPart): boolean {
  switch (part.kind) {
    case "answer":
    case "thinking":
      return typeof part.text === "string";
    case "command":
      return typeof part.line === "string";
    case "note":
      return typeof part.text === "string" && typeof part.tone === "string";
    case "consent":
      return (
        typeof part.callId === "string" && isRecord(part.consent) && isList(part.consent.rules)
      );
    case "own_run": {
      const { runId, sign, name, arguments: args, result } = part;
      const isNamed = [runId, sign, name].every((word) => typeof word === "string");
      return isNamed && isRecord(args) && Array.isArray(result?.content);
    }
    default:
      return true;
  }
}

function isList(value: unknown): boolean {
  return value === undefined || Array.isArray(value);
}
