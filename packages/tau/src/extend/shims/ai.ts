// What extensions import of the family's package for models. Whoever wants to ask a model does so through
// the session that it is in: keys stay with Tau.

import { Type } from "typebox";
import { currentFamilyHost } from "../family/current-host.ts";
import { toFamilyModel } from "../family/family-model.ts";
import { FamilyModels } from "../family/family-models.ts";

/** A choice of words, as every vendor understands it. */
export function StringEnum(values: readonly string[], options: object = {}): object {
  return Type.Unsafe({ type: "string", enum: [...values], ...options });
}

export { Type } from "typebox";

const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;

/** The highest level up to the wanted one that the model has. */
export function clampThinkingLevel(model: { reasoning?: boolean }, level: string): string {
  return model.reasoning === false ? "off" : LEVELS.includes(level as "off") ? level : "medium";
}

export function getSupportedThinkingLevels(model: { reasoning?: boolean }): readonly string[] {
  return model.reasoning === false ? ["off"] : LEVELS;
}

interface Named {
  readonly provider?: unknown;
  readonly id?: unknown;
}

export function modelsAreEqual(one: Named | undefined, other: Named | undefined): boolean {
  return Boolean(one && other && one.id === other.id && one.provider === other.provider);
}

/** Of the session that asks: the models there are. */
export function getModel(provider: string, id: string): object | undefined {
  const found = FamilyModels.of(currentFamilyHost().host.session).find(provider, id);
  return found && toFamilyModel(found.model);
}

export function getModels(provider: string): object[] {
  const { list } = FamilyModels.of(currentFamilyHost().host.session);
  return list
    .filter(({ model }) => model.provider === provider)
    .map(({ model }) => toFamilyModel(model));
}

export function getProviders(): string[] {
  const { list } = FamilyModels.of(currentFamilyHost().host.session);
  return [...new Set(list.map(({ model }) => model.provider))];
}

/** Keys stay with Tau, also those in the environment. */
export function getEnvApiKey(): undefined {
  return undefined;
}

export function uuidv7(timestampMs?: number): string {
  return Bun.randomUUIDv7("hex", timestampMs);
}

export function contentText(
  content: string | readonly { type: string; text?: string }[],
  separator = "\n",
): string {
  if (typeof content === "string") return content;
  return content
    .flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []))
    .join(separator);
}

export function supportsXhigh(): boolean {
  return false;
}

interface Cost {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

const PER_MILLION = 1_000_000;

/** Writes the cost into the usage, as the family's own does. */
export function calculateCost(
  model: { cost: Cost },
  usage: Cost & { cost?: Cost & { total: number } },
): Cost & { total: number } {
  const part = (key: keyof Cost): number => (usage[key] * model.cost[key]) / PER_MILLION;
  const cost = {
    input: part("input"),
    output: part("output"),
    cacheRead: part("cacheRead"),
    cacheWrite: part("cacheWrite"),
    total: part("input") + part("output") + part("cacheRead") + part("cacheWrite"),
  };
  usage.cost = cost;
  return cost;
}

export function isContextOverflow(message: { errorMessage?: string }): boolean {
  return /context|token/i.test(message.errorMessage ?? "");
}

export { complete, completeSimple, stream, streamSimple } from "./ask-model.ts";
export { AssistantMessageEventStream, createAssistantMessageEventStream } from "./event-stream.ts";
