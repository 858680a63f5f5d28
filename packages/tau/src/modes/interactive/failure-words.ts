// What is said of something that failed: the failures that are expected in their own words, which
// end in what to do; everything else as the bug that it is.

import { isExpectedFailure } from "../../base/expected-failure.ts";

export function failureWords(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  return isExpectedFailure(error) ? message : `A bug in Tau: ${message}`;
}
