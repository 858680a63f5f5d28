import { describe, expect, test } from "bun:test";
import { FREE, type Model } from "@tau/ai/model";
import { Equivalence, MAKERS, selectorOf } from "./equivalence.ts";
import type { EquivalenceConfig } from "./models-yml-schema.ts";
import { expandPattern, findModel, splitLevel, type ModelPool } from "./selector.ts";

function model(selector: string): Model {
  const slash = selector.indexOf("/");
  const id = selector.slice(slash + 1);
  return {
    provider: selector.slice(0, slash),
    id,
    name: id,
    wire: "openai-completions",
    baseUrl: "http://x",
    auth: "bearer",
    contextWindow: 1,
    maxOutput: 1,
    input: ["text"],
    cost: FREE,
  };
}

function pool(
  selectors: string[],
  options: { available?: string[]; order?: string[]; equivalence?: EquivalenceConfig } = {},
): ModelPool {
  const models = selectors.map(model);
  return {
    models,
    equivalence: new Equivalence(official(models), options.equivalence ?? {}),
    isAvailable: ({ provider }) => !options.available || options.available.includes(provider),
    providerOrder: options.order ?? [],
  };
}

function official(models: readonly Model[]): string[] {
  return models.filter(({ provider }) => MAKERS.includes(provider)).map(({ id }) => id);
}

function find(selector: string, from: ModelPool) {
  const match = findModel(selector, from);
  return match && [selectorOf(match.model), match.kind, match.thinking];
}

const POOL = [
  "openrouter/anthropic/claude-opus-4.6",
  "anthropic/claude-opus-4-6",
  "anthropic/claude-haiku-4-5",
  "amazon-bedrock/anthropic.claude-opus-4-6",
  "ollama/qwen3:8b",
  "ollama/odd:high",
  "openai/gpt-5.4",
  "openai/gpt-5.4-mini",
];

describe("finding a model", () => {
  test("a family means its newest, one with a number what it says", () => {
    const from = pool([
      "openrouter/anthropic/claude-sonnet-4",
      "openrouter/anthropic/claude-sonnet-4.5",
      "openrouter/anthropic/claude-sonnet-5",
      "openrouter/anthropic/claude-3.5-sonnet-20241022",
      "ollama/qwen3-coder:480b",
      "ollama/qwen2.5-coder:32b",
      "openai/gpt-4o",
      "openai/gpt-5.4",
      "openai/gpt-5.4-mini",
    ]);
    expect(find("sonnet", from)?.[0]).toBe("openrouter/anthropic/claude-sonnet-5");
    expect(find("sonnet-4", from)?.[0]).toBe("openrouter/anthropic/claude-sonnet-4");
    expect(find("coder", from)?.[0]).toBe("ollama/qwen3-coder:480b");
    expect(find("gpt", from)?.[0]).toBe("openai/gpt-5.4");
  });

  test("an official name is found however its version is written", () => {
    const from = pool(POOL);
    expect(find("claude-haiku-4.5", from)?.[0]).toBe("anthropic/claude-haiku-4-5");
    expect(find("gpt-5-4:high", from)).toEqual(["openai/gpt-5.4", "canonical", "high"]);
  });

  test("exact beats everything and is never coalesced", () => {
    const from = pool(POOL, { available: ["anthropic"] });
    expect(find("openrouter/anthropic/claude-opus-4.6", from)).toEqual([
      "openrouter/anthropic/claude-opus-4.6",
      "exact",
      undefined,
    ]);
  });

  test("a canonical id goes to whoever is available, in the user's order", () => {
    const to = (options: Parameters<typeof pool>[1]) =>
      find("claude-opus-4-6", pool(POOL, options))?.[0];
    expect(to({})).toBe("openrouter/anthropic/claude-opus-4.6");
    expect(to({ order: ["anthropic"] })).toBe("anthropic/claude-opus-4-6");
    expect(to({ order: ["anthropic"], available: ["openrouter"] })).toBe(
      "openrouter/anthropic/claude-opus-4.6",
    );
    expect(to({ available: ["amazon-bedrock"] })).toBe("amazon-bedrock/anthropic.claude-opus-4-6");
  });

  test("a colon in an id is no level, a level is one", () => {
    expect(find("ollama/qwen3:8b", pool(POOL))).toEqual(["ollama/qwen3:8b", "exact", undefined]);
    expect(find("qwen3:8b:low", pool(POOL))).toEqual(["ollama/qwen3:8b", "canonical", "low"]);
    expect(find("ollama/odd:high", pool(POOL))).toEqual(["ollama/odd:high", "exact", undefined]);
    expect(find("openai/gpt-5.4:xhigh", pool(POOL))).toEqual(["openai/gpt-5.4", "exact", "xhigh"]);
  });

  test("part of a name finds the plain model before its variants", () => {
    expect(find("gpt", pool(POOL))).toEqual(["openai/gpt-5.4", "fuzzy", undefined]);
    expect(find("HAIKU:high", pool(POOL))).toEqual(["anthropic/claude-haiku-4-5", "fuzzy", "high"]);
    expect(findModel("gpt", pool(POOL))!.others.map(selectorOf)).toEqual(["openai/gpt-5.4-mini"]);
    expect(find("nothing-like-it", pool(POOL))).toBeUndefined();
    expect(find("", pool(POOL))).toBeUndefined();
  });
});

describe("which models are the same", () => {
  test("only by form: prefixes and dots, never by guess", () => {
    const { models, equivalence } = pool(POOL);
    const ids = Object.fromEntries(models.map((m) => [selectorOf(m), equivalence.canonicalId(m)]));
    expect(ids["openrouter/anthropic/claude-opus-4.6"]).toBe("claude-opus-4-6");
    expect(ids["amazon-bedrock/anthropic.claude-opus-4-6"]).toBe("claude-opus-4-6");
    expect(ids["openai/gpt-5.4-mini"]).toBe("gpt-5.4-mini");
  });

  test("the user's word wins, both ways", () => {
    const from = pool([...POOL, "zenmux/codex"], {
      equivalence: {
        overrides: { "zenmux/codex": "gpt-5.4" },
        exclude: ["openrouter/anthropic/claude-opus-4.6"],
      },
      available: ["zenmux", "openrouter"],
    });
    expect(find("gpt-5.4", from)?.[0]).toBe("zenmux/codex");
    expect(find("claude-opus-4-6", from)?.[0]).not.toBe("openrouter/anthropic/claude-opus-4.6");
  });
});

describe("patterns", () => {
  const expand = (pattern: string) => expandPattern(pattern, pool(POOL)).map(selectorOf);
  test("globs, a canonical id with all its variants, one exact model", () => {
    expect(expand("openai/*")).toEqual(["openai/gpt-5.4", "openai/gpt-5.4-mini"]);
    expect(expand("*opus*")).toHaveLength(3);
    expect(expand("claude-opus-4-6")).toHaveLength(3);
    expect(expand("anthropic/claude-opus-4-6:high")).toEqual(["anthropic/claude-opus-4-6"]);
    expect(expand("nope/*")).toEqual([]);
  });
});

test("levels are split off only where they are levels", () => {
  expect(splitLevel("a:low")).toEqual({ name: "a", thinking: "low" });
  expect(splitLevel("a:8b")).toEqual({ name: "a:8b" });
  expect(splitLevel(":low")).toEqual({ name: ":low" });
});
