// What a call says about itself, read with care: arguments are what a model has written so far,
// and details may come from the log of another version. Whatever is not as expected is not there.

import { textOf } from "@tau/ai/message";
import type { CallState } from "../../feature-api/tool-view.ts";

export function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

export function textField(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === "string" ? found : undefined;
}

export function numberField(value: unknown, name: string): number | undefined {
  const found = field(value, name);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

export function listField(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** Empty where it has not come yet. */
export const textArgument = (state: CallState, name: string): string =>
  textField(state.arguments, name) ?? "";

/** A list of texts, or the one text that models write instead. */
export function textsArgument(state: CallState, name: string): readonly string[] {
  const one = textField(state.arguments, name);
  if (one !== undefined) return one === "" ? [] : [one];
  return listField(state.arguments, name).filter((value) => typeof value === "string");
}

export const resultText = ({ result }: CallState): string =>
  result ? textOf({ role: "toolResult", content: result.content }) : "";

/** It ended as it should. */
export const isDone = ({ phase }: CallState): boolean => phase === "done";

/** Nothing more will come of it, and it did not end as it should. */
export const hasFailed = ({ phase }: CallState): boolean =>
  phase === "failed" || phase === "refused" || phase === "stopped";

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
