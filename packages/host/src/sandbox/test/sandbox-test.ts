// Tests that need a machine on which commands can be confined. A missing bubblewrap counts as any
// missing program; a container that may make no namespaces cannot be mended by installing
// something, so there the tests are skipped, and say why, whatever is required.

import { test } from "bun:test";
import { testWith } from "@tau/testkit/require-program";
import { preflight } from "../preflight.ts";

const PROGRAM = "bwrap";
const checked = Bun.which(PROGRAM) === null ? undefined : await preflight();

export function sandboxTest(name: string, body: () => Promise<void>, timeoutMs = 60_000): void {
  if (checked?.ok === false) {
    test.skip(`${name} (${checked.why}; ${checked.fix})`, () => {});
    return;
  }
  testWith({ program: PROGRAM, proves: "that commands are confined" }, name, body, timeoutMs);
}
