import { describe, expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { callModel } from "./call.ts";
import { catalogProviders, loadCatalog } from "./catalog/catalog.ts";
import { THINKING_LEVELS } from "./model.ts";
import { hasAmbientCredentials, keyFromEnvironment, secretVariables } from "./provider-row.ts";
import type { ProviderRow } from "./provider-row.ts";
import { findProvider, modelOf, PROVIDERS } from "./providers.ts";
import { HTTP_WIRES } from "./wire.ts";
import { quirksOf as anthropicQuirks } from "./wires/anthropic-messages/quirks.ts";
import { quirksOf as googleQuirks } from "./wires/google-generative-ai/quirks.ts";
import { quirksOf as completionsQuirks } from "./wires/openai-completions/quirks.ts";
import { quirksOf as responsesQuirks } from "./wires/openai-responses/quirks.ts";

/** Every provider that has to be there. */
const REQUIRED = `anthropic openai openai-codex google google-vertex google-gemini-cli
  google-antigravity groq cerebras fireworks firepass together aimlapi huggingface synthetic
  nvidia nanogpt venice litellm lm-studio ollama llama.cpp ollama-cloud vllm xiaomi moonshot
  kimi-code xai xai-oauth openrouter mistral deepseek zai zhipu-coding-plan minimax minimax-code
  minimax-code-cn opencode-go opencode-zen qianfan qwen-portal zenmux vercel-ai-gateway
  cloudflare-ai-gateway alibaba-coding-plan kilo wafer-pass wafer-serverless gitlab-duo
  github-copilot amazon-bedrock azure-openai perplexity cursor`.split(/\s+/);

const row = (id: string): ProviderRow => findProvider(id)!;
const keyOf = (provider: ProviderRow, env: Record<string, string>): string | undefined =>
  keyFromEnvironment(provider, env)?.key;

describe("the table", () => {
  test("has everybody, once", () => {
    const ids = PROVIDERS.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(REQUIRED.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  for (const provider of PROVIDERS) {
    test(`${provider.id}: names, addresses, variables and wires are well formed`, () => {
      expect(provider.id).toMatch(/^[a-z][a-z0-9.-]*$/);
      expect(provider.name).not.toBe("");
      const templates = [
        provider.baseUrl,
        ...(provider.baseUrlWhen ?? []).map(({ baseUrl }) => baseUrl),
        ...(provider.exceptions ?? []).flatMap(({ baseUrl }) => baseUrl ?? []),
      ];
      for (const template of templates) {
        const url = new URL(template.replace(/\{[^}]*\}/g, "x"));
        const isLocal = url.hostname === "127.0.0.1";
        expect(url.protocol).toBe(isLocal ? "http:" : "https:");
        expect(url.href.replace(/\/$/, "")).toBe(template.replace(/\{[^}]*\}/g, "x"));
      }
      const variables = [
        ...secretVariables(provider),
        ...(provider.baseUrlEnv ?? []),
        ...(provider.hostEnv ?? []),
        ...(provider.ambientEnv ?? []).flat(),
      ];
      for (const name of variables) expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
      const wires = [
        provider.wire,
        ...(provider.exceptions ?? []).flatMap(({ wire }) => wire ?? []),
      ];
      for (const wire of wires) expect(HTTP_WIRES).toContain(wire as never);
    });
  }

  test("quirks are words that a wire understands", () => {
    const model = modelOf(PROVIDERS[0]!, "m", {});
    const bare = { ...model, quirks: {} };
    const understood = new Set([
      ...Object.keys(anthropicQuirks(bare)),
      ...Object.keys(googleQuirks(bare)),
      ...Object.keys(completionsQuirks(bare, { thinking: false })),
      ...Object.keys(responsesQuirks(bare)),
      // Optional ones, and those that are read for every wire.
      "cacheControlFormat",
      "extraBody",
      "toolStrictMode",
      "whenThinking",
      "streamIdleTimeoutMs",
      "imageLimits",
      // Known to be needed; no wire reads them yet.
      "envelope",
      "sessionHeader",
      "initiatorHeader",
    ]);
    for (const { id, quirks, exceptions = [] } of PROVIDERS) {
      const layers = [quirks, quirks?.whenThinking, ...exceptions.map((one) => one.quirks)];
      for (const name of layers.flatMap((layer) => Object.keys(layer ?? {}))) {
        expect({ id, name, understood: understood.has(name) }).toEqual({
          id,
          name,
          understood: true,
        });
      }
    }
  });

  test("who has no key, needs none: a login, the machine's own, or a server at home", () => {
    for (const provider of PROVIDERS) {
      if (provider.keyEnv.length === 0) expect(provider.login ?? provider.ambientEnv).toBeDefined();
    }
    const keyless = PROVIDERS.filter((provider) => provider.keyless).map(({ id }) => id);
    expect(keyless).toEqual(["ollama", "lm-studio", "llama.cpp"]);
  });

  test("default models are in the catalog, where the provider has one", async () => {
    for (const { id, defaultModel } of PROVIDERS) {
      if (defaultModel === undefined || !catalogProviders().includes(id)) continue;
      const ids = (await loadCatalog(id)).map((entry) => entry.id);
      expect({ id, known: ids.includes(defaultModel) }).toEqual({ id, known: true });
    }
  });

  test("each variable alone makes its provider available", () => {
    for (const provider of PROVIDERS) {
      for (const name of [...(provider.loginEnv ?? []), ...provider.keyEnv]) {
        expect(keyFromEnvironment(provider, { [name]: "k" })).toEqual({ key: "k", variable: name });
      }
      for (const set of provider.ambientEnv ?? []) {
        const env = Object.fromEntries(set.map((name) => [name, "x"]));
        expect(hasAmbientCredentials(provider, env)).toBe(true);
      }
    }
  });
});

describe("keys", () => {
  const PAIRS: [provider: string, first: string, second: string][] = [
    ["anthropic", "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY"],
    ["huggingface", "HUGGINGFACE_HUB_TOKEN", "HF_TOKEN"],
    ["xai-oauth", "XAI_OAUTH_TOKEN", "XAI_API_KEY"],
    ["qwen-portal", "QWEN_OAUTH_TOKEN", "QWEN_PORTAL_API_KEY"],
  ];
  for (const [provider, first, second] of PAIRS) {
    test(`${provider}: ${first} goes before ${second}`, () => {
      expect(keyOf(row(provider), { [second]: "two", [first]: "one" })).toBe("one");
      expect(keyOf(row(provider), { [second]: "two", [first]: "" })).toBe("two");
    });
  }

  test("a general GitHub token is nothing to Copilot", () => {
    const env = { GITHUB_TOKEN: "t", GH_TOKEN: "t" };
    expect(PROVIDERS.filter((provider) => keyOf(provider, env))).toEqual([]);
    expect(keyOf(row("github-copilot"), { ...env, COPILOT_GITHUB_TOKEN: "c" })).toBe("c");
  });

  test("Anthropic takes a login's token as a bearer, with its beta, and a key as a key", () => {
    const token = modelOf(row("anthropic"), "m", { ANTHROPIC_OAUTH_TOKEN: "t" });
    expect([token.auth, token.quirks?.betas]).toEqual(["bearer", ["oauth-2025-04-20"]]);
    const key = modelOf(row("anthropic"), "m", { ANTHROPIC_API_KEY: "k" });
    expect([key.auth, key.quirks?.betas]).toEqual(["x-api-key", undefined]);
  });

  test("Foundry mode: its own key first, as a bearer, at its own address", () => {
    const env = {
      CLAUDE_CODE_USE_FOUNDRY: "Yes",
      FOUNDRY_BASE_URL: "https://foundry.test",
      ANTHROPIC_BASE_URL: "https://elsewhere.test",
      ANTHROPIC_FOUNDRY_API_KEY: "f",
      ANTHROPIC_OAUTH_TOKEN: "o",
      ANTHROPIC_CUSTOM_HEADERS: "X-Team: a, b\nx-other: 1:2",
    };
    const model = modelOf(row("anthropic"), "m", env);
    expect(keyOf(row("anthropic"), env)).toBe("f");
    expect([model.baseUrl, model.auth]).toEqual(["https://foundry.test", "bearer"]);
    expect(model.headers).toEqual({ "x-team": "a, b", "x-other": "1:2" });
    expect(keyOf(row("anthropic"), { ...env, CLAUDE_CODE_USE_FOUNDRY: "0" })).toBe("o");
  });

  test("custom headers go to a moved endpoint and never to the vendor", () => {
    const env = { ANTHROPIC_CUSTOM_HEADERS: "x-secret: s" };
    expect(modelOf(row("anthropic"), "m", env).headers).toBeUndefined();
    const moved = { ...env, ANTHROPIC_BASE_URL: "https://gate.test/v1" };
    expect(modelOf(row("anthropic"), "m", moved).headers).toEqual({ "x-secret": "s" });
    const same = { ...env, ANTHROPIC_BASE_URL: "https://api.anthropic.com/v1" };
    expect(modelOf(row("anthropic"), "m", same).headers).toBeUndefined();
  });

  test("what may be secret is named, modes included", () => {
    expect(secretVariables(row("anthropic"))).toEqual([
      "ANTHROPIC_OAUTH_TOKEN",
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_CUSTOM_HEADERS",
      "ANTHROPIC_FOUNDRY_API_KEY",
    ]);
  });
});

describe("models of a provider", () => {
  test("some are served on another wire", () => {
    const zen = (id: string) => modelOf(row("opencode-zen"), id, {}).wire;
    expect(zen("claude-sonnet-4-6")).toBe("anthropic-messages");
    expect(zen("gpt-5.4")).toBe("openai-responses");
    expect(zen("gemini-3.5-flash")).toBe("google-generative-ai");
    expect(zen("glm-5.2")).toBe("openai-completions");
  });

  test("Anthropic's behind OpenRouter get cache markers, others do not", () => {
    const at = (id: string) => modelOf(row("openrouter"), id, {}).quirks?.cacheControlFormat;
    expect(at("anthropic/claude-sonnet-4.6")).toBe("anthropic");
    expect(at("openai/gpt-5.4")).toBeUndefined();
  });

  test("GitLab's names are its own; the vendors' go on the wire", () => {
    const gitlab = (id: string) => modelOf(row("gitlab-duo"), id, {});
    expect(gitlab("duo-chat-opus-4-8").wireModelId).toBe("claude-opus-4-8");
    expect(gitlab("duo-chat-gpt-5-4-mini").wireModelId).toBe("gpt-5.4-mini");
    expect(gitlab("duo-chat-gpt-5-mini").wireModelId).toBe("gpt-5-mini");
    expect(gitlab("duo-chat-gpt-5-4").baseUrl).toEndWith("/openai/v1");
  });
});

test("the thinking levels of every catalog entry are levels, in order", async () => {
  for (const id of catalogProviders()) {
    for (const { thinking = [] } of await loadCatalog(id)) {
      const ranks = thinking.map((level) => THINKING_LEVELS.indexOf(level));
      expect(ranks.toSorted((a, b) => a - b)).toEqual(ranks);
      expect(ranks.every((rank) => rank > 0)).toBe(true);
    }
  }
});

test("adding a provider is adding a row", async () => {
  await using server = await ModelServer.start([{ text: "hello from nowhere" }]);
  const added: ProviderRow = {
    id: "nowhere",
    name: "Nowhere",
    wire: "openai-completions",
    baseUrl: `${server.origin}/v1`,
    auth: "bearer",
    keyEnv: ["NOWHERE_API_KEY"],
    headers: { "x-client": "tau" },
    quirks: { maxTokensField: "max_completion_tokens" },
  };
  const env = { NOWHERE_API_KEY: "secret" };
  const stream = callModel(
    {
      model: modelOf(added, "model-1", env),
      system: ["be brief"],
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }], timestamp: 0 }],
      tools: [],
      maxOutput: 100,
      stream: true,
    },
    { credential: keyOf(added, env)! },
  );
  const reply = await stream.result();
  expect(reply.content).toEqual([{ type: "text", text: "hello from nowhere" }]);
  const [request] = server.requests;
  expect(request!.path).toBe("/v1/chat/completions");
  expect(request!.headers.get("authorization")).toBe("Bearer secret");
  expect(request!.headers.get("x-client")).toBe("tau");
  expect(request!.body.max_completion_tokens).toBe(100);
});
