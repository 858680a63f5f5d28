import { describe, expect, test } from "bun:test";
import {
  array,
  assert,
  constantFrom,
  double,
  nat,
  property,
  record,
  string,
  uniqueArray,
} from "fast-check";
import { FREE, THINKING_LEVELS } from "../model.ts";
import { findProvider, PROVIDERS } from "../providers.ts";
import type { WireId } from "../wire.ts";
import type { CatalogEntry } from "./catalog-entry.ts";
import { catalogProviders, loadCatalog, modelFromEntry } from "./catalog.ts";
import { readCatalog, storeCatalog } from "./stored-catalog.ts";

async function entry(provider: string, id: string): Promise<CatalogEntry> {
  const found = (await loadCatalog(provider)).find((candidate) => candidate.id === id);
  if (!found) throw new Error(`${provider} has no ${id}`);
  return found;
}

async function model(provider: string, id: string) {
  return modelFromEntry(findProvider(provider)!, await entry(provider, id), {});
}

describe("the files", () => {
  test("there is one for every provider that names its source, and for nobody unknown", () => {
    const ids = new Set(PROVIDERS.map(({ id }) => id));
    for (const id of catalogProviders()) expect(ids).toContain(id);
    const sourced = PROVIDERS.filter(({ catalogSource }) => catalogSource).map(({ id }) => id);
    for (const id of sourced) expect(catalogProviders()).toContain(id);
  });

  test("a provider without one has no entries", async () => {
    expect(await loadCatalog("ollama")).toEqual([]);
    expect(await loadCatalog("no-such-provider")).toEqual([]);
    expect(await loadCatalog("toString")).toEqual([]);
  });

  test("entries are sorted, unique and sensible", async () => {
    for (const provider of catalogProviders()) {
      const entries = await loadCatalog(provider);
      const ids = entries.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => (a < b ? -1 : 1)));
      for (const { id, name, contextWindow, maxOutput, input, cost, promotionTarget } of entries) {
        expect(id).not.toMatch(/embed|whisper|-tts/i);
        expect(name).not.toBe("");
        expect(contextWindow).toBeGreaterThanOrEqual(16_000);
        expect(maxOutput).toBeGreaterThan(0);
        expect(maxOutput).toBeLessThanOrEqual(contextWindow);
        expect(input[0]).toBe("text");
        for (const price of Object.values(cost)) expect(price).toBeGreaterThanOrEqual(0);
        if (promotionTarget !== undefined) expect(ids).toContain(promotionTarget);
      }
    }
  });

  test("stored entries are the entries", () => {
    const word = string({ minLength: 1 }).map((text) => `m${text.replaceAll(/\s/g, "")}`);
    const price = double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs);
    const entry = record(
      {
        id: string({ minLength: 1 }).map((text) => `m${text}`),
        name: string({ minLength: 1 }),
        contextWindow: nat(),
        maxOutput: nat(),
        input: constantFrom<CatalogEntry["input"]>(["text"], ["text", "image"]),
        cost: record({ input: price, output: price, cacheRead: price, cacheWrite: price }),
        thinking: array(constantFrom(...THINKING_LEVELS), { minLength: 1 }),
        quirks: record({ a: nat({ max: 3 }) }),
        promotionTarget: word,
        wire: constantFrom<WireId>("openai-responses", "ollama-chat"),
      },
      { requiredKeys: ["id", "name", "contextWindow", "maxOutput", "input", "cost"] },
    );
    assert(
      property(uniqueArray(entry, { selector: ({ id }) => id }), (entries) => {
        const plain = JSON.parse(JSON.stringify(entries)) as CatalogEntry[];
        expect(readCatalog(JSON.parse(JSON.stringify(storeCatalog(plain))))).toEqual(plain);
      }),
    );
  });
});

describe("what models are known to be", () => {
  test("Claude: an effort since 4.7, no prefill since 4.6, Opus 5 thinks unasked", async () => {
    const opus5 = await model("anthropic", "claude-opus-5");
    expect(opus5.quirks).toMatchObject({
      thinkingStyle: "adaptive",
      supportsSamplingParams: false,
      supportsPrefill: false,
      thinksByDefault: true,
      supportsLongCacheRetention: true,
      supportsServiceTier: true,
    });
    const opus46 = await model("anthropic", "claude-opus-4-6");
    expect(opus46.quirks).toMatchObject({ supportsPrefill: false });
    expect(opus46.quirks).not.toHaveProperty("thinkingStyle");
    const haiku = await model("anthropic", "claude-haiku-4-5");
    expect(haiku.quirks).not.toHaveProperty("supportsPrefill");
    expect(haiku.thinking).toContain("minimal");
    const bedrock = await model("amazon-bedrock", "us.anthropic.claude-opus-4-8");
    expect(bedrock.quirks?.thinkingStyle).toBe("adaptive");
    const vertex = await model("google-vertex", "claude-opus-4-8@default");
    expect(vertex.quirks).toMatchObject({ thinkingStyle: "adaptive" });
    // Elsewhere the host's own way of asking counts.
    const routed = await model("openrouter", "anthropic/claude-opus-5");
    expect(routed.quirks?.thinkingStyle).toBeUndefined();
    expect(routed.quirks?.cacheControlFormat).toBe("anthropic");
  });

  test("Gemini: budgets, then words", async () => {
    expect((await model("google", "gemini-2.5-flash")).quirks).toEqual({
      thinkingOff: { thinkingBudget: 0 },
    });
    expect((await model("google", "gemini-3.5-flash")).quirks).toEqual({ thinkingStyle: "level" });
    expect((await model("google-vertex", "gemini-3.1-pro-preview")).quirks).toEqual({
      thinkingStyle: "level",
    });
  });

  test("GPT: which efforts, and which can be told not to think", async () => {
    expect((await model("openai", "gpt-5")).thinking).toEqual(["minimal", "low", "medium", "high"]);
    const gpt54 = await model("openai", "gpt-5.4");
    expect(gpt54.thinking).toEqual(["low", "medium", "high", "xhigh"]);
    expect(gpt54.quirks?.reasoningEffortMap).toEqual({ off: "none" });
    expect((await model("openai", "gpt-5.3-codex")).quirks?.reasoningEffortMap).toBeUndefined();
    expect((await model("openai", "gpt-4.1")).thinking).toBeUndefined();
  });

  test("DeepSeek, Kimi, GLM, Qwen: a switch or three marks, and thoughts that must come back", async () => {
    const deepseek = await model("deepseek", "deepseek-v4-pro");
    expect(deepseek.thinking).toEqual(["low", "high", "xhigh"]);
    expect(deepseek.quirks).toMatchObject({
      reasoningEffortMap: { xhigh: "max" },
      whenThinking: { requiresReasoningContentForToolCalls: true, thinkingFormat: "openai" },
    });
    expect((await model("zai", "glm-5.2")).thinking).toEqual(["high"]);
    expect((await model("moonshot", "kimi-k2.6")).input).toContain("image");
    expect((await entry("together", "Qwen/Qwen3-Coder-Next-FP8")).thinking).toBeUndefined();
  });

  test("small contexts name the larger sibling of their provider", async () => {
    expect((await entry("openai", "gpt-5.3-codex-spark")).promotionTarget).toBe("gpt-5.5");
    expect((await entry("openai", "gpt-5.5")).promotionTarget).toBe("gpt-5.4");
    expect((await model("openrouter", "openai/gpt-5.5")).promotionTarget).toBe("openai/gpt-5.4");
  });

  test("a plan's models cost nothing more", async () => {
    expect((await entry("openai-codex", "gpt-5.5")).cost).toEqual(FREE);
    expect((await entry("openai", "gpt-5.5")).cost.input).toBeGreaterThan(0);
  });
});
