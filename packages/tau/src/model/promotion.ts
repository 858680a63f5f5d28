// Whether a larger sibling can take over when a conversation has outgrown its model: nothing has
// to be summarised away if the same conversation simply fits elsewhere.

import type { Model } from "@tau/ai/model";

/** Room for a reply and its thinking, as a share of the window and in tokens at the least. */
const REPLY_SHARE = 0.15;
const REPLY_TOKENS = 16_384;

export interface PromotionFacts {
  model: Model;
  /** What could be used. */
  candidates: readonly Model[];
  hasCredential: (model: Model) => boolean;
  contextTokens: number;
}

/** The model to go on with, which the full one names; undefined if there is none. */
export function choosePromotion(facts: PromotionFacts): Model | undefined {
  const { model, candidates, hasCredential, contextTokens } = facts;
  return candidates.find(
    (other) =>
      isNamedBy(model, other) &&
      other.contextWindow > model.contextWindow &&
      // One that would be full again at once is no help.
      roomIn(other) > contextTokens &&
      hasCredential(other),
  );
}

function roomIn({ contextWindow }: Model): number {
  const left = contextWindow - Math.max(contextWindow * REPLY_SHARE, REPLY_TOKENS);
  // A window smaller than a long reply still has to hold something.
  return Math.max(Math.floor(left), Math.floor(contextWindow / 2));
}

/** `provider/id`, or an `id` of the same provider; ids themselves may contain slashes. */
function isNamedBy(model: Model, other: Model): boolean {
  const target = model.promotionTarget;
  if (target === undefined) return false;
  if (target === `${other.provider}/${other.id}`) return true;
  return other.provider === model.provider && target === other.id;
}
