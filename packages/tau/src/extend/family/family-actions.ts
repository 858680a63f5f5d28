// What the family's code does in a session: says something, keeps something, changes its tools or its
// model. Nothing of it is awaited there, so what fails is told by the extension's name.

import type { Delivery } from "@tau/agent/mail";
import type { Tool } from "@tau/agent/tool";
import type { ThinkingLevel } from "@tau/ai/model";
import { EXTENSION_ROWS } from "../../discovery/extension-settings.ts";
import type { FeatureHost } from "../../feature-api/feature.ts";
import { BUILT_IN_TOOLS } from "../../features/tool-names.ts";
import type { FamilyActions } from "./family-api.ts";
import { customFormOf, sayCustom } from "./custom-message.ts";
import { toContent } from "./family-messages.ts";
import { selectorOf } from "./family-model.ts";

const DELIVERIES: readonly Delivery[] = ["steer", "followUp", "nextTurn"];

interface SendOptions {
  readonly deliverAs?: unknown;
  readonly triggerTurn?: unknown;
}

export interface ActionOptions {
  readonly host: FeatureHost;
  readonly extension: string;
  readonly failed: (error: unknown) => void;
  /** Tells the user a sentence, once. */
  readonly tellOnce: (sentence: string) => void;
  /** A run has been started, which whoever waits for the session waits for too. */
  readonly prompting: (run: Promise<unknown>) => void;
  readonly added: Pick<
    FamilyActions,
    "toolAdded" | "handlerAdded" | "commandAdded" | "providerAdded"
  >;
}

export function makeFamilyActions({
  host,
  extension,
  failed,
  tellOnce,
  prompting,
  added,
}: ActionOptions): FamilyActions {
  const { session } = host;
  const settle = (work: Promise<unknown>): void => void work.catch(failed);
  return {
    ...added,
    sendMessage(message, options) {
      const { triggerTurn, deliverAs } = (options ?? {}) as SendOptions;
      const delivery = deliveryOf(deliverAs);
      // Nothing runs, and nothing is to: it joins the conversation where it stands now.
      if (!session.isBusy && triggerTurn !== true && delivery !== "nextTurn") {
        const { content } = (message ?? {}) as Record<string, unknown>;
        const form = customFormOf(message, extension);
        settle(host.append([{ type: "custom_message", ...form, content: toContent(content) }]));
        return;
      }
      const said = sayCustom(session, message, extension);
      settle(session.mailbox.post(said, { delivery, sender: extension, isDurable: true }));
    },
    sendUserMessage(content, options) {
      const { deliverAs } = (options ?? {}) as SendOptions;
      const message = { role: "user", content: toContent(content), timestamp: Date.now() } as const;
      if (session.isBusy) {
        const delivery = deliveryOf(deliverAs);
        settle(session.mailbox.post(message, { delivery, sender: extension, isDurable: true }));
      } else prompting(session.prompt(message, { source: "extension" }));
    },
    appendEntry: (customType, data) => settle(host.append([{ type: "custom", customType, data }])),
    setSessionName: (name) => settle(session.rename(String(name))),
    getSessionName: () => session.log.title,
    setEntryLabel: (entryId, label) => settle(session.label(entryId, label)),
    getActiveTools: () => host.tools().map(({ name }) => name),
    getAllTools: () => session.tools.all.map(toToolInfo),
    async setActiveTools(names) {
      const known = new Set(session.tools.all.map(({ name }) => name));
      const unknown = names.map(String).filter((name) => !known.has(name));
      if (unknown.length > 0) {
        const what = unknown.join(", ");
        tellOnce(`the extension ${extension} activates tools that are not there: ${what}`);
      }
      session.tools.restrictTo(names.map(String));
    },
    getCommands: () =>
      session.commands.map(({ name, help }) => ({ name, description: help, source: "extension" })),
    getSettings: () => familySettings(host),
    async setModel(model) {
      const selector = selectorOf(model);
      if (selector === undefined) return false;
      try {
        await session.setModel(selector);
        return true;
      } catch (error) {
        failed(error);
        return false;
      }
    },
    getThinkingLevel: () => session.thinking ?? "off",
    setThinkingLevel: (level) => settle(session.setThinking(level as ThinkingLevel)),
  };
}

function toToolInfo({ name, description, parameters }: Tool): object {
  const isBuiltIn = BUILT_IN_TOOLS.includes(name);
  const source = isBuiltIn ? "builtin" : "extension";
  const sourceInfo = { path: `<${source}:${name}>`, source, scope: "user", origin: "top-level" };
  return { name, description, parameters: parameters.jsonSchema, sourceInfo };
}

/** Under the family's names, as far as Tau has the same. */
function familySettings({ session, project }: FeatureHost): object {
  const { provider, id } = session.model;
  return {
    defaultProvider: provider,
    defaultModel: id,
    defaultThinkingLevel: session.thinking ?? "off",
    extensions: project.settings.group(EXTENSION_ROWS).extensions,
    packages: [],
  };
}

function deliveryOf(given: unknown): Delivery {
  return DELIVERIES.find((one) => one === given) ?? "steer";
}
