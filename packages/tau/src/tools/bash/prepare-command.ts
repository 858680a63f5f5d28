// What is done to a command before it runs: an ending that would hide its output is left out, and
// one that a tool does better is turned away.

import { ToolError } from "@tau/agent/tool";
import type { Workspace } from "../workspace.ts";
import type { Interceptor, InterceptRule } from "./interceptor.ts";

export interface PreparedCommand {
  command: string;
  /** What was done to it, for the model. */
  notes: readonly string[];
  /** It begins with `cd X &&`, which is meant for what follows. */
  returns: boolean;
}

export class CommandPreparer {
  readonly #workspace: Workspace;
  #interceptor: Interceptor | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** A `ToolError` where a tool does it better. */
  async prepare(command: string): Promise<PreparedCommand> {
    await this.#intercept(command);
    const isCut = this.#workspace.shells.settings.stripTrailingHeadTail;
    const mayMove = /^\s*cd\s[^]*&&/.test(command);
    if (!isCut && !mayMove) return { command, notes: [], returns: false };
    const { beginsWithCd, fixCommand } = await import("./fix-command.ts");
    const returns = mayMove && beginsWithCd(command);
    return { ...(isCut ? fixCommand(command) : { command, notes: [] }), returns };
  }

  async #intercept(command: string): Promise<void> {
    const { enabled, patterns } = this.#workspace.shells.interceptor;
    if (!enabled) return;
    const { Interceptor } = await import("./interceptor.ts");
    this.#interceptor ??= new Interceptor(patterns.filter(isRule), () => {});
    const found = this.#interceptor.check(command, this.#workspace.toolNames ?? []);
    if (found) throw new ToolError(`Not run. ${found.message}`);
  }
}

function isRule(given: unknown): given is InterceptRule {
  const { pattern, tool, message } = (given ?? {}) as Record<string, unknown>;
  return [pattern, tool, message].every((part) => typeof part === "string");
}
