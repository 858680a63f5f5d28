// Changes that were shown and not yet made. A tool that previews puts its change here; the
// model then applies or discards it by name, oldest first where it names none.

import type { ToolOutput } from "@tau/agent/tool";

/** The tool that settles them. */
export const RESOLVE = "resolve";

export interface Preview {
  /** What it would do, in a few words. */
  label: string;
  /** The tool that made it. */
  sourceTool: string;
  /** The files that it would change, absolute: whoever agrees to it agrees to these. */
  writes: readonly string[];
  /** Makes the change. A `ToolError` where what it was based on has changed; then nothing was written. */
  apply(reason: string, context: { signal: AbortSignal }): Promise<ToolOutput>;
  /** Says something better than that it was discarded. */
  reject?(reason: string): Promise<ToolOutput | undefined>;
}

export interface PendingPreview extends Preview {
  id: string;
}

export class PendingPreviews {
  readonly #queue: PendingPreview[] = [];
  #count = 0;

  /** Its id, for the text that shows the preview. */
  push(preview: Preview): string {
    const id = `preview-${++this.#count}`;
    this.#queue.push({ ...preview, id });
    return id;
  }

  get all(): readonly PendingPreview[] {
    return this.#queue;
  }

  /** The one of that id, or the oldest. */
  find(id?: string): PendingPreview | undefined {
    return this.#queue[this.#indexOf(id)];
  }

  /** The same; it waits no longer. */
  take(id?: string): PendingPreview | undefined {
    const at = this.#indexOf(id);
    return at < 0 ? undefined : this.#queue.splice(at, 1)[0];
  }

  #indexOf(id: string | undefined): number {
    return id === undefined ? 0 : this.#queue.findIndex((preview) => preview.id === id);
  }

  /** Nothing was written for any of them. */
  drop(): PendingPreview[] {
    return this.#queue.splice(0);
  }
}
