// Whether a call may run, with which arguments: every `tool_call` handler is heard before
// a person is asked, so that what is blocked is never asked about and what is asked about
// is what will run.

import type { ToolCallBlock } from "@tau/ai/message";
import { HOOK_GRACE_MS, type HookCalls } from "./hook-calls.ts";
import type { ConsentOffer, ConsentScope, Told } from "./hook-points.ts";
import type { HookOwner } from "./hooks.ts";
import { settleAfterAbort } from "./settle-after-abort.ts";
import { ABORTED_TEXT, type PreparedCall, type ToolTable } from "./tool-table.ts";
import type { CallPreview, ToolTier } from "./tool.ts";

/** Where something comes from: which session, and which agent if it is not the user's own. */
export interface Origin {
  readonly session: string;
  readonly agent?: string;
}

/** Counted from one. */
export interface CallPlace {
  at: number;
  of: number;
}

/** All that a screen, or a program on the other end of a pipe, needs to put a call to a person. */
export interface ApprovalQuestion {
  /** Whose call it is. */
  origin?: Origin;
  call: ToolCallBlock;
  /** Which of the calls of its reply it is: how much may still come. */
  place?: CallPlace;
  /** What will run, rewritten arguments included. */
  prepared: PreparedCall;
  /** Who wants a person to decide, and why, as what follows "it". */
  reasons: { behaviour: string; reason: string }[];
  /** What this call may do to the machine; it may be less than the tool's tier. */
  tier: ToolTier;
  /** What it is about, part by part: the commands of a line, the files, the host. */
  subjects: readonly string[];
  /** The danger in it, where there is one: the person decides whatever the settings say. */
  guard?: string;
  /** What an answer with `remember` would put down, as settings have it. */
  rules: readonly string[];
  /** Only the mode asks: neither a danger, nor a word of the user's settings, nor anybody else. */
  isByMode?: boolean;
  /** What `remember` can be. Empty: only once can be said. */
  scopes: readonly ConsentScope[];
  /** What would change, worked out when it is called; it always resolves. */
  preview?: () => Promise<CallPreview>;
}

export type Approval =
  /** `remember`: also from now on, by the question's `rules`. */
  { allowed: true; remember?: ConsentScope } | { allowed: false; reason?: string };

/** Puts a call to a person. */
export type Asker = (
  question: ApprovalQuestion,
  options: { signal: AbortSignal },
) => Promise<Approval>;

export type Judgement =
  | { ok: true; prepared: PreparedCall }
  /** `unasked`: only because nobody could be asked, and why somebody should have been. */
  | { ok: false; why: string; unasked?: string };

export interface Judges {
  hooks: HookCalls;
  tools: ToolTable;
  ask: Asker | undefined;
  signal: AbortSignal;
}

export async function judgeCall(
  judges: Judges,
  call: ToolCallBlock,
  place?: CallPlace,
): Promise<Judgement> {
  const { hooks, tools } = judges;
  // Its own from here on: the message that it stands in is known to every handler of the reply.
  let args = copyOf(call.arguments) ?? call.arguments;
  const checked = tools.prepare(call, call.malformed === undefined ? args : undefined);
  if (!checked.ok) return checked;
  let { prepared } = checked;
  const objections: Objection[] = [];
  /** Made once for all extensions, until one of them has changed the arguments. */
  let whole: { copy: CallTold | undefined } | undefined;
  for (const one of hooks.at("tool_call")) {
    const behaviour = one.owner.name;
    const { kind } = one.owner;
    const own = { call, arguments: args, params: prepared.params, tool: prepared.tool };
    if (kind === "extension") whole ??= { copy: wholeCopy(own) };
    const told = kind === "extension" ? copyForExtension(own, whole?.copy) : own;
    if (!told) return { ok: false, why: `The call was blocked. ${NOT_PLAIN}` };
    const heard = await hooks.hear("tool_call", one, told);
    if (!("answer" in heard)) {
      const words = heard.error instanceof Error ? heard.error.message : String(heard.error);
      return {
        ok: false,
        why: `The call was blocked: ${behaviour} could not judge it (${words}).`,
      };
    }
    const { answer } = heard;
    if (answer?.type === "block") return { ok: false, why: answer.reason };
    if (answer?.type === "ask") objections.push({ ...answer, behaviour, kind });
    if (answer?.type !== "rewrite") continue;
    const rewritten = copyOf(answer.arguments);
    if (!rewritten) return unfit(behaviour, NOT_PLAIN);
    const again = tools.prepare(call, rewritten);
    if (!again.ok) return unfit(behaviour, again.why);
    args = rewritten;
    prepared = again.prepared;
    whole = undefined;
  }
  return objections.length === 0
    ? { ok: true, prepared }
    : askPerson(judges, { prepared, place }, objections);
}

const NOT_PLAIN = "The arguments are not plain data.";

function unfit(behaviour: string, why: string): Judgement {
  return {
    ok: false,
    why: `The call was blocked: ${behaviour} changed its arguments to ones that do not fit. ${why}`,
  };
}

type CallTold = Told<"tool_call">;

/**
 * So that nothing of it leads to what will run: each handler has copies of its own, of what it looks at.
 * The first copy of a call is made before anybody is told, and nobody gets it; undefined if there is none.
 */
function copyForExtension(told: CallTold, whole: CallTold | undefined): CallTold | undefined {
  if (!whole) return undefined;
  const { name, description, tier, concurrency, timeoutMs, limits, polls } = told.tool;
  const copies: Partial<Record<"call" | "arguments" | "params", unknown>> = {};
  const copied = <K extends "call" | "arguments" | "params">(key: K): CallTold[K] =>
    (copies[key] ??= copyOf(whole[key])) as CallTold[K];
  return {
    get call() {
      return copied("call");
    },
    get arguments() {
      return copied("arguments");
    },
    get params() {
      return copied("params");
    },
    tool: {
      name,
      description,
      tier,
      concurrency,
      timeoutMs,
      limits: limits && { ...limits },
      polls,
    },
  };
}

/** Undefined if it is not plain data. */
function wholeCopy(told: CallTold): CallTold | undefined {
  const call = copyOf(told.call);
  const args = copyOf(told.arguments);
  if (!call || !args) return undefined;
  // What a schema makes of arguments may be anything; what it was made of says as much.
  return { ...told, call, arguments: args, params: copyOf(told.params) ?? copyOf(args) };
}

/** Undefined if it is not plain data: there are functions in it, or getters that throw. */
function copyOf<T>(value: T): T | undefined {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

interface Objection {
  kind: HookOwner["kind"];
  behaviour: string;
  reason: string;
  offer?: ConsentOffer;
}

function questionOf(prepared: PreparedCall, objections: readonly Objection[]): ApprovalQuestion {
  const { call, tool, params } = prepared;
  const offers = builtInFirst(objections).flatMap(({ offer }) => offer ?? []);
  // The first who looked closely describes the call; without one it is taken at the tool's word.
  const { tier = tool.tier, subjects = [], guard } = offers[0]?.assessment ?? {};
  const { preview } = tool;
  return {
    call,
    prepared,
    reasons: objections.map(({ behaviour, reason }) => ({ behaviour, reason })),
    tier,
    subjects,
    guard,
    rules: offers.flatMap(({ rules }) => rules),
    isByMode: objections.every(({ offer }) => offer?.isByMode ?? false),
    scopes: [...new Set(offers.flatMap(scopesOf))],
    preview: preview ? () => previewOf(() => preview(params)) : undefined,
  };
}

const PLAIN_SCOPES: readonly ConsentScope[] = ["session", "always"];

function scopesOf({ rules, scopes = PLAIN_SCOPES }: ConsentOffer): readonly ConsentScope[] {
  return rules.length === 0 ? [] : scopes;
}

/** What a person reads of a call is not an extension's word if one of Tau's own has looked at it. */
function builtInFirst(objections: readonly Objection[]): readonly Objection[] {
  const isOwn = ({ kind }: Objection): boolean => kind === "behaviour";
  return [...objections.filter(isOwn), ...objections.filter((one) => !isOwn(one))];
}

/** A question is answered with or without a picture: its failure is part of the picture. */
async function previewOf(make: () => Promise<CallPreview>): Promise<CallPreview> {
  try {
    return await make();
  } catch (error) {
    return { files: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

async function askPerson(
  { ask, signal, hooks }: Judges,
  { prepared, place }: { prepared: PreparedCall; place: CallPlace | undefined },
  objections: readonly Objection[],
): Promise<Judgement> {
  const why = objections.map(({ reason }) => reason).join("; ");
  if (!ask) {
    return {
      ok: false,
      why: `Refused: this needs a person's consent (${why}), and nobody can be asked.`,
      unasked: why,
    };
  }
  if (signal.aborted) return { ok: false, why: ABORTED_TEXT };
  try {
    const question = { ...questionOf(prepared, objections), place };
    const asking = ask(question, { signal });
    const approval = await settleAfterAbort(asking, signal, HOOK_GRACE_MS);
    if (!approval.allowed) {
      return { ok: false, why: approval.reason ?? `Refused by the user (${why}).` };
    }
    const { remember: scope } = approval;
    // What was not offered was not shown to anybody: the yes is to this call.
    if (scope !== undefined && question.scopes.includes(scope))
      await remember(objections, scope, hooks);
    return { ok: true, prepared };
  } catch (error) {
    if (signal.aborted) return { ok: false, why: ABORTED_TEXT };
    // No answer is no consent.
    const words = error instanceof Error ? error.message : String(error);
    return { ok: false, why: `Refused: asking for consent failed (${words}).` };
  }
}

/** What cannot be put down is reported; the consent to this call was given all the same. */
async function remember(
  objections: readonly Objection[],
  scope: ConsentScope,
  hooks: HookCalls,
): Promise<void> {
  for (const { behaviour, offer } of objections) {
    try {
      await offer?.keep(scope);
    } catch (error) {
      hooks.report(behaviour, "tool_call", error);
    }
  }
}
