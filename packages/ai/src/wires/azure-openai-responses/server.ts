// The receiving side of Azure's Responses: OpenAI's, told apart by the version that Azure
// wants in the address.

import type { WireServer } from "../../wire.ts";
import { server as responses } from "../openai-responses/server.ts";
import { renamedServer } from "../renamed-server.ts";
import { API_VERSION_PARAMETER } from "./authorize.ts";

export const server: WireServer = {
  ...renamedServer(responses, { base: "openai-responses", own: "azure-openai-responses" }),
  matches: (method, url) =>
    responses.matches(method, url) && url.searchParams.has(API_VERSION_PARAMETER),
};
