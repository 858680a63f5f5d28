// Who can be talked to: one table of rows. The rows stand in files by kind; the order is
// decided here, because it decides which key makes a default.

import { UNKNOWN_MODEL, type Capabilities } from "./catalog/unknown-model.ts";
import type { Environment } from "./environment.ts";
import { FREE, type Model } from "./model.ts";
import type { ProviderRow } from "./provider-row.ts";
import { CLOUDS } from "./providers/clouds.ts";
import { GATEWAYS } from "./providers/gateways.ts";
import { LOCAL } from "./providers/local.ts";
import { MAKERS } from "./providers/makers.ts";
import { placementOf } from "./providers/placement.ts";
import { PLANS } from "./providers/plans.ts";
import { mergeQuirks } from "./providers/quirk-merge.ts";

export { endpointOf } from "./providers/endpoint.ts";

const { anthropic, openai, google, "xai-oauth": xaiOauth, ...makers } = MAKERS;
const { openrouter, "opencode-zen": opencodeZen, nvidia, huggingface, ...gateways } = GATEWAYS;
const { "opencode-go": opencodeGo, "gitlab-duo": gitlabDuo, cursor, ...plans } = PLANS;

/**
 * In the order in which a key in the environment makes its provider the default: the three
 * that most people mean, keys that were bought for coding, the other makers, gateways,
 * then keys that many machines have for other reasons, what may break any day, and what
 * runs at home.
 * Where two rows read one variable, the one that needs no plan comes first.
 */
export const PROVIDERS: readonly ProviderRow[] = [
  anthropic,
  openai,
  google,
  ...Object.values(plans),
  ...Object.values(makers),
  xaiOauth,
  openrouter,
  opencodeZen,
  opencodeGo,
  ...Object.values(gateways),
  ...Object.values(CLOUDS),
  nvidia,
  huggingface,
  gitlabDuo,
  cursor,
  ...Object.values(LOCAL),
];

export function findProvider(id: string): ProviderRow | undefined {
  return PROVIDERS.find((row) => row.id === id);
}

/**
 * A model that only its name is known of; the catalog knows more of those it has. What the
 * table of capabilities says of the name is the caller's to look up: it is not small.
 */
export function modelOf(
  row: ProviderRow,
  id: string,
  env: Environment,
  known: Capabilities = UNKNOWN_MODEL,
): Model {
  const placement = placementOf(row, id, env);
  const quirks = mergeQuirks(known.quirks, placement.quirks);
  return { ...placement, id, name: id, ...known, cost: FREE, quirks };
}
