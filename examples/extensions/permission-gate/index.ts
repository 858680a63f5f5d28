// Asks before a command that deletes or publishes something, whatever the approval mode says. Without
// somebody to ask, such a command is refused.

import { defineExtension } from "@tau/extension";

const DANGEROUS: readonly (readonly [RegExp, string])[] = [
  [/\brm\s+(?:-\w*[rf]\w*\s+)+/, "deletes files"],
  [/\bgit\s+push\b.*(?:--force|-f)\b/, "overwrites what others may have"],
  [/\b(?:npm|bun|cargo)\s+publish\b/, "publishes a package"],
];

export default defineExtension({
  name: "permission-gate",
  setup: (host) => ({
    hooks: {
      tool_call: async ({ call, arguments: args }) => {
        if (call.name !== "bash") return undefined;
        const command = String(args.command);
        const found = DANGEROUS.find(([pattern]) => pattern.test(command));
        if (!found) return undefined;
        const [, what] = found;
        const yes = await host.ui.confirm(`This command ${what}`, command);
        return yes ? undefined : { type: "block", reason: `Refused: it ${what}.` };
      },
    },
  }),
});
