// Google's Cloud Code Assist works inside a cloud project: the one a user names, the one
// the account has, or one that Google makes when the account is signed up.

import { firstSet } from "../environment.ts";
import { asArray, asObject, asString, type Json } from "../wires/json.ts";
import { OAuthError, type OAuthContext } from "./oauth.ts";
import { plainWords } from "./plain-words.ts";
import { failureOf, requestVendor } from "./vendor-request.ts";
import { wait } from "./wait.ts";

const PROJECT_VARIABLES = ["GOOGLE_CLOUD_PROJECT_ID", "GOOGLE_CLOUD_PROJECT"];
const FREE_TIER = "free-tier";
const LEGACY_TIER = "legacy-tier";
const CLIENT = {
  ideType: "IDE_UNSPECIFIED",
  platform: "PLATFORM_UNSPECIFIED",
  pluginType: "GEMINI",
};
/** Signing up takes seconds to a minute. */
const POLL_MS = 5000;
const MAX_POLLS = 24;

/** `base` is the service's address without the method. */
export async function findCloudProject(
  base: string,
  access: string,
  context: OAuthContext,
): Promise<string> {
  const named = firstSet(PROJECT_VARIABLES, context.env);
  const call = caller(access, context);
  const state = await call(`${base}:loadCodeAssist`, {
    cloudaicompanionProject: named,
    metadata: { ...CLIENT, duetProject: named },
  });
  if (state.currentTier) {
    const project = asString(state.cloudaicompanionProject) ?? named;
    if (project) return project;
    throw noProject(state);
  }
  const tier = asArray(state.allowedTiers)
    .map(asObject)
    .find((each) => each?.isDefault);
  const tierId = asString(tier?.id) ?? LEGACY_TIER;
  // The free tier makes its own project and refuses a named one.
  const chosen = tierId === FREE_TIER ? undefined : named;
  const started = await call(`${base}:onboardUser`, {
    tierId,
    cloudaicompanionProject: chosen,
    metadata: { ...CLIENT, duetProject: chosen },
  });
  const operation = await finish(started, (name) => call(`${base}/${name}`), context);
  const made = asObject(asObject(operation.response)?.cloudaicompanionProject);
  const project = asString(made?.id) ?? named;
  if (project) return project;
  throw noProject(state);
}

async function finish(
  started: Json,
  look: (name: string) => Promise<Json>,
  context: OAuthContext,
): Promise<Json> {
  const name = asString(started.name);
  if (!name) return started;
  let operation = started;
  for (let polls = 0; !operation.done && polls < MAX_POLLS; polls++) {
    await wait(POLL_MS, context);
    operation = await look(name);
  }
  return operation;
}

function caller(
  access: string,
  context: OAuthContext,
): (url: string, body?: Json) => Promise<Json> {
  return async (url, body) => {
    const headers = { authorization: `Bearer ${access}` };
    const reply = await requestVendor(
      url,
      body ? { method: "POST", headers, json: body } : { method: "GET", headers },
      context,
    );
    if (!reply.ok || !reply.body) {
      throw failureOf("Google Code Assist refused the account", reply, [access]);
    }
    return reply.body;
  };
}

function noProject(state: Json): OAuthError {
  const why = asArray(state.ineligibleTiers)
    .map((tier) => asString(asObject(tier)?.reasonMessage))
    .find(Boolean);
  const reason = why ? `${plainWords(why).replace(/\.$/, "")}; ` : "";
  return new OAuthError(
    `${reason}this account needs a cloud project: set ${PROJECT_VARIABLES[0]} to its id`,
    { code: "no_project", definitive: true },
  );
}
