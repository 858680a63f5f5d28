// One question on a terminal. The answer of a secret one is not echoed. In between the
// terminal is in its own mode, so that Ctrl-C is a signal again.

import { CannotAsk } from "@tau/ai/oauth/oauth";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

export interface AskOptions {
  secret: boolean;
  signal?: AbortSignal;
}

/** The user pressed Ctrl-C at a question. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

export interface Terminal {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
}

/** Rejects with `CannotAsk` where there is no terminal, or its user has closed it. */
export function askLine(
  question: string,
  { secret, signal }: AskOptions,
  { input, output }: Terminal,
): Promise<string> {
  if (!input.isTTY) return Promise.reject(new CannotAsk("standard input is not a terminal"));
  if (signal?.aborted) return Promise.reject(signal.reason as Error);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  return new Promise((resolve, reject) => {
    const reader = createInterface({
      input,
      output: secret ? silence : output,
      terminal: true,
      historySize: 0,
      prompt: secret ? "" : `${question} `,
    });
    const end = (settle: () => void): void => {
      signal?.removeEventListener("abort", stop);
      reader.removeAllListeners("close");
      reader.close();
      input.pause();
      if (secret) output.write("\n");
      settle();
    };
    const stop = (): void =>
      end(() => {
        if (!secret) output.write("\n");
        reject(signal!.reason as Error);
      });
    signal?.addEventListener("abort", stop, { once: true });
    reader.once("line", (line) => end(() => resolve(line)));
    reader.once("SIGINT", () =>
      end(() => {
        output.write("\n");
        reject(new Interrupted("interrupted"));
      }),
    );
    reader.once("close", () => end(() => reject(new CannotAsk("the terminal was closed"))));
    // After the terminal's mode has changed: what is typed from here on is ours to hide.
    if (secret) output.write(`${question} `);
    reader.prompt();
  });
}
