// Every model Tau could talk to: the catalog, the user's models.yml on top, and what local
// servers were found to have. A provider is put together when it is looked at, so that
// naming one model loads one provider.

import { loadCatalog, modelFromEntry } from "@tau/ai/catalog/catalog";
import type { Environment } from "@tau/ai/environment";
import type { Model } from "@tau/ai/model";
import { rowChosen, type ProviderRow } from "@tau/ai/provider-row";
import { findProvider, PROVIDERS } from "@tau/ai/providers";
import { isSwitchedOn } from "../config/environment-value.ts";
import { configuredRow, plainModel, withOverride, withProvider } from "./build-model.ts";
import type { ConfigProblem } from "../base/config-problem.ts";
import { emptyModelsConfig, type ModelsConfig } from "./models-config.ts";

export interface RegistryOptions {
  env: Environment;
  config?: ModelsConfig;
  /** Providers that are not to be used, here. */
  disabled?: ReadonlySet<string>;
  /** What the user chose of the rows' choices, by setting. */
  chosen?: Readonly<Record<string, string>>;
  /** What a server was found to have, from the cache; never the network. */
  discovered?: (row: ProviderRow) => readonly Model[];
}

export class ModelRegistry {
  readonly #options: RegistryOptions;
  readonly #config: ModelsConfig;
  readonly #loaded = new Map<string, Promise<readonly Model[]>>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#config = options.config ?? emptyModelsConfig();
  }

  get problems(): readonly ConfigProblem[] {
    return this.#config.problems;
  }

  get config(): ModelsConfig {
    return this.#config;
  }

  /** In the table's order, then the user's own. */
  rows(): ProviderRow[] {
    const own = [...this.#config.providers.keys()].filter((id) => !findProvider(id));
    return [...PROVIDERS.map((row) => row.id), ...own]
      .filter((id) => !this.#options.disabled?.has(id))
      .map((id) => this.row(id)!);
  }

  row(provider: string): ProviderRow | undefined {
    if (this.#options.disabled?.has(provider)) return undefined;
    const found = findProvider(provider);
    const builtIn = found && rowChosen(found, this.#options.chosen ?? {});
    const config = this.#config.providers.get(provider);
    return config ? configuredRow(provider, config, builtIn) : builtIn;
  }

  /** Known, and left out by the user. */
  isDisabled(provider: string): boolean {
    const isKnown = findProvider(provider) !== undefined || this.#config.providers.has(provider);
    return isKnown && this.#options.disabled?.has(provider) === true;
  }

  isBuiltIn(provider: string): boolean {
    return findProvider(provider) !== undefined;
  }

  models(provider: string): Promise<readonly Model[]> {
    let loading = this.#loaded.get(provider);
    if (!loading) {
      loading = this.#load(provider);
      this.#loaded.set(provider, loading);
    }
    return loading;
  }

  async all(): Promise<readonly Model[]> {
    return (await Promise.all(this.rows().map((row) => this.models(row.id)))).flat();
  }

  /** What a built-in provider calls its models, whether or not it is used here. */
  async catalogIds(provider: string): Promise<string[]> {
    return (await loadCatalog(provider)).map(({ id }) => id);
  }

  /**
   * A model by its exact name. One that nobody knows is taken at its word, with cautious
   * assumptions: vendors publish models faster than catalogs are made.
   */
  async exact(provider: string, id: string): Promise<Model | undefined> {
    const row = this.row(provider);
    if (!row) return undefined;
    const known = (await this.models(provider)).find((model) => model.id === id);
    if (known) return known;
    return this.#configure(plainModel(row, { id }, this.#options.env));
  }

  /** Forgets what was put together, after a discovery. */
  refresh(provider: string): void {
    this.#loaded.delete(provider);
  }

  async #load(provider: string): Promise<readonly Model[]> {
    const row = this.row(provider);
    if (!row) return [];
    const entries = findProvider(provider) ? await loadCatalog(provider) : [];
    const byId = new Map<string, Model>();
    const add = (model: Model): void => void byId.set(model.id, this.#configure(model));
    for (const entry of entries) add(modelFromEntry(row, entry, this.#options.env));
    for (const custom of this.#config.providers.get(provider)?.models ?? []) {
      add(plainModel(row, custom, this.#options.env));
      byId.set(custom.id, withOverride(byId.get(custom.id)!, custom));
    }
    for (const found of this.#options.discovered?.(row) ?? []) if (!byId.has(found.id)) add(found);
    // A provider may have nothing but its row: the model that is meant if none is named is there.
    const { defaultModel } = row;
    if (byId.size === 0 && defaultModel !== undefined) {
      add(plainModel(row, { id: defaultModel }, this.#options.env));
    }
    return [...byId.values()];
  }

  /** The provider's settings, then those for this model: on every model, however it was found. */
  #configure(model: Model): Model {
    const config = this.#config.providers.get(model.provider);
    if (!config) return this.#asTheEnvironmentSays(model);
    const based = withProvider(model, config);
    const override = config.modelOverrides?.[model.id];
    return this.#asTheEnvironmentSays(override ? withOverride(based, override) : based);
  }

  /** `TAU_NO_STRICT` turns strict tool schemas off everywhere; `TAU_CACHE_RETENTION` keeps prompts. */
  #asTheEnvironmentSays(model: Model): Model {
    const { env } = this.#options;
    const isLong = env.TAU_CACHE_RETENTION === "long" && model.cacheRetention === undefined;
    const kept = isLong ? { ...model, cacheRetention: "long" as const } : model;
    if (!isSwitchedOn(env, "TAU_NO_STRICT")) return kept;
    return { ...kept, quirks: { ...kept.quirks, disableStrictTools: true } };
  }
}
