// The terminal as the interactive mode uses it: a transcript that grows, what stands below it,
// and screens laid over it one on another. Keys go to the topmost screen, otherwise to the prompt.

import { createAnimationClock, type AnimationClock } from "@tau/tui/components/animation-clock";
import { TextBlock } from "@tau/tui/components/text-block";
import type { Component, FocusableComponent } from "@tau/tui/component";
import type { KeyInput } from "@tau/tui/key-input";
import type { KeyBindings } from "@tau/tui/keys/key-bindings";
import type { Appearance } from "@tau/tui/terminal/appearance";
import { notificationBytes, titleBytes } from "@tau/tui/terminal/messages";
import type { TerminalFeatures } from "@tau/tui/terminal/terminal";
import type { ImageProtocol } from "@tau/tui/terminal/terminal-kind";
import { TerminalScreen } from "@tau/tui/terminal/terminal-screen";
import type { LiveTheme } from "@tau/tui/theme/live-theme";
import type { ThemeToken } from "@tau/tui/theme/tokens";
import { Spaced, type BlockKind } from "./blocks/spaced.ts";
import { OverlayStack } from "./overlay-stack.ts";
import type { Close, NoteTone, ShowOptions, Stage } from "./stage.ts";

export interface SurfaceOptions {
  theme: LiveTheme;
  bindings: KeyBindings;
  /** Keys that no screen takes. */
  onKey(input: KeyInput): void;
  onAppearance?(appearance: Appearance): void;
  onFocus?(focused: boolean): void;
  /** The terminal is gone. */
  onHangup(): void;
}

interface Shown {
  component: FocusableComponent;
  cancel(): void;
}

const NOTE_TOKENS: Readonly<Record<NoteTone, ThemeToken>> = {
  plain: "muted",
  success: "success",
  warning: "warning",
  error: "error",
};

export class Surface implements Stage {
  readonly theme: LiveTheme;
  readonly clock: AnimationClock;
  #bindings: KeyBindings;
  readonly #options: SurfaceOptions;
  readonly #terminal: TerminalScreen;
  readonly #shown: Shown[] = [];
  readonly #stack = new OverlayStack(this.#shown, () => this.size.rows);
  #lastKind: BlockKind | undefined;

  constructor(options: SurfaceOptions) {
    this.#options = options;
    this.theme = options.theme;
    this.#bindings = options.bindings;
    this.#terminal = new TerminalScreen({
      onInput: (input) => this.#dispatch(input),
      onHangup: options.onHangup,
      ...(options.onAppearance ? { onAppearance: options.onAppearance } : {}),
      ...(options.onFocus ? { onFocus: options.onFocus } : {}),
    });
    this.clock = createAnimationClock(() => this.requestRender());
  }

  get bindings(): KeyBindings {
    return this.#bindings;
  }

  set bindings(bindings: KeyBindings) {
    this.#bindings = bindings;
  }

  get size(): { columns: number; rows: number } {
    return this.#terminal.screen.size;
  }

  get screen(): TerminalScreen["screen"] {
    return this.#terminal.screen;
  }

  /** How the terminal draws pictures, as far as its name tells. */
  get imageProtocol(): ImageProtocol | undefined {
    return this.#terminal.terminal.kind.images;
  }

  /** Whether links are known to work here. */
  get hyperlinks(): boolean {
    return this.#terminal.terminal.kind.hyperlinks;
  }

  /** Something lies over the prompt. */
  get isCovered(): boolean {
    return this.#shown.length > 0;
  }

  start(): Promise<TerminalFeatures> {
    return this.#terminal.start();
  }

  stop(): Promise<void> {
    this.clock.stop();
    return this.#terminal.stop();
  }

  suspend(): Promise<void> {
    return this.#terminal.suspend();
  }

  lend<T>(work: () => Promise<T>): Promise<T> {
    return this.#terminal.lend(work);
  }

  readonly requestRender = (): void => this.#terminal.requestRender();

  /** At the end of the transcript, with the gap that belongs between the two kinds. */
  append(component: Component, kind: BlockKind = "words"): Component {
    const placed = new Spaced(component, kind, this.#lastKind);
    this.#lastKind = kind;
    this.#terminal.screen.append(placed);
    this.requestRender();
    return placed;
  }

  /** What of it is not in history yet goes away. */
  remove(placed: Component): void {
    this.#terminal.screen.remove(placed);
    this.requestRender();
  }

  setBottom(components: readonly Component[]): void {
    this.#terminal.screen.setBottom(components);
    this.requestRender();
  }

  note(text: string, tone: NoteTone = "plain"): void {
    const paint = this.theme.style(NOTE_TOKENS[tone]);
    this.append(new TextBlock({ text, paint }), "note");
  }

  async show<T>(
    open: (close: Close<T>) => FocusableComponent,
    { signal }: ShowOptions = {},
  ): Promise<T | undefined> {
    if (signal?.aborted) return undefined;
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    const component = open((answer) => resolve(answer));
    const shown: Shown = { component, cancel: () => resolve(undefined) };
    this.#shown.push(shown);
    signal?.addEventListener("abort", shown.cancel, { once: true });
    this.#lay();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", shown.cancel);
      this.#shown.splice(this.#shown.indexOf(shown), 1);
      this.#lay();
    }
  }

  setTitle(title: string): void {
    this.#terminal.terminal.write(titleBytes(title));
  }

  notify(text: string): void {
    const isKitty = this.#terminal.terminal.kind.images === "kitty";
    const style = this.#terminal.terminal.kind.multiplexer ? "bell" : isKitty ? "osc99" : "osc9";
    this.#terminal.terminal.write(notificationBytes(text, style));
  }

  /** Bytes for the terminal that show nothing themselves, such as its clipboard. */
  send(bytes: string): void {
    this.#terminal.terminal.write(bytes);
  }

  #lay(): void {
    const isEmpty = this.#shown.length === 0;
    this.#terminal.screen.setOverlay(
      isEmpty ? undefined : { component: this.#stack, isDocked: true },
    );
    this.requestRender();
  }

  #dispatch(input: KeyInput): void {
    const top = this.#shown.at(-1);
    if (!top) this.#options.onKey(input);
    else if (!top.component.handleKey(input) && isCancel(input)) top.cancel();
    this.#terminal.requestEcho();
  }
}

function isCancel(input: KeyInput): boolean {
  if (input.type !== "key") return false;
  return input.key === "escape" || (input.ctrl && input.key === "c");
}
