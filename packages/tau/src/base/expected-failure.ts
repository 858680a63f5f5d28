// Failures that are expected say in their own words what happened and what to do. Everything else is a
// bug, and is called one.

import { UserError } from "../user-error.ts";

/** By their names: few starts load the modules that they come from. */
const EXPECTED: ReadonlySet<string> = new Set([
  "StorageError",
  "SessionChanged",
  "SessionRescued",
  "SessionLocked",
  "NotASession",
  "EntryTooLarge",
  "UnknownAgent",
  "AgentGone",
]);

export function isExpectedFailure(error: unknown): error is Error {
  return error instanceof UserError || (error instanceof Error && EXPECTED.has(error.name));
}
