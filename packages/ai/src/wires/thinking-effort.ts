// The effort dial on its way to an OpenAI wire: clamped to what the model takes, named
// as the host names it.

import { THINKING_LEVELS, type ThinkingLevel } from "../model.ts";
import type { ModelRequest } from "../request.ts";

export type EffortMap = Partial<Record<ThinkingLevel, string>>;

/**
 * The level to ask for: undefined where nothing was asked or the model does not think.
 * A level it lacks becomes the nearest one below, or its lowest.
 */
export function thinkingLevel({ model, thinking }: ModelRequest): ThinkingLevel | undefined {
  if (thinking === undefined || !model.thinking) return undefined;
  if (thinking === "off" || model.thinking.includes(thinking)) return thinking;
  const rank = THINKING_LEVELS.indexOf(thinking);
  const accepted = THINKING_LEVELS.filter(
    (level) => level !== "off" && model.thinking!.includes(level),
  );
  return accepted.findLast((level) => THINKING_LEVELS.indexOf(level) <= rank) ?? accepted[0];
}

const LEVEL_OF_EFFORT: Record<string, ThinkingLevel> = {
  none: "off",
  max: "xhigh",
  ...Object.fromEntries(THINKING_LEVELS.map((level) => [level, level])),
};

/** The inverse, for a server; an effort nobody knows is not asked for. */
export function levelOfEffort(effort: unknown): ThinkingLevel | undefined {
  return typeof effort === "string" && Object.hasOwn(LEVEL_OF_EFFORT, effort)
    ? LEVEL_OF_EFFORT[effort]
    : undefined;
}

/** Sampling values below zero mean "leave it to the vendor". */
export function isSampling(value: number | undefined): value is number {
  return value !== undefined && value >= 0;
}
