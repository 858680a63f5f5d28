// Hooks on the life of a session: its start, its compactions, its end. The start is not waited for until
// the first request, so that a slow hook delays neither the first frame nor typing, and Esc stops it.

import { developerText } from "@tau/ai/message";
import type { HookHandlers } from "@tau/agent/hooks";
import type { SaidMessage } from "@tau/agent/mail";
import type { StartReason } from "@tau/agent/session-hook-points";
import type { FeatureHost } from "../../feature-api/feature.ts";
import { asContext } from "./hook-context.ts";
import type { HookRunner } from "./hook-runner.ts";
import type { HookSaid } from "./hook-said.ts";

/** For the feature's own messages in the log. */
const HOOK_CONTEXT = "hook-context";

type StartSource = "startup" | "resume" | "clear" | "compact";

/** Projects in which a session has begun: a new one after that is what others call cleared. */
const begun = new WeakSet<object>();

export class SessionHooks {
  readonly #host: FeatureHost;
  readonly #runner: HookRunner;
  readonly #stopped = new AbortController();
  #starting: Promise<HookSaid[]> | undefined;

  constructor(host: FeatureHost, runner: HookRunner) {
    this.#host = host;
    this.#runner = runner;
  }

  get handlers(): HookHandlers {
    return {
      session_start: ({ reason }) => this.#begin(reason),
      session_before_compact: async ({ reason, instructions = "" }, { signal }) => {
        const trigger = triggerOf(reason);
        const input = { trigger, custom_instructions: instructions };
        const said = await this.#runner.run(
          { event: "PreCompact", names: [trigger], input },
          signal,
        );
        const objection = said.find(({ block, stops }) => (block ?? stops) !== undefined);
        if (!objection) return undefined;
        return {
          cancel: true,
          reason: `A hook prevented it: ${objection.block ?? objection.stops}`,
        };
      },
      session_compact: async ({ reason }, { signal }) => {
        const trigger = triggerOf(reason);
        await this.#runner.run(
          { event: "PostCompact", names: [trigger], input: { trigger } },
          signal,
        );
        await this.#keep(await this.#start("compact", signal));
      },
      session_end: async (_told, { signal }) => {
        const names = ["other"];
        await this.#runner.run({ event: "SessionEnd", names, input: { reason: "other" } }, signal);
      },
    };
  }

  /** What the hooks of the start had to say, once, when the first request is due. */
  async context(signal: AbortSignal): Promise<SaidMessage[]> {
    const starting = this.#starting;
    this.#starting = undefined;
    if (!starting) return [];
    const stop = (): void => this.#stopped.abort();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const words = wordsOf(await starting);
      return words.length === 0 ? [] : [developerText(asContext("SessionStart", words))];
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #begin(reason: StartReason): Promise<void> {
    const { project } = this.#host;
    const source = sourceOf(reason, begun.has(project));
    begun.add(project);
    if (source !== undefined) this.#starting = this.#start(source, this.#stopped.signal);
  }

  #start(source: StartSource, signal: AbortSignal): Promise<HookSaid[]> {
    return this.#runner.run({ event: "SessionStart", names: [source], input: { source } }, signal);
  }

  /** Into the conversation as it goes on after a compaction. */
  async #keep(said: readonly HookSaid[]): Promise<void> {
    const words = wordsOf(said);
    if (words.length === 0) return;
    await this.#host.append([
      {
        type: "custom_message",
        customType: HOOK_CONTEXT,
        content: [{ type: "text", text: asContext("SessionStart", words) }],
        display: false,
        attribution: "agent",
      },
    ]);
  }

  [Symbol.dispose](): void {
    this.#stopped.abort();
  }
}

/** Undefined for one that goes on as it was, with its extensions loaded anew. */
function sourceOf(reason: StartReason, isLater: boolean): StartSource | undefined {
  if (reason === "reload") return undefined;
  if (reason === "resume" || reason === "fork") return "resume";
  return isLater || reason === "handoff" ? "clear" : "startup";
}

function triggerOf(reason: string): "manual" | "auto" {
  return reason === "manual" ? "manual" : "auto";
}

/** What a hook objects with at the start can stop nothing there: it is for the user. */
function wordsOf(said: readonly HookSaid[]): string[] {
  return said.flatMap(({ context }) => (context === undefined ? [] : [context]));
}
