// The receiving side of the Codex backend. It has no unstreamed form: a whole reply is
// asked for nowhere.

import type { WireServer } from "../../wire.ts";
import { server as responses } from "../openai-responses/server.ts";
import { renamedServer } from "../renamed-server.ts";
import { encodeError } from "./usage-limit.ts";

const renamed = renamedServer(responses, {
  base: "openai-responses",
  own: "openai-codex-responses",
});

export const server: WireServer = {
  ...renamed,
  matches: (method, url) => method === "POST" && url.pathname.endsWith("/codex/responses"),
  decodeRequest: (url, headers, body) => ({
    ...renamed.decodeRequest(url, headers, body),
    stream: true,
  }),
  encodeError,
};
