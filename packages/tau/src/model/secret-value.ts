// A secret as it may stand in a configuration file: `env:NAME`, `cmd:…`, or the value
// itself. The older spellings (`!command`, the bare name of a variable that is set) still
// work and say how to write them now.

import type { Environment } from "@tau/ai/environment";

/** A password manager may ask for a fingerprint; longer than this it is stuck. */
export const COMMAND_TIMEOUT_MS = 10_000;

export interface SecretContext {
  env: Environment;
  /** Runs a command and gives its standard output. Only called for trusted files. */
  run: (command: string, timeoutMs: number) => Promise<string>;
}

export interface ResolvedSecret {
  /** Undefined where there is none: a variable not set, a command that failed or printed nothing. */
  value: string | undefined;
  warning?: string;
}

/** How to write it now, if it is written the old way. Repeats nothing that may be secret. */
export function oldSpelling(text: string, env: Environment): string | undefined {
  if (text.startsWith("!")) return 'write "cmd:…" instead of "!…"';
  if (/^(?:env|cmd):/.test(text) || !env[text]) return undefined;
  return `write "env:${text}" instead of "${text}"`;
}

const VARIABLE_NAME = /^[A-Z][A-Z0-9_]*$/;

export class SecretResolver {
  readonly #context: SecretContext;
  /** A command runs once, however many models share its key. */
  readonly #commands = new Map<string, Promise<ResolvedSecret>>();

  constructor(context: SecretContext) {
    this.#context = context;
  }

  async resolve(text: string): Promise<ResolvedSecret> {
    if (text.startsWith("env:")) return this.#variable(text.slice("env:".length));
    if (text.startsWith("cmd:")) return this.#command(text.slice("cmd:".length).trim());
    if (text.startsWith("!")) {
      const { value } = await this.#command(text.slice(1).trim());
      return { value, warning: `write "cmd:${text.slice(1)}" instead of "${text}"` };
    }
    const { env } = this.#context;
    if (env[text]) return { value: env[text], warning: `write "env:${text}" instead of "${text}"` };
    if (VARIABLE_NAME.test(text) && text.includes("_")) {
      // Sending a variable's name as the key is never what was meant.
      return { value: undefined, warning: `${text} looks like a variable, but it is not set` };
    }
    return { value: text };
  }

  #variable(name: string): ResolvedSecret {
    const value = this.#context.env[name];
    return value ? { value } : { value: undefined, warning: `the variable ${name} is not set` };
  }

  #command(command: string): Promise<ResolvedSecret> {
    const known = this.#commands.get(command);
    if (known) return known;
    const running = this.#run(command);
    this.#commands.set(command, running);
    return running;
  }

  async #run(command: string): Promise<ResolvedSecret> {
    try {
      const value = (await this.#context.run(command, COMMAND_TIMEOUT_MS)).trim();
      if (value !== "") return { value };
      return { value: undefined, warning: `the command "${command}" printed nothing` };
    } catch (error) {
      // A failure is not kept: the next use may find the vault unlocked.
      this.#commands.delete(command);
      const why = error instanceof Error ? error.message : String(error);
      return { value: undefined, warning: `the command "${command}" failed: ${why}` };
    }
  }
}
