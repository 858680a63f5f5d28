// Which models are the same model at different providers. The canonical name is always an
// official one (as its maker calls it); grouping is narrow on purpose, because answering
// with another model than asked for is worse than not finding one.

import type { Model } from "@tau/ai/model";
import type { EquivalenceConfig } from "./models-yml-schema.ts";

/** Providers whose own ids are the official ones. */
const MAKERS: ReadonlySet<string> = new Set([
  "anthropic",
  "openai",
  "google",
  "xai",
  "deepseek",
  "mistral",
  "moonshot",
  "zai",
]);

/** Prefixes under which gateways file another maker's models. */
const MAKER_PREFIX =
  /^(?:anthropic|openai|google|x-ai|xai|deepseek|mistralai|mistral|moonshotai|z-ai|zai|qwen|meta-llama)[/.]/;

export class Equivalence {
  readonly #official: ReadonlySet<string>;
  readonly #overrides: ReadonlyMap<string, string>;
  readonly #excluded: ReadonlySet<string>;

  constructor(models: readonly Model[], config: EquivalenceConfig) {
    this.#official = new Set(
      models.filter((model) => MAKERS.has(model.provider)).map((model) => model.id),
    );
    this.#overrides = new Map(Object.entries(config.overrides ?? {}));
    this.#excluded = new Set(config.exclude ?? []);
  }

  /** A model's canonical id; its own where it belongs to no group. */
  canonicalId(model: Model): string {
    const selector = selectorOf(model);
    if (this.#excluded.has(selector)) return model.id;
    const override = this.#overrides.get(selector);
    if (override !== undefined) return override;
    if (this.#official.has(model.id)) return model.id;
    for (const candidate of this.#spellings(model.id)) {
      if (this.#official.has(candidate)) return candidate;
    }
    return model.id;
  }

  /** Whether models of one canonical id stand behind a name, rather than one provider's own. */
  isExcluded(model: Model): boolean {
    return this.#excluded.has(selectorOf(model));
  }

  /** Only spellings that differ in form; versions and families are never guessed. */
  *#spellings(id: string): Generator<string> {
    const bare = id.replace(MAKER_PREFIX, "");
    if (bare !== id) yield bare;
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
