// The family's own shell tool, for extensions that wrap it: they give one of the same name, which then takes
// the place of Tau's. Calls are judged before they get here.

import { runCommand } from "@tau/host/run-command";
import { Type } from "typebox";
import { truncateTail } from "./truncation.ts";

type Update = ((partial: unknown) => void) | undefined;

interface ExecHow {
  onData?: (data: Buffer) => void;
  signal?: AbortSignal;
  timeout?: number;
  env?: Record<string, string | undefined>;
}

export interface BashOperations {
  exec(command: string, cwd: string, how: ExecHow): Promise<{ exitCode: number | null }>;
}

/** Whoever collects output gets all of it as it comes; this is only what is kept beside. */
const MAX_KEPT_BYTES = 64 * 1024;

/** As there: a command that took too long rejects with its seconds, one that was stopped with `aborted`. */
export function createLocalBashOperations(): BashOperations {
  return {
    async exec(command, cwd, { onData, signal, timeout, env }) {
      const { exitCode, end } = await runCommand(command, {
        cwd,
        env: { ...process.env, ...env },
        signal,
        timeoutMs: timeout === undefined || timeout <= 0 ? undefined : timeout * 1000,
        maxOutputBytes: MAX_KEPT_BYTES,
        onOutput: (words) => onData?.(Buffer.from(words)),
      });
      if (end === "timeout") throw new Error(`timeout:${timeout}`);
      if (end === "aborted") throw new Error("aborted");
      return { exitCode };
    },
  };
}

/** What the model reads of a command that did not come to its end. */
function cutShort(error: unknown, output: string): Error {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const [, seconds] = /^timeout:(\d+(?:\.\d+)?)$/.exec(message) ?? [];
  const why =
    seconds !== undefined
      ? `Command timed out after ${seconds} seconds`
      : message === "aborted"
        ? "Command aborted"
        : message;
  return new Error(output === "" ? why : `${output}\n\n${why}`);
}

const text = (words: string): { type: "text"; text: string }[] => [{ type: "text", text: words }];

interface BashToolOptions {
  operations?: BashOperations;
  commandPrefix?: string;
  spawnHook?: (place: {
    command: string;
    cwd: string;
    env: Record<string, string | undefined>;
  }) => {
    command: string;
    cwd: string;
    env: Record<string, string | undefined>;
  };
}

export function createBashToolDefinition(cwd: string, options: BashToolOptions = {}) {
  const { operations = createLocalBashOperations(), commandPrefix, spawnHook } = options;
  return {
    name: "bash",
    label: "bash",
    description: "Runs a command in bash; standard output and standard error come back together.",
    promptSnippet: "Run commands in bash",
    promptGuidelines: [] as string[],
    parameters: Type.Object({
      command: Type.String({ description: "The command" }),
      timeout: Type.Optional(Type.Number({ description: "Seconds" })),
    }),
    async execute(
      _id: string,
      params: { command: string; timeout?: number },
      signal?: AbortSignal,
      onUpdate?: Update,
    ) {
      const given =
        commandPrefix === undefined ? params.command : `${commandPrefix}\n${params.command}`;
      const place = { command: given, cwd, env: { ...process.env } };
      const { command, cwd: where, env } = spawnHook?.(place) ?? place;
      let output = "";
      const onData = (data: Buffer): void => {
        output += data.toString();
        onUpdate?.({ content: text(truncateTail(output).content), details: undefined });
      };
      const { timeout } = params;
      const how = { onData, signal, timeout, env };
      const { exitCode } = await operations.exec(command, where, how).catch((error: unknown) => {
        throw cutShort(error, truncateTail(output).content);
      });
      const { content, truncated, ...rest } = truncateTail(output);
      const shown = content === "" ? "(no output)" : content;
      if (exitCode !== 0) throw new Error(`${shown}\n\nCommand exited with code ${exitCode}`);
      return {
        content: text(shown),
        details: truncated ? { truncation: { ...rest, truncated } } : undefined,
      };
    },
  };
}

export const createBashTool = createBashToolDefinition;
