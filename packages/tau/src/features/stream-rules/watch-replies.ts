// Stops a reply that breaks a rule, has the model asked again with the rule in hand, and remembers in
// the log that it was told. What can only be told from whole code is looked at before the call runs.
// Where a rule does not interrupt, the reminder comes with the result of the call, or behind the reply.

import { developerText } from "@tau/ai/message";
import type { StopReply } from "@tau/agent/hook-points";
import type { Syntax } from "@tau/host/syntax/syntax";
import type { NewText } from "../../tools/new-texts.ts";
import type { HookHandlers } from "@tau/agent/hooks";
import type { SessionHost } from "../../session/session-host.ts";
import type { SessionEntry } from "../../session/entry.ts";
import { ruleMessage } from "./rule-message.ts";
import type { StreamRuleSettings } from "../../context/stream-rule-settings.ts";
import type { StreamRule } from "../../context/stream-rule.ts";
import { StreamWatch, type RuleMatch } from "./stream-watch.ts";

export interface StreamRuleParts {
  rules: readonly StreamRule[];
  settings: StreamRuleSettings;
  /** What a call would write, and who understands its syntax. */
  newTexts: (tool: string, params: unknown) => Promise<NewText[]>;
  syntax: () => Promise<Syntax>;
}

export function watchReplies(
  host: Pick<SessionHost, "view" | "append" | "notify">,
  { rules, settings, newTexts, syntax }: StreamRuleParts,
): HookHandlers {
  const structural = rules.filter(({ structures }) => structures.length > 0);
  const watch = new StreamWatch(rules);
  /** Told with the next request: then they are put down, on the branch that goes on. */
  let told: StreamRule[] = [];
  /** For when the reply is whole. */
  let afterReply: StreamRule[] = [];
  const afterCall = new Map<string, StreamRule[]>();

  const isEligible = ({ name }: StreamRule): boolean => {
    const { injectedRules } = host.view.state;
    if (!injectedRules.includes(name)) return true;
    if (settings.repeatMode === "once") return false;
    return turnsSince(name, host.view.entries) >= settings.repeatGap;
  };
  const forget = (): void => {
    told = [];
    afterReply = [];
    afterCall.clear();
  };
  const putDown = (named: readonly StreamRule[]): Promise<void> =>
    host.append([{ type: "ttsr_injection", injectedRules: named.map(({ name }) => name) }]);

  const announce = (broken: readonly StreamRule[]): void =>
    host.notify({
      type: "ttsr_triggered",
      rules: broken.map(({ name, path }) => ({ name, path })),
    });
  const brokenBy = async (
    tool: string,
    params: unknown,
    signal: AbortSignal,
  ): Promise<StreamRule[]> => {
    const wanted = structural.filter(isEligible);
    if (wanted.length === 0 || (tool !== "edit" && tool !== "write")) return [];
    const texts = await newTexts(tool, params);
    if (texts.length === 0) return [];
    const { breaksStructurally } = await import("./structural-check.ts");
    const call = { tool, texts, syntax: await syntax(), signal };
    const broken: StreamRule[] = [];
    for (const rule of wanted) if (await breaksStructurally(rule, call)) broken.push(rule);
    return broken;
  };

  return {
    run_start: forget,
    // Whatever waited of a reply that failed or was stopped is not said: its rules may speak again.
    stream: ({ event }) => {
      if (event.type === "start") {
        afterReply = [];
        afterCall.clear();
      }
      const matches = watch.see(event, isEligible);
      if (matches.length === 0) return undefined;
      announce(matches.map(({ rule }) => rule));
      const stopping = matches.filter((match) => interrupts(match, settings));
      if (stopping.length > 0) {
        told = stopping.map(({ rule }) => rule);
        return stop(told, settings);
      }
      for (const { rule, callId } of matches) {
        if (callId === undefined) afterReply.push(rule);
        else afterCall.set(callId, [...(afterCall.get(callId) ?? []), rule]);
      }
      return undefined;
    },
    context: async () => {
      if (told.length === 0) return undefined;
      const named = told;
      told = [];
      await putDown(named);
      return undefined;
    },
    tool_call: async ({ call, tool, params }, { signal }) => {
      const broken = await brokenBy(tool.name, params, signal);
      if (broken.length === 0) return undefined;
      announce(broken);
      const stopping = broken.filter((rule) => interrupts({ rule, source: "tool" }, settings));
      const rest = broken.filter((rule) => !stopping.includes(rule));
      if (rest.length > 0) afterCall.set(call.id, [...(afterCall.get(call.id) ?? []), ...rest]);
      if (stopping.length === 0) return undefined;
      await putDown(stopping);
      return { type: "block", reason: ruleMessage("refusal", stopping) };
    },
    tool_result: async ({ call, result }) => {
      const broken = afterCall.get(call.id);
      if (!broken) return undefined;
      afterCall.delete(call.id);
      await putDown(broken);
      const text = ruleMessage("reminder", broken);
      return { content: [{ type: "text", text }, ...result.content] };
    },
    turn_end: () => {
      if (afterReply.length === 0) return undefined;
      told = afterReply;
      afterReply = [];
      return { type: "continue", messages: [developerText(ruleMessage("reminder", told))] };
    },
  };
}

function interrupts({ rule, source }: RuleMatch, settings: StreamRuleSettings): boolean {
  const mode = rule.interruptMode ?? settings.interruptMode;
  if (mode === "always" || mode === "never") return mode === "always";
  return (mode === "tool-only") === (source === "tool");
}

function stop(rules: readonly StreamRule[], { contextMode }: StreamRuleSettings): StopReply {
  return {
    type: "stop",
    reason: `it breaks the rule ${rules.map(({ name }) => name).join(", ")}`,
    partial: contextMode,
    messages: [developerText(ruleMessage("interrupt", rules))],
  };
}

/** Of what is at hand: what a compaction has let go of is longer ago than anybody counts. */
function turnsSince(name: string, entries: readonly SessionEntry[]): number {
  const at = entries.findLastIndex(
    (entry) => entry.type === "ttsr_injection" && entry.injectedRules.includes(name),
  );
  return entries
    .slice(at + 1)
    .filter((entry) => entry.type === "message" && entry.message.role === "assistant").length;
}
