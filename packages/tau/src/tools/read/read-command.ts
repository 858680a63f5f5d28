// tau read: what the model would see of a path; with --plain, its text alone.

import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { isTerminal } from "../../base/is-terminal.ts";
import { writeOutput } from "../../base/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { createReadTool } from "./tool.ts";
import { UsageError, usageLine } from "../../user-error.ts";
import { viewFiles, visibleOnTerminal } from "../view-files.ts";
import { READ } from "./command-line.ts";

const PLAIN = { hashLines: false, lineNumbers: false, summarize: false };

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const [path] = positionals;
  if (path === undefined || path === "") throw wrong("name what to read");
  if (positionals.length > 1) {
    throw wrong(`read takes one path; to send it as a prompt: ${COMMAND} -- read …`);
  }
  const settings = flags.plain ? PLAIN : {};
  return viewFiles({ settings, refusal: EXIT.failed }, async (workspace, signal) => {
    if (flags.plain) {
      const { resource, selector } = await workspace.resources.open(path, signal);
      const { printPlain } = await import("./print-plain.ts");
      if (await printPlain(resource, selector, signal)) return EXIT.done;
    }
    const context = { id: "read", signal, update: () => {} };
    const { content } = await createReadTool(workspace).execute({ path }, context);
    // Of an image there is a sentence; its bytes are nothing to print.
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    const shown = isTerminal(1) ? visibleOnTerminal(text) : text;
    await writeOutput(shown.endsWith("\n") || shown === "" ? shown : `${shown}\n`);
    return EXIT.done;
  });
}

function wrong(message: string): UsageError {
  return new UsageError(message, usageLine(READ));
}
