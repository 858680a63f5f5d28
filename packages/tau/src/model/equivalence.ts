// Which models are the same model at different providers. The canonical name is always an
// official one (as its maker calls it); grouping is narrow on purpose, because answering
// with another model than asked for is worse than not finding one.

import type { Model } from "@tau/ai/model";
import type { EquivalenceConfig } from "./models-yml-schema.ts";

/** Providers whose own ids are the official ones. */
export const MAKERS: readonly string[] = [
  "anthropic",
  "openai",
  "google",
  "xai",
  "deepseek",
  "mistral",
  "moonshot",
  "zai",
];

/** Prefixes under which gateways file another maker's models. */
const MAKER_PREFIX =
  /^(?:anthropic|openai|google|x-ai|xai|deepseek|mistralai|mistral|moonshotai|z-ai|zai|qwen|meta-llama)[/.]/;

export class Equivalence {
  readonly #official: ReadonlySet<string>;
  readonly #overrides: ReadonlyMap<string, string>;
  readonly #excluded: ReadonlySet<string>;

  /** `official`: what makers call their models, also those whose makers are not used here. */
  constructor(official: Iterable<string>, config: EquivalenceConfig) {
    this.#official = new Set(official);
    this.#overrides = new Map(Object.entries(config.overrides ?? {}));
    this.#excluded = new Set(config.exclude ?? []);
  }

  /** A model's canonical id; its own where it belongs to no group. */
  canonicalId(model: Model): string {
    const selector = selectorOf(model);
    if (this.#excluded.has(selector)) return model.id;
    const override = this.#overrides.get(selector);
    if (override !== undefined) return override;
    return this.officialName(model.id) ?? model.id;
  }

  /** An official name in another spelling, as a user or a gateway may write it. */
  officialName(id: string): string | undefined {
    if (this.#official.has(id)) return id;
    return this.#spellings(id).find((candidate) => this.#official.has(candidate));
  }

  /** Whether models of one canonical id stand behind a name, rather than one provider's own. */
  isExcluded(model: Model): boolean {
    return this.#excluded.has(selectorOf(model));
  }

  /** Only spellings that differ in form; versions and families are never guessed. */
  *#spellings(id: string): Generator<string> {
    const bare = id.replace(MAKER_PREFIX, "");
    if (bare !== id) yield bare;
    // A release of it by its day is that model: `claude-opus-4-5-20251101`, `gpt-4o-2024-08-06`.
    const undated = bare.replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d)(?:-v\d+(?::\d+)?)?$/, "");
    if (undated !== bare) yield undated;
    for (const form of [id, bare]) {
      const dashed = form.replace(/(\d)\.(\d)/g, "$1-$2");
      if (dashed !== form) yield dashed;
      const dotted = form.replace(/(\d)-(\d)(?!\d)/g, "$1.$2");
      if (dotted !== form) yield dotted;
    }
  }
}

export function selectorOf(model: { provider: string; id: string }): string {
  return `${model.provider}/${model.id}`;
}
