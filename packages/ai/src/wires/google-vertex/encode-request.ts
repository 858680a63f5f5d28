// Neutral request → a Vertex body and path. The project and the location are part of the
// address; where the base URL does not hold them, `authorize` puts them in.

import { wireNameOf } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import type { EncodedRequest } from "../../wire.ts";
import { encodeRequest as encodeMessages } from "../anthropic-messages/encode-request.ts";
import { encodeRequest as encodeGemini } from "../google-generative-ai/encode-request.ts";
import { ANTHROPIC_ON_VERTEX, publisherOf } from "./publisher.ts";

export function encodeRequest(request: ModelRequest): EncodedRequest {
  const name = wireNameOf(request.model);
  const publisher = publisherOf(name);
  const path = `/publishers/${publisher}/models/${encodeURIComponent(name)}`;
  if (publisher === "google") {
    const method = request.stream ? "streamGenerateContent?alt=sse" : "generateContent";
    return { path: `${path}:${method}`, headers: {}, body: encodeGemini(request).body };
  }
  const { headers, body } = encodeMessages(request);
  const { model: _inThePath, ...rest } = body;
  const { "anthropic-version": _inTheBody, ...betas } = headers;
  return {
    path: `${path}:${request.stream ? "streamRawPredict" : "rawPredict"}`,
    headers: betas,
    body: { anthropic_version: ANTHROPIC_ON_VERTEX, ...rest },
  };
}
