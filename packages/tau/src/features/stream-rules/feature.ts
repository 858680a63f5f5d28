// Stream rules: a reply that breaks a rule of the user's or the project's is stopped or reminded.
// Nobody listens to the stream if there is nothing to hear.

import { GATHERED } from "../../context/gathered.ts";
import type { Feature } from "../../feature-api/feature.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import { STREAM_RULE_ROWS } from "../../context/stream-rule-settings.ts";

export const streamRules: Feature = {
  name: "stream-rules",
  order: 50,
  settings: [STREAM_RULE_ROWS],
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
