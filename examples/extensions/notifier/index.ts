// Runs a program of yours when a long run is over, so that you can look away: `notify-send`, `say`, a script.

import { defineExtension, amount, settingGroup, text } from "@tau/extension";

const rows = settingGroup("notifier", "Notifier", {
  command: text("", "The program to run; it gets the last words of the answer as its argument"),
  afterSeconds: amount(10, "Only after runs that took at least so long"),
});

export default defineExtension({
  name: "notifier",
  settings: [rows],
  setup: (host) => {
    let started = 0;
    return {
      hooks: {
        run_start: () => void (started = Date.now()),
        idle: async ({ messages }) => {
          const { command, afterSeconds } = host.settings.group(rows);
          if (command === "" || Date.now() - started < afterSeconds * 1000) return;
          const last = messages.findLast(({ role }) => role === "assistant");
          const words = last?.content.map((block) => block.text ?? "").join("") ?? "";
          // Not stopped with the session: whoever leaves wants to be told all the same.
          host.background(async () => {
            const { execFile } = await import("node:child_process");
            await new Promise<void>((resolve, reject) => {
              execFile(command, [String(words).slice(0, 200)], (error) =>
                error ? reject(error) : resolve(),
              );
            });
          });
        },
      },
    };
  },
});
