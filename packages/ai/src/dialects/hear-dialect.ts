// Turns the reply of a server without structured calls into a neutral one: it listens to
// the events of the wire's reply and tells an assembler what the text says. Calls that
// did arrive structured pass through, so a server that does both is understood too.

import type { StreamEvent } from "../event.ts";
import type { ToolCallBlock } from "../message.ts";
import type { OpenBlock, ReplyAssembler } from "../reply-assembler.ts";
import type { ToolSpec } from "../request.ts";
import type { Dialect, DialectScanner, DialectSink, ScannerOptions } from "./dialect.ts";
import type { Ending } from "./scan/input.ts";

export interface HearOptions extends ScannerOptions {
  /** Conventions have no ids, or none that are unique in a session. */
  mintId?: () => string;
}

/** Behind the arguments of a call that must not run: with it no text is a JSON object. */
const BROKEN_MARK = " [cut off]";
const ID_CHARS = 24;

function randomId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, ID_CHARS)}`;
}

/** The answer takes every event of the underlying reply, up to its terminal one. */
export function hearDialect(
  dialect: Dialect,
  tools: readonly ToolSpec[],
  out: ReplyAssembler,
  options: HearOptions = {},
): (event: StreamEvent) => void {
  const ear = new Ear(dialect, tools, out, options);
  return (event) => ear.hear(event);
}

class Ear {
  readonly #dialect: Dialect;
  readonly #tools: readonly ToolSpec[];
  readonly #out: ReplyAssembler;
  readonly #options: HearOptions;
  readonly #passing = new Map<number, OpenBlock>();
  #scanner: DialectScanner | undefined;
  #isFirstText = true;

  constructor(
    dialect: Dialect,
    tools: readonly ToolSpec[],
    out: ReplyAssembler,
    options: HearOptions,
  ) {
    this.#dialect = dialect;
    this.#tools = tools;
    this.#out = out;
    this.#options = options;
  }

  hear(event: StreamEvent): void {
    const out = this.#out;
    switch (event.type) {
      case "start":
        out.start();
        break;
      case "text_delta":
        this.#scanner ??= this.#startText();
        this.#scanner.push(event.delta);
        break;
      case "thinking_start":
        // Opened by its first word or its end: only that says whether it was withheld.
        this.#endText("stop");
        break;
      case "toolcall_start":
        this.#endText("stop");
        this.#passing.set(event.index, out.openToolCall(event));
        break;
      case "thinking_delta":
        this.#thinking(event.index, {}).append(event.delta);
        break;
      case "toolcall_delta":
        this.#passing.get(event.index)?.append(event.delta);
        break;
      case "thinking_end":
        this.#thinking(event.index, { redacted: event.block.redacted === true });
        this.#close(event.index, event.block.text, event.block.opaque?.data);
        break;
      case "toolcall_end":
        this.#closeCall(event.index, event.block);
        break;
      case "done":
        this.#finish(event);
        out.finish(event.reason);
        break;
      case "error":
        this.#finish(event);
        out.fail(event.error);
        break;
      // Texts that follow one another are one text: a call may span them.
      case "text_start":
      case "text_end":
        break;
    }
  }

  #startText(): DialectScanner {
    const sink = new AssemblerSink(this.#out, this.#options.mintId ?? randomId);
    const startsInThinking = this.#isFirstText && this.#options.startsInThinking === true;
    this.#isFirstText = false;
    return this.#dialect.createScanner(this.#tools, sink, { startsInThinking });
  }

  #endText(ending: Ending): void {
    this.#scanner?.end(ending);
    this.#scanner = undefined;
  }

  #finish(event: Extract<StreamEvent, { type: "done" | "error" }>): void {
    this.#endText(event.type === "error" || event.reason === "length" ? "cut" : "stop");
    this.#out.usage(event.message.usage);
    if (event.message.responseId !== undefined) this.#out.responseId(event.message.responseId);
  }

  #thinking(index: number, options: { redacted?: boolean }): OpenBlock {
    const open = this.#passing.get(index) ?? this.#out.openThinking(options);
    this.#passing.set(index, open);
    return open;
  }

  #closeCall(index: number, block: ToolCallBlock): void {
    // A call without any text is taken for one without arguments, unless the end of the
    // reply closes it: there it is left to that.
    if (block.malformed?.trim() === "") return;
    this.#close(index, block.malformed ?? JSON.stringify(block.arguments), block.opaque?.data);
  }

  #close(index: number, whole: string, opaque: string | undefined): void {
    const block = this.#passing.get(index);
    if (!block) return;
    block.settle(whole);
    if (opaque !== undefined) block.keep(opaque);
    block.close();
    this.#passing.delete(index);
  }
}

/** Makes blocks of what a scanner finds. */
class AssemblerSink implements DialectSink {
  readonly #out: ReplyAssembler;
  readonly #mintId: () => string;
  #block: OpenBlock | undefined;

  constructor(out: ReplyAssembler, mintId: () => string) {
    this.#out = out;
    this.#mintId = mintId;
  }

  text(delta: string): void {
    this.#block ??= this.#out.openText();
    this.#block.append(delta);
  }

  thinking(delta: string): void {
    this.#block ??= this.#out.openThinking();
    this.#block.append(delta);
  }

  blockEnd(): void {
    this.#block?.close();
    this.#block = undefined;
  }

  callStart({ name }: { name: string }): void {
    this.#block = this.#out.openToolCall({ id: this.#mintId(), name });
  }

  callArguments(delta: string): void {
    this.#block?.append(delta);
  }

  callEnd(): void {
    this.blockEnd();
  }

  callBroken(): void {
    this.#block?.append(BROKEN_MARK);
    this.blockEnd();
  }
}
