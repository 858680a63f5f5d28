// The todo list in the terminal: its calls, and the panel above the prompt.

import type { Panel, PanelPlace, TerminalFeature } from "../../feature-api/terminal-feature.ts";
import { todoView } from "./render.ts";
import { TodoPanel } from "./todo-panel.ts";

export { SAMPLES as samples } from "./samples.ts";

export const views: TerminalFeature["views"] = { todo: todoView };

export function panel(place: PanelPlace): Panel {
  return new TodoPanel(place);
}
