// Everything that has to do with models, put together for one run: the registry, the
// credentials, the settings, and how a selector becomes a model. What a run does not need
// is not loaded: without files of the user's there is nothing to read.

import type { CredentialSource } from "@tau/ai/credential";
import type { Environment } from "@tau/ai/environment";
import type { Model } from "@tau/ai/model";
import { ambientFilesOf, hasAmbientCredentials, type ProviderRow } from "@tau/ai/provider-row";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../config/places.ts";
import { Settings } from "../config/settings.ts";
import { Credentials } from "../credentials/credentials.ts";
import { openStore } from "../credentials/open-store.ts";
import type { ConfigProblem } from "../base/config-problem.ts";
import type { BroughtProvider } from "./brought-providers.ts";
import { emptyModelsConfig, type ModelsConfig } from "./models-config.ts";
import { DEFAULT_MODEL_SETTINGS, type ModelSettings } from "./model-settings.ts";
import { ModelRegistry } from "./registry.ts";
import { scopedValues } from "./scope.ts";
import type { SecretResolver } from "./secret-value.ts";

export interface AccessOptions {
  env: Environment;
  cwd: string;
  /** `--api-key` with the provider it is for; the provider may be known only later. */
  apiKey?: string;
  /** Stands in for the user's files, which are then not read. */
  isolated?: Partial<ModelSettings>;
  /** The user's. */
  settings?: Settings;
  /** Of extensions, by id, as they would stand in models.yml; what stands there outweighs them. */
  providers?: ReadonlyMap<string, BroughtProvider>;
  /** What is wrong with them, if it is to be told with the rest. */
  problems?: readonly ConfigProblem[];
}

/** Settings that are lists of names. */
export type NamedList = "enabledModels" | "disabledProviders";
type ListSources = Partial<Record<NamedList, string>>;

export class ModelAccess {
  readonly env: Environment;
  readonly cwd: string;
  readonly registry: ModelRegistry;
  readonly credentials: CredentialSource;
  settings: ModelSettings;
  readonly #problems: ConfigProblem[];
  readonly #sources: ListSources;
  readonly #secrets: SecretResolver | undefined;
  readonly #flag: { provider: string; key: string } | undefined;

  constructor(parts: {
    env: Environment;
    cwd: string;
    registry: ModelRegistry;
    credentials: CredentialSource;
    settings: ModelSettings;
    problems: readonly ConfigProblem[];
    sources?: ListSources;
    secrets?: SecretResolver;
    flag?: { provider: string; key: string };
  }) {
    this.env = parts.env;
    this.cwd = parts.cwd;
    this.registry = parts.registry;
    this.credentials = parts.credentials;
    this.settings = parts.settings;
    this.#problems = [...parts.problems];
    this.#sources = parts.sources ?? {};
    this.#secrets = parts.secrets;
    this.#flag = parts.flag;
  }

  get problems(): readonly ConfigProblem[] {
    return this.#problems;
  }

  /** Where a list of names stands: the setting, with its file if there is one. */
  placeOf(setting: NamedList): string {
    const source = this.#sources[setting];
    return source === undefined ? setting : `${setting} in ${source}`;
  }

  /** A name in a list of the user's that means nothing; told once. */
  noteUnknownName(setting: NamedList, message: string): void {
    if (this.#problems.some((known) => known.key === setting && known.message === message)) return;
    const file = this.#sources[setting] ?? "settings";
    this.#problems.push({ file, key: setting, message, severity: "warning" });
  }

  /** Why `apiKey` in models.yml, or of an extension, gives no key; undefined if it gives one, or says nothing. */
  async whyNoKey(provider: string): Promise<string | undefined> {
    const text = this.registry.config.providers.get(provider)?.apiKey;
    const resolved = text === undefined ? undefined : await this.#secrets?.resolve(text);
    return resolved && resolved.value === undefined ? resolved.warning : undefined;
  }

  /** Where a provider's key and address are set, as part of a sentence. */
  configuredIn(provider: string): string {
    const extension = this.registry.config.broughtBy.get(provider);
    return extension === undefined ? "in models.yml" : `in the extension ${extension}`;
  }

  /** What `env:NAME` or `cmd:…` in the user's files stands for; undefined if there is nothing. */
  async secret(text: string): Promise<string | undefined> {
    return (await this.#secrets?.resolve(text))?.value;
  }

  isAvailable(model: Model): boolean {
    return model.wire === "in-process" || this.credentials.has(model.provider);
  }

  /**
   * Whether it can be tried if somebody names it, or picks it from a list. The files of a cloud's
   * own tools are enough for that, but they do not make the cloud anybody's choice.
   */
  isAvailableByName(model: Model): boolean {
    return this.isAvailable(model) || this.credentialFile(model.provider) !== undefined;
  }

  /** A wire that finds its credentials on this machine. */
  findsOwnCredentials(provider: string): boolean {
    const row = this.registry.row(provider);
    if (row && hasAmbientCredentials(row, this.env)) return true;
    return this.credentialFile(provider) !== undefined;
  }

  /** The file in which the wire looks for credentials, if there is one. */
  credentialFile(provider: string): string | undefined {
    const row = this.registry.row(provider);
    return row && ambientFilesOf(row, this.env).find((path) => existsSync(path));
  }

  /** A profile or a flag sets roles for this run; what it leaves out stays. */
  setRoles(roles: Readonly<Record<string, string>>): void {
    this.settings = { ...this.settings, roles: { ...this.settings.roles, ...roles } };
  }

  /** Whose key `--api-key` is becomes known with the model. */
  claimFlag(provider: string): void {
    if (this.#flag) this.#flag.provider ||= provider;
  }
}

export async function openModelAccess(options: AccessOptions): Promise<ModelAccess> {
  const { env, cwd } = options;
  const directory = agentDirectory(env);
  const { config, settings, problems, sources } = options.isolated
    ? withoutFiles(options.isolated)
    : await readFiles(directory, options);
  if (options.providers && options.providers.size > 0) {
    const { addProviders } = await import("./brought-providers.ts");
    problems.push(...(await addProviders(config, options.providers)));
  }
  const disabled = new Set(scopedValues(settings.disabledProviders, { cwd, env }));
  const discovered = await cachedModels(directory, env);
  const registry = new ModelRegistry({
    env,
    config,
    disabled,
    chosen: settings.providers,
    discovered,
  });
  const store = await openStore(env);
  const secrets = config.providers.size === 0 ? undefined : await secretResolver(env);
  const flag = options.apiKey === undefined ? undefined : { provider: "", key: options.apiKey };
  const credentials = new Credentials({
    env,
    row: (provider) => registry.row(provider),
    store: () => store,
    login: async (id) => (await import("@tau/ai/oauth/logins")).loadLogin(id),
    oauth: { fetch, env, now: Date.now },
    flag,
    configured: async (provider) => {
      const text = config.providers.get(provider)?.apiKey;
      return text === undefined ? undefined : (await secrets?.resolve(text))?.value;
    },
    hasConfigured: (provider) => config.providers.get(provider)?.apiKey !== undefined,
  });
  const access = new ModelAccess({
    env,
    cwd,
    registry,
    credentials,
    settings,
    problems,
    sources,
    secrets,
    flag,
  });
  await noteUnknownProviders(access, disabled);
  return access;
}

async function noteUnknownProviders(
  access: ModelAccess,
  disabled: ReadonlySet<string>,
): Promise<void> {
  const unknown = [...disabled].filter((name) => !access.registry.isDisabled(name));
  if (unknown.length === 0) return;
  const { unknownProvider } = await import("./misspelt-names.ts");
  const known = access.registry.rows().map((row) => row.id);
  for (const name of unknown) {
    access.noteUnknownName("disabledProviders", unknownProvider(name, known));
  }
}

interface FoundFiles {
  config: ModelsConfig;
  settings: ModelSettings;
  problems: ConfigProblem[];
  sources?: ListSources;
}

function withoutFiles(settings: Partial<ModelSettings>): FoundFiles {
  return {
    config: emptyModelsConfig(),
    settings: { ...DEFAULT_MODEL_SETTINGS, ...settings },
    problems: [],
  };
}

async function readFiles(directory: string, options: AccessOptions): Promise<FoundFiles> {
  const modelsFile = join(directory, "models.yml");
  const opened = options.settings ?? new Settings();
  let config = emptyModelsConfig();
  let settings = DEFAULT_MODEL_SETTINGS;
  let sources: ListSources = {};
  const problems: ConfigProblem[] = [...(options.problems ?? [])];
  if (existsSync(modelsFile)) {
    const [{ parseModelsYml }, { findProvider }] = await Promise.all([
      import("./models-yml.ts"),
      import("@tau/ai/providers"),
    ]);
    const text = await Bun.file(modelsFile).text();
    config = await parseModelsYml(text, modelsFile, (id) => findProvider(id) !== undefined);
    problems.push(...config.problems);
    problems.push(...(await oldSpellings(config, { text, file: modelsFile, env: options.env })));
  }
  if (opened.layers.length > 0) {
    const { modelSettingsFrom, sourceOf } = await import("./model-setting-rows.ts");
    settings = modelSettingsFrom(opened);
    sources = {
      enabledModels: sourceOf("enabledModels", opened),
      disabledProviders: sourceOf("disabledProviders", opened),
    };
  }
  const { modelRoles } = config.bindings;
  if (modelRoles) settings = { ...settings, roles: { ...modelRoles, ...settings.roles } };
  return { config, settings, problems, sources };
}

/** Keys that are written as older files have them: they work, and are told once a start. */
async function oldSpellings(
  config: ModelsConfig,
  { text, file, env }: { text: string; file: string; env: Environment },
): Promise<ConfigProblem[]> {
  const [{ oldSpelling }, { lineOf }] = await Promise.all([
    import("./secret-value.ts"),
    import("../config/yaml-position.ts"),
  ]);
  const found: ConfigProblem[] = [];
  for (const [id, { apiKey }] of config.providers) {
    const message = apiKey === undefined ? undefined : oldSpelling(apiKey, env);
    if (message === undefined) continue;
    const path = ["providers", id, "apiKey"];
    const line = await lineOf(text, path);
    found.push({ file, line, key: path.join("."), message, severity: "warning" });
  }
  return found;
}

/** From the cache alone: starting asks no network. */
async function cachedModels(
  directory: string,
  env: Environment,
): Promise<((row: ProviderRow) => readonly Model[]) | undefined> {
  if (!existsSync(join(directory, "models.db"))) return undefined;
  const [{ DiscoveryCache }, { modelFromDiscovery }] = await Promise.all([
    import("./discovery-cache.ts"),
    import("@tau/ai/discovery/discovered-model"),
  ]);
  let cache: InstanceType<typeof DiscoveryCache> | undefined;
  return (row) => {
    cache ??= new DiscoveryCache(directory);
    const found = cache.get(row.id)?.models ?? [];
    return found.map((model) => modelFromDiscovery(row, model, env));
  };
}

async function secretResolver(env: Environment): Promise<SecretResolver> {
  const [{ SecretResolver }, { runCommand }] = await Promise.all([
    import("./secret-value.ts"),
    import("@tau/host/run-command"),
  ]);
  return new SecretResolver({
    env,
    run: async (command, timeoutMs) => {
      const { output, exitCode, end } = await runCommand(command, {
        cwd: "/",
        env,
        timeoutMs,
        maxOutputBytes: 64 * 1024,
      });
      if (end === "timeout") throw new Error(`no answer within ${timeoutMs / 1000} s`);
      if (exitCode !== 0) throw new Error(`exit code ${exitCode}`);
      return output;
    },
  });
}
