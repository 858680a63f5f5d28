// Commands as they were judged, and once more when they get their shell: until then another call of
// the same reply may have moved the shell, given names another meaning, read a secret or written
// the script that is run.

import { ToolError, type CallAssessment } from "@tau/agent/tool";
import type { Workspace } from "../workspace.ts";
import { assessCommand, type CommandParams } from "./assess-command.ts";

const NAME = "bash";

export class JudgedCommands {
  readonly #workspace: Workspace;
  /** By the parameters, which are the same object when the call runs. */
  readonly #situations = new WeakMap<object, string>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  async assess(params: CommandParams): Promise<CallAssessment> {
    const { shells, consent } = this.#workspace;
    // Where none can be opened, the command itself fails with the reason.
    await shells.open().catch(() => undefined);
    const directory = await shells.directory();
    const assessment = await assessCommand(this.#workspace, params, directory);
    this.#situations.set(params, this.#situation(directory));
    return consent.judged(params, assessment);
  }

  /** A `ToolError` if it would do in this directory what nobody has agreed to. */
  async begin(params: CommandParams, directory: string): Promise<void> {
    const { shells, consent, files } = this.#workspace;
    const judged = this.#situations.get(params);
    if (judged !== undefined && judged !== this.#situation(directory)) {
      const now = await assessCommand(this.#workspace, params, directory);
      if (!consent.stillHolds(NAME, params, now)) {
        const does = now.guard === undefined ? "" : `, where it ${now.guard}`;
        throw new ToolError(
          `Not run: since the command was judged, other calls have changed the shell. It is in ${files.shown(directory)} now${does}. Send the command again if that is what you want.`,
        );
      }
    }
    await shells.memory.noteJudged(params.command);
  }

  #situation(directory: string): string {
    const { shells, secrets, written } = this.#workspace;
    const { version, isUncertain, downloaded, leftCount } = shells.memory;
    const counts = [version, shells.rcNames.size, downloaded.size, secrets.count, leftCount];
    return JSON.stringify([directory, isUncertain, ...counts, written.stamp()]);
  }
}
