// A provider with its models: a server that speaks the protocol of OpenAI, at an address and with a key that
// come from the environment. `tau -m workshop/small` then works like any other model.

import { defineExtension } from "@tau/extension";

export default defineExtension({
  name: "workshop",
  providers: {
    workshop: {
      baseUrl: process.env.WORKSHOP_URL ?? "http://localhost:8000/v1",
      apiKey: "env:WORKSHOP_KEY",
      api: "openai-completions",
      models: [
        { id: "small", name: "Workshop small", contextWindow: 32_000, maxTokens: 4000 },
        {
          id: "large",
          name: "Workshop large",
          contextWindow: 200_000,
          maxTokens: 16_000,
          reasoning: true,
        },
      ],
    },
  },
});
