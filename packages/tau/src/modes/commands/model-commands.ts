// Commands about who answers: the model, how hard it thinks, and the accounts behind it.

import type { ThinkingLevel } from "@tau/ai/model";
import { THINKING_LEVELS } from "@tau/ai/model";
import { COMMAND } from "../../brand.ts";
import { userSettingsFile } from "../../config/open-settings.ts";
import { EXIT } from "../../exit-code.ts";
import { UserError } from "../../user-error.ts";
import type { AppContext } from "../interactive/app-context.ts";
import { copyBytes } from "../interactive/clipboard.ts";
import type { ModelChoice } from "../interactive/screens/model-picker.ts";
import type { Command, FrontEnd } from "./command.ts";

const SESSION_ONLY = "--session";
const DEFAULT_ROLE = "default";

export const MODEL_COMMANDS: readonly Command[] = [
  {
    name: "model",
    aliases: ["models"],
    argument: "[NAME]",
    help: "choose the model",
    when: "any",
    complete: async ({ app }, typed) => {
      if (!app) return [];
      const access = await modelAccess(app);
      const { modelPool } = await import("../../model/resolve-model.ts");
      const { models } = await modelPool(access);
      return models
        .filter((model) => access.isAvailable(model))
        .map(({ provider, id }) => `${provider}/${id}`)
        .filter((name) => name.includes(typed));
    },
    run: takeNamedModel,
    screen: async (app, argument) => {
      if (argument !== "" && argument !== SESSION_ONLY) return takeNamedModel(app, argument);
      return pickModel(app, argument === SESSION_ONLY ? "session" : "default");
    },
  },
  {
    name: "thinking",
    argument: "[LEVEL]",
    help: "set the thinking level",
    when: "any",
    complete: ({ active }) => ["off", ...(active.session.model.thinking ?? [])],
    run: takeThinking,
    screen: async (app, word) => {
      const level = word === "" ? await pickThinking(app) : word;
      return level && takeThinking(app, level);
    },
  },
  {
    name: "login",
    aliases: ["logout"],
    argument: "[PROVIDER]",
    help: "log in to a provider, or log out",
    when: "any",
    screen: async (app, provider) => {
      const outcome = await logIn(app, provider === "" ? undefined : provider);
      if (!outcome) return undefined;
      if (outcome.kind === "logout") return `Logged out of ${outcome.provider}.`;
      // Whoever has just connected the first one wants to talk to it.
      if (app.active.session.model.provider !== COMMAND) return `Logged in to ${outcome.provider}.`;
      return pickModel(app, "default");
    },
  },
];

/** With a name, that one from now on; without, what it is. */
async function takeNamedModel(
  { active }: Pick<FrontEnd, "active">,
  selector: string,
): Promise<string> {
  if (selector !== "") await active.session.setModel(selector);
  return inUse({ active });
}

async function takeThinking(
  { active: { session } }: Pick<FrontEnd, "active">,
  word: string,
): Promise<string> {
  const level = THINKING_LEVELS.find((known) => known === word) as ThinkingLevel | undefined;
  if (word !== "" && !level) {
    throw new UserError(`choose one of ${THINKING_LEVELS.join(", ")}`, EXIT.usage);
  }
  if (level) await session.setThinking(level);
  return `The thinking level is ${session.thinking ?? "off"}.`;
}

async function modelAccess({ env, cwd }: AppContext) {
  const { openModels } = await import("../../features/open-models.ts");
  return openModels({ env, cwd });
}

async function pickThinking({ surface, active }: AppContext): Promise<ThinkingLevel | undefined> {
  const { openThinkingPicker } = await import("../interactive/screens/thinking-picker.ts");
  const { model, thinking } = active.session;
  return openThinkingPicker(surface, { model, current: thinking });
}

async function logIn(app: AppContext, provider: string | undefined) {
  const { openLoginScreen } = await import("../interactive/screens/login-screen.ts");
  return openLoginScreen(app.surface, {
    env: app.env,
    copy: (text) => app.surface.send(copyBytes(text) ?? ""),
    provider,
  });
}

async function pickModel(
  app: AppContext,
  save: "session" | "default",
): Promise<string | undefined> {
  const [{ openModelPicker }, { pickableModels, refreshedModels }, access] = await Promise.all([
    import("../interactive/screens/model-picker.ts"),
    import("../interactive/screens/pickable-models.ts"),
    modelAccess(app),
  ]);
  const { provider, id } = app.active.session.model;
  const choice = await openModelPicker(app.surface, {
    load: () => pickableModels(access),
    refresh: () => refreshedModels(access),
    current: `${provider}/${id}`,
    roles: access.settings.roles,
    save,
  });
  if (!choice) return undefined;
  if (choice.kind === "model") return takeModel(app, choice);
  const outcome = await logIn(app, choice.provider);
  if (outcome?.kind !== "login") return undefined;
  await app.active.session.setModel(choice.selector);
  return inUse(app);
}

async function takeModel(
  app: AppContext,
  { selector, thinking, role, save }: Extract<ModelChoice, { kind: "model" }>,
): Promise<string> {
  // Other roles are for other work: they have no place but the settings.
  if (save === "default" || role !== DEFAULT_ROLE) {
    const { writeSetting } = await import("../../config/write-setting.ts");
    const value = thinking === undefined ? selector : `${selector}:${thinking}`;
    await writeSetting(userSettingsFile(app.env), `modelRoles.${role}`, value);
  }
  if (role !== DEFAULT_ROLE) return `${role} is ${selector} from the next session on.`;
  await app.active.session.setModel(selector, thinking);
  return save === "default" ? `${inUse(app)} It is your default now.` : inUse(app);
}

function inUse({ active }: Pick<FrontEnd, "active">): string {
  const { model, thinking } = active.session;
  return `The model is ${model.provider}/${model.id}${thinking ? `, thinking ${thinking}` : ""}.`;
}
