// Draws the blocks of a session on the terminal while they come and change. What they are is the
// projection's to say; here is only what is still moving. What is over belongs to the screen, and
// the whole conversation to the log.

import type { ImageBlock } from "@tau/ai/message";
import type { Component } from "@tau/tui/component";
import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import type { SessionEntry } from "../../session/entry.ts";
import type { Block, BlockChange } from "../../session/projection/block.ts";
import { LiveProjection } from "../../session/projection/live-projection.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import { makeBlock, type BlockLook, type DrawnBlock } from "./blocks/make-block.ts";
import { plainToolView } from "./blocks/plain-tool-view.ts";
import type { Surface } from "./surface.ts";
import type { EntryView } from "../../feature-api/terminal-feature.ts";
import type { ToolView } from "../../feature-api/tool-view.ts";

export interface ConversationOptions {
  surface: Surface;
  cwd: string;
  hidesThinking(): boolean;
  hyperlinks(): "on" | "off";
  /** Behind what was just appended, where the terminal shows pictures. */
  showPicture(image: ImageBlock): void;
}

interface Placed extends DrawnBlock {
  on: Component;
}

export class ConversationView {
  readonly #options: ConversationOptions;
  readonly #projection = new LiveProjection((change) => this.#apply(change));
  readonly #placed = new Map<string, Placed>();
  readonly #followers = new Set<(change: BlockChange) => void>();
  #viewOf: (name: string) => ToolView = () => plainToolView;
  #entryViewOf: (customType: string) => EntryView | undefined = () => undefined;
  #highlighter: CodeHighlighter | undefined;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** From now on calls and entries look as whoever brings them wants. */
  useViews(
    viewOf: (name: string) => ToolView,
    entryViewOf: (customType: string) => EntryView | undefined,
  ): void {
    this.#viewOf = viewOf;
    this.#entryViewOf = entryViewOf;
  }

  useHighlighter(highlighter: CodeHighlighter): void {
    this.#highlighter = highlighter;
  }

  readonly handle = (event: SessionEvent): void => this.#projection.handle(event);

  readonly appended = (entries: readonly SessionEntry[]): void =>
    this.#projection.appended(entries);

  /** What is seen and not over, and from then on every change. Returns the way to stop. */
  follow(follower: (change: BlockChange) => void): () => void {
    for (const block of this.#projection.moving) follower({ type: "added", block });
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Nothing more will come for what is still open: it stays as it is. */
  settle(): void {
    this.#projection.settle();
  }

  /** The session stands elsewhere, or is another one. */
  reset(): void {
    this.settle();
    this.#projection.reset();
    this.#placed.clear();
  }

  #apply(change: BlockChange): void {
    if (change.type === "added") this.#add(change.block);
    else if (change.type === "changed") this.#change(change);
    else this.#remove(change.key);
    for (const follower of this.#followers) follower(change);
    this.#options.surface.requestRender();
  }

  #add(block: Block): void {
    const { surface } = this.#options;
    const drawn = makeBlock(block, this.#place, this.#look);
    const on = surface.append(drawn.component, drawn.kind);
    this.#keep(block.key, { ...drawn, on });
    this.#pictures(block);
  }

  #change({ key, block, delta }: Extract<BlockChange, { type: "changed" }>): void {
    const placed = this.#placed.get(key);
    // It was over, and only its entry has come.
    if (!placed) return;
    this.#placed.delete(key);
    placed.change(block, delta);
    this.#keep(block.key, placed);
    if (placed.component.state === "final") this.#pictures(block);
  }

  #remove(key: string): void {
    const placed = this.#placed.get(key);
    if (!placed) return;
    this.#placed.delete(key);
    this.#options.surface.remove(placed.on);
  }

  /** Until it is over. */
  #keep(key: string, placed: Placed): void {
    if (placed.component.state === "live") this.#placed.set(key, placed);
  }

  #pictures(block: Block): void {
    const { showPicture } = this.#options;
    if (block.kind === "user") for (const picture of block.pictures) showPicture(picture);
    if (block.kind !== "call" && block.kind !== "own_run") return;
    for (const part of block.result?.content ?? []) if (part.type === "image") showPicture(part);
  }

  get #place() {
    const { surface, cwd } = this.#options;
    const viewOf = (name: string): ToolView => this.#viewOf(name);
    const entryViewOf = this.#entryViewOf;
    return { surface, cwd, highlighter: this.#highlighter, viewOf, entryViewOf };
  }

  get #look(): BlockLook {
    const { hyperlinks, hidesThinking } = this.#options;
    return { hyperlinks: hyperlinks(), hidesThinking, detail: "short" };
  }
}
