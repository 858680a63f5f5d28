// A program in a terminal of its own, over the conversation, in whatever size the screen has.

import type { FocusableComponent } from "@tau/tui/component";
import type { ShownTerminal } from "../../tools/bash/show-terminal.ts";
import type { Close } from "./stage.ts";
import type { Surface } from "./surface.ts";

export async function showTerminal(surface: Surface, terminal: ShownTerminal): Promise<void> {
  const { TerminalView } = await import("./terminal-view/terminal-view.ts");
  const { theme, requestRender } = surface;
  const view = await TerminalView.open({ terminal, theme, requestRender, size: surface.size });
  const open = (close: Close<true>): FocusableComponent => {
    void view.closed.then(() => close(true));
    return {
      get state() {
        return view.state;
      },
      render: (columns) => {
        view.resize({ columns, rows: surface.size.rows });
        return view.render(columns);
      },
      handleKey: (input) => view.handleKey(input),
    };
  };
  await surface.show<true>(open, { keys: "all" });
}
