import { expect, test } from "bun:test";
import { PROVIDERS } from "@tau/ai/providers";
import { VARIABLE_NAMES } from "./environment-table.ts";
import { projectSay } from "./project-variables.ts";

test.each([
  ["TAU_NO_TITLE", "may"],
  ["PI_NO_TITLE", "may"],
  ["TAU_MODEL", "never"],
  ["OMP_MODEL", "never"],
  ["TAU_ANYTHING_NEW", "never"],
  ["ANTHROPIC_API_KEY", "if_trusted"],
  ["ANTHROPIC_BASE_URL", "never"],
  ["ANTHROPIC_CUSTOM_HEADERS", "never"],
  ["CLAUDE_CODE_USE_FOUNDRY", "never"],
  ["OLLAMA_HOST", "never"],
  ["AZURE_OPENAI_BASE_URL", "never"],
  ["NODE_OPTIONS", "never"],
  ["LD_PRELOAD", "never"],
  ["BUN_INSPECT", "never"],
  ["https_proxy", "never"],
  // What applications have in their files, and Tau no business with.
  ["NODE_ENV", "unknown"],
  ["DATABASE_URL", "unknown"],
  ["AWS_REGION", "unknown"],
  ["PORT", "unknown"],
])("%s: %s", (name, expected) => {
  expect(projectSay(name)).toBe(expected as never);
});

test("nothing that moves a provider's address is ever a project's to say", () => {
  for (const { baseUrlEnv = [], hostEnv = [] } of PROVIDERS) {
    for (const name of [...baseUrlEnv, ...hostEnv])
      expect([name, projectSay(name)]).toEqual([name, "never"]);
  }
  // Only what was declared harmless is free.
  const free = VARIABLE_NAMES.filter((name) => projectSay(name) === "may");
  expect(free).toEqual([
    "TAU_EDIT_VARIANT",
    "TAU_PROMPT_PROFILE",
    "TAU_NO_TITLE",
    "TAU_MAX_AST_FILES",
  ]);
});
