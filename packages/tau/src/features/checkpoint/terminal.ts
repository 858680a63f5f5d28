// Checkpoints in the terminal: how their calls look.

import type { TerminalFeature } from "../../feature-api/terminal-feature.ts";
import { checkpointView, rewindView } from "./render.ts";

export { SAMPLES as samples } from "./samples.ts";

export const views: TerminalFeature["views"] = { checkpoint: checkpointView, rewind: rewindView };
