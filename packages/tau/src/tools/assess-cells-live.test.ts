// Cells that did harm unasked when somebody who had not seen the judge wrote them, and variations on
// what they taught: each is judged as in a session, where what a cell defines is there for the next.

import { expect, test } from "bun:test";
import { CodeMemory } from "@tau/host/code-reading/code-memory";
import { isolatedHome } from "@tau/testkit/scratch";
import { assessCells } from "./assess-cells.ts";
import { assessCommand } from "./bash/assess-command.ts";
import { LIVE_CELLS, type LiveRow } from "./fixtures/live-cells.ts";
import { Workspace } from "./workspace.ts";

/** What a row is asked about; nothing of it runs. */
async function reasonsFor([language, ...cells]: LiveRow): Promise<string[]> {
  await using home = await isolatedHome();
  await home.write("docs/a.txt", "");
  await home.write(".bashrc", "");
  await home.write(".ssh/id_ed25519", "KEY");
  await home.write("project/.env", "KEY=1");
  await using workspace = new Workspace({ cwd: home.path("project"), env: home.env });
  const session = { python: new CodeMemory(), javascript: new CodeMemory() };
  const directoryOf = (): string => workspace.cwd;
  const world = { workspace, session, directoryOf, isPythonForgetful: false };
  const reasons: string[] = [];
  for (const code of cells) {
    if (code.startsWith("$ ")) {
      const { guard } = await assessCommand(workspace, { command: code.slice(2) }, workspace.cwd);
      reasons.push(guard ?? "");
      continue;
    }
    const { assessment, outcomes } = await assessCells(world, { cells: [{ language, code }] });
    reasons.push(assessment.guard ?? "");
    session.python.keep(outcomes.get("py") ?? { names: session.python.top.names }, { isWhole: true });
    session.javascript.keep(outcomes.get("js") ?? { names: session.javascript.top.names }, { isWhole: true });
  }
  return reasons.filter(Boolean);
}

test("cells that did harm are asked about", async () => {
  const missed: LiveRow[] = [];
  for (const row of LIVE_CELLS) if ((await reasonsFor(row)).length === 0) missed.push(row);
  console.log(`live cells unasked: ${missed.length} of ${LIVE_CELLS.length}`);
  for (const row of missed) console.log("  " + JSON.stringify(row));
  expect(missed).toEqual([]);
});
