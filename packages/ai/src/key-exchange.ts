// Providers whose key is not sent to the model's host but exchanged for a short-lived token
// first. The exchange is named in the provider's row.

import type { Credential } from "./credential.ts";
import { firstSet, type Environment } from "./environment.ts";
import { kindOfStatus, ModelError, modelFailure } from "./error.ts";
import { networkReason } from "./network-reason.ts";
import { asObject, asString } from "./wires/json.ts";

export interface ExchangeContext {
  env: Environment;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  signal?: AbortSignal;
  now: () => number;
}

const TIMEOUT_MS = 15_000;
/** GitLab's tokens live for an hour; renewed well before. */
const GITLAB_TOKEN_MS = 25 * 60_000;

export type KeyExchange = (credential: Credential, context: ExchangeContext) => Promise<Credential>;

export const KEY_EXCHANGES: Readonly<Record<string, KeyExchange>> = {
  "gitlab-duo": async (credential, context) => {
    const host =
      firstSet(["GITLAB_INSTANCE_URL", "GITLAB_URL"], context.env) ?? "https://gitlab.com";
    const url = `${host.replace(/\/+$/, "")}/api/v4/ai/third_party_agents/direct_access`;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await reach(context, url, {
      method: "POST",
      headers: { authorization: `Bearer ${credential.token}`, "content-type": "application/json" },
      body: JSON.stringify({ feature_flags: { DuoAgentPlatformNext: true } }),
      signal: context.signal ? AbortSignal.any([context.signal, timeout]) : timeout,
      redirect: "error",
    });
    if (!response.ok) {
      const message = `GitLab did not grant access to Duo (HTTP ${response.status}).`;
      throw new ModelError(
        modelFailure(kindOfStatus(response.status), message, { status: response.status }),
      );
    }
    const body = asObject(await response.json()) ?? {};
    const token = asString(body.token);
    if (!token)
      throw new ModelError(modelFailure("protocol", "GitLab's answer contains no token."));
    const headers = Object.entries(asObject(body.headers) ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      String(value),
    ]);
    return {
      ...credential,
      token,
      headers: { ...credential.headers, ...Object.fromEntries(headers) },
      expiresAt: context.now() + GITLAB_TOKEN_MS,
    };
  },
};

/** Throws `ModelError` where nobody answers: it may pass, and another key may do. */
async function reach(context: ExchangeContext, url: string, init: RequestInit): Promise<Response> {
  try {
    return await context.fetch(url, init);
  } catch (error) {
    context.signal?.throwIfAborted();
    const message = `Cannot reach ${new URL(url).host}: ${networkReason(error)}`;
    throw new ModelError(modelFailure("network", message), { cause: error });
  }
}
