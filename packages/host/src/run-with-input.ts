// Runs one program that is handed a text and answers with an exit code and two streams: a hook, a
// notifier. It has a process group and a mark of its own, so that a timeout and an abort end all of it at
// once, also what left the group. What it leaves running in the background on purpose is handed over to
// whoever looks after that.

import { OutputCapture } from "./output-capture.ts";
import {
  endProcesses,
  processesWithMark,
  signalGroup,
  startTimeOf,
} from "./process/process-tree.ts";
import { ownedEnvironment } from "./process/reaper.ts";
import { StrayWatch } from "./process/strays.ts";

/** In the environment of the program and of all that it starts. */
const MARK_VARIABLE = "TAU_FED_COMMAND";
/** A background process may hold the pipes open after the program has ended. */
const DRAIN_MS = 100;

export interface RunWithInputOptions {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  input: string;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Of each stream: half from the beginning, half from the end. */
  maxOutputBytes: number;
}

export interface FedResult {
  end: "exited" | "timeout" | "aborted";
  /** Null if a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** What still runs after it has exited; empty once nothing does. */
  left: () => readonly number[];
}

/** The program could not be started at all. */
export class ProgramStartError extends Error {
  override readonly name = "ProgramStartError";
}

/** Rejects with a `ProgramStartError`. */
export async function runWithInput(
  argv: readonly string[],
  options: RunWithInputOptions,
): Promise<FedResult> {
  const { timeoutMs, signal, maxOutputBytes } = options;
  if (signal?.aborted) return { ...NOTHING, end: "aborted" };
  const mark = `${MARK_VARIABLE}=${crypto.randomUUID()}`;
  using strays = new StrayWatch();
  const child = start(argv, options, mark);
  const streams = [child.stdout, child.stderr].map((stream) => collected(stream, maxOutputBytes));
  let end: FedResult["end"] = "exited";
  const stop = (reason: "timeout" | "aborted"): void => {
    end = reason;
    signalGroup(child.pid, "SIGKILL");
  };
  const onAbort = (): void => stop("aborted");
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => stop("timeout"), timeoutMs);
  try {
    await child.exited;
    if (end === "exited") {
      await Promise.race([Promise.all(streams.map(({ done }) => done)), Bun.sleep(DRAIN_MS)]);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    await Promise.all(streams.map(({ cancel }) => cancel()));
  }
  // Those without a mark are known now or never: later ones may be somebody else's.
  const unmarked = strays.alive().map((pid) => ({ pid, start: startTimeOf(pid) }));
  const left = (): readonly number[] => [
    ...processesWithMark(mark),
    ...unmarked.filter(({ pid, start }) => startTimeOf(pid) === start).map(({ pid }) => pid),
  ];
  // Whoever stopped it does not want the rest of it either.
  if (end !== "exited") await endProcesses(left, 0);
  const [stdout = "", stderr = ""] = streams.map(({ text }) => text());
  return { end, exitCode: child.exitCode, stdout, stderr, left };
}

const NOTHING: Omit<FedResult, "end"> = { exitCode: null, stdout: "", stderr: "", left: () => [] };

function start(argv: readonly string[], { cwd, env, input }: RunWithInputOptions, mark: string) {
  try {
    return Bun.spawn([...argv], {
      cwd,
      env: ownedEnvironment(env, mark),
      // Written by the runtime, which does not mind a program that reads none of it.
      stdin: Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
  } catch (error) {
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
    throw new ProgramStartError((error as Error).message, { cause: error });
  }
}

interface Collected {
  done: Promise<void>;
  cancel(): Promise<void>;
  text(): string;
}

function collected(stream: ReadableStream<Uint8Array>, maxBytes: number): Collected {
  const reader = stream.getReader();
  const capture = new OutputCapture(maxBytes);
  const pump = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !value) return;
      capture.push(value);
    }
  };
  return { done: pump(), cancel: () => reader.cancel(), text: () => capture.result().text };
}
