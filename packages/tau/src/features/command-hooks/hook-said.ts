// What a hook said by its exit code and its output, in terms that every event can act on. 0 is fine, 2
// blocks, everything else is an error that stops nothing; JSON on standard output says more.

import type { FedResult } from "@tau/host/run-with-input";
import { nameOf, type CommandHook } from "./command-hook.ts";

/** Of what one hook adds to the conversation; the rest is cut, and said to be. */
const MAX_CONTEXT_CHARACTERS = 10_000;
const BLOCKS = 2;
/** A shell's words for a program that is not there, or may not be run. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);

export interface HookSaid {
  hook: CommandHook;
  /** It objects: to the call, the prompt, the compaction, the end. */
  block?: string;
  /** It allows the call. */
  allows?: boolean;
  /** A person is to decide about the call. */
  asks?: string;
  /** The input that the call is to have instead. */
  updatedInput?: Record<string, unknown>;
  /** For the model. */
  context?: string;
  /** Everything is to stop: why, for the user. */
  stops?: string;
  /** For the user. */
  message?: string;
  /** What went wrong, for the user. */
  failure?: string;
  /** Whether nobody can know what it would have said. */
  isSilenced?: boolean;
  /** It was stopped along with what it belongs to. */
  isAborted?: boolean;
}

/** Events at which plain words on standard output are context. */
const SAYS_CONTEXT: ReadonlySet<string> = new Set(["UserPromptSubmit", "SessionStart"]);

export function readResult(hook: CommandHook, result: FedResult): HookSaid {
  const { end, exitCode, stderr } = result;
  if (end === "aborted") return { hook, isAborted: true };
  if (end === "timeout") return silenced(hook, `did not end within ${hook.timeoutMs / 1000} s`);
  if (exitCode === BLOCKS)
    return { hook, block: stderr.trim() || `${nameOf(hook)} gave no reason` };
  if (NOT_STARTED.has(exitCode)) return silenced(hook, `could not be run: ${stderr.trim()}`);
  if (exitCode !== 0) {
    const how = exitCode === null ? "was ended by a signal" : `exited with ${exitCode}`;
    const words = stderr.trim() === "" ? "" : `: ${bounded(stderr.trim())}`;
    return { hook, failure: `${nameOf(hook)} ${how}${words}` };
  }
  const text = result.stdout.trim();
  if (!text.startsWith("{")) {
    return { hook, context: SAYS_CONTEXT.has(hook.event) ? boundedOrNone(text) : undefined };
  }
  const data = parsed(text);
  return data ? readAnswer(hook, data) : silenced(hook, "answered with JSON that cannot be read");
}

export function silenced(hook: CommandHook, why: string): HookSaid {
  return { hook, isSilenced: true, failure: `${nameOf(hook)} ${why}` };
}

function readAnswer(hook: CommandHook, data: Record<string, unknown>): HookSaid {
  const specific = recordOr(data.hookSpecificOutput);
  const said: HookSaid = {
    hook,
    message: textOr(data.systemMessage),
    context: boundedOrNone(textOr(specific.additionalContext) ?? ""),
  };
  if (data.continue === false) said.stops = textOr(data.stopReason) ?? `${nameOf(hook)} stopped it`;
  const reason = textOr(data.reason);
  if (data.decision === "block") said.block = reason ?? `${nameOf(hook)} gave no reason`;
  if (hook.event === "PreToolUse") readPermission(said, { ...data, ...specific }, reason);
  if (hook.event === "PermissionRequest") readDecision(said, recordOr(specific.decision));
  return said;
}

function readPermission(said: HookSaid, fields: Record<string, unknown>, reason?: string): void {
  const words = textOr(fields.permissionDecisionReason) ?? reason;
  const by = nameOf(said.hook);
  switch (fields.permissionDecision) {
    case "deny":
      said.block = words ?? `${by} gave no reason`;
      break;
    case "ask":
      said.asks = words ?? "it gave no reason";
      break;
    case "allow":
      said.allows = true;
      break;
    case undefined:
      said.allows = fields.decision === "approve";
      break;
    default:
      Object.assign(said, silenced(said.hook, "answered with a permissionDecision that Tau lacks"));
  }
  if (isRecord(fields.updatedInput)) said.updatedInput = fields.updatedInput;
}

function readDecision(said: HookSaid, decision: Record<string, unknown>): void {
  if (decision.behavior === "deny") {
    said.block = textOr(decision.message) ?? `${nameOf(said.hook)} gave no reason`;
    if (decision.interrupt === true) said.stops = said.block;
  }
  // A person would be shown another call than the one that runs: they are asked about this one.
  if (decision.behavior === "allow") said.allows = decision.updatedInput === undefined;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return isRecord(data) ? data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function bounded(text: string): string {
  const more = text.length - MAX_CONTEXT_CHARACTERS;
  if (more <= 0) return text;
  return `${text.slice(0, MAX_CONTEXT_CHARACTERS)}\n[… ${more} characters more were left out]`;
}

function boundedOrNone(text: string): string | undefined {
  return text.trim() === "" ? undefined : bounded(text.trim());
}

function textOr(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function recordOr(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
