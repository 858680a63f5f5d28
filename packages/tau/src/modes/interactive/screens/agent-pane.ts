// The transcript of one agent in a screen: opened from its session while it is there, from its log while it
// sleeps, and anew when that changes. Only what is seen is laid out.

import type { TranscriptSource } from "./transcript-blocks.ts";
import { TranscriptBlocks } from "./transcript-blocks.ts";
import { TranscriptWindow } from "./transcript-window.ts";

export interface OpenedTranscript {
  source: TranscriptSource;
  close(): Promise<void>;
}

/** `onChange`: something of it looks different now. */
export type OpenTranscript = (id: string, onChange: () => void) => Promise<OpenedTranscript>;

export interface AgentPaneOptions {
  id: string;
  open: OpenTranscript;
  requestRender(): void;
}

const NOTHING: TranscriptSource = { length: 0, block: () => [] };

export class AgentPane {
  readonly #options: AgentPaneOptions;
  #opened: OpenedTranscript | undefined;
  #blocks: TranscriptBlocks;
  window: TranscriptWindow;
  /** Why there is nothing to see. */
  problem: string | undefined;
  isOpening = false;
  #isClosed = false;
  /** Of the last opening: one that is overtaken is closed at once. */
  #turn = 0;

  constructor(options: AgentPaneOptions) {
    this.#options = options;
    this.#blocks = this.#blocksOf(NOTHING);
    this.window = new TranscriptWindow(this.#blocks);
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** From now on as it is there now: it came back, or went to sleep. */
  async reopen(): Promise<void> {
    const { id, open, requestRender } = this.#options;
    const turn = ++this.#turn;
    this.isOpening = true;
    try {
      const opened = await open(id, requestRender);
      if (turn !== this.#turn || this.#isClosed) return await opened.close();
      const before = this.#opened;
      this.#opened = opened;
      this.#blocks = this.#blocksOf(opened.source);
      this.window = new TranscriptWindow(this.#blocks);
      this.problem = undefined;
      await before?.close();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (turn === this.#turn) this.problem = error.message;
    } finally {
      if (turn === this.#turn) this.isOpening = false;
      requestRender();
    }
  }

  rows(rows: number, columns: number): readonly string[] {
    this.#blocks.setColumns(columns);
    this.window.setHeight(rows);
    return this.window.rows().map(({ text }) => text);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opened?.close();
  }

  #blocksOf(source: TranscriptSource): TranscriptBlocks {
    const { requestRender } = this.#options;
    return new TranscriptBlocks(source, {
      onReady: () => {
        this.window.settle();
        requestRender();
      },
      onFailure: (error) => {
        this.problem = `A part cannot be shown: ${error.message}`;
      },
    });
  }
}
