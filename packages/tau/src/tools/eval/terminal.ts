// How it looks in the terminal.

import type { TerminalFeature } from "../../feature-api/terminal-feature.ts";
import { evalView } from "./render.ts";

export { SAMPLES as samples } from "./samples.ts";

export const views: TerminalFeature["views"] = { eval: evalView };
