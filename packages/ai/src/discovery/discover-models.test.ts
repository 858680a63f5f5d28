import { afterAll, describe, expect, test } from "bun:test";
import { ModelError, type ModelErrorKind } from "../error.ts";
import type { DiscoveryKind } from "../provider-row.ts";
import { findProvider } from "../providers.ts";
import { discoverModels, type DiscoveryOptions } from "./discover-models.ts";
import { modelFromDiscovery } from "./discovered-model.ts";

const servers: Bun.Server<undefined>[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop(true))));

type Routes = Record<string, (request: Request) => Response | Promise<Response>>;

/** The origin of a real server; what it does not know is a 404. */
function serve(routes: Routes): string {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: (request) =>
      routes[new URL(request.url).pathname]?.(request) ?? new Response("no", { status: 404 }),
  });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

const json = (value: unknown) => (): Response => Response.json(value);

async function failureOf(kind: DiscoveryKind, options: DiscoveryOptions): Promise<ModelErrorKind> {
  try {
    await discoverModels(kind, options);
  } catch (error) {
    if (error instanceof ModelError) return error.failure.kind;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("ollama", () => {
  const SHOWN: Record<string, unknown> = {
    "qwen3:8b": {
      capabilities: ["completion", "tools", "thinking"],
      model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
    },
    "llava:7b": {
      capabilities: ["completion", "vision"],
      parameters: 'stop            "x"\nnum_ctx                        8192',
      model_info: { "general.architecture": "llama", "llama.context_length": 32_768 },
    },
    "nomic-embed-text": { capabilities: ["embedding"] },
  };

  function ollama(): { origin: string; most: () => number } {
    let running = 0;
    let most = 0;
    const names = [...Object.keys(SHOWN), ...Array.from({ length: 12 }, (_, at) => `extra:${at}`)];
    const origin = serve({
      "/api/tags": json({ models: names.map((name) => ({ name, model: name })) }),
      "/api/show": async (request) => {
        most = Math.max(most, ++running);
        const { model } = (await request.json()) as { model: string };
        await Bun.sleep(5);
        running--;
        const shown = SHOWN[model];
        return shown ? Response.json(shown) : new Response("gone", { status: 500 });
      },
    });
    return { origin, most: () => most };
  }

  for (const path of ["", "/v1", "/v1/"]) {
    test(`the native API, with the base "${path}"`, async () => {
      const { origin, most } = ollama();
      const found = await discoverModels("ollama", { baseUrl: origin + path });
      expect(found.slice(0, 3)).toEqual([
        { id: "qwen3:8b", input: ["text"], thinks: true, contextWindow: 40_960 },
        { id: "llava:7b", input: ["text", "image"], thinks: false, contextWindow: 8192 },
        { id: "extra:0" },
      ]);
      expect(found).toHaveLength(14);
      expect(most()).toBeLessThanOrEqual(4);
    });
  }

  test("becomes models: the variable counts first, what nobody told is assumed", () => {
    const row = findProvider("ollama")!;
    const found = { id: "qwen3:8b", contextWindow: 40_960, input: ["text"] as const, thinks: true };
    const model = modelFromDiscovery(row, found, {});
    expect(model).toMatchObject({
      provider: "ollama",
      wire: "openai-completions",
      baseUrl: "http://127.0.0.1:11434/v1",
      contextWindow: 40_960,
      thinking: ["high"],
      input: ["text"],
    });
    const env = { OLLAMA_CONTEXT_LENGTH: "65536" };
    expect(modelFromDiscovery(row, found, env).contextWindow).toBe(65_536);
    const nonsense = { OLLAMA_CONTEXT_LENGTH: "lots" };
    expect(modelFromDiscovery(row, found, nonsense).contextWindow).toBe(40_960);
    expect(modelFromDiscovery(row, { id: "x" }, {}).contextWindow).toBe(128_000);
    const small = modelFromDiscovery(row, { id: "x", contextWindow: 4096 }, {});
    expect(small.maxOutput).toBe(4096);
    expect(modelFromDiscovery(row, { id: "qwen3", thinks: false }, {}).thinking).toBeUndefined();
  });
});

describe("local servers", () => {
  test("llama.cpp: what it was started with beats what the model could do", async () => {
    const list = { data: [{ id: "gpt-oss.gguf", meta: { n_ctx_train: 131_072 } }] };
    const origin = serve({
      "/v1/models": json(list),
      "/props": json({
        default_generation_settings: { n_ctx: 16_384 },
        modalities: { vision: true },
      }),
    });
    expect(await discoverModels("llama.cpp", { baseUrl: origin })).toEqual([
      { id: "gpt-oss.gguf", contextWindow: 16_384, input: ["text", "image"] },
    ]);
    const bare = serve({ "/v1/models": json(list) });
    expect(await discoverModels("llama.cpp", { baseUrl: `${bare}/v1` })).toEqual([
      { id: "gpt-oss.gguf", contextWindow: 131_072 },
    ]);
  });

  test("LM Studio tells more at its own address; without it the list is enough", async () => {
    const list = { data: [{ id: "a" }, { id: "b" }, { id: "vectors" }] };
    const origin = serve({
      "/v1/models": json(list),
      "/api/v0/models": json({
        data: [
          { id: "a", type: "vlm", max_context_length: 131_072, loaded_context_length: 8192 },
          { id: "b", type: "llm", max_context_length: 32_768 },
          { id: "vectors", type: "embeddings", max_context_length: 2048 },
        ],
      }),
    });
    expect(await discoverModels("lm-studio", { baseUrl: `${origin}/v1` })).toEqual([
      { id: "a", contextWindow: 8192, input: ["text", "image"] },
      { id: "b", contextWindow: 32_768, input: ["text"] },
    ]);
    const bare = serve({ "/v1/models": json(list) });
    const plain = await discoverModels("lm-studio", { baseUrl: `${bare}/v1` });
    expect(plain.map(({ id }) => id)).toEqual(["a", "b", "vectors"]);
  });
});

describe("lists in OpenAI's form", () => {
  test("contexts, names and modalities where they are told; nonsense is skipped", async () => {
    const origin = serve({
      "/v1/models": json({
        data: [
          { id: "a", max_model_len: 32_000, context_length: 1 },
          { id: "b", context_length: 64_000, name: "Model B" },
          { id: "c", context_length: -5 },
          { id: "a", max_model_len: 1 },
          { id: "text-embedding-3-small" },
          { id: 7 },
          null,
          {
            id: "d",
            architecture: { input_modalities: ["text", "image"] },
            top_provider: { max_completion_tokens: 9000 },
          },
        ],
      }),
    });
    expect(await discoverModels("openai-models-list", { baseUrl: `${origin}/v1/` })).toEqual([
      { id: "a", contextWindow: 32_000 },
      { id: "b", contextWindow: 64_000, name: "Model B" },
      { id: "c" },
      { id: "d", maxOutput: 9000, input: ["text", "image"] },
    ]);
  });

  test("a bare list is a list, and headers go along", async () => {
    const origin = serve({
      "/models": (request) =>
        request.headers.get("authorization") === "Bearer k"
          ? Response.json([{ id: "x" }])
          : new Response("", { status: 401 }),
    });
    const headers = { authorization: "Bearer k" };
    const kind = "openai-models-list";
    expect(await discoverModels(kind, { baseUrl: origin, headers })).toEqual([{ id: "x" }]);
    expect(await failureOf(kind, { baseUrl: origin })).toBe("auth");
  });

  test("a proxy says which wire; what serves no conversation is left out, what says nothing goes to the provider's", async () => {
    const origin = serve({
      "/v1/models": json({
        data: [
          { id: "both", supported_endpoint_types: ["openai", "anthropic"] },
          { id: "chat", supported_endpoint_types: ["openai"] },
          { id: "odd", supported_endpoint_types: ["jina-rerank-api"] },
          { id: "silent" },
        ],
      }),
    });
    const known = [
      { id: "both", wire: "anthropic-messages" },
      { id: "chat", wire: "openai-completions" },
    ] as const;
    for (const baseUrl of [origin, `${origin}/v1`]) {
      expect(await discoverModels("proxy", { baseUrl })).toEqual([...known]);
    }
    const fallbackWire = "openai-responses";
    expect(await discoverModels("proxy", { baseUrl: origin, fallbackWire })).toEqual([
      ...known,
      { id: "silent", wire: fallbackWire },
    ]);
    const row = { ...findProvider("litellm")!, baseUrl: `${origin}/v1` };
    expect(modelFromDiscovery(row, known[0], {})).toMatchObject({
      wire: "anthropic-messages",
      auth: "x-api-key",
    });
  });
});

describe("what goes wrong is typed", () => {
  const KINDS: DiscoveryKind[] = [
    "ollama",
    "llama.cpp",
    "lm-studio",
    "openai-models-list",
    "proxy",
  ];

  for (const kind of KINDS) {
    test(`${kind}: nobody there, silence, an abort, a web page, too much, a redirect`, async () => {
      const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") });
      const dead = `http://127.0.0.1:${gone.port}`;
      await gone.stop(true);
      const before = performance.now();
      expect(await failureOf(kind, { baseUrl: dead })).toBe("network");
      expect(performance.now() - before).toBeLessThan(1000);

      const answering = (answer: () => Response | Promise<Response>): string =>
        serve(
          Object.fromEntries(["/api/tags", "/models", "/v1/models"].map((path) => [path, answer])),
        );
      const silent = answering(() => new Promise<Response>(() => {}));
      expect(await failureOf(kind, { baseUrl: silent, timeoutMs: 50 })).toBe("timeout");
      const stop = new AbortController();
      const aborted = failureOf(kind, { baseUrl: silent, signal: stop.signal });
      setTimeout(() => stop.abort(), 20);
      expect(await aborted).toBe("aborted");

      const page = answering(() => new Response("<html>hello</html>"));
      expect(await failureOf(kind, { baseUrl: page })).toBe("protocol");
      const shape = answering(json({ hello: "world" }));
      expect(await failureOf(kind, { baseUrl: shape })).toBe("protocol");
      const flood = answering(() => new Response(`["${"x".repeat(9 * 1024 * 1024)}"]`));
      expect(await failureOf(kind, { baseUrl: flood })).toBe("protocol");
      const broken = answering(() => new Response("", { status: 503 }));
      expect(await failureOf(kind, { baseUrl: broken })).toBe("overloaded");
      const elsewhere = answering(() => Response.redirect("http://127.0.0.1:9/"));
      expect(await failureOf(kind, { baseUrl: elsewhere })).toBe("protocol");
      expect(await failureOf(kind, { baseUrl: "nonsense" })).toBe("invalid_request");
    });
  }
});
