// Hooks around tool calls. They see what will run: after extensions have had their say, before secrets
// are put back, and before consent is decided, which therefore is about what a hook made of the call. A
// hook that cannot judge a call blocks it: a guard that is down is no reason to let things through.

import type { Asker } from "@tau/agent/judge-call";
import type { CallAnswer, ResultAnswer, Told } from "@tau/agent/hook-points";
import { EXTENSION_ORDER, type HookHandlers } from "@tau/agent/hooks";
import { textOf, type ToolResultMessage } from "@tau/ai/message";
import type { Workspace } from "../../tools/workspace.ts";
import { nameOf } from "./command-hook.ts";
import type { HookRunner } from "./hook-runner.ts";
import type { HookSaid } from "./hook-said.ts";
import { asContext } from "./hook-context.ts";
import { ownArguments } from "./own-arguments.ts";
import type { RunStop } from "./run-stop.ts";
import { responseFor } from "./tool-response.ts";
import { namesOf, toolViews, type ToolView, type ViewedCall } from "./tool-views.ts";

const JUDGES = EXTENSION_ORDER + 50;

export interface ToolHookParts {
  runner: HookRunner;
  workspace: Workspace;
  stop: RunStop;
  hide: <T>(value: T) => T;
}

interface SeenView {
  view: ToolView;
  said: HookSaid[];
}

export class ToolHooks {
  readonly #parts: ToolHookParts;
  /** What is known of a call until it has its result. */
  readonly #calls = new Map<string, { views: ToolView[]; context: string[]; asks?: string }>();

  constructor(parts: ToolHookParts) {
    this.#parts = parts;
  }

  get handlers(): HookHandlers {
    return {
      tool_call: { order: JUDGES, handle: (told, { signal }) => this.#before(told, signal) },
      tool_result: { order: JUDGES, handle: (told, { signal }) => this.#after(told, signal) },
    };
  }

  /** After those: what a hook changed and what it wants to be asked about are two answers. */
  readonly questions: HookHandlers = {
    tool_call: {
      order: JUDGES + 1,
      handle: ({ call }) => {
        const reason = this.#calls.get(call.id)?.asks;
        return reason === undefined ? undefined : { type: "ask", reason };
      },
    },
  };

  /** Between a call that needs consent and the person who gives it. */
  readonly asking =
    (ask: Asker): Asker =>
    async (question, options) => {
      const { runner, hide } = this.#parts;
      const { prepared, isByMode, guard } = question;
      const { tool } = prepared;
      // As it will run, but for its secrets.
      const params = hide(prepared.params);
      const viewed = { tool, params, arguments: params as Record<string, unknown> };
      const happening = { event: "PermissionRequest", viewed } as const;
      const seen = runner.has("PermissionRequest")
        ? await this.#run(happening, options.signal)
        : [];
      const said = seen.flatMap((one) => one.said);
      const refused = said.find(({ block }) => block !== undefined);
      this.#parts.stop.note(said);
      if (refused) return { allowed: false, reason: refused.block };
      if (isByMode && guard === undefined && isAllowed(seen)) return { allowed: true };
      runner.inBackground({
        event: "Notification",
        names: ["permission_prompt"],
        input: {
          message: `Tau needs your permission to use ${tool.name}`,
          notification_type: "permission_prompt",
        },
      });
      return ask(question, options);
    };

  async #run(
    {
      event,
      viewed,
      id,
    }: { event: "PreToolUse" | "PermissionRequest"; viewed: ViewedCall; id?: string },
    signal: AbortSignal,
  ): Promise<SeenView[]> {
    const { runner, workspace } = this.#parts;
    const views = await toolViews(viewed, workspace);
    return Promise.all(
      views.map(async (view) => ({
        view,
        said: await runner.run(
          {
            event,
            names: namesOf(view, viewed.tool.name),
            input: { ...view, tool_use_id: id, tau: ownWords(viewed) },
          },
          signal,
        ),
      })),
    );
  }

  async #before(told: Told<"tool_call">, signal: AbortSignal): Promise<CallAnswer | undefined> {
    const { runner, workspace, stop } = this.#parts;
    if (!runner.has("PreToolUse", "PostToolUse", "PostToolUseFailure")) return undefined;
    const { call } = told;
    if (!runner.has("PreToolUse")) {
      this.#calls.set(call.id, { views: await toolViews(told, workspace), context: [] });
      return undefined;
    }
    const seen = await this.#run({ event: "PreToolUse", viewed: told, id: call.id }, signal);
    const said = seen.flatMap((one) => one.said);
    if (said.some(({ isAborted }) => isAborted)) return { type: "block", reason: STOPPED };
    stop.note(said);
    const reasons = said.flatMap(objectionOf);
    if (reasons.length > 0) return { type: "block", reason: reasons.join("\n") };
    const context = said.flatMap(contextOf);
    const asks = said.find((one) => one.asks !== undefined);
    const asked = asks && `${asks.asks} (asked by ${nameOf(asks.hook)})`;
    this.#calls.set(call.id, { views: seen.map(({ view }) => view), context, asks: asked });
    if (asked === undefined && isAllowed(seen)) workspace.consent.allowedByHook.add(call.id);
    return rewritten(seen, told);
  }

  async #after(told: Told<"tool_result">, signal: AbortSignal): Promise<ResultAnswer | undefined> {
    const { call, result, wasRun } = told;
    const { runner, stop, workspace } = this.#parts;
    const known = this.#calls.get(call.id);
    this.#calls.delete(call.id);
    workspace.consent.allowedByHook.delete(call.id);
    if (!known || !wasRun) return undefined;
    const event = result.isError ? "PostToolUseFailure" : "PostToolUse";
    const said = await Promise.all(
      known.views.map((view) =>
        runner.run(
          {
            event,
            names: namesOf(view, call.name),
            input: {
              ...view,
              ...outcomeOf(view, result),
              tool_use_id: call.id,
              tau: { tool: call.name, arguments: call.arguments, result: textOf(result) },
            },
          },
          signal,
        ),
      ),
    );
    stop.note(said.flat());
    const blocks = said.flat().flatMap(({ block }) => (block === undefined ? [] : [block]));
    const words = [...known.context, ...said.flat().flatMap(contextOf), ...blocks];
    if (words.length === 0) return undefined;
    const text = `\n${asContext(event, words)}`;
    return { content: [...result.content, { type: "text", text }] };
  }
}

const STOPPED = "Not run: it was stopped while a hook looked at it.";

function ownWords({ tool, arguments: args }: ViewedCall) {
  return { tool: tool.name, arguments: args };
}

function outcomeOf(view: ToolView, result: ToolResultMessage): Record<string, unknown> {
  const text = textOf(result);
  return result.isError
    ? { error: text, is_interrupt: false }
    : { tool_response: responseFor(view, text) };
}

/** Why the call may not run: it was objected to, or nobody knows whether it would have been. */
function objectionOf({ block, stops, isSilenced, failure }: HookSaid): string[] {
  if (block !== undefined) return [block];
  if (stops !== undefined) return [`Stopped by a hook: ${stops}`];
  return isSilenced ? [`Blocked, because a hook could not judge the call: ${failure}.`] : [];
}

function contextOf({ context }: HookSaid): string[] {
  return context === undefined ? [] : [context];
}

/** By the user's own hooks, and all of it. */
function isAllowed(seen: readonly SeenView[]): boolean {
  const isAgreed = ({ said }: SeenView): boolean =>
    said.some(({ allows, hook }) => allows === true && hook.origin.level === "user");
  return seen.length > 0 && seen.every(isAgreed);
}

function rewritten(seen: readonly SeenView[], told: Told<"tool_call">): CallAnswer | undefined {
  const changes = seen.flatMap(({ view, said }) =>
    said.flatMap(({ updatedInput, hook }) => (updatedInput ? [{ view, updatedInput, hook }] : [])),
  );
  const last = changes.at(-1);
  if (!last) return undefined;
  const { view, updatedInput, hook } = last;
  const call = { tool: told.tool.name, arguments: told.arguments };
  const args = seen.length === 1 ? ownArguments(view, updatedInput, call) : undefined;
  if (args)
    return Bun.deepEquals(args, told.arguments) ? undefined : { type: "rewrite", arguments: args };
  const why = `${nameOf(hook)} wants another input, which cannot be said to the tool ${call.tool}`;
  return { type: "block", reason: `Not run: ${why}.` };
}
