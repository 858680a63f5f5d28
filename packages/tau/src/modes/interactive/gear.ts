// What is loaded when the first frame is on the screen: how tools show their calls, the colours
// of code, the commands that are kept as files. Until then everything has a plain form.

import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import type { AppContext } from "./app-context.ts";
import type { OwnCommand } from "./completion.ts";
import type { Pictures, PictureTerminal } from "./pictures/show-pictures.ts";
import type { Surface } from "./surface.ts";
import type { ToolView } from "./tool-view.ts";

/** Commands made a moment ago should be offered; looking costs a walk through a few folders. */
const FRESH_MS = 5_000;

export interface Loaded {
  viewOf(name: string): ToolView;
  highlighter: CodeHighlighter;
}

export class Gear {
  readonly #app: Pick<AppContext, "cwd" | "env">;
  #loading: Promise<Loaded> | undefined;
  #pictures: Promise<Pictures> | undefined;
  #own: { at: number; commands: Promise<readonly OwnCommand[]> } | undefined;

  constructor(app: Pick<AppContext, "cwd" | "env">) {
    this.#app = app;
  }

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

  ownCommands(): Promise<readonly OwnCommand[]> {
    const now = performance.now();
    if (!this.#own || now - this.#own.at > FRESH_MS) {
      this.#own = { at: now, commands: this.#findCommands() };
    }
    return this.#own.commands;
  }

  async #findCommands(): Promise<readonly OwnCommand[]> {
    const [{ discover }, { isInForce }, { agentDirectory, homeOf }] = await Promise.all([
      import("../../discovery/discover.ts"),
      import("../../discovery/item.ts"),
      import("../../config/places.ts"),
    ]);
    const { cwd, env } = this.#app;
    const { items } = await discover({
      cwd,
      home: homeOf(env),
      agentDirectory: agentDirectory(env),
      kinds: ["commands", "prompts", "skills"],
    });
    return items.filter(isInForce).map(({ kind, name, frontmatter }) => ({
      name: kind === "skills" ? `skill:${name}` : name,
      description: typeof frontmatter.description === "string" ? frontmatter.description : "",
      argument: "[ARGUMENTS]",
    }));
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
