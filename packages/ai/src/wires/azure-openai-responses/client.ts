// OpenAI Responses at Azure. The wire is OpenAI's; the address carries a version, the key
// has a header of its own, and a model is called by the name of its deployment.

import type { WireClient } from "../../wire.ts";
import { client as responses } from "../openai-responses/client.ts";
import { authorize } from "./authorize.ts";

export const client: WireClient = { ...responses, authorize };
