// What is loaded when the first frame is on the screen: how tools and entries look, what features keep in
// sight, the colours of code. Until then everything has a plain form. A session with other features, as
// after a reload of its extensions, has all of it anew but the colours.

import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import type { Surface } from "./surface.ts";
import type { Feature } from "../../feature-api/feature.ts";
import type { EntryView, Panel, StatusPart } from "../../feature-api/terminal-feature.ts";
import type { ToolView } from "../../feature-api/tool-view.ts";

export interface Loaded {
  viewOf(name: string): ToolView;
  entryViewOf(customType: string): EntryView | undefined;
  /** What features keep in sight above the prompt. */
  panels: readonly Panel[];
  /** What they say in the status line. */
  status: readonly StatusPart[];
  highlighter: CodeHighlighter;
}

export class Gear {
  #loading: { features: readonly Feature[]; loaded: Promise<Loaded> } | undefined;
  #highlighter: Promise<CodeHighlighter> | undefined;

  load(surface: Surface, features: readonly Feature[]): Promise<Loaded> {
    if (!this.#loading || !isSame(this.#loading.features, features)) {
      this.#highlighter ??= makeHighlighter(surface);
      this.#loading = { features, loaded: loadGear(surface, features, this.#highlighter) };
    }
    return this.#loading.loaded;
  }
}

function isSame(one: readonly Feature[], other: readonly Feature[]): boolean {
  return one.length === other.length && one.every((feature, at) => feature === other[at]);
}

async function makeHighlighter({ theme, requestRender }: Surface): Promise<CodeHighlighter> {
  const { SyntaxHighlighter } = await import("../../highlight/syntax-highlighter.ts");
  const highlighter = new SyntaxHighlighter({ theme, onLoaded: requestRender });
  void highlighter.preload();
  return highlighter;
}

async function loadGear(
  surface: Surface,
  features: readonly Feature[],
  colours: Promise<CodeHighlighter>,
): Promise<Loaded> {
  const [{ entryViewsOf, loadTerminalFeatures, toolViewsOf }, highlighter] = await Promise.all([
    import("./tool-views.ts"),
    colours,
  ]);
  const { theme, requestRender } = surface;
  const place = { theme, requestRender, screenRows: () => surface.size.rows };
  const tell = (notice: string): void => surface.note(notice, "warning");
  const terminal = await loadTerminalFeatures(features, tell);
  return {
    viewOf: await toolViewsOf(terminal),
    entryViewOf: entryViewsOf(terminal),
    panels: terminal.flatMap((one) => one.panel?.(place) ?? []),
    status: terminal.flatMap(({ status = [] }) => status),
    highlighter,
  };
}
