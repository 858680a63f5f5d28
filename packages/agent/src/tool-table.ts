// The tools of one session: what the model is told of them, and the only way to run
// them. Whatever a call meets (unknown name, wrong arguments, a tool's own refusal, a
// timeout, a bug) it ends in one result message that the model can act on.

import type { ToolCallBlock, ToolResultMessage } from "@tau/ai/message";
import type { ToolSpec } from "@tau/ai/request";
import { boundContent, type Spill } from "./bound-content.ts";
import { DEFAULT_LIMITS, type OutputLimits } from "./bound-output.ts";
import { fingerprintOfContent, fingerprintOfFailure } from "./fingerprint.ts";
import { fitArguments } from "./fit-arguments.ts";
import { LinkedAbort } from "./linked-abort.ts";
import { nearestWord } from "./nearest-word.ts";
import { Progress, type SendUpdate } from "./progress.ts";
import { describeIssues } from "./schema-issue.ts";
import { settleAfterAbort } from "./settle-after-abort.ts";
import { ToolError, type Tool, type ToolContent, type ToolOutput } from "./tool.ts";

export interface ToolRun {
  result: ToolResultMessage;
  details?: unknown;
  /** The whole output, where the result has only part of it. */
  artifactId?: string;
  /** Something that is no `ToolError`: worth a line in the log of whoever runs Tau. */
  bug?: unknown;
  /** Equal for equal outputs, also where an artifact's number in the result differs. */
  fingerprint: string;
}

/** A call whose tool exists and whose arguments fit. */
export interface PreparedCall {
  call: ToolCallBlock;
  tool: Tool;
  params: unknown;
}

export type Preparation = { ok: true; prepared: PreparedCall } | { ok: false; why: string };

export interface ToolTableOptions {
  limits?: OutputLimits;
  spill?: Spill;
  maxTimeoutMs?: number;
}

export interface CallOptions {
  signal: AbortSignal;
  update: SendUpdate;
}

/** Whether a tool is there at the moment. */
export type ToolGate = (tool: Tool) => boolean;

/** Twice what the longest command may take: who is still busy then hangs. */
export const MAX_TOOL_TIMEOUT_MS = 2 * 60 * 60 * 1000;
/** After an abort a tool has this long to end its processes and hand over what it has. */
export const SETTLE_GRACE_MS = 2000;
export const ABORTED_TEXT = "The call was aborted.";

export class ToolTable {
  readonly #options: ToolTableOptions;
  #all: readonly Tool[] = [];
  #allowed: ReadonlySet<string> | undefined;
  #tools!: ReadonlyMap<string, Tool>;
  #specs: ToolSpec[] | undefined;
  readonly #gates = new Set<ToolGate>();

  constructor(tools: readonly Tool[], options: ToolTableOptions = {}) {
    this.#options = options;
    this.replaceAll(tools);
  }

  /** From the next request on. It costs the vendor's prompt cache; do it seldom. */
  replaceAll(tools: readonly Tool[]): void {
    this.#all = tools;
    const offered = tools.filter(({ name }) => this.#allowed?.has(name) ?? true);
    this.#tools = new Map(offered.map((tool) => [tool.name, tool]));
    this.#specs = undefined;
  }

  /** Only these are offered and can be called, from the next request on; undefined for all. */
  restrictTo(names: readonly string[] | undefined): void {
    this.#allowed = names && new Set(names);
    this.replaceAll(this.#all);
  }

  /**
   * A tool that the gate does not let pass is neither offered nor callable. It is asked each time: what it
   * goes by may change between two calls. Returns the way to take it away, which nobody else has.
   */
  addGate(gate: ToolGate): () => void {
    this.#gates.add(gate);
    return () => this.#gates.delete(gate);
  }

  /** Also those that are not offered now. */
  get all(): readonly Tool[] {
    return [...new Map(this.#all.map((tool) => [tool.name, tool])).values()];
  }

  get(name: string): Tool | undefined {
    const tool = this.#tools.get(name);
    return tool && this.#passes(tool) ? tool : undefined;
  }

  /** In a fixed order and made once: the vendor's prompt cache depends on equal bytes. */
  specs(): readonly ToolSpec[] {
    this.#specs ??= [...this.#tools.values()].map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: parameters.jsonSchema,
    }));
    return this.#gates.size === 0 ? this.#specs : this.#specs.filter(({ name }) => this.get(name));
  }

  #passes(tool: Tool): boolean {
    return [...this.#gates].every((gate) => gate(tool));
  }

  /** Checks a call without running it; `args` stands in for the arguments it came with. */
  prepare(call: ToolCallBlock, args?: Record<string, unknown>): Preparation {
    const tool = this.get(call.name);
    if (!tool) return { ok: false, why: this.#unknown(call.name) };
    if (call.malformed !== undefined && !args) {
      const why =
        "The arguments were cut off, are nested too deep, or are not a JSON object. Send the call again, whole.";
      return { ok: false, why };
    }
    const { parameters } = tool;
    const checked = parameters.validate(
      fitArguments(args ?? call.arguments, parameters.jsonSchema),
    );
    if (checked.ok) return { ok: true, prepared: { call, tool, params: checked.value } };
    return { ok: false, why: describeIssues(tool.name, parameters.jsonSchema, checked.issues) };
  }

  async run(call: ToolCallBlock, options: CallOptions): Promise<ToolRun> {
    const preparation = this.prepare(call);
    return preparation.ok
      ? this.execute(preparation.prepared, options)
      : refusal(call, preparation.why);
  }

  async execute({ call, tool, params }: PreparedCall, options: CallOptions): Promise<ToolRun> {
    if (options.signal.aborted) return refusal(call, ABORTED_TEXT);
    using link = new LinkedAbort(options.signal);
    const progress = new Progress(options.update);
    const limitMs = this.#timeoutOf(tool);
    let timedOut = false;
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            link.abort();
          }, limitMs);
    try {
      const context = { id: call.id, signal: link.signal, update: progress.update };
      const work = tool.execute(params, context);
      const output = await settleAfterAbort(work, link.signal, SETTLE_GRACE_MS);
      const run = await this.#settle(call, tool, output, Outcome.ok);
      return { ...run, details: output.details };
    } catch (error) {
      // Its own refusal may carry what the tool had got so far, also after an abort.
      if (error instanceof ToolError) {
        const run = await this.#settle(call, tool, error, Outcome.failed);
        return error.details === undefined ? run : { ...run, details: error.details };
      }
      if (timedOut) {
        return refusal(
          call,
          `${tool.name} was not done after ${limitMs! / 1000} s and was stopped.`,
        );
      }
      if (options.signal.aborted) return refusal(call, ABORTED_TEXT);
      const message = error instanceof Error ? error.message : String(error);
      return { ...refusal(call, `The tool ${call.name} broke: ${message}`), bug: error };
    } finally {
      clearTimeout(timer);
      progress.close();
    }
  }

  #timeoutOf(tool: Tool): number | undefined {
    if (tool.timeoutMs === "waits_for_person") return undefined;
    const { maxTimeoutMs = MAX_TOOL_TIMEOUT_MS } = this.#options;
    const most = Math.min(maxTimeoutMs, MAX_TOOL_TIMEOUT_MS);
    return Math.min(tool.timeoutMs ?? most, most);
  }

  async #settle(
    call: ToolCallBlock,
    tool: Tool,
    { content, artifactId }: Pick<ToolOutput | ToolError, "content" | "artifactId">,
    outcome: Outcome,
  ): Promise<ToolRun> {
    const limits = { ...(this.#options.limits ?? DEFAULT_LIMITS), ...tool.limits };
    const spill = artifactId === undefined ? this.#options.spill : undefined;
    const bounded = await boundContent(tool.name, content, limits, spill);
    const { content: kept, ...rest } = bounded;
    const fingerprint = outcome === Outcome.failed ? fingerprintOfFailure : fingerprintOfContent;
    return {
      result: resultMessage(call, kept, outcome),
      artifactId,
      fingerprint: fingerprint(content),
      ...rest,
    };
  }

  #unknown(name: string): string {
    const names = this.specs().map((spec) => spec.name);
    const meant = nearestWord(name, names);
    const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
    return `There is no tool "${name}".${hint} The tools are: ${names.join(", ")}.`;
  }
}

enum Outcome {
  ok,
  failed,
}

/** The answer to a call that was not run. */
export function refusal(call: ToolCallBlock, text: string): ToolRun {
  const content: ToolContent[] = [{ type: "text", text }];
  return {
    result: resultMessage(call, content, Outcome.failed),
    fingerprint: fingerprintOfFailure(content),
  };
}

function resultMessage(
  call: ToolCallBlock,
  content: ToolContent[],
  outcome: Outcome,
): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content,
    isError: outcome === Outcome.failed,
    timestamp: Date.now(),
  };
}
