// Turns what a session tells into blocks of the transcript: the words as they come, the calls
// from their first letter to their result, notes where something happened. It holds only what is
// still moving; what is over belongs to the screen, and the whole conversation to the log.

import type { AgentEvent } from "@tau/agent/event";
import type { StreamEvent } from "@tau/ai/event";
import {
  textOf,
  toolCallsOf,
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type TextBlock,
  type ToolCallBlock,
} from "@tau/ai/message";
import type { Component } from "@tau/tui/component";
import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import type { MarkdownView } from "@tau/tui/markdown/markdown-view";
import type { SessionEvent } from "../../session/session-event.ts";
import { counted } from "../../tools/render/call-values.ts";
import { describeFailure } from "../describe-failure.ts";
import { describeHookError } from "../describe-hook-error.ts";
import { describeLimit } from "../describe-limit.ts";
import { describeRecovery } from "../describe-recovery.ts";
import { makeCall, makeMarkdown, type BlockPlace } from "./blocks/make-block.ts";
import { plainToolView } from "./blocks/plain-tool-view.ts";
import { ThinkingBlock } from "./blocks/thinking-block.ts";
import type { ToolBlock } from "./blocks/tool-block.ts";
import { UserBlock } from "./blocks/user-block.ts";
import type { Surface } from "./surface.ts";
import type { ToolView } from "../../feature-api/tool-view.ts";

export interface ConversationOptions {
  surface: Surface;
  cwd: string;
  hidesThinking(): boolean;
  hyperlinks(): "on" | "off";
  /** Behind what was just appended, where the terminal shows pictures. */
  showPicture(image: ImageBlock): void;
}

type StreamPart =
  | { kind: "text"; view: MarkdownView; placed: Component | undefined }
  | { kind: "thinking"; view: ThinkingBlock; placed: Component | undefined }
  | { kind: "call"; view: ToolBlock; placed: Component };

export class ConversationView {
  readonly #options: ConversationOptions;
  readonly #parts = new Map<number, StreamPart>();
  readonly #calls = new Map<string, ToolBlock>();
  #viewOf: (name: string) => ToolView = () => plainToolView;
  #highlighter: CodeHighlighter | undefined;
  /** What the user typed, where the message that comes of it is another one. */
  #typed: string | undefined;
  #hasSpoken = false;
  readonly #hidden = new Set<string>();

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** From now on calls look as their tools want. */
  useViews(viewOf: (name: string) => ToolView): void {
    this.#viewOf = viewOf;
  }

  useHighlighter(highlighter: CodeHighlighter): void {
    this.#highlighter = highlighter;
  }

  /** What the model is told of something that the user has seen happen. */
  hide(text: string): void {
    this.#hidden.add(text);
  }

  /** The next user message is shown as this. */
  expect(typed: string | undefined): void {
    this.#typed = typed;
  }

  readonly handle = (event: SessionEvent): void => {
    const { surface } = this.#options;
    switch (event.type) {
      case "message_start":
        this.#hasSpoken = false;
        break;
      case "message_update":
        this.#stream(event.event);
        break;
      case "message_end":
        this.#message(event.message);
        break;
      case "reply_discarded":
        this.#discard(event.message);
        break;
      case "tool_execution_start":
        this.#callBlock(event.call).start(event.call);
        break;
      case "tool_execution_update":
        this.#calls.get(event.callId)?.update(event.text, event.replaces ? "replace" : "append");
        break;
      case "tool_execution_end":
        this.#ended(event);
        break;
      case "auto_retry_start": {
        const line = describeRecovery(event);
        if (line) surface.note(line, "warning");
        break;
      }
      case "auto_compaction_end":
        this.#compacted(event.result, event.reason);
        break;
      case "todo_reminder":
        surface.note(`Reminded of what is open: ${counted(event.open, "task")}.`);
        break;
      case "hook_error": {
        const { text, tone } = describeHookError(event);
        surface.note(text, tone);
        break;
      }
      case "agent_end":
        this.settle();
        if (event.end.reason === "aborted") surface.note("Stopped.");
        if (event.end.reason === "limit") surface.note(capital(describeLimit(event.end)), "error");
        break;
      default:
        return;
    }
    surface.requestRender();
  };

  #stream(event: StreamEvent): void {
    switch (event.type) {
      case "text_start":
        this.#parts.set(event.index, { kind: "text", view: this.#markdown(), placed: undefined });
        break;
      case "thinking_start":
        this.#parts.set(event.index, {
          kind: "thinking",
          view: this.#thinking(),
          placed: undefined,
        });
        break;
      case "toolcall_start": {
        const view = this.#newCall(event.id, event.name);
        const placed = this.#options.surface.append(view, "call");
        this.#parts.set(event.index, { kind: "call", view, placed });
        break;
      }
      case "text_delta":
      case "thinking_delta":
      case "toolcall_delta":
        this.#delta(event.index, event.delta);
        break;
      case "text_end":
      case "thinking_end":
        this.#finishPart(event.index);
        break;
      case "toolcall_end":
        this.#calls.get(event.block.id)?.written(event.block);
        break;
      default:
        break;
    }
  }

  #delta(index: number, delta: string): void {
    const part = this.#parts.get(index);
    if (!part) return;
    if (part.kind === "call") return part.view.write(delta);
    part.view.append(delta);
    // Blank beginnings are no block yet: many models send a line break before a call.
    if (part.placed || delta.trim() === "") return;
    part.placed = this.#options.surface.append(part.view);
    if (part.kind === "text") this.#hasSpoken = true;
  }

  #finishPart(index: number): void {
    const part = this.#parts.get(index);
    if (part && part.kind !== "call") part.view.finish();
  }

  #message(message: Message): void {
    const { surface } = this.#options;
    if (message.role === "user") {
      if (this.#hidden.delete(textOf(message))) return;
      const text = this.#typed ?? textOf(message);
      this.#typed = undefined;
      const pictures = message.content.filter(({ type }) => type === "image").length;
      const note =
        pictures === 0 ? "" : ` [${pictures} ${pictures === 1 ? "picture" : "pictures"}]`;
      surface.append(new UserBlock({ text: text + note, theme: surface.theme }));
      this.#pictures(message.content);
    } else if (message.role === "assistant") this.#reply(message);
  }

  #reply(message: AssistantMessage): void {
    for (const index of this.#parts.keys()) this.#finishPart(index);
    // A reply that did not come as a stream is shown when it is whole.
    const text = textOf(message);
    if (!this.#hasSpoken && text.trim() !== "") {
      const view = this.#markdown();
      view.append(text);
      view.finish();
      this.#options.surface.append(view);
    }
    this.#parts.clear();
    const isCut = message.stopReason === "error" || message.stopReason === "aborted";
    if (isCut) this.settle();
    else for (const call of toolCallsOf(message)) this.#callBlock(call).written(call);
    if (message.stopReason === "error") {
      this.#options.surface.note(describeFailure(message.error).sentence, "error");
    }
    if (message.stopReason === "length") {
      this.#options.surface.note("The model's output limit cut the answer short.", "warning");
    }
  }

  /** What was shown of it is void: what can be taken back is, what cannot is said to be. */
  #discard(message: AssistantMessage): void {
    const { surface } = this.#options;
    const shown = [...this.#parts.values()].filter(({ placed }) => placed !== undefined);
    for (const part of shown) surface.remove(part.placed!);
    for (const call of toolCallsOf(message)) this.#calls.delete(call.id);
    for (const part of shown) if (part.kind === "call") part.view.stop();
    this.#parts.clear();
    if (shown.length > 0) surface.note("The answer broke off and is asked for again.");
  }

  #ended(event: Extract<AgentEvent, { type: "tool_execution_end" }>): void {
    const { call, result, details } = event;
    const block = this.#callBlock(call);
    const wasRun = block.phase === "running";
    if (!wasRun) block.written(call);
    block.finish(result, { ...(wasRun ? {} : { phase: "refused" }), details });
    this.#calls.delete(call.id);
    this.#pictures(result.content);
  }

  #pictures(content: readonly (TextBlock | ImageBlock)[]): void {
    for (const block of content) if (block.type === "image") this.#options.showPicture(block);
  }

  #compacted(
    result: { before: number; after: number } | { dropped: string },
    reason: string,
  ): void {
    const { surface } = this.#options;
    if ("dropped" in result) {
      // Whoever asked for it is answered by the command.
      if (reason !== "manual") surface.note(result.dropped, "warning");
      return;
    }
    const words = (count: number): string => count.toLocaleString("en-US");
    surface.note(
      `The conversation was summarised: ${words(result.before)} tokens became ${words(result.after)}.`,
    );
  }

  /** Nothing more will come for what is still open: it stays as it is. */
  settle(): void {
    for (const part of this.#parts.values()) {
      if (part.kind === "call") part.view.stop();
      else part.view.finish();
    }
    for (const block of this.#calls.values()) block.stop();
    this.#parts.clear();
    this.#calls.clear();
  }

  #callBlock(call: ToolCallBlock): ToolBlock {
    const known = this.#calls.get(call.id);
    if (known) return known;
    const block = this.#newCall(call.id, call.name);
    this.#options.surface.append(block, "call");
    return block;
  }

  #newCall(id: string, name: string): ToolBlock {
    const block = makeCall(this.#place, { name });
    this.#calls.set(id, block);
    return block;
  }

  #markdown(): MarkdownView {
    return makeMarkdown(this.#place, this.#options.hyperlinks());
  }

  get #place(): BlockPlace {
    const { surface, cwd } = this.#options;
    return { surface, cwd, highlighter: this.#highlighter, viewOf: (name) => this.#viewOf(name) };
  }

  #thinking(): ThinkingBlock {
    const { surface, hidesThinking } = this.#options;
    return new ThinkingBlock({
      theme: surface.theme,
      clock: surface.clock,
      isHidden: hidesThinking,
    });
  }
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
