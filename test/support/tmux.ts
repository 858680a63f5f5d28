// A real tmux of its own, for tests that do to panes what people do.

import { createScratchDirectory } from "@tau/testkit/scratch";

export interface TmuxServer extends AsyncDisposable {
  /** Runs a tmux command and gives back what it printed. */
  run(...args: string[]): Promise<string>;
  /** A pane's history and screen. */
  capture(target: string): Promise<string>;
  /** Until the pane shows the text. */
  waitFor(target: string, text: string | RegExp, timeoutMs?: number): Promise<string>;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const LOOK_EVERY_MS = 50;

export async function startTmux(
  tmux: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<TmuxServer> {
  const scratch = await createScratchDirectory();
  const socket = scratch.path("socket");
  const run = async (...args: string[]): Promise<string> => {
    const child = Bun.spawn([tmux, "-f", "/dev/null", "-S", socket, ...args], {
      env: { LANG: "C.UTF-8", ...env, TERM: "xterm-256color" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    if (code !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const capture = (target: string): Promise<string> =>
    run("capture-pane", "-p", "-t", target, "-S", "-");
  return {
    run,
    capture,
    async waitFor(target, wanted, timeoutMs = DEFAULT_TIMEOUT_MS) {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const text = await capture(target);
        if (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text)) return text;
        if (performance.now() > deadline) throw new Error(`never came: ${wanted}\n${text}`);
        await Bun.sleep(LOOK_EVERY_MS);
      }
    },
    async [Symbol.asyncDispose]() {
      await run("kill-server");
      await scratch[Symbol.asyncDispose]();
    },
  };
}
