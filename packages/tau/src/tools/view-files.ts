// What the commands that look at files share: the tools' own view of the working directory,
// without a model or a session, and the tools' refusals as words for people.

import { ToolError } from "@tau/agent/tool";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { Interrupt } from "../base/interrupt.ts";
import type { FileToolSettings } from "./file-tool-settings.ts";
import { Workspace } from "./workspace.ts";
import { UserError } from "../user-error.ts";
import { workingDirectory } from "../base/working-directory.ts";

export interface ViewOptions {
  settings?: Partial<FileToolSettings>;
  /** What a refusal ends with. */
  refusal: ExitCode;
}

export async function viewFiles(
  { settings = {}, refusal }: ViewOptions,
  work: (workspace: Workspace, signal: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  using interrupt = new Interrupt();
  const cwd = workingDirectory(undefined);
  await using workspace = new Workspace({ cwd, env: process.env, settings });
  try {
    return await work(workspace, interrupt.signal);
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    if (error instanceof ToolError) throw new UserError(error.message, refusal);
    throw error;
  }
}

/** A file's text must not command the terminal that it is shown on; one sign for one. */
export function visibleOnTerminal(text: string): string {
  // oxlint-disable-next-line no-control-regex -- those are what must not be printed
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
  });
}
