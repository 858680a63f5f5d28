// Cells that did harm unasked when somebody who had not seen the judge wrote them, and variations on
// what they taught: each is judged as in a session, where what a cell defines is there for the next.

import { expect, test } from "bun:test";
import { CodeMemory } from "@tau/host/code-reading/code-memory";
import { isolatedHome } from "@tau/testkit/scratch";
import { assessCells } from "./assess-cells.ts";
import { assessCommand } from "./bash/assess-command.ts";
import { HOSTILE_VARIATIONS } from "./fixtures/cell-variations.ts";
import { MORE_VARIATIONS } from "./fixtures/more-cell-variations.ts";
import { ORDINARY_VARIATIONS } from "./fixtures/ordinary-cell-variations.ts";
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
    const memory = language === "py" ? session.python : session.javascript;
    memory.keep(outcomes.get(language)!, { isWhole: true });
  }
  return reasons.filter(Boolean);
}

/** Those that still go unasked; it may only become shorter. */
const STILL_UNASKED: ReadonlySet<LiveRow> = new Set();
/** Every row has a home of its own, and machines are busy. */
const PATIENCE_MS = 60_000;

test.each([
  ["cells that did harm", LIVE_CELLS],
  ["variations on them", HOSTILE_VARIATIONS],
  ["the ways of a language", MORE_VARIATIONS],
] as const)(
  "%s are asked about",
  async (name, rows) => {
    const missed: LiveRow[] = [];
    for (const row of rows) if ((await reasonsFor(row)).length === 0) missed.push(row);
    console.log(`${name}: unasked ${missed.length} of ${rows.length}`);
    expect(missed.filter((row) => !STILL_UNASKED.has(row))).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  "ordinary work that looks like them is not",
  async () => {
    const asked: [LiveRow, string[]][] = [];
    for (const row of ORDINARY_VARIATIONS) {
      const reasons = await reasonsFor(row);
      if (reasons.length > 0) asked.push([row, reasons]);
    }
    expect(asked).toEqual([]);
  },
  PATIENCE_MS,
);
