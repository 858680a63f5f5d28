// Google's Cloud Code Assist, which its own command-line tools talk to: generateContent in
// an envelope that names the model and the cloud project.

import { CLOUD_PROJECT_HEADER } from "../../oauth/cloud-project-header.ts";
import { wireNameOf } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import { CLOUD_CODE } from "../../schema/cloud-code.ts";
import { fitSchema } from "../../schema/tool-schema.ts";
import type { EncodedRequest, OutgoingRequest, WireClient } from "../../wire.ts";
import { client as gemini } from "../google-generative-ai/client.ts";
import { asObject, parseObject, type Json } from "../json.ts";

export const client: WireClient = {
  framing: "sse",
  encodeRequest,
  decodeStream: (out) => {
    const inner = gemini.decodeStream(out);
    return {
      frame: (frame) => inner.frame({ ...frame, data: unwrap(frame.data) }),
      end: () => inner.end(),
    };
  },
  decodeReply: (body, out) => gemini.decodeReply(asObject(body)?.response ?? body, out),
  decodeError: gemini.decodeError,
  authorize: async (request, { credential }) => authorize(request, credential?.token),
};

function encodeRequest(request: ModelRequest): EncodedRequest {
  const { headers, body } = gemini.encodeRequest(request);
  const method = request.stream ? "streamGenerateContent?alt=sse" : "generateContent";
  const inner: Json = { ...body, ...toolsFor(request) };
  if (request.cacheKey !== undefined) inner.session_id = request.cacheKey;
  return {
    path: `:${method}`,
    headers,
    body: { model: wireNameOf(request.model), request: inner },
  };
}

/** Claude behind this service takes no unions and no `nullable`. */
function toolsFor(request: ModelRequest): Json {
  if (request.tools.length === 0 || !/claude/i.test(request.model.id)) return {};
  const functionDeclarations = request.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: fitSchema(parameters, CLOUD_CODE).schema,
  }));
  return { tools: [{ functionDeclarations }] };
}

/** The login's project belongs into the envelope, not into a header. */
function authorize(request: OutgoingRequest, token: string | undefined): OutgoingRequest {
  const { [CLOUD_PROJECT_HEADER]: project, ...headers } = request.headers;
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (project === undefined) return { ...request, headers };
  const body = JSON.stringify({ ...parseObject(request.body), project });
  return { ...request, headers, body };
}

function unwrap(data: string): string {
  const response = parseObject(data)?.response;
  return response === undefined ? data : JSON.stringify(response);
}
