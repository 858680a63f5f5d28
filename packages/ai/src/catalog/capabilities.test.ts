import { describe, expect, test } from "bun:test";
import { capabilitiesOf } from "./capabilities.ts";
import { plainName } from "./model-name.ts";
import { UNKNOWN_MODEL } from "./unknown-model.ts";

describe("one name for a model", () => {
  const CASES: [id: string, plain: string][] = [
    ["claude-opus-4-6", "claude-opus-4.6"],
    ["anthropic/claude-opus-4.6", "claude-opus-4.6"],
    ["us.anthropic.claude-opus-4-6-v1", "claude-opus-4.6-v1"],
    ["claude-opus-4-20250514", "claude-opus-4-20250514"],
    ["claude-haiku-4-5@20251001", "claude-haiku-4.5@20251001"],
    ["duo-chat-opus-4-8", "claude-opus-4.8"],
    ["accounts/fireworks/models/kimi-k2p6", "kimi-k2.6"],
    ["hf:zai-org/GLM-5.2", "glm-5.2"],
    ["z-ai-glm-5-3", "glm-5.3"],
    ["openai-gpt-54-mini", "gpt-5.4-mini"],
    ["us.deepseek.r1-v1:0", "deepseek-r1-v1:0"],
    ["moonshot.kimi-k2-thinking", "kimi-k2-thinking"],
    ["qwen-3-8-flash", "qwen3.8-flash"],
    ["glm-4-32b", "glm-4-32b"],
    ["qwen3:8b", "qwen3:8b"],
  ];
  for (const [id, plain] of CASES) {
    test(id, () => {
      expect(plainName(id)).toBe(plain);
    });
  }
});

describe("what is known of a name", () => {
  test("of nothing known: cautious assumptions", () => {
    expect(capabilitiesOf("frobnicator-9000")).toEqual(UNKNOWN_MODEL);
  });

  test("the same wherever it is served", () => {
    const [first, ...others] = [
      "claude-opus-4-8",
      "anthropic/claude-opus-4.8",
      "eu.anthropic.claude-opus-4-8",
      "claude-opus-4-8@default",
    ].map((id) => capabilitiesOf(id, "anthropic-messages"));
    for (const other of others) expect(other).toEqual(first!);
    expect(first!.quirks).toMatchObject({ thinkingStyle: "adaptive" });
  });

  test("versions are compared as versions", () => {
    expect(capabilitiesOf("claude-opus-4-1").maxOutput).toBe(32_000);
    expect(capabilitiesOf("claude-opus-4-10").maxOutput).toBe(128_000);
    expect(capabilitiesOf("gpt-5.10").thinking).toContain("xhigh");
    // 4.20 came before 4.3.
    expect(capabilitiesOf("grok-4.20-reasoning").thinking).toEqual(["high"]);
    expect(capabilitiesOf("grok-4.3").thinking).toEqual(["low", "medium", "high"]);
  });

  test("OpenAI's thinkers take no temperature, whoever serves them", () => {
    for (const id of ["gpt-5", "gpt-5.4", "openai/gpt-5.1-codex", "o3"]) {
      for (const wire of ["openai-completions", "openai-responses"] as const) {
        const { quirks } = capabilitiesOf(id, wire);
        expect(quirks).toMatchObject({ supportsSamplingWhileThinking: false });
      }
    }
    expect(capabilitiesOf("gpt-4.1", "openai-completions").quirks).toBeUndefined();
    expect(capabilitiesOf("gpt-5-chat-latest", "openai-completions").thinking).toBeUndefined();
  });

  test("quirks are for the wire that is spoken", () => {
    expect(capabilitiesOf("claude-opus-5", "openai-completions").quirks).toBeUndefined();
    expect(capabilitiesOf("gemini-3.5-flash", "google-vertex").quirks).toEqual({
      thinkingStyle: "level",
    });
  });
});
