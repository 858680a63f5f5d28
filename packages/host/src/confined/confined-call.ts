// Runs one task in a process of its own, with a limit on time and on memory. A query or a
// document may keep its reader busy for ever or take all memory there is; native code cannot
// be interrupted, and a busy event loop draws no frames. A process can be ended.

import { dirname, join } from "node:path";
import { ownEnvironment } from "../process/own-environment.ts";
import { ownedEnvironment } from "../process/reaper.ts";
import { confinedReader, type ConfineReader } from "../sandbox/confine-reader.ts";
import { watchMemory } from "../search/memory-watch.ts";
import { systemCode } from "../storage-error.ts";
import type { ConfinedMessage, ConfinedReply } from "./serve-confined.ts";

export interface ConfinedOptions {
  signal?: AbortSignal;
  deadlineMs: number;
  memoryBytes: number;
  /** Starts a program that calls `serveConfined`; from source it is found. */
  helper?: readonly string[];
  /** Confines it to what it was given, if anything does. */
  confineReader?: ConfineReader;
  reads?: readonly string[];
  writes?: readonly string[];
}

export type ConfinedEnd =
  | { type: "done"; value: unknown }
  /** An expected failure of the task: the code and the sentence of its error. */
  | { type: "failed"; code: string; message: string }
  | { type: "too_slow" }
  | { type: "too_much_memory" }
  /** It ended without an answer. */
  | { type: "crashed" }
  /** No process could be started. */
  | { type: "unavailable" };

/** Thrown for what is a bug of ours in the other process. */
class ConfinedBug extends Error {
  override readonly name = "ConfinedBug";
}

function sourceHelper(): string[] {
  // The directory Tau works in has no say in it.
  return [process.execPath, "--no-env-file", join(import.meta.dir, "serve-confined.ts")];
}

/** Rejects with the signal's reason when it is aborted. */
export async function callConfined(
  message: ConfinedMessage,
  options: ConfinedOptions,
): Promise<ConfinedEnd> {
  const { signal, deadlineMs, memoryBytes, helper = sourceHelper() } = options;
  const { confineReader, reads = [], writes } = options;
  signal?.throwIfAborted();
  const command = await confinedReader(helper, { isOwn: true, reads, writes }, confineReader);
  const ended = Promise.withResolvers<ConfinedEnd>();
  const child = start(command, (reply, send) => {
    if (reply.type === "ready") send(message);
    else if (reply.type === "bug") ended.reject(new ConfinedBug(reply.message));
    else ended.resolve(reply);
  });
  if (!child) return { type: "unavailable" };
  const onAbort = (): void => ended.reject(signal!.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => ended.resolve({ type: "too_slow" }), deadlineMs);
  const memory = watchMemory(child.pid, memoryBytes, () =>
    ended.resolve({ type: "too_much_memory" }),
  );
  // The channel may deliver the answer after the exit is seen: give it a moment.
  void child.exited.then(async () => {
    await Bun.sleep(LATE_REPLY_MS);
    ended.resolve({ type: "crashed" });
  });
  try {
    return await ended.promise;
  } finally {
    clearTimeout(timer);
    memory.stop();
    signal?.removeEventListener("abort", onAbort);
    child.kill("SIGKILL");
    await child.exited;
  }
}

const LATE_REPLY_MS = 100;

function start(
  helper: readonly string[],
  onReply: (reply: ConfinedReply, send: (message: ConfinedMessage) => void) => void,
): Bun.Subprocess | undefined {
  try {
    return Bun.spawn([...helper], {
      // A process reads settings of the directory it starts in; this one is Tau's own.
      cwd: dirname(process.execPath),
      env: ownedEnvironment(childEnvironment()),
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      serialization: "advanced",
      ipc: (reply: ConfinedReply, child) => onReply(reply, (message) => child.send(message)),
    });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Only what starting needs: no keys, nothing that loads other code. */
function childEnvironment(): Record<string, string> {
  const kept = ["SystemRoot", "TMPDIR", "TEMP", "TMP", "PATH"].flatMap((name) => {
    const value = ownEnvironment()[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // A task that breaks is expected; nobody is to be told.
  return { ...Object.fromEntries(kept), BUN_ENABLE_CRASH_REPORTING: "0", DO_NOT_TRACK: "1" };
}
