// The user's own looks and keys: settings, the remap file, the theme. The built-in ones are there
// at once; these are read after the first frame and whenever they were changed.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { KeyBindings } from "@tau/tui/keys/key-bindings";
import { parseRemapFile } from "@tau/tui/keys/remap-file";
import type { Appearance } from "@tau/tui/terminal/appearance";
import type { LiveTheme } from "@tau/tui/theme/live-theme";
import { agentDirectory } from "../../config/places.ts";
import { defaultsOf } from "../../config/setting-group.ts";
import type { Settings } from "../../config/settings.ts";
import { ALL_ACTIONS } from "./app-actions.ts";
import type { AppContext } from "./app-context.ts";
import {
  DISPLAY_ROWS,
  displaySettings,
  THEME_ROWS,
  type DisplaySettings,
} from "../../looks/display-settings.ts";
import { STATUS_LINE_ROWS, type StatusLineSettings } from "../../looks/status-settings.ts";
import {
  INTERACTION_ROWS,
  TERMINAL_ROWS,
  TUI_ROWS,
  type InteractionSettings,
} from "../../looks/interaction-settings.ts";

import { themesDirectory } from "./themes/theme-files.ts";
import { ThemeSource } from "./themes/theme-source.ts";

const REMAP_FILE = "keybindings.json";

const DEFAULT_DISPLAY: DisplaySettings = {
  ...defaultsOf(DISPLAY_ROWS),
  theme: defaultsOf(THEME_ROWS),
};

export class Looks implements Disposable {
  interaction: InteractionSettings = {
    ...defaultsOf(INTERACTION_ROWS),
    ...defaultsOf(TERMINAL_ROWS),
    ...defaultsOf(TUI_ROWS),
  };
  status: StatusLineSettings = defaultsOf(STATUS_LINE_ROWS);
  readonly themes: ThemeSource;
  readonly #app: AppContext;

  constructor(app: AppContext) {
    this.#app = app;
    this.themes = new ThemeSource({
      env: app.env,
      settings: DEFAULT_DISPLAY,
      directory: themesDirectory(app.env),
      installed: async () => {
        const { installedThemes } = await import("./themes/installed-themes.ts");
        return installedThemes(app);
      },
      onChange: () => app.surface.requestRender(),
      onProblem: (message) => app.surface.note(message, "warning"),
    });
  }

  get theme(): LiveTheme {
    return this.themes.theme;
  }

  /** Takes over what the settings say; mistakes in files are told and cost only themselves. */
  async apply(settings: Settings): Promise<void> {
    this.interaction = {
      ...settings.group(INTERACTION_ROWS),
      ...settings.group(TERMINAL_ROWS),
      ...settings.group(TUI_ROWS),
    };
    this.status = settings.group(STATUS_LINE_ROWS);
    await this.themes.setSettings(displaySettings(settings));
    // Only now: the first frame waits for no file.
    await this.themes.load();
    await this.#readKeys();
  }

  /** The terminal's background is known, or has changed. */
  setAppearance(appearance: Appearance): Promise<void> {
    return this.themes.setAppearance(appearance);
  }

  [Symbol.dispose](): void {
    this.themes[Symbol.dispose]();
  }

  async #readKeys(): Promise<void> {
    const { surface, env } = this.#app;
    const text = await readIfThere(join(agentDirectory(env), REMAP_FILE));
    if (text === undefined) return;
    const { remaps, problems } = parseRemapFile(text, ALL_ACTIONS);
    const bindings = new KeyBindings(ALL_ACTIONS, remaps);
    for (const problem of problems) surface.note(problem, "warning");
    // Conflicts among the defaults are none of the user's making.
    const own = bindings.conflicts.filter(({ actions }) =>
      actions.some((action) => remaps.has(action)),
    );
    for (const { message } of own) surface.note(message, "warning");
    surface.bindings = bindings;
    this.#app.editor.rebind(bindings);
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}
