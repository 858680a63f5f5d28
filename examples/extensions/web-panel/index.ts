// What a run is doing, for a page in a browser: the extension counts, and answers the RPC command `panel`.
// `node serve.ts` starts Tau in RPC mode with this extension and serves the page.

import { defineExtension, defineProtocolCommand, offer, partKey } from "@tau/extension";

interface Panel {
  turns: number;
  calls: Record<string, number>;
  last: string;
}

const PANEL = partKey<Panel>("web-panel");

export default defineExtension({
  name: "web-panel",
  setup: () => {
    const panel: Panel = { turns: 0, calls: {}, last: "" };
    return {
      part: offer(PANEL, panel),
      hooks: {
        tool_call: ({ call }) => {
          panel.calls[call.name] = (panel.calls[call.name] ?? 0) + 1;
          return undefined;
        },
        reply: ({ message }) => {
          panel.last = message.content.map((block) => String(block.text ?? "")).join("");
          return undefined;
        },
        turn_end: () => {
          panel.turns++;
          return undefined;
        },
      },
    };
  },
  protocol: async () => ({
    commands: [
      defineProtocolCommand({
        name: "panel",
        summary: "What the run has done so far, for the web panel",
        answers: "`turns`, `calls` by tool, and the `last` words",
        order: "at_once",
        fields: {},
        run: async (session) => session.part(PANEL),
      }),
    ],
  }),
});
