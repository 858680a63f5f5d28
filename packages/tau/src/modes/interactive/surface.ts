// The terminal as the interactive mode uses it: a transcript that grows, what stands below it,
// and what lies over it. Who gets a key is for `overlays.ts` to say.

import { createAnimationClock, type AnimationClock } from "@tau/tui/components/animation-clock";
import { TextBlock } from "@tau/tui/components/text-block";
import type { Component } from "@tau/tui/component";
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
import { Overlays } from "./overlays.ts";
import { REAL_CLOCK } from "./guard-clock.ts";
import type { NoteTone, Stage } from "./stage.ts";

export interface SurfaceOptions {
  theme: LiveTheme;
  bindings: KeyBindings;
  /** Keys that no screen takes. */
  onKey(input: KeyInput): void;
  /** There is a draft, or somebody works on one elsewhere. */
  isPromptInUse(): boolean;
  onAppearance?(appearance: Appearance): void;
  onFocus?(focused: boolean): void;
  /** The terminal is gone. */
  onHangup(): void;
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
  readonly #terminal: TerminalScreen;
  readonly #overlays: Overlays;
  #isLent = false;
  #lastKind: BlockKind | undefined;

  constructor(options: SurfaceOptions) {
    this.theme = options.theme;
    this.#bindings = options.bindings;
    this.#terminal = new TerminalScreen({
      onInput: (input) => {
        this.#overlays.handleKey(input);
        this.#terminal.requestEcho();
      },
      onHangup: options.onHangup,
      onAppearance: options.onAppearance,
      onFocus: (focused) => {
        // Who comes back from another window has not read anything yet.
        if (focused) this.#overlays.restAgain();
        options.onFocus?.(focused);
      },
    });
    this.#overlays = new Overlays({
      theme: this.theme,
      bindings: () => this.#bindings,
      size: () => this.#terminal.screen.size,
      requestRender: () => this.#lay(),
      clock: REAL_CLOCK,
      prompt: {
        handleKey: options.onKey,
        isInUse: () => this.#isLent || options.isPromptInUse(),
      },
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
    return this.#overlays.size;
  }

  /** A question that waits, for the place above the prompt. */
  get strip(): Overlays["strip"] {
    return this.#overlays.strip;
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
    return this.#overlays.isCovered;
  }

  start(): Promise<TerminalFeatures> {
    return this.#terminal.start();
  }

  stop(): Promise<void> {
    this.clock.stop();
    return this.#terminal.stop();
  }

  async suspend(): Promise<void> {
    await this.#terminal.suspend();
    this.#overlays.restAgain();
  }

  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#isLent = true;
    this.#overlays.restAgain();
    try {
      return await this.#terminal.lend(work);
    } finally {
      this.#isLent = false;
      this.#overlays.restAgain();
    }
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

  /** `indent`: for words that are not Tau's own, however they are wrapped. */
  note(text: string, tone: NoteTone = "plain", { indent = 0 } = {}): void {
    const paint = this.theme.style(NOTE_TOKENS[tone]);
    this.append(new TextBlock({ text, paint, indent }), "note");
  }

  readonly show: Stage["show"] = (open, options) => this.#overlays.show(open, options);

  readonly ask: Stage["ask"] = (open, options) => this.#overlays.ask(open, options);

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
    const overlay = { component: this.#overlays, isDocked: true };
    this.#terminal.screen.setOverlay(this.#overlays.isCovered ? overlay : undefined);
    this.requestRender();
  }
}
