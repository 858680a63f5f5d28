// The model of a session, ready to be called: the one that was resolved, those to fall back
// to, and the line that moves between them.

import { deferredReply } from "@tau/ai/deferred-reply";
import { KeptConnections } from "@tau/ai/kept-connections";
import type { Model, ModelCost, ThinkingLevel } from "@tau/ai/model";
import { COMMAND } from "../brand.ts";
import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";
import type { BroughtProvider } from "./brought-providers.ts";
import { selectorOf } from "./equivalence.ts";
import { openModelAccess, type AccessOptions, type ModelAccess } from "./model-access.ts";
import { ModelLine, type LineOptions } from "./model-line.ts";
import { serviceTierFor } from "./model-settings.ts";
import type { ModelTarget, TargetCaller, TargetChain } from "./model-target.ts";
import { DEMO_SELECTOR, resolveModel } from "./resolve-model.ts";
import { roleOf } from "./roles.ts";

export interface ModelWish extends AccessOptions {
  selector?: string;
  thinking?: ThinkingLevel;
  /** `--profile`: roles for this run. */
  profile?: string;
  /** `--smol` and its like: models by role, for this run. */
  roles?: Readonly<Record<string, string>>;
  /** `--models`: patterns to choose from, where no model is named. */
  scope?: readonly string[];
  sessionId: string;
  redactor?: LineOptions["redactor"];
}

/** How a session comes by other models than the one it began with. */
export interface SessionModels {
  /** The model that a selector names and those to fall back to; a `UserError` where it cannot be. */
  resolve(selector: string, thinking?: ThinkingLevel): Promise<TargetChain>;
  /** Whether somebody has said which model a role is (`tau/smol`); undefined for what is not a role. */
  hasRole(selector: string): boolean | undefined;
  /** All that are known here, and whether there is a way to call them. */
  list(): Promise<readonly ListedModel[]>;
  /** From now on this one is there too; what could not be taken of it, in words. */
  bring(id: string, provider: BroughtProvider): Promise<readonly string[]>;
  /** By the list; undefined for a provider that is not known here. */
  priceOf(provider: string, model: string): Promise<ModelCost | undefined>;
}

export interface ListedModel {
  readonly model: Model;
  readonly isAvailable: boolean;
}

export interface ChosenModel {
  line: ModelLine;
  models: SessionModels;
  /** What is wrong in the user's files; shown, never fatal. */
  access: ModelAccess;
}

export async function chooseModel(wish: ModelWish): Promise<ChosenModel> {
  if (wish.apiKey !== undefined && wish.selector === undefined && !wish.env.TAU_MODEL) {
    throw new UserError(
      "--api-key needs --model, to know which provider the key is for",
      EXIT.usage,
    );
  }
  const access = await openModelAccess(wish);
  if (wish.profile !== undefined) {
    const { findProfile } = await import("./profiles.ts");
    access.setRoles(findProfile(access, wish.profile).roles);
  }
  if (wish.roles) {
    access.setRoles(wish.roles);
    // A name that nobody knows is told now, not when the role is first needed.
    for (const selector of Object.values(wish.roles)) await resolveModel(access, selector);
  }
  const selector =
    wish.selector ?? (await scoped(access, wish)) ?? (wish.env.TAU_MODEL || undefined);
  const chain = await resolveChain(access, selector, wish.thinking);
  const { retry } = access.settings;
  const connections = new KeptConnections();
  const line = new ModelLine({
    chain,
    call: await createCaller(access, chain[0].model, connections),
    hangUp: () => connections.close(),
    credentials: access.credentials,
    settings: retry,
    revert: retry.fallbackRevertPolicy,
    sessionId: wish.sessionId,
    redactor: wish.redactor,
    larger: (model) => largerSibling(access, model, wish.thinking),
    forRoles: (roles) => firstOfRoles(access, roles),
    forModel: (words) => resolveChain(access, words, undefined),
  });
  return {
    line,
    access,
    models: {
      resolve: (words, thinking) => resolveChain(access, words, thinking),
      hasRole: (words) => {
        const role = roleOf(words, access.settings.roles);
        return role === undefined ? undefined : access.settings.roles[role] !== undefined;
      },
      list: () => listModels(access),
      bring: (id, provider) => bringProvider(access, id, provider),
      priceOf: async (provider, model) => (await access.registry.exact(provider, model))?.cost,
    },
  };
}

async function bringProvider(
  { registry }: ModelAccess,
  id: string,
  provider: BroughtProvider,
): Promise<readonly string[]> {
  const { addProviders } = await import("./brought-providers.ts");
  const problems = await addProviders(registry.config, new Map([[id, provider]]));
  registry.refresh(id);
  return problems.map(({ message }) => message);
}

/** Whether one can be called is its provider's to say, and asked once for all that it has. */
async function listModels(access: ModelAccess): Promise<readonly ListedModel[]> {
  const listed: ListedModel[] = [];
  for (const { id } of access.registry.rows()) {
    const models = await access.registry.models(id);
    const isAvailable = models.length > 0 && access.isAvailable(models[0]!);
    for (const model of models) listed.push({ model, isAvailable });
  }
  return listed;
}

async function resolveChain(
  access: ModelAccess,
  selector: string | undefined,
  thinking: ThinkingLevel | undefined,
): Promise<TargetChain> {
  const resolved = await resolveModel(access, selector);
  access.claimFlag(resolved.model.provider);
  requireCredential(access, resolved.model);
  const first = targetOf(access, resolved.model, thinking ?? resolved.thinking);
  return [first, ...(await fallbacks(access, first, selector, thinking))];
}

/** A role that cannot be called is passed over: whoever asks beside has the conversation's. */
async function firstOfRoles(
  access: ModelAccess,
  roles: readonly string[],
): Promise<TargetChain | undefined> {
  for (const role of roles) {
    if (access.settings.roles[role] === undefined) continue;
    try {
      const { model, thinking } = await resolveModel(access, `${COMMAND}/${role}`);
      if (!access.isAvailableByName(model)) continue;
      const first = targetOf(access, model, thinking);
      return [first, ...(await fallbacks(access, first, role, thinking))];
    } catch (error) {
      // The settings name what is not there: `tau models explain` says so.
      if (!(error instanceof UserError)) throw error;
    }
  }
  return undefined;
}

/** The first available model of `--models`, or of the settings' list. */
async function scoped(access: ModelAccess, wish: ModelWish): Promise<string | undefined> {
  if (!wish.scope) return undefined;
  const [{ expandPattern }, { modelPool }] = await Promise.all([
    import("./selector.ts"),
    import("./resolve-model.ts"),
  ]);
  const pool = await modelPool(access);
  const found = wish.scope.flatMap((pattern) => expandPattern(pattern, pool));
  const first = found.find((model) => access.isAvailable(model)) ?? found[0];
  if (first) return selectorOf(first);
  throw new UserError(`no model matches --models ${wish.scope.join(",")}`, EXIT.usage);
}

function targetOf(
  access: ModelAccess,
  model: Model,
  wanted: ThinkingLevel | undefined,
): ModelTarget {
  const target: ModelTarget = { model };
  const tier = serviceTierFor(access.settings.serviceTier, model);
  if (tier !== undefined) target.serviceTier = tier;
  const thinking = wanted ?? model.defaultThinking ?? access.settings.defaultThinking;
  if (model.thinking && thinking !== "auto") target.thinking = thinking;
  return target;
}

/** Before anything is asked: a key that is missing is the user's to give. */
function requireCredential(access: ModelAccess, model: Model): void {
  if (access.isAvailableByName(model)) {
    if (model.wire !== "in-process" && !URL.canParse(model.baseUrl)) throw badUrl(access, model);
    return;
  }
  const row = access.registry.row(model.provider);
  const [variable] = row?.keyEnv ?? [];
  const ways = [variable && `set ${variable}`, row?.login && `run ${COMMAND} login ${row.id}`];
  const way = ways.filter(Boolean).join(", or ") || noKeyYet(access, model.provider);
  throw new UserError(
    `no API key for ${row?.name ?? model.provider}: ${way}, or try --model ${DEMO_SELECTOR}, which works offline`,
    EXIT.noCredentials,
  );
}

function noKeyYet({ registry }: ModelAccess, provider: string): string {
  const extension = registry.config.broughtBy.get(provider);
  if (extension === undefined) return "add an apiKey in models.yml";
  return `the extension ${extension} brings it without one; give one with --api-key`;
}

function badUrl(access: ModelAccess, model: Model): UserError {
  const variables = access.registry.row(model.provider)?.baseUrlEnv ?? [];
  const set = variables.filter((name) => access.env[name]);
  const what =
    (set.length > 0 ? set : variables).join(" or ") ||
    `the base URL ${access.configuredIn(model.provider)}`;
  return new UserError(`"${model.baseUrl}" is not a URL; correct ${what}`, EXIT.usage);
}

/** The sibling that a model names for when it is full, where it is known and connected. */
async function largerSibling(
  access: ModelAccess,
  model: Model,
  wanted: ThinkingLevel | undefined,
): Promise<ModelTarget | undefined> {
  const target = model.promotionTarget;
  if (target === undefined) return undefined;
  const slash = target.indexOf("/");
  const named = slash > 0 && access.registry.row(target.slice(0, slash));
  const found = named
    ? await access.registry.exact(named.id, target.slice(slash + 1))
    : await access.registry.exact(model.provider, target);
  const { choosePromotion } = await import("./promotion.ts");
  const larger = choosePromotion({
    model,
    candidates: found ? [found] : [],
    hasCredential: (candidate) => access.isAvailable(candidate),
    // The vendor said that it does not fit; how much it is, it did not say.
    contextTokens: model.contextWindow,
  });
  return larger && targetOf(access, larger, wanted);
}

/** A chain belongs to a role, to a selector, or to everything (`*`). */
async function fallbacks(
  access: ModelAccess,
  first: ModelTarget,
  selector: string | undefined,
  wanted: ThinkingLevel | undefined,
): Promise<ModelTarget[]> {
  const { modelFallback, fallbackChains } = access.settings.retry;
  if (!modelFallback) return [];
  const keys = [selectorOf(first.model), selector ?? "default", "*"];
  const chain = keys.map((key) => fallbackChains[key]).find((list) => list !== undefined) ?? [];
  const targets: ModelTarget[] = [];
  for (const entry of chain) {
    const { model, thinking } = await resolveModel(access, entry);
    const isNew = ![first, ...targets].some(
      (known) => selectorOf(known.model) === selectorOf(model),
    );
    if (isNew && access.isAvailableByName(model))
      targets.push(targetOf(access, model, wanted ?? thinking));
  }
  return targets;
}

/** What the first model needs is at hand when this resolves; anything else is loaded when called. */
async function createCaller(
  access: ModelAccess,
  first: Model,
  connections: KeptConnections,
): Promise<TargetCaller> {
  const network = once(() => networkCaller(access, first, connections));
  const load = { demo: once(demoCaller), network };
  const kindOf = ({ wire }: Model) => (wire === "in-process" ? "demo" : "network");
  const ready = { kind: kindOf(first), call: await load[kindOf(first)]() };
  return (request, options) => {
    const kind = kindOf(request.model);
    if (kind === ready.kind) return ready.call(request, options);
    return deferredReply(async () => (await load[kind]())(request, options));
  };
}

async function demoCaller(): Promise<TargetCaller> {
  const { callDemoModel } = await import("../demo/demo-model.ts");
  return (request, { signal }) => callDemoModel(request, { signal });
}

async function networkCaller(
  access: ModelAccess,
  first: Model,
  connections: KeptConnections,
): Promise<TargetCaller> {
  const { createModelCall } = await import("./model-call.ts");
  return createModelCall(access, first, connections);
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
