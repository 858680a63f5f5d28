// What a dialect is: a way of using tools in plain text, for servers that know no
// structured calls and for models that fall back to what they were trained on. A dialect
// renders (definitions, earlier calls, results) and parses (a reply while it streams).
// Only the one in use is ever loaded.

import type { AssistantMessage, ToolResultMessage } from "../message.ts";
import type { ToolSpec } from "../request.ts";
import type { Ending } from "./scan/input.ts";

export type DialectId =
  | "anthropic"
  | "deepseek-v3"
  | "deepseek-v3.1"
  | "gemini"
  | "gemma"
  | "glm"
  | "harmony"
  | "kimi-k2"
  | "qwen3";

/** Where a message stands in the history: conventions differ in which reasoning they keep. */
export interface RenderContext {
  tools: readonly ToolSpec[];
  /** No user's message follows. */
  isSinceUser: boolean;
  /** No answer (a reply without calls) stands at or behind it. */
  isSinceAnswer: boolean;
}

/** A result with the place of its call in the turn: most conventions pair by order alone. */
export interface PlacedResult {
  message: ToolResultMessage;
  callIndex: number;
}

/** Takes what a scanner finds, in the order of the text. */
export interface DialectSink {
  text(delta: string): void;
  thinking(delta: string): void;
  /** The text or thinking that was being told is complete. */
  blockEnd(): void;
  /** `id` is what the convention calls it; unique in this reply at best. */
  callStart(call: { name: string; id?: string }): void;
  /** JSON text of the arguments. */
  callArguments(delta: string): void;
  callEnd(): void;
  /** Instead of `callEnd`: the call broke off or is not well formed and must not run. */
  callBroken(): void;
}

export interface DialectScanner {
  push(text: string): void;
  end(ending: Ending): void;
}

export interface ScannerOptions {
  /** The server's template opens the reasoning in the prompt, so the reply only closes it. */
  startsInThinking?: boolean;
}

export interface Dialect {
  readonly id: DialectId;
  /** For the server to stop at, so that a model does not go on to invent its results. */
  readonly stopSequences?: readonly string[];
  /** The definitions and how to call them, for the system prompt. */
  renderTools(tools: readonly ToolSpec[]): string;
  renderAssistant(message: AssistantMessage, context: RenderContext): string;
  /** All results of one turn, in the order of its calls: the text of a user's message. */
  renderResults(results: readonly PlacedResult[], context: RenderContext): string;
  createScanner(
    tools: readonly ToolSpec[],
    sink: DialectSink,
    options?: ScannerOptions,
  ): DialectScanner;
}

const DIALECTS: Record<DialectId, () => Promise<Dialect>> = {
  anthropic: async () => (await import("./anthropic.ts")).anthropic,
  "deepseek-v3": async () => (await import("./deepseek.ts")).deepseekV3,
  "deepseek-v3.1": async () => (await import("./deepseek.ts")).deepseekV31,
  gemini: async () => (await import("./gemini.ts")).gemini,
  gemma: async () => (await import("./gemma.ts")).gemma,
  glm: async () => (await import("./glm.ts")).glm,
  harmony: async () => (await import("./harmony.ts")).harmony,
  "kimi-k2": async () => (await import("./kimi-k2.ts")).kimiK2,
  qwen3: async () => (await import("./qwen3.ts")).qwen3,
};

export const DIALECT_IDS = Object.keys(DIALECTS) as DialectId[];

export function loadDialect(id: DialectId): Promise<Dialect> {
  return DIALECTS[id]();
}
