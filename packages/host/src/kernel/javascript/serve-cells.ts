// The other side of `javascript-kernel.ts`: a process that takes cells over the channel to its
// parent, runs them in its global scope one after the other, and ends when the parent does. An
// application that is one file gives it a hidden command; from source this file is started.

import * as fileSystem from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { constants, runInThisContext } from "node:vm";
import type { CallKind, DoneFrame } from "../kernel-frame.ts";
import { hasShownValue, IMPORT_META, scriptOf, unboxed } from "./cell-code.ts";
import { describeError, rememberScript } from "./cell-error.ts";
import { createHelpers } from "./cell-helpers.ts";
import { CellOutput, redirectPrinting } from "./cell-output.ts";
import { valueBundle } from "./cell-value.ts";

/** A signal that has not come by then has met the code it was for. */
const LATE_INTERRUPT_MS = 100;

/** `process.exit` in a cell ends the cell. */
class CellExit extends Error {
  override readonly name = "CellExit";
  constructor(readonly code: number) {
    super(`process.exit(${code}) (the kernel keeps running)`);
  }
}

/** What a tool, a model or an agent refused. */
class CallFailed extends Error {
  override readonly name = "ToolError";
}

interface Message {
  type?: unknown;
  id?: number;
  code?: string;
  /** Sent to this process so far. */
  interrupts?: number;
  token?: string;
  cwd?: string;
  ok?: boolean;
  value?: unknown;
  error?: string;
}

export function serveCells(): void {
  const send = process.send!.bind(process) as (message: object) => void;
  const leave = process.exit.bind(process);
  // The channel is the kernel's, not the cells'.
  Object.defineProperty(process, "send", { value: undefined, configurable: true });
  delete process.env.NODE_CHANNEL_FD;
  delete process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  process.on("disconnect", () => leave(0));
  const cells = new Cells(send);
  process.on("message", (message: Message) => cells.receive(message));
}

const getDirectory = process.cwd.bind(process);

/** Undefined if it was removed. */
function directory(): string | undefined {
  try {
    return getDirectory();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** As a file in the cells' directory would see it. */
function importMeta(require: NodeJS.Require): object {
  const path = (): string => join(getDirectory(), "cell.js");
  return {
    get dir() {
      return getDirectory();
    },
    get dirname() {
      return getDirectory();
    },
    get path() {
      return path();
    },
    get filename() {
      return path();
    },
    get url() {
      return pathToFileURL(path()).href;
    },
    file: "cell.js",
    main: false,
    env: process.env,
    require,
    resolve: (name: string) => {
      const found = require.resolve(name, { paths: [getDirectory()] });
      return isAbsolute(found) ? pathToFileURL(found).href : found;
    },
  };
}

class Cells {
  readonly #send: (message: object) => void;
  readonly #waiting = new Map<number, (message: Message) => void>();
  /** Modules of the program itself; those of the cells are read again with each cell. */
  readonly #own = new Set(Object.keys(require.cache));
  #output: CellOutput | undefined;
  #calls = 0;
  #isInterrupted = false;
  #interrupts = 0;

  constructor(send: (message: object) => void) {
    this.#send = send;
  }

  receive(message: Message): void {
    if (message.type === "boot") this.#boot(message);
    else if (message.type === "run") void this.#runSettled(message);
    else if (message.type === "reply") this.#waiting.get(message.id!)?.(message);
  }

  #boot({ token, cwd }: Message): void {
    process.chdir(cwd!);
    const output = new CellOutput(this.#send, token!);
    this.#output = output;
    redirectPrinting();
    Object.assign(process, {
      exit: (code?: number) => {
        throw new CellExit(Number(code ?? process.exitCode ?? 0));
      },
    });
    // While a cell waits, an interrupt only makes what it waits for fail; see the parent.
    process.on("SIGINT", () => {
      this.#isInterrupted = true;
      this.#interrupts += 1;
    });
    for (const event of ["uncaughtException", "unhandledRejection"] as const) {
      process.on(event, (thrown: unknown) => {
        console.error(`[nobody caught this] ${describeError(thrown).traceback}`);
      });
    }
    const helpers = createHelpers(output, (kind, args) => this.#ask(kind, args));
    const require = createRequire(join(cwd!, "cell.js"));
    Object.assign(globalThis, helpers, { fs: fileSystem, require });
    Object.defineProperty(globalThis, IMPORT_META, { value: importMeta(require) });
    this.#send({ type: "ready", version: Bun.version });
  }

  /** An interrupt for the cell before that is still on its way must not meet this one. */
  async #runSettled({ id, code, interrupts = 0 }: Message): Promise<void> {
    const deadline = performance.now() + LATE_INTERRUPT_MS;
    while (this.#interrupts < interrupts && performance.now() < deadline) await Bun.sleep(1);
    // One that met code is not told to the handler.
    this.#interrupts = interrupts;
    await this.#run(id!, code!);
  }

  async #run(id: number, code: string): Promise<void> {
    const output = this.#output!;
    output.newCell();
    this.#isInterrupted = false;
    this.#forgetLocalModules();
    let done: Omit<DoneFrame, "type" | "id">;
    try {
      const { value, isShown } = await this.#evaluate(String(id), code);
      if (isShown && value !== undefined) {
        Object.assign(globalThis, { _: value });
        output.display(valueBundle(value));
      }
      done = { outcome: "ok" };
    } catch (thrown) {
      done = this.#outcome(thrown);
    }
    const isUnmarked = !output.mark(`end ${id}`);
    const cwd = directory();
    this.#send({ ...done, type: "done", id, cwd, isUnmarked: isUnmarked || undefined });
  }

  /** The value in an object: alone it might be taken for a promise. */
  async #evaluate(name: string, code: string): Promise<{ value: unknown; isShown: boolean }> {
    const script = scriptOf(code);
    rememberScript(name, script);
    const result: unknown = runInThisContext(script, {
      // Relative imports begin where the cells are.
      filename: join(process.cwd(), `[cell ${name}]`),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      breakOnSigint: true,
    });
    const value = unboxed(result instanceof Promise ? await result : result);
    // What nobody has waited for is meant all the same.
    return {
      value: value instanceof Promise ? await value : value,
      isShown: hasShownValue(script),
    };
  }

  #outcome(thrown: unknown): Omit<DoneFrame, "type" | "id"> {
    const code: unknown = (thrown as { code?: unknown } | null)?.code;
    if (this.#isInterrupted || code === "ERR_SCRIPT_EXECUTION_INTERRUPTED") {
      return { outcome: "interrupted" };
    }
    if (thrown instanceof CellExit && thrown.code === 0) return { outcome: "ok" };
    return { outcome: "error", error: describeError(thrown) };
  }

  async #ask(kind: CallKind, args: object): Promise<unknown> {
    const id = ++this.#calls;
    const answer = Promise.withResolvers<Message>();
    this.#waiting.set(id, answer.resolve);
    this.#send({ type: "call", id, kind, args });
    const { ok, value, error } = await answer.promise;
    this.#waiting.delete(id);
    if (ok) return value;
    throw new CallFailed(error ?? "The call failed.");
  }

  /** So that what has been edited since is seen; packages keep their identity. */
  #forgetLocalModules(): void {
    for (const path of Object.keys(require.cache)) {
      if (!this.#own.has(path) && !path.includes("/node_modules/")) delete require.cache[path];
    }
  }
}

if (import.meta.main) serveCells();
