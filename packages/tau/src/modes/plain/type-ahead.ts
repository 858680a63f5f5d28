// What is typed while nobody has asked for it. It is meant for the prompt: before a question takes
// an answer it is set aside here, and the prompt gets it later, whole lines as if they were sent
// there and the rest as the beginning of the next.

import { editLine, SEQUENCES } from "./edit-line.ts";

const INTERRUPT = "\u0003";

export class TypeAhead {
  readonly #lines: string[] = [];
  #rest = "";
  #told = "";

  /** For the person: what is kept, in one line. */
  get words(): string {
    return this.#rest === "" ? this.#lines.join(" / ") : [...this.#lines, this.#rest].join(" / ");
  }

  /** The words, if they are others than the person was last told of. */
  takeNews(): string | undefined {
    const { words } = this;
    const isNews = words !== "" && words !== this.#told;
    this.#told = words;
    return isNews ? words : undefined;
  }

  add(text: string): void {
    for (const sign of text.replace(SEQUENCES, "").replaceAll("\r\n", "\n")) {
      if (sign === "\r" || sign === "\n") {
        if (this.#rest !== "") this.#lines.push(this.#rest);
        this.#rest = "";
      } else this.#rest = editLine(this.#rest, sign);
    }
  }

  /** The next whole line. */
  takeLine(): string | undefined {
    return this.#lines.shift();
  }

  /** What no Enter has followed yet. */
  takeRest(): string {
    const rest = this.#rest;
    this.#rest = "";
    return rest;
  }
}

/** Sets aside whatever is typed until no key has been pressed for so long. */
export async function untilQuiet(
  typeAhead: TypeAhead,
  { quietMs, signal, interrupt }: { quietMs: number; signal?: AbortSignal; interrupt(): void },
): Promise<void> {
  const { stdin } = process;
  const { promise, resolve } = Promise.withResolvers<void>();
  let timer = setTimeout(resolve, quietMs);
  const decoder = new TextDecoder();
  const onData = (bytes: Uint8Array | string): void => {
    const text = typeof bytes === "string" ? bytes : decoder.decode(bytes, { stream: true });
    clearTimeout(timer);
    // The terminal does not make a signal of it meanwhile.
    if (text.includes(INTERRUPT)) {
      interrupt();
      return resolve();
    }
    typeAhead.add(text);
    timer = setTimeout(resolve, quietMs);
  };
  signal?.addEventListener("abort", () => resolve(), { once: true });
  // Only so are the letters of a line without its Enter there to be read.
  if (stdin.isTTY) stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.once("end", resolve);
  stdin.resume();
  try {
    if (!signal?.aborted) await promise;
  } finally {
    clearTimeout(timer);
    stdin.off("data", onData);
    stdin.off("end", resolve);
    stdin.pause();
    if (stdin.isTTY) stdin.setRawMode(false);
  }
}
