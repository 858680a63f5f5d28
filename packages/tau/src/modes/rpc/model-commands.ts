// Commands about the model: which one, and how hard it thinks.

import { THINKING_LEVELS, type Model } from "@tau/ai/model";
import { picklist, string } from "valibot";
import { defineCommand, type CommandRow } from "./command-row.ts";
import { RpcError } from "./protocol.ts";

export const MODEL_COMMANDS: readonly CommandRow[] = [
  defineCommand({
    name: "set_model",
    summary: "Another model from the next request on",
    answers: "the model",
    fields: { provider: string(), modelId: string() },
    run: async ({ active: { session } }, { provider, modelId }) => {
      await session.setModel(`${provider}/${modelId}`);
      return describeModel(session.model);
    },
  }),
  defineCommand({
    name: "cycle_model",
    summary: "The next model of the user's roles",
    answers: "`model`, `thinkingLevel`; null where there are no two to go between",
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
    summary: "The models that there is a key, a login or an address for",
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
    summary: "How hard the model thinks, from the next request on",
    answers: "`level`",
    fields: { level: picklist(THINKING_LEVELS) },
    run: async ({ active: { session } }, { level }) => {
      await session.setThinking(level);
      return { level: session.thinking ?? "off" };
    },
  }),
  defineCommand({
    name: "cycle_thinking_level",
    summary: "The next level that the model knows; behind the last one comes `off`",
    answers: "`level`; null where the model does not think",
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
