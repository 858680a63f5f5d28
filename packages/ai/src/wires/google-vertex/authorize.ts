// Where a Vertex request goes and what it shows: a key, a login's token, or a token for the
// machine's own Google credentials.

import { firstSet, type Environment } from "../../environment.ts";
import { ModelError, modelFailure } from "../../error.ts";
import type { AuthorizationContext, OutgoingRequest } from "../../wire.ts";
import { applicationDefaultToken } from "./application-default.ts";

const PROJECT_VARIABLES = ["GOOGLE_CLOUD_PROJECT", "GCP_PROJECT", "GCLOUD_PROJECT"];
const LOCATION_VARIABLES = ["GOOGLE_VERTEX_LOCATION", "GOOGLE_CLOUD_LOCATION", "VERTEX_LOCATION"];
const API_VERSION = "v1";

export interface VertexQuirks {
  /** Both win over the environment. */
  project?: string;
  location?: string;
}

interface Place {
  project: string | undefined;
  location: string | undefined;
}

export async function authorize(
  request: OutgoingRequest,
  context: AuthorizationContext,
): Promise<OutgoingRequest> {
  const { model, credential, env } = context;
  const headers = { ...request.headers };
  const place = placeOf((model.quirks ?? {}) as VertexQuirks, env);
  const key = credential ? undefined : firstSet(["GOOGLE_CLOUD_API_KEY"], env);
  if (credential && (model.auth === "bearer" || credential.origin === "stored login")) {
    headers.authorization = `Bearer ${credential.token}`;
  } else if (credential ?? key) {
    headers["x-goog-api-key"] = credential?.token ?? key!;
    // With a key alone the vendor finds project and location by itself.
    return { ...request, url: urlOf(request.url, place, { keyed: true }), headers };
  } else if (model.auth !== "none") {
    const token = await applicationDefaultToken(context);
    headers.authorization = `Bearer ${token.value}`;
    if (token.quotaProject) headers["x-goog-user-project"] ??= token.quotaProject;
    place.project ??= token.project;
  }
  return { ...request, url: urlOf(request.url, place, { keyed: false }), headers };
}

function placeOf(quirks: VertexQuirks, env: Environment): Place {
  return {
    project: quirks.project ?? firstSet(PROJECT_VARIABLES, env),
    location: quirks.location ?? firstSet(LOCATION_VARIABLES, env),
  };
}

/** Base URLs are given whole, without project and location, as a host only, or not at all. */
function urlOf(url: string, place: Place, { keyed }: { keyed: boolean }): string {
  const at = url.indexOf("/publishers/");
  const base = url.slice(0, at) || hostOf(place.location);
  if (/\/projects\/[^/]+\/locations\/[^/]+$/.test(base)) return base + url.slice(at);
  const versioned = /\/v\d\w*$/.test(base) ? base : `${base}/${API_VERSION}`;
  return versioned + resourceOf(place, keyed) + url.slice(at);
}

function resourceOf({ project, location }: Place, keyed: boolean): string {
  if (project !== undefined && location !== undefined) {
    return `/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
  }
  if (keyed) return "";
  const [what, variable] =
    project === undefined
      ? ["project", PROJECT_VARIABLES[0]!]
      : ["location", LOCATION_VARIABLES[0]!];
  throw new ModelError(
    modelFailure("invalid_request", `Vertex AI needs a ${what}: set ${variable}.`),
  );
}

function hostOf(location: string | undefined): string {
  return location === undefined || location === "global"
    ? "https://aiplatform.googleapis.com"
    : `https://${encodeURIComponent(location)}-aiplatform.googleapis.com`;
}
