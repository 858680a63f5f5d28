// Earlier prompts for the arrows and the search: the user's own of all sessions, those of this
// directory first, from a database that is opened after the first frame.

import {
  listHistory,
  type HistoryHit,
  type HistoryQuery,
  type HistorySource,
} from "@tau/tui/editor/prompt-history";
import type { PromptHistory } from "../../session/history/prompt-history.ts";

/** Nobody presses an arrow more often; the search of `tau history` goes further back. */
const MAX_PROMPTS = 1_000;

/** The session that it was sent in. */
export interface PromptPlace {
  id: string;
  hide(text: string): string;
}

export class PastPrompts implements HistorySource, Disposable {
  readonly #cwd: string;
  readonly #warn: (words: string) => void;
  /** Newest first. */
  #prompts: string[] = [];
  #store: PromptHistory | undefined;
  #place: (() => PromptPlace) | undefined;

  constructor({ cwd, warn }: { cwd: string; warn: (words: string) => void }) {
    this.#cwd = cwd;
    this.#warn = warn;
  }

  async open(agentDirectory: string, now: () => PromptPlace): Promise<void> {
    const { openHistory } = await import("../../session/history/open-history.ts");
    this.#store = await openHistory({ agentDirectory, onWarning: this.#warn });
    this.#place = now;
    const known = this.#store.recent({ cwd: this.#cwd, limit: MAX_PROMPTS });
    this.#prompts.push(...known.map(({ prompt }) => prompt));
  }

  /** What was just sent is the newest. Secrets stay in memory. */
  add(prompt: string): void {
    if (this.#prompts[0] !== prompt) this.#prompts.unshift(prompt);
    if (!this.#place) return;
    const session = this.#place();
    const hidden = session.hide(prompt);
    this.#store?.add({ prompt: hidden, cwd: this.#cwd, sessionId: session.id });
  }

  find(query: HistoryQuery): HistoryHit | undefined {
    return listHistory(this.#prompts).find(query);
  }

  [Symbol.dispose](): void {
    this.#store?.[Symbol.dispose]();
    this.#store = undefined;
  }
}
