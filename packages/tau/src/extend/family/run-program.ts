// Programs that an extension starts: awaited, stopped with their caller, and ended with Tau.

import { programOnPath } from "@tau/host/process/program-on-path";
import { signalGroup } from "@tau/host/process/process-tree";
import { ownedEnvironment } from "@tau/host/process/reaper";

export interface ExecOptions {
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ExecResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  /** It was stopped: by its caller, or because it took too long. */
  readonly killed: boolean;
}

/** More than any program says that an extension reads as one text; the rest is dropped. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Between asking it to end and ending it. */
const KILL_GRACE_MS = 500;

export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, signal, timeout, env }: ExecOptions & { cwd: string },
): Promise<ExecResult> {
  signal?.throwIfAborted();
  const whole = { ...process.env, ...env };
  const program = programOnPath(command, whole.PATH);
  // As a shell says it: whoever asks looks at the code.
  if (program === undefined) {
    return { stdout: "", stderr: `${command}: command not found`, code: 127, killed: false };
  }
  const child = Bun.spawn([program, ...args], {
    cwd,
    env: ownedEnvironment(whole),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own: what it has started ends with it, and nobody holds its output open.
    detached: true,
  });
  let killed = false;
  let hardKill: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    killed = true;
    signalGroup(child.pid, "SIGTERM");
    hardKill = setTimeout(() => signalGroup(child.pid, "SIGKILL"), KILL_GRACE_MS);
  };
  const timer = timeout === undefined || timeout <= 0 ? undefined : setTimeout(stop, timeout);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    return { stdout, stderr, code: await child.exited, killed };
  } finally {
    clearTimeout(timer);
    clearTimeout(hardKill);
    signal?.removeEventListener("abort", stop);
  }
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes <= MAX_OUTPUT_BYTES) text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
