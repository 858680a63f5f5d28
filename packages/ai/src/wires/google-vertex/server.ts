// The receiving side of Vertex AI, for both publishers.

import { WireRequestError, type WireServer } from "../../wire.ts";
import { server as messages } from "../anthropic-messages/server.ts";
import { server as gemini } from "../google-generative-ai/server.ts";
import { asObject } from "../json.ts";
import { renamedServer } from "../renamed-server.ts";
import { publisherOf } from "./publisher.ts";

const GEMINI = renamedServer(gemini, { base: "google-generative-ai", own: "google-vertex" });
const CLAUDE = renamedServer(messages, { base: "anthropic-messages", own: "google-vertex" });

const GOOGLE_PATH =
  /\/publishers\/google\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/;
const ANTHROPIC_PATH = /\/publishers\/anthropic\/models\/([^/:]+):(rawPredict|streamRawPredict)$/;

export const server: WireServer = {
  matches: (method, url) =>
    method === "POST" && (GOOGLE_PATH.test(url.pathname) || ANTHROPIC_PATH.test(url.pathname)),
  decodeRequest: (url, headers, raw) => {
    const path = ANTHROPIC_PATH.exec(url.pathname);
    if (!path) return GEMINI.decodeRequest(url, headers, raw);
    const body = asObject(raw);
    if (!body?.anthropic_version) throw new WireRequestError("anthropic_version: Field required");
    const model = decodeName(path[1]!);
    const stream = path[2] === "streamRawPredict";
    return CLAUDE.decodeRequest(url, headers, { ...body, model, stream });
  },
  encodeStream: (meta) => speaks(meta.modelId).encodeStream(meta),
  encodeReply: (message, meta) => speaks(meta.modelId).encodeReply(message, meta),
  encodeError: GEMINI.encodeError,
};

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (error instanceof URIError) throw new WireRequestError(`"${encoded}" names no model`);
    throw error;
  }
}

function speaks(modelId: string): WireServer {
  return publisherOf(modelId) === "anthropic" ? CLAUDE : GEMINI;
}
