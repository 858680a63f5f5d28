// The receiving side of Cloud Code Assist.

import { encodeSse } from "../../sse.ts";
import { WireRequestError, type WireServer } from "../../wire.ts";
import { server as gemini } from "../google-generative-ai/server.ts";
import { asObject, asString } from "../json.ts";
import { renamedServer } from "../renamed-server.ts";

const INNER = renamedServer(gemini, { base: "google-generative-ai", own: "google-gemini-cli" });
const PATH = /\/v1internal:(generateContent|streamGenerateContent)$/;

export const server: WireServer = {
  ...INNER,
  matches: (method, url) => method === "POST" && PATH.test(url.pathname),
  decodeRequest: (url, headers, raw) => {
    const envelope = asObject(raw);
    const model = asString(envelope?.model);
    const method = PATH.exec(url.pathname)?.[1];
    if (!envelope || !model || !method) throw new WireRequestError("the envelope names no model");
    const { session_id: sessionId, ...request } = asObject(envelope.request) ?? {};
    const inner = new URL(
      `/v1beta/models/${encodeURIComponent(model)}:${method}${url.search}`,
      url,
    );
    const decoded = INNER.decodeRequest(inner, headers, request);
    const cacheKey = asString(sessionId);
    return cacheKey === undefined ? decoded : { ...decoded, cacheKey };
  },
  encodeStream: (meta) => {
    const encode = INNER.encodeStream(meta);
    return (event) => wrap(String(encode(event)));
  },
  encodeReply: (message, meta) => ({ response: INNER.encodeReply(message, meta) }),
};

/** Each frame of the inner stream in an envelope; an error stays an error. */
function wrap(frames: string): string {
  let out = "";
  for (const frame of frames.split("\n\n")) {
    if (!frame.startsWith("data: ")) continue;
    const data: unknown = JSON.parse(frame.slice("data: ".length));
    const isError = asObject(data)?.error !== undefined;
    out += encodeSse(JSON.stringify(isError ? data : { response: data }));
  }
  return out;
}
