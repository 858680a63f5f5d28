// Runs one shell command to its end: in a process group of its own, with closed standard
// input, bounded output, a timeout and an abort that both end the whole group. When the
// promise settles, nothing of the command is running any more.

import { OutputCapture } from "./output-capture.ts";
import { programOnPath } from "./process/program-on-path.ts";
import { signalGroup } from "./process/process-tree.ts";
import { ownedEnvironment } from "./process/reaper.ts";

/** Between asking a group to end and ending it. */
const KILL_GRACE_MS = 500;
/** A background process may hold the pipe open behind a command that has ended. */
const DRAIN_MS = 100;
/** For the system to clear away what was killed; a busy one takes its time. */
const END_ROUND_MS = 5;
const END_ROUNDS = 100;

export interface RunCommandOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Bytes of output kept: half from the beginning, half from the end. */
  maxOutputBytes: number;
  onOutput?: (text: string) => void;
}

export interface CommandResult {
  /** Standard output and standard error, in the order they were written. */
  output: string;
  totalBytes: number;
  exitCode: number | null;
  signal: string | null;
  end: "exited" | "timeout" | "aborted";
}

/** The command could not be started at all. */
export class CommandStartError extends Error {
  override readonly name = "CommandStartError";
}

export async function runCommand(
  command: string,
  options: RunCommandOptions,
): Promise<CommandResult> {
  options.signal?.throwIfAborted();
  const child = start(command, options);
  const capture = new OutputCapture(options.maxOutputBytes);
  const reader = child.stdout.getReader();
  const drained = drain(reader, capture, options.onOutput);

  let end: CommandResult["end"] = "exited";
  const stop = (reason: "timeout" | "aborted") => {
    end = reason;
    signalGroup(child.pid, "SIGTERM");
    hardKill = setTimeout(() => signalGroup(child.pid, "SIGKILL"), KILL_GRACE_MS);
  };
  let hardKill: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => stop("aborted");
  options.signal?.addEventListener("abort", onAbort, { once: true });
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => stop("timeout"), options.timeoutMs);
  try {
    await child.exited;
    await Promise.race([drained, Bun.sleep(DRAIN_MS)]);
  } finally {
    clearTimeout(timer);
    clearTimeout(hardKill);
    options.signal?.removeEventListener("abort", onAbort);
    await endGroup(child.pid);
    await reader.cancel();
  }
  const { text, totalBytes } = capture.result();
  return {
    output: text,
    totalBytes,
    exitCode: child.exitCode,
    signal: nameOf(child.signalCode),
    end,
  };
}

/** What is killed is still there for a moment. */
async function endGroup(pid: number): Promise<void> {
  for (let round = 0; round < END_ROUNDS && signalGroup(pid, "SIGKILL"); round++) {
    await Bun.sleep(END_ROUND_MS);
  }
}

function nameOf(signal: string | number | null): string | null {
  return signal === null ? null : String(signal);
}

function start(command: string, options: RunCommandOptions) {
  const name = process.platform === "win32" ? "bash.exe" : "bash";
  const bash = programOnPath(name, options.env.PATH) ?? name;
  try {
    return Bun.spawn(
      // Both streams in one pipe, in the order they were written. The command is parsed after
      // that, so that what the shell says of its syntax arrives too, with its own line numbers.
      [bash, "-c", 'exec 2>&1; eval "shift; $1"', bash, command],
      {
        cwd: options.cwd,
        env: ownedEnvironment(options.env),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "ignore",
        detached: true,
      },
    );
  } catch (error) {
    const code = (error as { code?: string }).code;
    const why =
      code === "E2BIG"
        ? "the command is too long; write it to a file and run that"
        : error instanceof Error
          ? error.message
          : String(error);
    throw new CommandStartError(why, { cause: error });
  }
}

async function drain(
  reader: { read(): Promise<{ done: boolean; value?: Uint8Array }> },
  capture: OutputCapture,
  onOutput: ((text: string) => void) | undefined,
): Promise<void> {
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || !value) return;
    capture.push(value);
    onOutput?.(decoder.decode(value, { stream: true }));
  }
}
