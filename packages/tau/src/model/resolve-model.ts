// From what the user asked for (or did not) to the model that a run talks to, and why.

import { FREE, THINKING_LEVELS, type Model, type ThinkingLevel } from "@tau/ai/model";
import { keyFromEnvironment } from "@tau/ai/provider-row";
import { describeProblem } from "../base/config-problem.ts";
import { suggest } from "../base/suggest.ts";
import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";
import { Equivalence, MAKERS, selectorOf } from "./equivalence.ts";
import type { ModelAccess } from "./model-access.ts";
import { ModelNotFound } from "./model-not-found.ts";
import { isRoleName, resolveRole, roleOf, ROLES } from "./roles.ts";
import { scopedValues } from "./scope.ts";
import {
  byPreference,
  expandPattern,
  findModel,
  splitLevel,
  type ModelMatch,
  type ModelPool,
} from "./selector.ts";

export const DEMO_SELECTOR = "tau/demo";

export interface ResolvedModel {
  model: Model;
  thinking?: ThinkingLevel;
  /** How it was arrived at, step by step, for `tau models explain`. */
  because: readonly string[];
  /** What else the words could have meant. */
  others: readonly Model[];
}

export async function resolveModel(
  access: ModelAccess,
  selector: string | undefined,
): Promise<ResolvedModel> {
  if (selector !== undefined) return resolveSelector(access, selector, [`asked for: ${selector}`]);
  const { roles } = access.settings;
  if (roles.default !== undefined) {
    return resolveSelector(access, "tau/default", ["no model named: the default role"]);
  }
  const { enabledModels } = access.settings;
  const enabled = enabledModels.length === 0 ? undefined : await modelPool(access);
  for (const row of access.registry.rows()) {
    if (row.defaultModel === undefined || row.keyless || !access.credentials.has(row.id)) continue;
    const where = keyFromEnvironment(row, access.env)?.variable ?? "a stored credential";
    const because = [`no model named: ${row.name} is connected (${where})`];
    const id = enabled ? enabledModelOf(row.id, row.defaultModel, enabled) : row.defaultModel;
    if (id === undefined) continue;
    if (id !== row.defaultModel) because.push("the first of enabledModels");
    return { ...(await exact(access, row.id, id))!, because, others: [] };
  }
  return demo(["no model named, and no provider is connected"]);
}

/** The provider's default if the settings let it be chosen, else another of its models that they do. */
function enabledModelOf(provider: string, id: string, pool: ModelPool): string | undefined {
  const own = pool.models.filter((model) => model.provider === provider);
  return own.some((model) => model.id === id) ? id : byPreference(own, pool)[0]?.id;
}

async function resolveSelector(
  access: ModelAccess,
  selector: string,
  because: string[],
): Promise<ResolvedModel> {
  if (splitLevel(selector).name === DEMO_SELECTOR) return demo(because);
  const role = roleOf(selector, access.settings.roles);
  if (role !== undefined) return resolveThroughRole(access, selector, role, because);

  const { name, thinking } = splitLevel(selector);
  const slash = name.indexOf("/");
  const provider = slash < 0 ? name : name.slice(0, slash);
  if (slash > 0 && access.registry.row(provider) && !isPattern(name)) {
    return resolveExact(access, provider, selector.slice(slash + 1), because);
  }
  if (slash < 0 && access.registry.isDisabled(provider)) throw disabled(access, provider);
  if (slash < 0 && access.registry.row(provider)) {
    const id = access.registry.row(provider)!.defaultModel;
    if (!id) throw new UserError(`name a model: --model ${provider}/<id>`, EXIT.usage);
    const found = await exact(access, provider, id);
    const why = [...because, `${provider}'s default model`];
    return { ...withLevel(found!, thinking), because: why, others: [] };
  }
  const pool = await modelPool(access);
  const match = isPattern(name) ? firstOfPattern(name, thinking, pool) : findModel(selector, pool);
  // A gateway may have a model of that name; a provider that is disabled is meant if none can be used.
  const isUsable = match !== undefined && access.isAvailableByName(match.model);
  if (!isUsable && access.registry.isDisabled(provider)) throw disabled(access, provider);
  if (!match) throw unknown(access, name, provider);
  return {
    ...withLevel({ model: match.model }, match.thinking),
    because: [...because, describeMatch(match)],
    others: match.others,
  };
}

async function resolveThroughRole(
  access: ModelAccess,
  selector: string,
  role: string,
  because: string[],
): Promise<ResolvedModel> {
  const result = resolveRole(role, access.settings.roles);
  if (result.kind === "cycle") {
    const path = result.roles.join(" → ");
    throw new UserError(`the model roles form a loop: ${path}; change modelRoles`, EXIT.usage);
  }
  if (result.kind === "unset") {
    const base = role === "default" ? await resolveModel(access, undefined) : undefined;
    if (base) return base;
    return resolveSelector(access, "tau/default", [
      ...because,
      `the role ${result.role} is not set`,
    ]);
  }
  const why = [...because, `the role ${role} is ${result.selector}`];
  const resolved = await resolveSelector(access, result.selector, why);
  const thinking = splitLevel(selector).thinking ?? result.thinking;
  return thinking === undefined ? resolved : { ...resolved, thinking };
}

/** The whole rest may be an id that ends like a level (`odd:high`); known ids tell. */
async function resolveExact(
  access: ModelAccess,
  provider: string,
  rest: string,
  because: string[],
): Promise<ResolvedModel> {
  const { name: id, thinking } = splitLevel(rest);
  if (id === "") throw new UserError(`name a model: --model ${provider}/<id>`, EXIT.usage);
  const known = await access.registry.models(provider);
  const whole = thinking !== undefined && known.some((model) => model.id === rest);
  const wanted = whole ? rest : knownSpelling(id.trim(), known);
  const isKnown = known.some((model) => model.id === wanted);
  const slip = isKnown ? undefined : misspeltLevel(wanted);
  if (slip && known.some((model) => model.id === knownSpelling(slip.name, known))) {
    const message = `"${slip.word}" is not a thinking level`;
    const hint = `did you mean ${provider}/${slip.name}:${slip.near}?`;
    throw new ModelNotFound(`${message}; ${hint}`, message);
  }
  const found = (await exact(access, provider, wanted))!;
  const how = isKnown ? "an exact name" : "an exact name that the catalog does not have";
  const why = [...because, how];
  return { ...withLevel(found, whole ? undefined : thinking), because: why, others: [] };
}

/** `claude-opus-4.5` for `claude-opus-4-5`, `GPT-5.4` for `gpt-5.4`: what differs in form only. */
function knownSpelling(id: string, known: readonly Model[]): string {
  const form = (name: string): string => name.toLowerCase().replace(/(\d)\.(\d)/g, "$1-$2");
  if (known.some((model) => model.id === id)) return id;
  return known.find((model) => form(model.id) === form(id))?.id ?? id;
}

async function exact(
  access: ModelAccess,
  provider: string,
  id: string,
): Promise<{ model: Model } | undefined> {
  const model = await access.registry.exact(provider, id);
  return model && { model };
}

/** Every model that there is; without those that `enabledModels` leaves out unless all are wanted. */
export async function modelPool(
  access: ModelAccess,
  { all = false }: { all?: boolean } = {},
): Promise<ModelPool> {
  const { registry, settings, cwd, env } = access;
  const [models, ...official] = await Promise.all([
    registry.all(),
    ...MAKERS.map((maker) => registry.catalogIds(maker)),
  ]);
  const pool: ModelPool = {
    models,
    equivalence: new Equivalence(official.flat(), registry.config.equivalence),
    isAvailable: (model) => access.isAvailable(model),
    providerOrder: settings.providerOrder,
  };
  const patterns = all ? [] : scopedValues(settings.enabledModels, { cwd, env });
  const enabled = new Set<Model>();
  for (const pattern of patterns) {
    const found = expandPattern(pattern, pool);
    for (const model of found) enabled.add(model);
    if (found.length > 0) continue;
    const { unmatchedPattern } = await import("./misspelt-names.ts");
    access.noteUnknownName("enabledModels", unmatchedPattern(pattern, pool));
  }
  // Patterns that match nothing must not leave nothing.
  return enabled.size === 0 ? pool : { ...pool, models: models.filter((one) => enabled.has(one)) };
}

function isPattern(name: string): boolean {
  return /[*?[]/.test(name);
}

/** The first that can be used, in the order of a family: newest first, then the shortest name. */
function firstOfPattern(
  name: string,
  thinking: ThinkingLevel | undefined,
  pool: ModelPool,
): ModelMatch | undefined {
  const [model, ...others] = byPreference(expandPattern(name, pool), pool);
  return model && { model, thinking, kind: "pattern", others };
}

function withLevel<T extends object>(
  found: T,
  thinking: ThinkingLevel | undefined,
): T & { thinking?: ThinkingLevel } {
  return thinking === undefined ? found : { ...found, thinking };
}

function describeMatch(match: ModelMatch): string {
  const name = selectorOf(match.model);
  if (match.kind === "canonical") return `a canonical name; ${name} is the first available`;
  if (match.kind === "pattern") return `a pattern; ${name} is the first that it matches`;
  return match.kind === "id" ? `an id of ${name}` : `part of the name of ${name}`;
}

function disabled(access: ModelAccess, provider: string): ModelNotFound {
  const reason = `the provider "${provider}" is disabled by ${access.placeOf("disabledProviders")}`;
  return new ModelNotFound(`${reason}; remove it there, or choose another model`, reason);
}

/** `opus:hihg`: a word after the last colon that is nearly a level, and none. */
function misspeltLevel(name: string): { name: string; word: string; near: string } | undefined {
  const colon = name.lastIndexOf(":");
  if (colon <= 0) return undefined;
  const word = name.slice(colon + 1);
  const near = suggest(word, THINKING_LEVELS);
  return near === undefined ? undefined : { name: name.slice(0, colon), word, near };
}

function unknown(access: ModelAccess, name: string, provider: string): UserError {
  const ids = ["tau", ...access.registry.rows().map((row) => row.id)];
  if (isRoleName(name)) {
    const roles = [...new Set([...ROLES, ...Object.keys(access.settings.roles)])];
    const near = suggest(name.slice(name.indexOf("/") + 1), roles);
    const hint = near ? `did you mean tau/${near}?` : `roles are ${roles.join(", ")}`;
    return new UserError(`there is no model role "${name}"; ${hint}`, EXIT.usage);
  }
  if (isPattern(name)) {
    return new UserError(`no model matches "${name}"; \`tau models\` lists all models`, EXIT.usage);
  }
  const mistake = access.problems.find(({ key }) => key?.split(".")[1] === provider);
  if (mistake) {
    return new UserError(
      `the provider "${provider}" is left out because of a mistake: ${describeProblem(mistake)}`,
      EXIT.usage,
    );
  }
  if (name.includes("/")) {
    const near = suggest(provider, ids);
    const hint = near ? `did you mean "${near}"?` : "`tau models` lists them";
    return new ModelNotFound(
      `unknown provider "${provider}" in --model; ${hint}`,
      `there is no provider "${provider}"`,
    );
  }
  const slip = misspeltLevel(name);
  const hint = slip ? `did you mean ${slip.name}:${slip.near}?` : "`tau models` lists all models";
  const reason = `no model is called "${name}"`;
  return new ModelNotFound(`${reason}; ${hint}`, reason);
}

function demo(because: string[]): ResolvedModel {
  return { model: DEMO_PLACEHOLDER, because, others: [] };
}

/** Enough to choose it by; its own module is loaded when it is called. */
const DEMO_PLACEHOLDER: Model = {
  provider: "tau",
  id: "demo",
  name: "Tau demo (offline)",
  wire: "in-process",
  baseUrl: "",
  auth: "none",
  contextWindow: 128_000,
  maxOutput: 8192,
  input: ["text"],
  cost: FREE,
};
