// Runs `ssh` for a short answer: a check, a question, the start of the shared connection. Bounded
// in time and size; when the promise settles the process has ended, or went into the background
// of its own accord.

import { programOnPath } from "../process/program-on-path.ts";
import { signalGroup } from "../process/process-tree.ts";
import { ownedEnvironment } from "../process/reaper.ts";
import { SshError } from "./ssh-error.ts";
import type { SshOptions } from "./ssh-options.ts";

/** Of an answer; more than a host's whole configuration. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** One that goes into the background may keep its error output open behind it. */
const DRAIN_MS = 200;

export interface SshAnswer {
  /** Null where it was stopped. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface AskOptions {
  timeoutMs: number;
  signal?: AbortSignal;
  input?: string;
  /** `NAME=value` in the environment of this process and all that it starts. */
  mark?: string;
}

export type SshChild = Bun.Subprocess<"pipe", "pipe", "pipe">;

export function spawnSsh(args: readonly string[], options: SshOptions, mark?: string): SshChild {
  try {
    const program = options.program ?? programOnPath("ssh", options.env.PATH) ?? "ssh";
    return Bun.spawn([program, ...args], {
      env: ownedEnvironment(options.env, ...(mark === undefined ? [] : [mark])),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      // No terminal to ask for a password on, and one group to end.
      detached: true,
    });
  } catch (error) {
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
    const message = `there is no ssh on this machine (${(error as Error).message}); install the OpenSSH client.`;
    throw new SshError("no_client", message);
  }
}

export async function askSsh(
  args: readonly string[],
  options: SshOptions,
  { timeoutMs, signal, input = "", mark }: AskOptions,
): Promise<SshAnswer> {
  signal?.throwIfAborted();
  const child = spawnSsh(args, options, mark);
  child.stdin.write(input);
  void child.stdin.end();
  const stdout = collect(child.stdout.getReader());
  const stderr = collect(child.stderr.getReader());
  const stop = (): void => void signalGroup(child.pid, "SIGKILL");
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await child.exited;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
  await Promise.race([Promise.all([stdout.done, stderr.done]), Bun.sleep(DRAIN_MS)]);
  await Promise.all([stdout.cancel(), stderr.cancel()]);
  return { exitCode: child.exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

interface Collected {
  done: Promise<void>;
  cancel(): Promise<void>;
  text(): string;
}

interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** The beginning of what comes; the rest is read and dropped. */
export function collect(reader: Reader): Collected {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const pump = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !value) return;
      if (bytes >= MAX_ANSWER_BYTES) continue;
      chunks.push(value.slice(0, MAX_ANSWER_BYTES - bytes));
      bytes += value.length;
    }
  };
  return {
    done: pump(),
    cancel: () => reader.cancel(),
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}
