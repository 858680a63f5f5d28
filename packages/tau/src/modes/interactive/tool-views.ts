// Every tool's view by its name, as the features bring them. What nobody brings is shown by its
// arguments and its text.

import type { Feature } from "../../feature-api/feature.ts";
import type { TerminalFeature } from "../../feature-api/terminal-feature.ts";
import type { ToolView } from "../../feature-api/tool-view.ts";

export type FindToolView = (name: string) => ToolView;

/** What the features bring to the terminal, in their order; loaded once the first frame stands. */
export async function loadTerminalFeatures(
  features: readonly Feature[],
): Promise<readonly TerminalFeature[]> {
  const loaded = await Promise.all(features.map(async (feature) => feature.terminal?.()));
  return loaded.filter((one) => one !== undefined);
}

export async function loadToolViews(features: readonly Feature[]): Promise<FindToolView> {
  const [terminal, { unknownToolView }] = await Promise.all([
    loadTerminalFeatures(features),
    import("../../tools/render/unknown-tool-view.ts"),
  ]);
  const views = new Map(terminal.flatMap(({ views: own = {} }) => Object.entries(own)));
  return (name) => views.get(name) ?? unknownToolView;
}
