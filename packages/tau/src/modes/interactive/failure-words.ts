// What is said of something that failed: the failures that are expected in their own words, which
// end in what to do; everything else as the bug that it is.

import { UserError } from "../../user-error.ts";

export function failureWords(error: unknown): string {
  const { message, name } = error instanceof Error ? error : new Error(String(error));
  // By its name: its module is not loaded for this.
  const isExpected = error instanceof UserError || name === "StorageError";
  return isExpected ? message : `A bug in Tau: ${message}`;
}
