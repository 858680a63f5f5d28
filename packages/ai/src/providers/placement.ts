// How one model of a provider is reached: the row, its exceptions and the environment in
// one answer. The same for models of the catalog, discovered ones and unknown ones.

import type { Environment } from "../environment.ts";
import type { AuthStyle, Model } from "../model.ts";
import {
  keyFromEnvironment,
  rowIn,
  type ModelException,
  type ProviderRow,
} from "../provider-row.ts";
import { customHeaders } from "./custom-headers.ts";
import { endpointOf, fillIn } from "./endpoint.ts";
import { mergeQuirks } from "./quirk-merge.ts";

export type Placement = Pick<
  Model,
  "provider" | "wire" | "wireModelId" | "baseUrl" | "auth" | "headers" | "quirks" | "failureCodes"
>;

/** The base URL is empty where the environment does not say where the provider is. */
export function placementOf(row: ProviderRow, id: string, env: Environment): Placement {
  const current = rowIn(row, env);
  const exception = exceptionFor(current, id);
  const endpoint = endpointOf(current, env);
  const own = fillIn(current.baseUrl, env);
  // A moved endpoint speaks for everything behind it.
  const moved = endpoint !== undefined && endpoint !== own && !current.baseUrlWhen;
  const baseUrl = moved || !exception?.baseUrl ? endpoint : fillIn(exception.baseUrl, env);
  const login = usesLoginToken(current, env) ? current.loginAuth : undefined;
  const headers = { ...current.headers, ...customHeaders(current, baseUrl, env) };
  const quirks = mergeQuirks(
    current.quirks,
    moved ? undefined : current.ownAddressQuirks,
    login?.quirks,
    exception?.quirks,
  );
  const wireModelId = wireNameOf(current, id);
  const auth: AuthStyle = login?.auth ?? exception?.auth ?? current.auth;
  return {
    provider: row.id,
    wire: exception?.wire ?? current.wire,
    baseUrl: baseUrl ?? "",
    auth,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
    quirks,
    failureCodes: current.failureCodes,
    wireModelId,
  };
}

export function exceptionFor(row: ProviderRow, id: string): ModelException | undefined {
  return row.exceptions?.find(({ models }) => models.test(id));
}

function usesLoginToken(row: ProviderRow, env: Environment): boolean {
  if (!row.loginEnv || !row.loginAuth) return false;
  const found = keyFromEnvironment(row, env);
  return found !== undefined && row.loginEnv.includes(found.variable);
}

function wireNameOf(row: ProviderRow, id: string): string | undefined {
  const rule = row.wireNames?.find(({ models }) => models.test(id));
  return rule && id.replace(rule.models, rule.name);
}
