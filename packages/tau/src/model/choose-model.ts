// Which model a run talks to: the one asked for, else the first provider with a key in
// the environment, else the built-in demo. Looking costs no network.

import type { ModelCaller } from "@tau/agent/loop";
import type { Model } from "@tau/ai/model";
import type { Environment } from "@tau/ai/environment";
import type { ProviderRow } from "@tau/ai/provider-row";
import { keyOf, modelOf, PROVIDERS } from "@tau/ai/providers";
import { suggest } from "../cli/suggest.ts";
import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";

export const DEMO_SELECTOR = "tau/demo";

export interface ChosenModel {
  model: Model;
  call: ModelCaller;
}

export interface ModelWish {
  /** `provider/id`, or a provider for its default model. */
  selector?: string;
  apiKey?: string;
  env: Environment;
}

export async function chooseModel(wish: ModelWish): Promise<ChosenModel> {
  const selector = wish.selector ?? defaultSelector(wish);
  if (selector === DEMO_SELECTOR) return demo();
  const { row, id } = resolve(selector);
  const credential = wish.apiKey ?? keyOf(row, wish.env);
  if (credential === undefined && !row.keyless) {
    throw new UserError(
      `no key for ${row.name}: set ${row.keyEnv[0]}, or try --model ${DEMO_SELECTOR}, which works offline`,
      EXIT.noCredentials,
    );
  }
  const model = modelOf(row, id, wish.env);
  if (!URL.canParse(model.baseUrl)) {
    throw new UserError(
      `"${model.baseUrl}" is no URL; correct ${row.baseUrlEnv?.join(" or ") ?? "the base URL"}`,
      EXIT.usage,
    );
  }
  const { callModel } = await import("@tau/ai/call");
  return {
    model,
    call: (request, { signal }) =>
      callModel(request, credential === undefined ? { signal } : { signal, credential }),
  };
}

async function demo(): Promise<ChosenModel> {
  const { callDemoModel, demoModel } = await import("../demo/demo-model.ts");
  return { model: demoModel, call: callDemoModel };
}

function defaultSelector({ env, apiKey }: ModelWish): string {
  if (env.TAU_MODEL) return env.TAU_MODEL;
  const row = PROVIDERS.find((candidate) => candidate.defaultModel && keyOf(candidate, env));
  if (row) return `${row.id}/${row.defaultModel}`;
  if (apiKey !== undefined) {
    throw new UserError("--api-key needs --model, to know whose key it is", EXIT.usage);
  }
  return DEMO_SELECTOR;
}

function resolve(selector: string): { row: ProviderRow; id: string } {
  // Model ids contain slashes and colons; only the first slash separates.
  const slash = selector.indexOf("/");
  const provider = slash < 0 ? selector : selector.slice(0, slash);
  const row = PROVIDERS.find((candidate) => candidate.id === provider);
  if (!row) {
    const ids = ["tau", ...PROVIDERS.map((candidate) => candidate.id)];
    const near = suggest(provider, ids);
    const hint = near ? `did you mean "${near}"?` : `the providers are ${ids.join(", ")}`;
    throw new UserError(`unknown provider "${provider}" in --model; ${hint}`, EXIT.usage);
  }
  const id = slash < 0 ? row.defaultModel : selector.slice(slash + 1);
  if (!id) throw new UserError(`name a model: --model ${provider}/<id>`, EXIT.usage);
  return { row, id };
}
