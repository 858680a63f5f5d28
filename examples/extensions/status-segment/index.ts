// A few words in the status line: how long the last turn took, and how many there were.

import { defineExtension } from "@tau/extension";

export default defineExtension({
  name: "status-segment",
  setup: (host) => {
    let started = 0;
    return {
      hooks: {
        run_start: () => {
          started = Date.now();
          host.ui.setStatus("clock", "working");
          return undefined;
        },
        turn_end: ({ turn }) => {
          const seconds = ((Date.now() - started) / 1000).toFixed(1);
          host.ui.setStatus("clock", `${turn === 1 ? "1 turn" : `${turn} turns`} in ${seconds} s`);
          return undefined;
        },
      },
    };
  },
});
