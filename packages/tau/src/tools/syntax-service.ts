// Syntax trees for all sessions of a project: one process of its own, which starts with the first
// question and goes with the project.

import type { ConfineReader } from "@tau/host/sandbox/confine-reader";
import type { Syntax } from "@tau/host/syntax/syntax";
import { partKey } from "../base/part.ts";
import { selfCommand } from "../base/self-command.ts";

export const SYNTAX = partKey<SyntaxService>("syntax");

export class SyntaxService implements AsyncDisposable {
  /** Confines the process; asked when it is started. */
  confineReader: ConfineReader | undefined;
  #process: Promise<Syntax & AsyncDisposable> | undefined;

  open(): Promise<Syntax> {
    this.#process ??= import("@tau/host/syntax/syntax-process").then(
      ({ SyntaxProcess, sourceCommand }) =>
        new SyntaxProcess({
          command: selfCommand(["serve-syntax"]) ?? sourceCommand(),
          confineReader: () => this.confineReader,
        }),
    );
    return this.#process;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#process)?.[Symbol.asyncDispose]();
  }
}
