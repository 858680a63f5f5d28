// What an extension can ask of whoever is at the other end, and what an answer to it has to look like.

import type { GivenAnswer } from "./questions.ts";
import { RpcError, type AskEndEvent, type DialogAsk } from "./protocol.ts";

export type DialogQuestion = Omit<DialogAsk, "type" | "id" | "timeoutMs">;

export type DialogAnswer<D extends DialogQuestion> = D["kind"] extends "confirm" ? boolean : string;

interface Answered<T> {
  outcome: AskEndEvent["outcome"];
  /** Undefined: there is none. */
  answer: T | undefined;
}

/** Throws an `RpcError` that says what would be one. */
export function readDialogAnswer<D extends DialogQuestion>(
  question: D,
  { verdict, value }: GivenAnswer,
): Answered<DialogAnswer<D>> {
  if (value === null || verdict === "no" || verdict === "abort") {
    return { outcome: "cancelled", answer: undefined };
  }
  const problem = problemOf(question, value);
  if (problem !== undefined) throw new RpcError("invalid", problem);
  return { outcome: "answered", answer: value as DialogAnswer<D> };
}

function problemOf({ kind, choices = [] }: DialogQuestion, value: unknown): string | undefined {
  switch (kind) {
    case "confirm":
      return typeof value === "boolean" ? undefined : "value: true, false or null";
    case "select": {
      const known = choices.map((choice) => choice.value);
      if (typeof value === "string" && known.includes(value)) return undefined;
      return `value: one of ${known.map((one) => JSON.stringify(one)).join(", ")}, or null`;
    }
    default:
      return typeof value === "string" ? undefined : "value: a text, or null";
  }
}
