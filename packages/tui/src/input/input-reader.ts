// Bytes from the terminal in, keys and pastes out. It owns the order in which a piece is looked
// at (answers to questions, notices, keys) and the patience with what has only begun.

import type { KeyInput } from "../key-input.ts";
import { decodeSequence, decodeText } from "./decode-key.ts";
import type { Probes } from "./probes.ts";
import { SequenceSplitter, type InputPiece } from "./sequence-splitter.ts";

export interface InputReaderOptions {
  probes: Probes;
  onInput: (input: KeyInput) => void;
  /** The terminal says that its colours changed (mode 2031). */
  onAppearance?: (appearance: "dark" | "light") => void;
  /** Its window got or lost the focus (mode 1004). */
  onFocus?: (focused: boolean) => void;
}

// A terminal sends a sequence in one go, but lines and multiplexers cut it, by 30 ms at worst; a
// person does not notice this wait after Esc.
const ESCAPE_PATIENCE_MS = 40;
// With an answer on its way, an escape is more likely the answer's first byte.
const ESCAPE_AMID_ANSWERS_MS = 500;
// What looks like the beginning of a longer sequence is rarely a key.
const SEQUENCE_PATIENCE_MS = 200;
// A paste whose end was lost on the line must not swallow every key after it.
const PASTE_PATIENCE_MS = 3_000;
// As long as somebody waits for an answer, its rest may still be on the line.
const ANSWER_PATIENCE_MS = 2_000;

export class InputReader {
  readonly #options: InputReaderOptions;
  readonly #splitter = new SequenceSplitter();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: InputReaderOptions) {
    this.#options = options;
  }

  feed(bytes: Uint8Array | string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const piece of this.#splitter.feed(bytes)) this.#handle(piece);
    const patience = this.#patience();
    if (patience > 0) this.#timer = setTimeout(() => this.flush(), patience);
  }

  /** What has begun will not go on. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const piece of this.#splitter.flush()) this.#handle(piece);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #patience(): number {
    switch (this.#splitter.waiting) {
      case "escape":
        return this.#options.probes.outstanding ? ESCAPE_AMID_ANSWERS_MS : ESCAPE_PATIENCE_MS;
      case "sequence":
        return this.#options.probes.outstanding ? ANSWER_PATIENCE_MS : SEQUENCE_PATIENCE_MS;
      case "paste":
        return PASTE_PATIENCE_MS;
      default:
        return 0;
    }
  }

  #handle(piece: InputPiece): void {
    const { onInput } = this.#options;
    if (piece.type === "paste") onInput({ type: "paste", text: piece.text });
    else if (piece.type === "text") for (const key of decodeText(piece.text)) onInput(key);
    else this.#handleSequence(piece.text);
  }

  #handleSequence(sequence: string): void {
    const { probes, onAppearance, onFocus, onInput } = this.#options;
    const appearance = /^\u001b\[\?997;([12])n$/.exec(sequence);
    if (appearance) return onAppearance?.(appearance[1] === "1" ? "dark" : "light");
    if (sequence === "\x1b[I" || sequence === "\x1b[O") return onFocus?.(sequence === "\x1b[I");
    if (probes.take(sequence)) return;
    const key = decodeSequence(sequence);
    if (key) onInput(key);
  }
}
