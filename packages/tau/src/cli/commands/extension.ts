// `tau extension`: what an extension brings, a new one to begin from, and its tests.

import { relative } from "node:path";
import { COMMAND } from "../../brand.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { currentDirectory } from "../../base/working-directory.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import type { InspectedExtension } from "../../extend/inspect-extension.ts";
import type { Inspection } from "../../extend/inspection.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { UsageError } from "../../user-error.ts";

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const [verb, subject] = positionals;
  const cwd = currentDirectory();
  switch (verb) {
    case "inspect":
      return inspect(named(subject, "inspect"), cwd, flags.json === true);
    case "test": {
      const { runTests } = await import("../extension/run-tests.ts");
      return runTests(named(subject, "test"), cwd);
    }
    case "new": {
      if (subject === undefined)
        throw new UsageError("say how it is called: tau extension new NAME");
      const { makeExtension } = await import("../extension/make-new.ts");
      const directory = await makeExtension(subject, cwd);
      const path = relative(cwd, directory);
      await writeOutput(
        `Made ${path}/: try it with tau -e ${path}, test it with tau extension test ${path}.\n`,
      );
      return EXIT.done;
    }
    default:
      throw new UsageError(`tau extension takes inspect, new or test, not "${verb ?? ""}"`);
  }
}

/** Its code is run: nobody should do that by leaving something out. */
function named(subject: string | undefined, verb: string): string {
  if (subject !== undefined) return subject;
  throw new UsageError(`say which extension: ${COMMAND} extension ${verb} PATH (it runs its code)`);
}

async function inspect(path: string, cwd: string, json: boolean): Promise<ExitCode> {
  const { inspectExtension } = await import("../../extend/inspect-extension.ts");
  const { quietConsole } = await import("../../extend/quiet-console.ts");
  // What a module prints is not part of what was asked for.
  quietConsole((text) => writeError(`${text}\n`));
  const registered = await inspectExtension(path, { cwd, env: process.env });
  const { isOwnKind: _kind, ...found } = registered.isOwnKind
    ? await withSession(registered, path, cwd)
    : registered;
  const { sanitize } = await import("@tau/tui/width");
  await writeOutput(json ? `${JSON.stringify(found)}\n` : sanitize(shown(found)));
  return found.failures.length > 0 ? EXIT.failed : EXIT.done;
}

/** The family's say while they are loaded what they listen to and bring; Tau's own also in a session. */
async function withSession(
  registered: InspectedExtension,
  path: string,
  cwd: string,
): Promise<InspectedExtension> {
  const { broughtToSession } = await import("../extension/brought-to-session.ts");
  const { handlers, commands } = await broughtToSession(path, cwd);
  return { ...registered, handlers, commands: [...new Set([...registered.commands, ...commands])] };
}

const ROWS: readonly (readonly [keyof Inspection, string])[] = [
  ["tools", "Tools"],
  ["commands", "Commands"],
  ["flags", "Flags"],
  ["settings", "Settings"],
  ["shortcuts", "Shortcuts"],
  ["handlers", "Handlers"],
  ["renderers", "Renderers"],
  ["providers", "Providers"],
];

function shown({
  name,
  version,
  modules,
  failures,
  notices,
  ...found
}: Omit<InspectedExtension, "isOwnKind">): string {
  const lines = [version === undefined ? name : `${name} ${version}`];
  for (const path of modules) lines.push(`  ${"Module".padEnd(10)} ${path}`);
  for (const [key, title] of ROWS) {
    if (found[key].length > 0) lines.push(`  ${title.padEnd(10)} ${found[key].join(", ")}`);
  }
  lines.push(...notices.map((one) => `  ${"Note".padEnd(10)} ${one}`));
  lines.push(...failures.map((one) => `  ${"Failed".padEnd(10)} ${one}`));
  return `${lines.join("\n")}\n`;
}
