// What Azure's Responses want beyond OpenAI's: the version in the address, the key in its
// own header, and the deployment's name in the place of the model's.

import { ModelError, modelFailure } from "../../error.ts";
import { firstSet } from "../../environment.ts";
import type { Model } from "../../model.ts";
import type { AuthorizationContext, OutgoingRequest } from "../../wire.ts";
import type { Json } from "../json.ts";

export const API_VERSION_PARAMETER = "api-version";
const DEFAULT_API_VERSION = "v1";

export interface AzureQuirks {
  /** Wins over the environment. */
  azureApiVersion?: string;
  /** The credential is an Entra token, not a key; `auth: "bearer"` says the same. */
  entraToken?: boolean;
}

export async function authorize(
  request: OutgoingRequest,
  { model, credential, env }: AuthorizationContext,
): Promise<OutgoingRequest> {
  if (!URL.canParse(request.url)) {
    throw new ModelError(
      modelFailure(
        "invalid_request",
        "Azure OpenAI has no address: set AZURE_OPENAI_RESOURCE_NAME or AZURE_OPENAI_BASE_URL.",
      ),
    );
  }
  const quirks = (model.quirks ?? {}) as AzureQuirks;
  const url = new URL(request.url);
  const version =
    quirks.azureApiVersion ?? firstSet(["AZURE_OPENAI_API_VERSION"], env) ?? DEFAULT_API_VERSION;
  url.searchParams.set(API_VERSION_PARAMETER, version);
  const headers = { ...request.headers };
  if (credential && model.auth !== "none") {
    const isToken = quirks.entraToken === true || model.auth === "bearer";
    const name = isToken ? "authorization" : "api-key";
    const value = isToken ? `Bearer ${credential.token}` : credential.token;
    // What the model's row says of a header has been applied already and stands.
    if (!isRuledOut(model, name)) headers[name] = value;
  }
  const deployment = deploymentOf(model.id, env.AZURE_OPENAI_DEPLOYMENT_NAME_MAP);
  const body =
    deployment === undefined
      ? request.body
      : JSON.stringify({ ...(JSON.parse(request.body) as Json), model: deployment });
  return { url: url.href, headers, body };
}

function isRuledOut(model: Model, header: string): boolean {
  return Object.keys(model.headers ?? {}).some((name) => name.toLowerCase() === header);
}

/** `id=deployment,id2=deployment2`; a model that is not in it is called by its own name. */
export function deploymentOf(id: string, map: string | undefined): string | undefined {
  for (const entry of (map ?? "").split(",")) {
    const equals = entry.indexOf("=");
    if (equals < 0 || entry.slice(0, equals).trim() !== id) continue;
    return entry.slice(equals + 1).trim() || undefined;
  }
  return undefined;
}
