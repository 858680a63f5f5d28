// tau ps: what runs for which Tau on this machine.

import { fitLine } from "@tau/tui/width";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { ageText } from "../../tools/read/directory-tree.ts";

/** Where standard output has no width of its own. */
const COLUMNS = 80;

export async function run({ flags }: ParsedArgs): Promise<ExitCode> {
  const { ownedProcesses } = await import("@tau/host/process/owned-processes");
  const found = ownedProcesses();
  if (!found) {
    writeError(`${COMMAND}: this system does not report which process started another\n`);
    return EXIT.failed;
  }
  if (flags.json) {
    await writeOutput(`${JSON.stringify(found, null, 2)}\n`);
    return EXIT.done;
  }
  if (found.length === 0) {
    await writeOutput("Tau has no running processes.\n");
    return EXIT.done;
  }
  const columns = process.stdout.columns ?? COLUMNS;
  const lines: string[] = [];
  let owner: number | undefined;
  for (const one of found) {
    if (one.owner !== owner) {
      const state = one.isOwnerAlive ? "" : " (gone)";
      lines.push(`${lines.length === 0 ? "" : "\n"}${COMMAND} ${one.owner}${state}`);
      ({ owner } = one);
    }
    const age = ageText(Date.now() - one.startedAt).padStart(6);
    lines.push(fitLine(`${String(one.pid).padStart(9)} ${age}  ${one.command}`, columns));
  }
  await writeOutput(`${lines.join("\n")}\n`);
  return EXIT.done;
}
