// Every tool's view by its name, as the features bring them. What nobody brings is shown by its
// arguments and its text.

import type { Feature } from "../../feature-api/feature.ts";
import type { EntryView, TerminalFeature } from "../../feature-api/terminal-feature.ts";
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
  const isForeign = loaded.some(({ feature }) => !BUILT_IN.includes(feature));
  const guards = isForeign ? await import("./guarded-views.ts") : undefined;
  const shown = new Set<string>();
  return loaded.map(({ feature, half }) => {
    if (BUILT_IN.includes(feature)) return half;
    const views = ownViews(feature, half.views ?? {}, { features, shown, tell });
    return guards!.guardedHalf(feature, half, views, tell);
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

export async function loadToolViews(features: readonly Feature[]): Promise<FindToolView> {
  return toolViewsOf(await loadTerminalFeatures(features));
}

export async function toolViewsOf(terminal: readonly TerminalFeature[]): Promise<FindToolView> {
  const { unknownToolView } = await import("../../tools/render/unknown-tool-view.ts");
  const views = new Map(terminal.flatMap(({ views: own = {} }) => Object.entries(own)));
  return (name) => views.get(name) ?? unknownToolView;
}

/** The first that brings a look for a kind of entry has it. */
export function entryViewsOf(
  terminal: readonly TerminalFeature[],
): (customType: string) => EntryView | undefined {
  const views = new Map<string, EntryView>();
  for (const { entries = {} } of terminal) {
    for (const [type, view] of Object.entries(entries)) {
      if (!views.has(type)) views.set(type, view);
    }
  }
  return (customType) => views.get(customType);
}
