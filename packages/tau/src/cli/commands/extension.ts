// `tau extension`: what an extension brings, without a session.

import { resolve } from "node:path";
import { writeOutput } from "../../base/output.ts";
import { currentDirectory } from "../../base/working-directory.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { inspectExtension, type InspectedExtension } from "../../extend/inspect-extension.ts";
import type { Inspection } from "../../extend/inspection.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { UsageError } from "../../user-error.ts";

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const [verb, path] = positionals;
  if (verb !== "inspect") {
    throw new UsageError(`tau extension takes inspect, not "${verb ?? ""}"`);
  }
  if (path === undefined)
    throw new UsageError("say which extension: a file, a directory or a package");
  const found = await inspectExtension(path, { cwd: currentDirectory(), env: process.env });
  await writeOutput(flags.json ? `${JSON.stringify(found)}\n` : shown(found));
  return found.failures.length > 0 ? EXIT.failed : EXIT.done;
}

const ROWS: readonly (readonly [keyof Inspection, string])[] = [
  ["tools", "Tools"],
  ["commands", "Commands"],
  ["flags", "Flags"],
  ["shortcuts", "Shortcuts"],
  ["handlers", "Handlers"],
  ["renderers", "Renderers"],
  ["providers", "Providers"],
];

function shown({ name, modules, failures, notices, ...found }: InspectedExtension): string {
  const lines = [`${name}  ${modules.map((path) => resolve(path)).join(", ")}`];
  for (const [key, title] of ROWS) {
    if (found[key].length > 0) lines.push(`  ${title.padEnd(10)} ${found[key].join(", ")}`);
  }
  lines.push(...notices.map((one) => `  note       ${one}`));
  lines.push(...failures.map((one) => `  failed     ${one}`));
  return `${lines.join("\n")}\n`;
}
