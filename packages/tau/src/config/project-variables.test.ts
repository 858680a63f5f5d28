import { expect, test } from "bun:test";
import { PROVIDERS } from "@tau/ai/providers";
import { SETTINGS_TABLE } from "../features/settings-table.ts";
import { VARIABLES } from "../features/variables-table.ts";
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
  expect(projectSay(name, VARIABLES)).toBe(expected as never);
});

test("nothing that moves a provider's address is ever a project's to say", () => {
  for (const { baseUrlEnv = [], hostEnv = [] } of PROVIDERS) {
    for (const name of [...baseUrlEnv, ...hostEnv])
      expect([name, projectSay(name, VARIABLES)]).toEqual([name, "never"]);
  }
  // Only what was declared harmless is free.
  const free = VARIABLES.names.filter((name) => projectSay(name, VARIABLES) === "may");
  expect(free).toEqual([
    "TAU_PROMPT_PROFILE",
    "TAU_EDIT_VARIANT",
    "TAU_MAX_AST_FILES",
    "TAU_NO_TITLE",
  ]);
});

test("what a project may set loosens nothing: it overrides no setting that guards or is the user's", () => {
  const own = VARIABLES.names.flatMap((name) => {
    const { project, setting } = VARIABLES.row(name)!;
    if (project !== "may" || setting === undefined) return [];
    const row = SETTINGS_TABLE.row(setting)!;
    return row.guards || row.scope === "user" ? [name] : [];
  });
  expect(own).toEqual([]);
});
