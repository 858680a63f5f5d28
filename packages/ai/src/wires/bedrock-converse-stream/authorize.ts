// Signs a request with what the environment holds, or shows a bearer token where there is
// one: a token wins outright, and no keys are looked for then.

import { firstSet, type Environment } from "../../environment.ts";
import type { Model } from "../../model.ts";
import type { AuthorizationContext, OutgoingRequest } from "../../wire.ts";
import { findCredentials } from "./credentials.ts";
import { profileRegion } from "./profile.ts";
import { quirksOf } from "./quirks.ts";
import { signatureHeaders } from "./sigv4.ts";

const SERVICE = "bedrock";
const REGION_VARIABLES = ["AWS_REGION", "AWS_DEFAULT_REGION"];
const DEFAULT_REGION = "us-east-1";
/** The region is part of Amazon's own host names. */
const AMAZON_HOST =
  /^(bedrock-runtime(?:-fips)?\.)([a-z0-9-]+)(\.(?:amazonaws\.com(?:\.cn)?|api\.aws))$/;

export async function authorize(
  sent: OutgoingRequest,
  context: AuthorizationContext,
): Promise<OutgoingRequest> {
  const { model, credential, env } = context;
  const { region: chosen, takesProfileRegion } = quirksOf(model);
  const unsigned =
    env.AWS_BEDROCK_SKIP_AUTH === "1" || (model.auth === "none" && credential === undefined);
  const isNamed = unsigned || chosen !== undefined || firstSet(REGION_VARIABLES, env) !== undefined;
  const profiles = isNamed ? undefined : await profileRegion(context);
  const url = inRegion(sent.url, chosen ?? (takesProfileRegion ? profiles : undefined));
  const request = { ...sent, url };
  if (unsigned) return request;
  const token = credential?.token ?? firstSet(["AWS_BEARER_TOKEN_BEDROCK"], env);
  if (token !== undefined) {
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
  }
  const region = regionOf(request.url, model, env, profiles);
  const credentials = await findCredentials(context, region);
  const signed = await signatureHeaders(
    { method: "POST", ...request },
    { credentials, region, service: SERVICE, now: new Date() },
  );
  return { ...request, headers: { ...request.headers, ...signed } };
}

/** A region that the model itself names moves the request there. */
function inRegion(url: string, region: string | undefined): string {
  if (region === undefined || !URL.canParse(url)) return url;
  const moved = new URL(url);
  moved.hostname = moved.hostname.replace(AMAZON_HOST, `$1${region}$3`);
  return moved.href;
}

/** A host of Amazon's accepts signatures for its own region only. */
export function regionOf(url: string, model: Model, env: Environment, profiles?: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return (
    AMAZON_HOST.exec(host)?.[2] ??
    quirksOf(model).region ??
    firstSet(REGION_VARIABLES, env) ??
    profiles ??
    DEFAULT_REGION
  );
}
