// Stream rules: a reply that breaks a rule of the user's or the project's is stopped or reminded.
// Nobody listens to the stream if there is nothing to hear.

import { GATHERED } from "../../context/gathered.ts";
import { STREAM_RULE_ROWS } from "../../context/stream-rule-settings.ts";
import type { Feature } from "../../feature-api/feature.ts";
import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note } from "../../session/projection/block.ts";
import { WORKSPACE } from "../../tools/workspace.ts";

interface RuleEventMap {
  /** A reply has broken these rules: it is stopped, or reminded of them when it is done. */
  ttsr_triggered: { rules: { name: string; path: string }[] };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends RuleEventMap {}
}

type Told<Type extends keyof RuleEventMap> = { type: Type } & RuleEventMap[Type];

const RULE_EVENTS: EventRowsOf<RuleEventMap> = {
  ttsr_triggered: {
    docs: "a reply broke a [rule](rules.md)",
    kept: keeping(
      ({ rules }: Told<"ttsr_triggered">) => ({ rules: rules.map(({ name }) => name) }),
      ({ rules }) => [note(`The reply broke a rule: ${rules.join(", ")}.`)],
    ),
  },
};

export const streamRules: Feature = {
  name: "stream-rules",
  order: 50,
  settings: [STREAM_RULE_ROWS],
  events: RULE_EVENTS,
  setup: async (host) => {
    const rules = host.part(GATHERED)?.streamRules ?? [];
    if (rules.length === 0) return undefined;
    const workspace = host.need(WORKSPACE);
    const { watchReplies } = await import("./watch-replies.ts");
    return {
      hooks: watchReplies(host, {
        rules,
        settings: host.settings.group(STREAM_RULE_ROWS),
        newTexts: async (tool, params) => {
          const { newTexts } = await import("../../tools/new-texts.ts");
          return newTexts(tool, params, workspace);
        },
        syntax: () => workspace.syntax(),
      }),
    };
  },
};
