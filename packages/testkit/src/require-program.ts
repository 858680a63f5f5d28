// Tests that need a program of the system. Without it they skip, and say so in their name,
// so that nobody takes silence for a pass; a machine that promises to have everything sets
// TAU_TEST_REQUIRE=all, and there the same absence is a failure.

import { test } from "bun:test";

/** "all" turns a missing program into a failing test. */
export const REQUIRE_VARIABLE = "TAU_TEST_REQUIRE";
const SETUP_COMMAND = "npm run setup:system";

export interface ProgramNeed {
  /** A program, or alternatives of which one is enough. */
  program: string | readonly string[];
  /** What stays unproved without it. */
  proves: string;
}

export type Decision =
  | { kind: "run"; path: string }
  | { kind: "skip"; reason: string }
  | { kind: "fail"; reason: string };

/** `found` is the path of the program, or null when it is not on PATH. */
export function decide(
  program: string | readonly string[],
  found: string | null,
  env: Record<string, string | undefined>,
): Decision {
  if (found !== null) return { kind: "run", path: found };
  const names = typeof program === "string" ? program : program.join(" or ");
  const reason = `needs ${names}: ${SETUP_COMMAND}`;
  return { kind: env[REQUIRE_VARIABLE] === "all" ? "fail" : "skip", reason };
}

export function findProgram(program: string | readonly string[]): string | null {
  const names = typeof program === "string" ? [program] : program;
  for (const name of names) {
    const found = Bun.which(name);
    if (found !== null) return found;
  }
  return null;
}

export class MissingProgram extends Error {
  override readonly name = "MissingProgram";
}

/** The test body gets the path of the program that was found. */
export function testWith(
  need: ProgramNeed,
  name: string,
  body: (path: string) => void | Promise<void>,
  timeoutMs?: number,
): void {
  const decision = decide(need.program, findProgram(need.program), process.env);
  switch (decision.kind) {
    case "run":
      test(name, () => body(decision.path), timeoutMs);
      return;
    case "skip":
      test.skip(`${name} (${decision.reason}; unproved: ${need.proves})`, () => {});
      return;
    case "fail":
      test(name, () => {
        throw new MissingProgram(
          `${decision.reason} (${REQUIRE_VARIABLE}=all). Unproved without it: ${need.proves}`,
        );
      });
  }
}
