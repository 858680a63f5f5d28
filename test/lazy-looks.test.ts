// How things look costs nothing where nothing is looked at: a run in a pipe loads no parser for
// colours, no view and no theme. The operating system is the witness.

import { expect } from "bun:test";
import { testWith } from "@tau/testkit/require-program";
import { isolatedHome } from "@tau/testkit/scratch";
import { launcher, runTau } from "./support/run-tau.ts";

const need = { program: "strace", proves: "which files a start reads" };

async function filesReadBy(strace: string, args: readonly string[]): Promise<string> {
  await using home = await isolatedHome();
  await home.write(".tau/agent/themes/dark.json", "{}");
  const log = home.path("trace");
  const program = [strace, "-f", "-qq", "-e", "trace=open,openat", "-o", log, launcher];
  // From the modules themselves: a bundle would hide which of them are used.
  const env = { TAU_FROM_SOURCE: "1" };
  const result = await runTau(args, { cwd: home.root, home, env, program });
  expect(result.exitCode).toBe(0);
  return await Bun.file(log).text();
}

const LOOKS = /legacy-modes|\/themes|\/render\.ts|code-highlighter|gallery/g;

testWith(need, "a run in a pipe loads nothing of how things look", async (strace) => {
  const read = await filesReadBy(strace, ["-p", "look around"]);
  expect(read).toContain("packages/tau/src/main.ts");
  expect(read.match(LOOKS)).toBeNull();
  // The same question of a command that draws is answered with yes.
  const drawn = await filesReadBy(strace, ["gallery", "--only", "code"]);
  expect(new Set(drawn.match(LOOKS))).toContain("legacy-modes");
});
