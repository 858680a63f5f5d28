import { expect, test } from "bun:test";
import { Settings } from "../config/settings.ts";
import { PROMPT_ROWS, profileFor } from "./prompt-profile.ts";
import { variantFor } from "./prompt-variants.ts";
import { promptParts } from "./system-prompt.ts";

test.each([
  ["claude-sonnet-4-5", "restrain"],
  ["anthropic/claude-haiku-4-5", "restrain"],
  ["gpt-5.4", "act"],
  ["openai/o4-mini", "act"],
  ["gemini-3-pro", "call"],
  ["Qwen/Qwen3-Coder", "call"],
  ["x", undefined],
])("%s: %s", (id, name) => {
  expect(variantFor({ id })?.name).toBe(name as never);
});

test("words of one's own have no variant behind them", () => {
  const place = { cwd: "/x", platform: "linux", date: "2026-01-01" };
  const [own] = promptParts(place, { model: { id: "gpt-5" } });
  const [plain] = promptParts(place);
  expect(own!.text.startsWith(plain!.text)).toBe(true);
  expect(own!.text.length).toBeGreaterThan(plain!.text.length);
  expect(promptParts(place, { model: { id: "gpt-5" }, system: "mine" })[0]!.text).toBe("mine");
});

test.each([
  ["auto", 8192, "small"],
  ["auto", 32_768, "small"],
  ["auto", 128_000, "full"],
  ["full", 8192, "full"],
  ["small", 200_000, "small"],
])("%s with a window of %d: %s", (profile, contextWindow, expected) => {
  const values = new Map([["prompt.profile", profile]]);
  const settings = new Settings([{ name: "user", source: "x", values, problems: [] }]);
  expect(settings.group(PROMPT_ROWS).profile).toBe(profile as never);
  expect(profileFor({ contextWindow }, settings)).toBe(expected as never);
});
