// Why a selector means the model it means, and everything that decides how it is called:
// one page that answers "which row, which quirks, which credential".

import type { ProviderRow } from "@tau/ai/provider-row";
import { expandPattern } from "./selector.ts";
import { selectorOf } from "./equivalence.ts";
import type { ModelAccess } from "./model-access.ts";
import { modelPool, resolveModel, type ResolvedModel } from "./resolve-model.ts";

export interface ModelExplanation {
  selector: string;
  because: readonly string[];
  provider: { id: string; name: string; source: string };
  wire: string;
  endpoint: string;
  wireModelId: string;
  contextWindow: number;
  maxOutput: number;
  input: readonly string[];
  thinking: { levels: readonly string[]; used: string } | null;
  /** US dollars per million tokens. */
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number };
  quirks: Readonly<Record<string, unknown>>;
  /** Header names only: values may be secrets. */
  headers: readonly string[];
  credential: { origin: string; label: string } | null;
  canonicalId: string;
  /** The same model elsewhere. */
  variants: readonly string[];
  /** What else the words could have meant. */
  others: readonly string[];
}

const MOST_OTHERS = 8;

export async function explainModel(
  access: ModelAccess,
  selector: string | undefined,
): Promise<ModelExplanation> {
  const resolved = await resolveModel(access, selector);
  const { model } = resolved;
  const row = access.registry.row(model.provider);
  const pool = await modelPool(access);
  const canonicalId = pool.equivalence.canonicalId(model);
  const variants = expandPattern(canonicalId, pool).map(selectorOf);
  const credential = row ? await describeCredential(access, row) : null;
  return {
    selector: selectorOf(model),
    because: resolved.because,
    provider: {
      id: model.provider,
      name: row?.name ?? model.provider,
      source: sourceOf(access, model.provider),
    },
    wire: model.wire,
    endpoint: model.baseUrl,
    wireModelId: model.wireModelId ?? model.id,
    contextWindow: model.contextWindow,
    maxOutput: model.maxOutput,
    input: model.input,
    thinking: model.thinking ? { levels: model.thinking, used: levelOf(access, resolved) } : null,
    cost: model.cost,
    quirks: model.quirks ?? {},
    headers: Object.keys(model.headers ?? {}),
    credential,
    canonicalId,
    variants: variants.filter((name) => name !== selectorOf(model)),
    others: resolved.others.slice(0, MOST_OTHERS).map(selectorOf),
  };
}

function levelOf(access: ModelAccess, { model, thinking }: ResolvedModel): string {
  return thinking ?? model.defaultThinking ?? access.settings.defaultThinking;
}

function sourceOf(access: ModelAccess, provider: string): string {
  if (provider === "tau") return "built in";
  const isConfigured = access.registry.config.providers.has(provider);
  const extension = access.registry.config.broughtBy.get(provider);
  if (extension !== undefined) return `the extension ${extension}`;
  if (!access.registry.isBuiltIn(provider)) return "models.yml";
  return isConfigured ? "built in, changed in models.yml" : "built in";
}

/** Without its token, and without renewing it. */
async function describeCredential(
  access: ModelAccess,
  row: ProviderRow,
): Promise<{ origin: string; label: string } | null> {
  const file = access.credentialFile(row.id);
  if (!access.credentials.has(row.id)) return file ? { origin: "file", label: file } : null;
  const found = await access.credentials.get(row.id).catch((error: unknown) => ({
    origin: "stored login",
    label: `cannot be renewed now: ${error instanceof Error ? error.message : String(error)}`,
  }));
  if (!found) return row.keyless ? { origin: "none needed", label: "" } : null;
  return { origin: found.origin, label: found.label };
}
