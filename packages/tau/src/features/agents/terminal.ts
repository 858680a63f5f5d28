// How agents look in the terminal.

import type { TerminalFeature } from "../../feature-api/terminal-feature.ts";
import { AgentPanel } from "./agent-panel.ts";
import { ircView, taskView, yieldView } from "./render.ts";

export { SAMPLES as samples } from "./samples.ts";

export const views: TerminalFeature["views"] = {
  task: taskView,
  irc: ircView,
  yield: yieldView,
};

export const panel: TerminalFeature["panel"] = (place) => new AgentPanel(place);
