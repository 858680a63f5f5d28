// Names in `enabledModels` and `disabledProviders` that mean nothing here: told with what was probably
// meant, because a list that silently leaves a name out looks as if it worked.

import { suggest } from "../base/suggest.ts";
import { selectorOf } from "./equivalence.ts";
import type { ModelPool } from "./selector.ts";

export function unknownProvider(name: string, known: readonly string[]): string {
  const near = suggest(name, known);
  return `there is no provider "${name}"${near ? `; did you mean "${near}"?` : ""}`;
}

/** For a pattern that no model matches. */
export function unmatchedPattern(pattern: string, pool: ModelPool): string {
  const near = nearPattern(pattern, pool);
  return `no model matches "${pattern}"${near ? `; did you mean "${near}"?` : ""}`;
}

function nearPattern(pattern: string, { models, equivalence }: ModelPool): string | undefined {
  const slash = pattern.indexOf("/");
  const providers = [...new Set(models.map((model) => model.provider))];
  if (slash > 0 && !providers.includes(pattern.slice(0, slash))) {
    const provider = suggest(pattern.slice(0, slash), providers);
    if (provider !== undefined) return provider + pattern.slice(slash);
  }
  const names = models.flatMap((model) => [
    selectorOf(model),
    model.id,
    equivalence.canonicalId(model),
  ]);
  return suggest(pattern, [...new Set(names)]);
}
