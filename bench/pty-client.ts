// A terminal without a screen, for timing: it types, answers what a terminal is asked, and says
// when bytes came. An emulator would be measured along with the program.

export interface PtyClient extends AsyncDisposable {
  readonly pid: number;
  readonly startedAt: number;
  /** Everything that came since the last call, as text. */
  take(): string;
  /** Bytes that came so far. */
  readonly received: number;
  send(bytes: string): void;
  /** When text came that the test accepts: milliseconds on `performance.now()`. */
  until(test: (text: string) => boolean, timeoutMs?: number): Promise<number>;
}

const DEFAULT_TIMEOUT_MS = 20_000;
/** A terminal of the plain kind: no key protocol, no pictures. */
const ANSWERS: readonly (readonly [asked: string, answer: string])[] = [
  ["\x1b[c", "\x1b[?62;22c"],
  ["\x1b[6n", "\x1b[1;1R"],
];

export function openPtyClient(
  command: readonly string[],
  options: {
    cwd: string;
    env: Record<string, string | undefined>;
    columns?: number;
    rows?: number;
  },
): PtyClient {
  const { columns = 80, rows = 24 } = options;
  let text = "";
  let received = 0;
  let waiting: { test: (text: string) => boolean; resolve: (at: number) => void } | undefined;
  const decoder = new TextDecoder();
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: options.cwd,
    env: { TERM: "xterm-256color", COLORTERM: "truecolor", ...options.env },
    terminal: {
      cols: columns,
      rows,
      data: (pty, bytes) => {
        const at = performance.now();
        received += bytes.length;
        const piece = decoder.decode(bytes, { stream: true });
        text += piece;
        for (const [asked, answer] of ANSWERS) {
          for (let count = piece.split(asked).length - 1; count > 0; count--) pty.write(answer);
        }
        if (waiting?.test(text)) {
          const { resolve } = waiting;
          waiting = undefined;
          resolve(at);
        }
      },
    },
  });
  return {
    pid: child.pid,
    startedAt,
    get received() {
      return received;
    },
    take() {
      const taken = text;
      text = "";
      return taken;
    },
    send: (bytes) => void child.terminal!.write(bytes),
    until(test, timeoutMs = DEFAULT_TIMEOUT_MS) {
      if (test(text)) return Promise.resolve(performance.now());
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`never came: ${text.slice(-2000)}`)),
          timeoutMs,
        );
        waiting = {
          test,
          resolve: (at) => {
            clearTimeout(timer);
            resolve(at);
          },
        };
      });
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      child.terminal?.close();
    },
  };
}
