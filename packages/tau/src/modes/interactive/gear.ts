// What is loaded when the first frame is on the screen: how tools show their calls, the colours
// of code, pictures. Until then everything has a plain form.

import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import type { Pictures, PictureTerminal } from "./pictures/show-pictures.ts";
import type { Surface } from "./surface.ts";
import type { ToolView } from "./tool-view.ts";

export interface Loaded {
  viewOf(name: string): ToolView;
  highlighter: CodeHighlighter;
}

export class Gear {
  #loading: Promise<Loaded> | undefined;
  #pictures: Promise<Pictures> | undefined;

  load(surface: Surface): Promise<Loaded> {
    this.#loading ??= loadGear(surface);
    return this.#loading;
  }

  /** Pictures are shown one after the other, in one box: the terminal's memory is bounded. */
  pictures(surface: Surface, terminal: PictureTerminal): Promise<Pictures> {
    this.#pictures ??= import("./pictures/show-pictures.ts").then(
      ({ Pictures: Shown }) => new Shown(surface, terminal),
    );
    return this.#pictures;
  }
}

async function loadGear(surface: Surface): Promise<Loaded> {
  const [{ loadToolViews }, { SyntaxHighlighter }] = await Promise.all([
    import("./tool-views.ts"),
    import("./code-highlighter/syntax-highlighter.ts"),
  ]);
  const { theme, requestRender } = surface;
  const highlighter = new SyntaxHighlighter({ theme, onLoaded: requestRender });
  void highlighter.preload();
  return { viewOf: await loadToolViews(), highlighter };
}
