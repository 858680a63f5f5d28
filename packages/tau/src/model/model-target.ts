// Which model is asked, and how a call reaches it.

import type { Credential } from "@tau/ai/credential";
import type { Model, ThinkingLevel } from "@tau/ai/model";
import type { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest, ServiceTier } from "@tau/ai/request";

export interface ModelTarget {
  model: Model;
  thinking?: ThinkingLevel;
  serviceTier?: ServiceTier;
}

/** The model asked for, then those to fall back to. */
export type TargetChain = readonly [ModelTarget, ...ModelTarget[]];

/** One call on the network (or in process) with the credential that was chosen for it. */
export type TargetCaller = (
  request: ModelRequest,
  options: { signal: AbortSignal; credential: () => Promise<Credential | undefined> },
) => ReplyStream;

/** `provider/id`, as logs and events name a model. */
export function nameOfTarget({ model }: ModelTarget): string {
  return `${model.provider}/${model.id}`;
}
