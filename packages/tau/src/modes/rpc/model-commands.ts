// Commands about the model: which one, and how hard it thinks.

import { THINKING_LEVELS, type Model } from "@tau/ai/model";
import { picklist, string } from "valibot";
import { defineCommand, type CommandRow } from "./command-row.ts";
import { RpcError } from "./protocol.ts";

export const MODEL_COMMANDS: readonly CommandRow[] = [
  defineCommand({
    name: "set_model",
    summary: "Sets the model, starting with the next request",
    answers: "the model",
    fields: { provider: string(), modelId: string() },
    run: async ({ active: { session } }, { provider, modelId }) => {
      await session.setModel(`${provider}/${modelId}`);
      return describeModel(session.model);
    },
  }),
  defineCommand({
    name: "cycle_model",
    summary: "Switches to the next model in the user's roles",
    answers: "`model`, `thinkingLevel`; null if there are fewer than two",
    fields: {},
    run: async ({ active: { session, settings } }) => {
      const { nextRoleModel } = await import("../../model/cycle-roles.ts");
      const next = nextRoleModel(settings, session.model);
      if (next === undefined) return null;
      await session.setModel(next);
      return { model: describeModel(session.model), thinkingLevel: session.thinking ?? "off" };
    },
  }),
  defineCommand({
    name: "get_available_models",
    summary: "Lists the models that have an API key, a login or a base URL",
    answers: "`models`",
    fields: {},
    run: async ({ cwd, env }) => {
      const [{ openModels }, { modelPool }] = await Promise.all([
        import("../../features/open-models.ts"),
        import("../../model/resolve-model.ts"),
      ]);
      const access = await openModels({ env, cwd });
      const { models } = await modelPool(access);
      return { models: models.filter((model) => access.isAvailable(model)).map(describeModel) };
    },
  }),
  defineCommand({
    name: "set_thinking_level",
    summary: "Sets the thinking level, starting with the next request",
    answers: "`level`",
    fields: { level: picklist(THINKING_LEVELS) },
    run: async ({ active: { session } }, { level }) => {
      await session.setThinking(level);
      return { level: session.thinking ?? "off" };
    },
  }),
  defineCommand({
    name: "cycle_thinking_level",
    summary:
      "Switches to the next thinking level that the model supports; after the last one comes `off`",
    answers: "`level`; null if the model does not support thinking",
    fields: {},
    run: async ({ active: { session } }) => {
      const levels = ["off", ...(session.model.thinking ?? [])] as const;
      if (levels.length < 2) return null;
      const at = levels.indexOf(session.thinking ?? "off");
      const next = THINKING_LEVELS.find((level) => level === levels[(at + 1) % levels.length]);
      if (!next) throw new RpcError("unsupported", "the model knows levels that Tau does not");
      await session.setThinking(next);
      return { level: next };
    },
  }),
];

export function describeModel(model: Model): Record<string, unknown> {
  const { provider, id, name, wire, contextWindow, maxOutput, input, thinking = [], cost } = model;
  return { provider, id, name, wire, contextWindow, maxOutput, input, thinking, cost };
}
