// Every tool's view by its name, as the features bring them. What nobody brings is shown by its
// arguments and its text.

import type { Feature } from "../../feature-api/feature.ts";
import type { TerminalFeature } from "../../feature-api/terminal-feature.ts";
import type { ToolView } from "../../feature-api/tool-view.ts";
import { BUILT_IN } from "../../features/built-in.ts";
import { loadHalves } from "../../features/load-halves.ts";

export type FindToolView = (name: string) => ToolView;

/**
 * What the features bring to the terminal, the built-in ones first; loaded once the first frame stands.
 * `tell`: what of those from outside is left out, and why.
 */
export async function loadTerminalFeatures(
  features: readonly Feature[],
  tell: (notice: string) => void = () => {},
): Promise<readonly TerminalFeature[]> {
  const loaded = await loadHalves(features, (feature) => feature.terminal?.(), {
    what: "the views",
    tell,
  });
  const shown = new Set<string>();
  return loaded.map(({ feature, half }) => {
    if (BUILT_IN.includes(feature)) return half;
    const views = ownViews(feature, half.views ?? {}, { features, shown, tell });
    return { ...half, views, panel: half.panel && guardedPanel(feature, half, tell) };
  });
}

/** How a call looks is its tool's: nobody shows another's as something else. */
function ownViews(
  feature: Feature,
  views: Readonly<Record<string, ToolView>>,
  place: { features: readonly Feature[]; shown: Set<string>; tell: (notice: string) => void },
): Record<string, ToolView> {
  const { features, shown, tell } = place;
  const others = new Set(
    features.filter((one) => one !== feature).flatMap(({ tools = [] }) => tools),
  );
  const own = Object.entries(views).filter(([tool]) => {
    const isFree = !others.has(tool) && !shown.has(tool);
    if (!isFree) {
      tell(
        `the view of ${tool} that the feature ${feature.name} brings is left out: it is another's tool`,
      );
    }
    if (isFree) shown.add(tool);
    return isFree;
  });
  return Object.fromEntries(own);
}

function guardedPanel(
  { name }: Feature,
  half: TerminalFeature,
  tell: (notice: string) => void,
): TerminalFeature["panel"] {
  return (place) => {
    try {
      return half.panel?.(place);
    } catch (error) {
      tell(`the panel of the feature ${name} is left out: ${String(error)}`);
      return undefined;
    }
  };
}

export async function loadToolViews(features: readonly Feature[]): Promise<FindToolView> {
  return toolViewsOf(await loadTerminalFeatures(features));
}

export async function toolViewsOf(terminal: readonly TerminalFeature[]): Promise<FindToolView> {
  const { unknownToolView } = await import("../../tools/render/unknown-tool-view.ts");
  const views = new Map(terminal.flatMap(({ views: own = {} }) => Object.entries(own)));
  return (name) => views.get(name) ?? unknownToolView;
}
