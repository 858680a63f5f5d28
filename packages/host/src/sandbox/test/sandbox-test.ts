// Tests that need a machine on which processes can be confined. A missing bubblewrap counts as any
// missing program; a container that may make no namespaces, or a kernel without Landlock, cannot be
// mended by installing something, so there the tests are skipped, and say why, whatever is required.

import { test } from "bun:test";
import { tmpdir } from "node:os";
import { testWith } from "@tau/testkit/require-program";
import { openSandbox } from "../sandbox.ts";

export type Kind = "bubblewrap" | "landlock";
export const KINDS: readonly Kind[] = ["bubblewrap", "landlock"];

const PROGRAM = "bwrap";
const options = {
  workspace: import.meta.dir,
  temporary: tmpdir(),
  network: "off",
  home: import.meta.dir,
} as const;
const checked = {
  bubblewrap: Bun.which(PROGRAM) === null ? undefined : await open("bubblewrap"),
  landlock: await open("landlock"),
};

function open(kind: Kind) {
  return openSandbox(options, { kind });
}

export function sandboxTest(
  name: string,
  body: () => Promise<void>,
  timeoutMs = 60_000,
  kind: Kind = "bubblewrap",
): void {
  const sandbox = checked[kind];
  if (sandbox?.kind === "none") {
    test.skip(`${name} (${sandbox.why}; ${sandbox.fix})`, () => {});
  } else if (kind === "landlock") test(name, body, timeoutMs);
  else testWith({ program: PROGRAM, proves: "that commands are confined" }, name, body, timeoutMs);
}
