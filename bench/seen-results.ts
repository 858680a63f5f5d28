// What a scripted model has been shown so far, read from the requests that it gets.

import type { RecordedRequest } from "@tau/testkit/model-server";

export class SeenResults {
  #results: readonly string[] = [];

  take({ decoded }: RecordedRequest): void {
    this.#results = decoded.messages.flatMap((message) =>
      message.role === "toolResult"
        ? [message.content.map((block) => (block.type === "text" ? block.text : "")).join("\n")]
        : [],
    );
  }

  /** The newest one. */
  get last(): string {
    return this.#results.at(-1) ?? "";
  }

  /** The newest ones, together. */
  newest(count: number): string {
    return count === 0 ? "" : this.#results.slice(-count).join("\n");
  }

  /** Of the newest header of this file. */
  tagOf(path: string): string {
    const header = `¶${path}#`;
    const result = this.#results.findLast((text) => text.includes(header)) ?? "";
    return result.slice(result.lastIndexOf(header) + header.length).slice(0, 4);
  }

  /** Of the newest output that was kept whole. */
  artifact(): string {
    const all = this.#results.join("\n").match(/artifact:\/\/\w+/g);
    return all?.at(-1) ?? "artifact://0";
  }
}
