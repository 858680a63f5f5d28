// Whether a call may run, with which arguments: every `tool_call` handler is heard before
// a person is asked, so that what is blocked is never asked about and what is asked about
// is what will run.

import type { ToolCallBlock } from "@tau/ai/message";
import { HOOK_GRACE_MS, type HookCalls } from "./hook-calls.ts";
import { settleAfterAbort } from "./settle-after-abort.ts";
import { ABORTED_TEXT, type PreparedCall, type ToolTable } from "./tool-table.ts";

export interface ApprovalQuestion {
  call: ToolCallBlock;
  /** What will run, rewritten arguments included. */
  prepared: PreparedCall;
  /** Who wants a person to decide, and why. */
  reasons: { behaviour: string; reason: string }[];
}

export type Approval = { allowed: true } | { allowed: false; reason?: string };

/** Puts a call to a person. */
export type Asker = (
  question: ApprovalQuestion,
  options: { signal: AbortSignal },
) => Promise<Approval>;

export type Judgement = { ok: true; prepared: PreparedCall } | { ok: false; why: string };

export interface Judges {
  hooks: HookCalls;
  tools: ToolTable;
  ask: Asker | undefined;
  signal: AbortSignal;
}

export async function judgeCall(judges: Judges, call: ToolCallBlock): Promise<Judgement> {
  const { hooks, tools } = judges;
  const checked = tools.prepare(call);
  if (!checked.ok || !hooks.has("tool_call")) return checked;
  let { prepared } = checked;
  let args = call.arguments;
  const reasons: ApprovalQuestion["reasons"] = [];
  for (const one of hooks.at("tool_call")) {
    const behaviour = one.owner.name;
    const heard = await hooks.hear("tool_call", one, {
      call,
      arguments: args,
      tool: prepared.tool,
    });
    if (!("answer" in heard)) {
      const words = heard.error instanceof Error ? heard.error.message : String(heard.error);
      return {
        ok: false,
        why: `The call was blocked: ${behaviour} could not judge it (${words}).`,
      };
    }
    const { answer } = heard;
    if (answer?.type === "block") return { ok: false, why: answer.reason };
    if (answer?.type === "ask") reasons.push({ behaviour, reason: answer.reason });
    if (answer?.type !== "rewrite") continue;
    args = answer.arguments;
    const again = tools.prepare(call, args);
    if (!again.ok) {
      const why = `The call was blocked: ${behaviour} changed its arguments to ones that do not fit. ${again.why}`;
      return { ok: false, why };
    }
    prepared = again.prepared;
  }
  return reasons.length === 0
    ? { ok: true, prepared }
    : askPerson(judges, { call, prepared, reasons });
}

async function askPerson({ ask, signal }: Judges, question: ApprovalQuestion): Promise<Judgement> {
  const why = question.reasons.map(({ reason }) => reason).join("; ");
  if (!ask) {
    return {
      ok: false,
      why: `Refused: this needs a person's consent (${why}), and nobody can be asked.`,
    };
  }
  if (signal.aborted) return { ok: false, why: ABORTED_TEXT };
  try {
    const approval = await settleAfterAbort(ask(question, { signal }), signal, HOOK_GRACE_MS);
    if (approval.allowed) return { ok: true, prepared: question.prepared };
    return { ok: false, why: approval.reason ?? `Refused by the user (${why}).` };
  } catch (error) {
    if (signal.aborted) return { ok: false, why: ABORTED_TEXT };
    // No answer is no consent.
    const words = error instanceof Error ? error.message : String(error);
    return { ok: false, why: `Refused: asking for consent failed (${words}).` };
  }
}
