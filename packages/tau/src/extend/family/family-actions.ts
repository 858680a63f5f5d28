// What the family's code does in a session: says something, keeps something, changes its tools or its
// model. Nothing of it is awaited there, so what fails is told by the extension's name.

import type { Delivery } from "@tau/agent/mail";
import type { ThinkingLevel } from "@tau/ai/model";
import type { FeatureHost } from "../../feature-api/feature.ts";
import type { FamilyActions } from "./family-api.ts";
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
  prompting,
  added,
}: ActionOptions): FamilyActions {
  const { session } = host;
  const settle = (work: Promise<unknown>): void => void work.catch(failed);
  return {
    ...added,
    sendMessage(message, options) {
      const { customType, content, display, details, attribution } = (message ?? {}) as Record<
        string,
        unknown
      >;
      const { triggerTurn, deliverAs } = (options ?? {}) as SendOptions;
      const blocks = toContent(content);
      const delivery = deliveryOf(deliverAs);
      // Nothing runs, and nothing is to: it joins the conversation where it stands now.
      if (!session.isBusy && triggerTurn !== true && delivery !== "nextTurn") {
        const entry = {
          type: "custom_message",
          customType: String(customType ?? extension),
          content: blocks,
          display: display !== false,
          attribution: attribution === "user" ? "user" : "agent",
          details,
        } as const;
        settle(host.append([entry]));
        return;
      }
      const said = { role: "user", content: blocks, timestamp: Date.now() } as const;
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
    getAllTools: () =>
      host.tools().map(({ name, description, parameters }) => ({ name, description, parameters })),
    setActiveTools: (names) => session.tools.restrictTo(names),
    getCommands: () =>
      session.commands.map(({ name, help }) => ({ name, description: help, source: "extension" })),
    getSettings: () => ({}),
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

function deliveryOf(given: unknown): Delivery {
  return DELIVERIES.find((one) => one === given) ?? "steer";
}
