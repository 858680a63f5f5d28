// Answers questions about syntax from a process of its own. Parsers are native code from many
// hands: some texts keep them busy for hours, some make them end their process. Here that
// costs one answer, and the next question starts a new process (about 50 ms). It is started
// on the first question and ended when nothing was asked for a while.

import { dirname, join } from "node:path";
import { ownEnvironment } from "../process/own-environment.ts";
import { ENGINE_CACHE_VARIABLE, engineCacheDirectory } from "../engines/engine-place.ts";
import { prepareEngines } from "../engines/locate-engine.ts";
import { ownedEnvironment } from "../process/reaper.ts";
import { confinedReader, type ConfineReader } from "../sandbox/confine-reader.ts";
import type { SyntaxMessage, SyntaxReply } from "./serve-syntax.ts";
import { fail, succeed, type Outcome } from "./syntax-failure.ts";
import type { Question, Syntax, SyntaxQuestions } from "./syntax.ts";

/** Far above what any text of the largest size takes that is not made to be slow. */
const ANSWER_LIMIT_MS = 10_000;
/** A loaded machine may take this long to start a process. */
const START_LIMIT_MS = 20_000;
/** An idle process holds about 80 MB for a start of 50 ms. */
const IDLE_MS = 60_000;
/** Trees of large texts; what is not given back by then is not worth keeping. */
const MEMORY_LIMIT_BYTES = 700 * 1024 * 1024;

export interface SyntaxProcessOptions {
  /** Starts a program that calls `serveSyntax`. */
  command: readonly string[];
  /** Confines it, if anything does; asked when it is started. */
  confineReader?: () => ConfineReader | undefined;
  answerLimitMs?: number;
  idleMs?: number;
}

/** For running from source: the directory Tau works in has no say in it. */
export function sourceCommand(): string[] {
  return [process.execPath, "--no-env-file", join(import.meta.dir, "serve-syntax.ts")];
}

/** Thrown for what is a bug of ours in the other process. */
class SyntaxBug extends Error {
  override readonly name = "SyntaxBug";
}

type Ending = { code: "aborted" | "too_slow" | "crashed" } | { reply: SyntaxReply };

interface Child {
  process: Bun.Subprocess;
  ready: Promise<boolean>;
  onReply: (reply: SyntaxReply) => void;
  exited: Promise<{ code: "crashed" }>;
}

export class SyntaxProcess implements Syntax, AsyncDisposable {
  readonly #options: SyntaxProcessOptions;
  #child: Child | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #idle: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;

  constructor(options: SyntaxProcessOptions) {
    this.#options = options;
  }

  /** One question at a time: a second parser would only take the first one's core. */
  async ask<Q extends Question>(
    question: Q,
    about: SyntaxQuestions[Q]["ask"],
    signal?: AbortSignal,
  ): Promise<Outcome<SyntaxQuestions[Q]["answer"]>> {
    const before = this.#turn;
    const turn = Promise.withResolvers<void>();
    // Whoever gives up waiting must not let the next one in before its time.
    this.#turn = Promise.all([before, turn.promise]);
    try {
      if (await abortedBefore(before, signal)) return aborted();
      return (await this.#answer(question, about, signal)) as Outcome<SyntaxQuestions[Q]["answer"]>;
    } finally {
      turn.resolve();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child?.process;
    this.#end();
    await child?.exited;
  }

  async #answer(
    question: Question,
    about: object,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<unknown>> {
    clearTimeout(this.#idle);
    this.#child ??= this.#start(await this.#command());
    const child = this.#child;
    if (!child || !(await child.ready)) {
      this.#end();
      return fail(
        "engine_unavailable",
        "The parser process does not start; name the lines themselves instead.",
      );
    }
    if (signal?.aborted) {
      this.#rest();
      return aborted();
    }
    const id = ++this.#lastId;
    const ending = await this.#exchange(child, { id, question, about } as SyntaxMessage, signal);
    if ("code" in ending) {
      this.#end();
      if (ending.code === "aborted") return aborted();
      return ending.code === "crashed"
        ? fail(
            "parser_crashed",
            "The parser broke over this text; name the lines themselves instead.",
          )
        : fail(
            "too_slow",
            "The parser took too long over this text; name the lines themselves instead.",
          );
    }
    const { reply } = ending;
    if ("bug" in reply) throw new SyntaxBug(reply.bug);
    if (!("value" in reply)) throw new SyntaxBug("The parser process did not answer.");
    if (reply.memoryBytes > MEMORY_LIMIT_BYTES) this.#end();
    else this.#rest();
    return succeed(reply.value);
  }

  async #exchange(
    child: Child,
    message: SyntaxMessage,
    signal: AbortSignal | undefined,
  ): Promise<Ending> {
    const ended = Promise.withResolvers<Ending>();
    child.onReply = (reply) => ended.resolve({ reply });
    const onAbort = () => ended.resolve({ code: "aborted" });
    signal?.addEventListener("abort", onAbort, { once: true });
    const limit = this.#options.answerLimitMs ?? ANSWER_LIMIT_MS;
    const timer = setTimeout(() => ended.resolve({ code: "too_slow" }), limit);
    try {
      child.process.send(message);
      return await Promise.race([ended.promise, child.exited]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async #command(): Promise<string[]> {
    const confine = this.#options.confineReader?.();
    if (!confine) return [...this.#options.command];
    // It cannot write: what it loads has to be there before.
    await prepareEngines();
    const reads = [engineCacheDirectory(ownEnvironment())];
    return confinedReader(this.#options.command, { isOwn: true, reads }, confine);
  }

  #start(command: string[]): Child | undefined {
    const ready = Promise.withResolvers<boolean>();
    try {
      const child: Child = {
        process: Bun.spawn(command, {
          // A process reads settings of the directory it starts in; this one is Tau's own.
          cwd: dirname(process.execPath),
          env: ownedEnvironment(childEnvironment()),
          stdin: "ignore",
          stdout: "ignore",
          stderr: "ignore",
          serialization: "advanced",
          ipc: (reply: SyntaxReply) =>
            "ready" in reply ? ready.resolve(true) : child.onReply(reply),
        }),
        ready: ready.promise,
        onReply: () => {},
        exited: Promise.resolve({ code: "crashed" }),
      };
      child.exited = child.process.exited.then(() => ({ code: "crashed" }) as const);
      const late = setTimeout(() => ready.resolve(false), START_LIMIT_MS);
      child.ready = Promise.race([ready.promise, child.exited.then(() => false)]).finally(() =>
        clearTimeout(late),
      );
      // Whoever asked waits; nobody else has to.
      child.process.unref();
      return child;
    } catch (error) {
      if (typeof (error as { code?: unknown }).code === "string") return undefined;
      throw error;
    }
  }

  #rest(): void {
    this.#idle = setTimeout(() => this.#end(), this.#options.idleMs ?? IDLE_MS);
    this.#idle.unref();
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#child?.process.kill("SIGKILL");
    this.#child = undefined;
  }
}

async function abortedBefore(wait: Promise<unknown>, signal?: AbortSignal): Promise<boolean> {
  if (!signal) {
    await wait;
    return false;
  }
  const abort = Promise.withResolvers<void>();
  const onAbort = () => abort.resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  if (!signal.aborted) await Promise.race([wait, abort.promise]);
  signal.removeEventListener("abort", onAbort);
  return signal.aborted;
}

function aborted() {
  return fail("aborted", "The question about syntax was aborted.");
}

/** Only what starting needs: no keys, nothing that loads other code. */
function childEnvironment(): Record<string, string> {
  const kept = ["SystemRoot", "TMPDIR", "TEMP", "TMP", "PATH"].flatMap((name) => {
    const value = ownEnvironment()[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    // Where parsers are, which it cannot tell without a home.
    [ENGINE_CACHE_VARIABLE]: engineCacheDirectory(ownEnvironment()),
    // A parser that breaks is expected; nobody is to be told.
    BUN_ENABLE_CRASH_REPORTING: "0",
    DO_NOT_TRACK: "1",
  };
}
