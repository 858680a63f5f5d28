// What is loaded when the first frame is on the screen: how tools show their calls, the colours
// of code. Until then everything has a plain form.

import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import type { Surface } from "./surface.ts";
import type { Feature } from "../../feature-api/feature.ts";
import type { Panel } from "../../feature-api/terminal-feature.ts";
import type { ToolView } from "../../feature-api/tool-view.ts";

export interface Loaded {
  viewOf(name: string): ToolView;
  /** What features keep in sight above the prompt. */
  panels: readonly Panel[];
  highlighter: CodeHighlighter;
}

export class Gear {
  #loading: Promise<Loaded> | undefined;

  load(surface: Surface, features: readonly Feature[]): Promise<Loaded> {
    this.#loading ??= loadGear(surface, features);
    return this.#loading;
  }
}

async function loadGear(surface: Surface, features: readonly Feature[]): Promise<Loaded> {
  const [{ loadTerminalFeatures, toolViewsOf }, { SyntaxHighlighter }] = await Promise.all([
    import("./tool-views.ts"),
    import("../../highlight/syntax-highlighter.ts"),
  ]);
  const { theme, requestRender } = surface;
  const highlighter = new SyntaxHighlighter({ theme, onLoaded: requestRender });
  void highlighter.preload();
  const place = { theme, requestRender, screenRows: () => surface.size.rows };
  const tell = (notice: string): void => surface.note(notice, "warning");
  const terminal = await loadTerminalFeatures(features, tell);
  const panels = terminal.flatMap((one) => one.panel?.(place) ?? []);
  return { viewOf: await toolViewsOf(terminal), panels, highlighter };
}
