// Questions of the model in the terminal: how their calls look.

import type { TerminalFeature } from "../../feature-api/terminal-feature.ts";
import { askView } from "./render.ts";

export { SAMPLES as samples } from "./samples.ts";

export const views: TerminalFeature["views"] = { ask: askView };
