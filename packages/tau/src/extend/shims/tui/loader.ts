// Something that turns while one waits.

import { Text } from "./basics.ts";
import { matchesKey } from "./keys.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;

interface Redrawn {
  requestRender?(): void;
}

type Paint = (text: string) => string;

export class Loader extends Text {
  readonly #ui: Redrawn;
  readonly #spinner: Paint;
  readonly #words: Paint;
  #message: string;
  #frame = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(ui: Redrawn, spinner: Paint, words: Paint, message = "Loading…") {
    super("", 1, 0);
    this.#ui = ui;
    this.#spinner = spinner;
    this.#words = words;
    this.#message = message;
    this.start();
  }

  start(): void {
    this.stop();
    this.#timer = setInterval(() => {
      this.#frame = (this.#frame + 1) % FRAMES.length;
      this.#show();
    }, FRAME_MS);
    // Nobody's process is kept alive by something that turns.
    this.#timer.unref?.();
    this.#show();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  dispose(): void {
    this.stop();
  }

  setMessage(message: string): void {
    this.#message = message;
    this.#show();
  }

  setIndicator(): void {}

  #show(): void {
    this.setText(`${this.#spinner(FRAMES[this.#frame]!)} ${this.#words(this.#message)}`);
    this.#ui.requestRender?.();
  }
}

/** One that Esc stops. */
export class CancellableLoader extends Loader {
  readonly #abort = new AbortController();
  onAbort?: () => void;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get aborted(): boolean {
    return this.#abort.signal.aborted;
  }

  handleInput(data: string): void {
    if (!matchesKey(data, "escape") && !matchesKey(data, "ctrl+c")) return;
    this.#abort.abort();
    this.onAbort?.();
  }
}

/** The same, in a frame of its own. */
export class BorderedLoader extends CancellableLoader {
  constructor(ui: Redrawn, theme: { fg?(token: string, text: string): string }, message?: string) {
    const paint = (token: string) => (text: string) => theme.fg?.(token, text) ?? text;
    super(ui, paint("accent"), paint("muted"), message);
  }
}
