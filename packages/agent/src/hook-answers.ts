// Whether an answer is one that its hook point knows. Handlers are other people's code, mostly without
// a compiler over it: what they answer is looked at before anybody acts on it.

import type { HookName } from "./hook-points.ts";

/** What a handler answered has no meaning at its point. */
export class UnknownAnswer extends Error {
  override readonly name = "UnknownAnswer";
  readonly hook: HookName;

  constructor(hook: HookName) {
    super(`its answer at ${hook} is not one of those that the hook point knows`);
    this.hook = hook;
  }
}

type Check = (answer: unknown) => boolean;
type Fields = Record<string, unknown>;

/** Points without a row take note only, or hand the answer on to whoever checks it there. */
const CHECKS: Partial<Record<HookName, Check>> = {
  input: byType({ transform: ({ message }) => isMessage(message), consume: always }),
  run_start: fields(
    ({ messages, request, callModel }) =>
      isLeftOut(messages, isMessages) &&
      isLeftOut(request, isFields) &&
      isLeftOut(callModel, isFunction),
  ),
  context: isMessages,
  request: isFields,
  stream: byType({
    stop: ({ reason, partial, messages }) =>
      isText(reason) &&
      (partial === "keep" || partial === "discard") &&
      isLeftOut(messages, isMessages),
  }),
  tool_call: byType({
    allow: always,
    ask: ({ reason, offer }) => isText(reason) && isLeftOut(offer, isFields),
    block: ({ reason }) => isText(reason),
    rewrite: ({ arguments: args }) => isFields(args),
  }),
  tool_result: fields(
    ({ content, isError }) => isLeftOut(content, isBlocks) && isLeftOut(isError, isFlag),
  ),
  turn_end: byType({
    continue: ({ messages }) => isMessages(messages),
    compact: ({ reason }) => isText(reason),
    done: always,
    stop: ({ reason }) => isText(reason),
  }),
  failure: byType({ retry: always, compact: always, give_up: always }),
  session_before_switch: isFields,
  session_before_branch: isFields,
  session_before_compact: isFields,
  session_before_tree: isFields,
  session_compacting: isFields,
  session_handing_over: fields(({ entries }) => Array.isArray(entries)),
};

/** Throws an `UnknownAnswer`. No answer is always one. */
export function checkAnswer(hook: HookName, answer: unknown): void {
  if (answer !== undefined && CHECKS[hook]?.(answer) === false) throw new UnknownAnswer(hook);
}

function byType(types: Readonly<Record<string, (answer: Fields) => boolean>>): Check {
  const known = new Map(Object.entries(types));
  return fields((answer) => known.get(answer.type as string)?.(answer) ?? false);
}

function fields(check: (answer: Fields) => boolean): Check {
  return (answer) => isFields(answer) && check(answer);
}

function always(): boolean {
  return true;
}

function isLeftOut(value: unknown, check: Check): boolean {
  return value === undefined || check(value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMessages(value: unknown): boolean {
  return Array.isArray(value) && value.every(isMessage);
}

function isMessage(value: unknown): boolean {
  return isFields(value) && isText(value.role) && isBlocks(value.content);
}

function isBlocks(value: unknown): boolean {
  return Array.isArray(value) && value.every((block) => isFields(block) && isText(block.type));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}
