// Whether a larger sibling can take over instead of a compaction: nothing is summarised away
// where the same conversation simply fits elsewhere.

import type { Model } from "@tau/ai/model";
import { DEFAULT_COMPACTION, type CompactionSettings } from "./settings.ts";
import { thresholdTokens } from "./triggers.ts";

export interface PromotionFacts {
  model: Model;
  /** Everything that could be used, this model too. */
  candidates: readonly Model[];
  hasCredential: (model: Model) => boolean;
  contextTokens: number;
  /** Any larger sibling will do; otherwise only one that the model itself names. */
  promotesToAnyLarger: boolean;
  settings?: CompactionSettings;
}

/** The model to go on with, or undefined where there is none. */
export function choosePromotion(facts: PromotionFacts): Model | undefined {
  const { model, candidates, hasCredential, contextTokens } = facts;
  const settings = facts.settings ?? DEFAULT_COMPACTION;
  const usable = candidates.filter(
    (other) =>
      other.contextWindow > model.contextWindow &&
      // One that would have to be compacted at once is no help.
      thresholdTokens(other.contextWindow, settings) > contextTokens &&
      hasCredential(other),
  );
  const named = usable.find((other) => isNamedBy(model, other));
  if (named || !facts.promotesToAnyLarger) return named;
  return usable
    .filter((other) => other.provider === model.provider && other.wire === model.wire)
    .reduce<Model | undefined>(
      (best, other) => (best && best.contextWindow <= other.contextWindow ? best : other),
      undefined,
    );
}

/** `provider/id`, or an `id` of the same provider; ids themselves may contain slashes. */
function isNamedBy(model: Model, other: Model): boolean {
  const target = model.promotionTarget;
  if (target === undefined) return false;
  if (target === `${other.provider}/${other.id}`) return true;
  return other.provider === model.provider && target === other.id;
}
