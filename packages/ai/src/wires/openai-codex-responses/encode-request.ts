// Neutral request → the Codex backend's body: a Responses body with less to choose. It
// always streams, stores nothing, decides on length and sampling itself, and refuses a
// request without instructions.

import type { Model } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import type { EncodedRequest } from "../../wire.ts";
import { encodeRequest as encodeResponses } from "../openai-responses/encode-request.ts";

/** The backend answers such fields with a 400. */
const REFUSED = ["max_output_tokens", "temperature", "top_p", "prompt_cache_retention"];
const NO_INSTRUCTIONS = "You are a helpful assistant.";
const ENCRYPTED_REASONING = "reasoning.encrypted_content";

export interface CodexQuirks {
  /** How much the model says; its own default where absent. */
  textVerbosity?: "low" | "medium" | "high";
  /** What the backend knows the calling program as. */
  originator: string;
  /** The reply comes over a WebSocket, if one can be opened. */
  prefersWebsocket: boolean;
}

const DEFAULTS: CodexQuirks = { originator: "tau", prefersWebsocket: false };

export function encodeRequest(request: ModelRequest): EncodedRequest {
  const { model } = request;
  const quirks = quirksOf(model);
  const { body } = encodeResponses(request);
  for (const field of REFUSED) delete body[field];
  body.store = false;
  body.stream = true;
  body.instructions ??= NO_INSTRUCTIONS;
  body.include = [ENCRYPTED_REASONING];
  if (quirks.textVerbosity !== undefined) body.text = { verbosity: quirks.textVerbosity };
  const headers: Record<string, string> = {
    accept: "text/event-stream",
    "openai-beta": "responses=experimental",
    originator: quirks.originator,
  };
  // Routes a session's requests to where its prompt is cached.
  if (request.cacheKey !== undefined) headers.session_id = request.cacheKey;
  return { path: pathFor(model), headers, body };
}

export function quirksOf(model: Model): CodexQuirks {
  return { ...DEFAULTS, ...model.quirks };
}

/** Base URLs are given with and without the last part. */
function pathFor(model: Model): string {
  return /\/codex\/*$/.test(model.baseUrl) ? "/responses" : "/codex/responses";
}
