// What the terminal can show and the user wants to see beside words: pictures, links, thoughts.

import type { ImageBlock } from "@tau/ai/message";
import type { TerminalFeatures } from "@tau/tui/terminal/terminal";
import type { InteractionSettings } from "../../looks/interaction-settings.ts";
import type { Pictures, PictureTerminal } from "./pictures/show-pictures.ts";
import type { Surface } from "./surface.ts";

export interface DisplayOptions {
  surface: Surface;
  settings(): InteractionSettings;
  failed(error: unknown): void;
}

export class Display {
  readonly #options: DisplayOptions;
  #terminal: PictureTerminal | undefined;
  #pictures: Promise<Pictures> | undefined;
  /** The user's word since the start, which outweighs the setting. */
  #hidesThinking: boolean | undefined;

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  /** The terminal has said what it can do. */
  discovered({ kittyGraphics, cell }: TerminalFeatures): void {
    const protocol = kittyGraphics ? "kitty" : this.#options.surface.imageProtocol;
    this.#terminal = protocol && { protocol, cell };
  }

  /** Pictures are shown one after the other, in one box: the terminal's memory is bounded. */
  show(image: ImageBlock): void {
    const { surface, settings, failed } = this.#options;
    const terminal = this.#terminal;
    if (!terminal || !settings().showImages) return;
    this.#pictures ??= import("./pictures/show-pictures.ts").then(
      ({ Pictures: Shown }) => new Shown(surface, terminal),
    );
    void this.#pictures.then((pictures) => pictures.show(image)).catch(failed);
  }

  get hyperlinks(): "on" | "off" {
    const { hyperlinks } = this.#options.settings();
    if (hyperlinks === "auto") return this.#options.surface.hyperlinks ? "on" : "off";
    return hyperlinks === "always" ? "on" : "off";
  }

  get hidesThinking(): boolean {
    return this.#hidesThinking ?? this.#options.settings().hideThinkingBlock;
  }

  toggleThinking(): void {
    this.#hidesThinking = !this.hidesThinking;
    const words = this.#hidesThinking ? "Thinking is hidden from here on." : "Thinking is shown.";
    this.#options.surface.note(words);
  }
}
