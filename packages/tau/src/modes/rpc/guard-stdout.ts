// Standard output belongs to the protocol: one stray line of a dependency and the client can read
// nothing any more. While this holds, what is printed by the usual ways goes to standard error, and
// only the writer that it gives out reaches standard output.

import { format } from "node:util";
import { COMMAND } from "../../brand.ts";
import { writeError } from "../../base/output.ts";
import type { WriteBytes } from "./frame-writer.ts";

/** Those that print to standard output; the others print to standard error already. */
const PRINTING = ["log", "info", "debug", "table", "dir", "dirxml", "group", "timeEnd"] as const;

export class StdoutGuard implements Disposable {
  // Its writes wait for the pipe without holding the process up, which other ways do.
  readonly #sink = Bun.stdout.writer();
  readonly #restore: (() => void)[] = [];

  constructor() {
    for (const name of PRINTING) {
      const before = console[name];
      console[name] = (...args: unknown[]) => writeError(`${format(...args)}\n`);
      this.#restore.push(() => (console[name] = before));
    }
    const { stdout } = process;
    const before = stdout.write;
    stdout.write = ((text: string | Uint8Array, ...rest: unknown[]): boolean => {
      writeError(typeof text === "string" ? text : new TextDecoder().decode(text));
      const done = rest.find((one) => typeof one === "function");
      if (done) queueMicrotask(done as () => void);
      return true;
    }) as typeof stdout.write;
    this.#restore.push(() => (stdout.write = before));
  }

  readonly write: WriteBytes = async (text) => {
    try {
      this.#sink.write(text);
      await this.#sink.flush();
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== "EPIPE") {
        writeError(`${COMMAND}: standard output cannot be written (${code ?? String(error)})\n`);
      }
      return false;
    }
  };

  [Symbol.dispose](): void {
    for (const restore of this.#restore) restore();
  }
}
