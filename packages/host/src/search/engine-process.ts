// Runs ripgrep once and hands its output on as it comes. Ended at once by an abort, a
// deadline, too much memory or a reader who has enough; when the promise settles the
// process is gone.

import { markVariables, ownerMark } from "../process/reaper.ts";
import { systemCode } from "../storage-error.ts";
import { SearchEngineError } from "./search-error.ts";
import { ENGINE_MEMORY_BYTES, watchMemory } from "./memory-watch.ts";
import type { RunBounds } from "./line-engine.ts";

/** What is kept of the engine's complaints; the first says why it refused. */
const COMPLAINT_BYTES = 8 * 1024;
/** A killed process that waits for a dead disk cannot be waited for. */
const REAP_MS = 50;

export interface EngineCall {
  program: string;
  arguments: readonly string[];
  cwd: string;
  /** A descriptor, bytes, or nothing to read. */
  stdin?: number | Uint8Array;
  /** Maps files instead of reading them; their pages are no memory of its own. */
  mapsFiles?: boolean;
  /** False when enough has come. */
  onOutput(chunk: Uint8Array): boolean;
}

export interface EngineOutcome {
  end: "exited" | "enough" | "timeout" | "memory";
  exitCode: number | null;
  /** Files and directories that it could not read. */
  complaints: number;
  /** Its first complaints as they were. */
  complaint: string;
}

export async function runEngine(call: EngineCall, bounds: RunBounds): Promise<EngineOutcome> {
  bounds.signal?.throwIfAborted();
  const remaining = bounds.deadline - performance.now();
  if (remaining <= 0) return { end: "timeout", exitCode: null, complaints: 0, complaint: "" };
  const plain = [call.program, ...call.arguments];
  const argv = (await bounds.confine?.(plain, call.cwd)) ?? plain;
  const child = start(call, argv);
  const output = child.stdout.getReader();
  const errors = child.stderr.getReader();
  let end: EngineOutcome["end"] = "exited";
  const stop = (why: EngineOutcome["end"]): void => {
    end = why;
    child.kill("SIGKILL");
    void output.cancel();
    void errors.cancel();
  };
  const onAbort = (): void => stop("enough");
  bounds.signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => stop("timeout"), Math.min(remaining, MAX_TIMER_MS));
  // `ps` counts mapped pages too; only Linux can tell them apart.
  const isWatchable = process.platform === "linux" || call.mapsFiles !== true;
  const watch = isWatchable
    ? watchMemory(child.pid, ENGINE_MEMORY_BYTES, () => stop("memory"))
    : undefined;
  try {
    const [, complaints] = await Promise.all([
      readAll(output, (chunk) => {
        if (end === "exited" && !call.onOutput(chunk)) stop("enough");
      }),
      readComplaints(errors),
    ]);
    await (end === "exited" ? child.exited : Promise.race([child.exited, Bun.sleep(REAP_MS)]));
    bounds.signal?.throwIfAborted();
    if (end === "exited" && child.signalCode !== null) {
      throw new SearchEngineError(String(child.signalCode));
    }
    return { end, exitCode: child.exitCode, ...complaints };
  } finally {
    clearTimeout(timer);
    watch?.stop();
    bounds.signal?.removeEventListener("abort", onAbort);
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  }
}

function start(call: EngineCall, argv: string[]) {
  try {
    return Bun.spawn(argv, {
      cwd: call.cwd,
      env: engineEnvironment(),
      stdin: call.stdin ?? "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new SearchEngineError(`${call.program} could not be started: ${code}`);
  }
}

/** Timers overflow beyond this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * No configuration of ripgrep's own, no home: results depend on the tree alone. With Tau's mark, by
 * which one that takes long is ended with Tau.
 */
function engineEnvironment(): Record<string, string | undefined> {
  const system = process.platform === "win32" ? { SystemRoot: process.env.SystemRoot } : {};
  return { ...system, ...markVariables(ownerMark()) };
}

interface ChunkReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

async function readAll(reader: ChunkReader, onChunk: (chunk: Uint8Array) => void): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return;
    onChunk(value);
  }
}

async function readComplaints(
  reader: ChunkReader,
): Promise<{ complaints: number; complaint: string }> {
  const decoder = new TextDecoder();
  let complaints = 0;
  let complaint = "";
  let carried = "\n";
  await readAll(reader, (chunk) => {
    const added = decoder.decode(chunk, { stream: true });
    const text = carried + added;
    complaints += text.split(COMPLAINT_START).length - 1;
    // A beginning that is cut in two is found with the next piece, and only then.
    carried = text.slice(1 - COMPLAINT_START.length);
    if (complaint.length < COMPLAINT_BYTES) complaint += added;
  });
  return { complaints, complaint: complaint.slice(0, COMPLAINT_BYTES) };
}

const COMPLAINT_START = "\nrg: ";
