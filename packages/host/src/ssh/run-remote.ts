// One command on a host, from its start to a result: its output as it comes, its exit code as it
// was there, and an end to it there when it is stopped here.

import { constants } from "node:os";
import { MarkerScanner } from "../shell/marker-scanner.ts";
import { signalGroup } from "../process/process-tree.ts";
import { BOOTSTRAP, driverInput, NO_DIRECTORY, plainBootstrap } from "./remote-driver.ts";
import type { RemoteFacts } from "./remote-facts.ts";
import { SshError } from "./ssh-error.ts";
import type { SshOptions } from "./ssh-options.ts";
import { collect, spawnSsh, type SshChild } from "./ssh-process.ts";
import { windowsCommand } from "./windows-command.ts";

export interface RemoteRunOptions {
  /** `~` and relative ones count from the home directory there. */
  cwd?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
  /**
   * Output and error output, in the order they were written. The bytes are the callee's for the
   * call only; a promise holds the command up until it resolves.
   */
  onOutput: (bytes: Buffer) => void | Promise<void>;
}

export interface RemoteResult {
  /** Null where it was stopped, or a host with Windows did not say. */
  exitCode: number | null;
  /** What a shell means by an exit code above 128. */
  signal: string | null;
  end: "exited" | "timeout" | "aborted";
  /** Whether the command is known to have ended there as well. */
  there: "ended" | "unknown";
}

export interface RemotePlace {
  name: string;
  /** Connects; throws `SshError`. */
  prepare(): Promise<{
    facts: RemoteFacts;
    /** Of `ssh`, up to the command. */
    arguments: readonly string[];
    compat: boolean | undefined;
  }>;
  options: SshOptions;
  mark: string;
}

/** For the host to end a command and say so: its own grace, and a slow way there and back. */
const CONFIRM_MS = 1500;
const SIGNAL_BASE = 128;
/** Linux takes 128 KiB in one word of a command line, and a shell gets its command as one. */
const MAX_COMMAND_BYTES = 100 * 1024;
const MAX_REASON_CHARACTERS = 600;

export async function runRemote(
  command: string,
  options: RemoteRunOptions,
  place: RemotePlace,
): Promise<RemoteResult> {
  options.signal?.throwIfAborted();
  checkCommand(command);
  using stop = new Stop(options);
  const preparing = place.prepare();
  const prepared = await Promise.race([preparing, stop.requested]);
  if (prepared === undefined) {
    // It goes on for the next caller, or fails for nobody.
    preparing.catch(() => undefined);
    return { exitCode: null, signal: null, end: stop.reason!, there: "ended" };
  }
  const token = `\u001e${crypto.randomUUID()}`;
  const { words, input, hasDriver } = plan(command, options.cwd, { ...prepared, token });
  const child = spawnSsh([...prepared.arguments, words], place.options, place.mark);
  child.stdin.write(input);
  if (hasDriver) child.stdin.flush();
  else void child.stdin.end();
  const errors = collect(child.stderr.getReader());
  const listening = listen(child, token, options.onOutput);
  try {
    const ended = await Promise.race([listening, stop.requested.then(() => "stop" as const)]);
    if (ended === "stop") return await stopped(child, listening, stop.reason!);
    if (ended === undefined) return await withoutMarker(child, hasDriver, place.name, errors.text);
    if (ended === NO_DIRECTORY) {
      const message = `there is no directory ${options.cwd} on ${place.name}; leave cwd out to start in the home directory.`;
      throw new SshError("no_directory", message);
    }
    const exitCode = Number(ended);
    return { exitCode, signal: signalOf(exitCode), end: "exited", there: "ended" };
  } finally {
    // What the command left behind may hold the channel open; nobody waits for that.
    signalGroup(child.pid, "SIGTERM");
    await child.exited;
    await errors.cancel();
  }
}

function checkCommand(command: string): void {
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    const message = `the command is longer than ${MAX_COMMAND_BYTES} bytes; write it to a file there in parts and run that.`;
    throw new SshError("bad_command", message);
  }
  if (command.includes("\0")) {
    const message = "the command has a NUL in it, which no shell can take; write it as an escape.";
    throw new SshError("bad_command", message);
  }
}

/** When the caller has had enough, and why. */
class Stop implements Disposable {
  readonly requested: Promise<undefined>;
  reason: "timeout" | "aborted" | undefined;
  readonly #clear: () => void;

  constructor({ signal, timeoutMs }: RemoteRunOptions) {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.requested = promise;
    const end = (reason: "timeout" | "aborted"): void => {
      this.reason ??= reason;
      resolve(undefined);
    };
    const onAbort = (): void => end("aborted");
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => end("timeout"), timeoutMs);
    this.#clear = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
  }

  [Symbol.dispose](): void {
    this.#clear();
  }
}

interface Plan {
  words: string;
  input: string;
  /** Whether a token will come and standard input is a lifeline. */
  hasDriver: boolean;
}

function plan(
  command: string,
  cwd: string | undefined,
  {
    facts,
    compat = true,
    token,
  }: { facts: RemoteFacts; compat?: boolean | undefined; token: string },
): Plan {
  const input = driverInput({ command, token, cwd });
  if (facts.system === "posix") return { words: BOOTSTRAP, input, hasDriver: true };
  if (compat && facts.compat) {
    return { words: plainBootstrap(facts.compat), input, hasDriver: true };
  }
  return { words: windowsCommand(facts.shell, command, cwd), input: "", hasDriver: false };
}

/** What stands behind the token; undefined where the output ended without it. */
async function listen(
  child: SshChild,
  token: string,
  onOutput: RemoteRunOptions["onOutput"],
): Promise<string | undefined> {
  const scanner = new MarkerScanner(token);
  const reader = child.stdout.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    let held: unknown;
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const found = scanner.push(bytes, (output) => {
      held = onOutput(output);
    });
    if (held instanceof Promise) await held;
    if (found) {
      await reader.cancel();
      return found.fields.trim();
    }
  }
  scanner.finish((output) => void onOutput(output));
  return undefined;
}

/** The lifeline is let go; the channel closes when everything has ended there. */
async function stopped(
  child: SshChild,
  listening: Promise<string | undefined>,
  end: "timeout" | "aborted",
): Promise<RemoteResult> {
  void child.stdin.end();
  const there = await Promise.race([
    Promise.all([child.exited, listening]).then(() => "ended" as const),
    Bun.sleep(CONFIRM_MS).then(() => "unknown" as const),
  ]);
  return { exitCode: null, signal: null, end, there };
}

async function withoutMarker(
  child: SshChild,
  hasDriver: boolean,
  name: string,
  errors: () => string,
): Promise<RemoteResult> {
  await child.exited;
  const { exitCode } = child;
  if (!hasDriver && exitCode !== null && exitCode !== 255) {
    return { exitCode, signal: null, end: "exited", there: "ended" };
  }
  const said = errors().trim().slice(-MAX_REASON_CHARACTERS);
  const why = said === "" ? "" : ` (${said})`;
  const message = `the connection to ${name} ended before the command did${why}; see what it has done before running it again.`;
  throw new SshError("lost", message);
}

function signalOf(exitCode: number): string | null {
  const number = exitCode - SIGNAL_BASE;
  const [name] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [null];
  return name;
}
