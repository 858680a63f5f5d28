// Which theme is in use. A built-in one is there at once, so that the first frame waits for
// nothing; the user's own are read afterwards and followed while they are edited. What cannot be
// used is said in one sentence and leaves the colours as they are.

import type { Environment } from "@tau/ai/environment";
import { appearanceOf, type Appearance } from "@tau/tui/terminal/appearance";
import { withColorBlindPalette } from "@tau/tui/theme/color-blind-palette";
import { detectColorDepth } from "@tau/tui/theme/color-depth";
import { DEFAULT_THEMES } from "@tau/tui/theme/default-themes";
import { LiveTheme } from "@tau/tui/theme/live-theme";
import { readTheme, type ResolvedTheme } from "@tau/tui/theme/theme-document";
import { createTheme, type Theme } from "@tau/tui/theme/theme";
import { oneLine } from "@tau/tui/width";
import type { DisplaySettings } from "../../../looks/display-settings.ts";
import { listThemes, loadTheme, type LoadedTheme, type ThemeName } from "./theme-files.ts";
import { ThemeWatch } from "./theme-watch.ts";

/** A file that still has mistakes after this long is not being written any more. */
const SECOND_LOOK_MS = 600;

export interface ThemeSourceOptions {
  env: Environment;
  settings: DisplaySettings;
  /** Where the user's own themes are (`themesDirectory`). */
  directory: string;
  /** Files of themes that plugins bring, by name; looked for whenever a theme is. */
  installed?(): Promise<ReadonlyMap<string, string>>;
  /** The colours are other ones now. */
  onChange(): void;
  /** One sentence for the user. */
  onProblem(message: string): void;
}

export class ThemeSource implements Disposable {
  /** For components; it becomes another one as it must. */
  readonly theme: LiveTheme;
  readonly #options: ThemeSourceOptions;
  readonly #watch: ThemeWatch;
  #settings: DisplaySettings;
  #appearance: Appearance;
  /** Set while somebody looks at another one. */
  #previewed: string | undefined;
  /** Counts choices: what was loaded for an older one comes too late. */
  #choice = 0;
  #hasLoaded = false;
  #secondLook: ReturnType<typeof setTimeout> | undefined;
  #told: string | undefined;

  constructor(options: ThemeSourceOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#appearance = appearanceOf(undefined, options.env);
    this.theme = new LiveTheme(this.#paint(builtIn(this.#chosenName, this.#appearance)));
    this.#watch = new ThemeWatch(options.directory, () => void this.#reload("first"));
  }

  async #loadTheme(name: string): Promise<LoadedTheme> {
    const { directory, installed } = this.#options;
    // What is built in is not asked for anywhere else.
    const more = DEFAULT_THEMES.has(name) ? undefined : await installed?.();
    return loadTheme(name, directory, more);
  }

  get appearance(): Appearance {
    return this.#appearance;
  }

  /** Reads the user's own theme, where one is chosen, and follows its file from then on. */
  async load(): Promise<void> {
    this.#hasLoaded = true;
    await this.#choose();
  }

  /** The terminal has said, or changed, what its background is. */
  async setAppearance(appearance: Appearance): Promise<void> {
    if (appearance === this.#appearance) return;
    this.#appearance = appearance;
    await this.#choose();
  }

  async setSettings(settings: DisplaySettings): Promise<void> {
    this.#settings = settings;
    this.#previewed = undefined;
    await this.#choose();
  }

  /** Shows another one for the time being; what is wrong with it, where it cannot be shown. */
  async preview(name: string): Promise<string | undefined> {
    const choice = ++this.#choice;
    const before = this.#previewed;
    this.#previewed = name;
    const loaded = await this.#loadTheme(name);
    if (choice !== this.#choice) return undefined;
    if (loaded.ok) {
      this.#use(loaded.theme, loaded.files);
      return undefined;
    }
    this.#previewed = before;
    return loaded.problem;
  }

  /** Back to the one that is chosen. */
  async restore(): Promise<void> {
    this.#previewed = undefined;
    await this.#choose();
  }

  async list(): Promise<ThemeName[]> {
    return listThemes(this.#options.directory, await this.#options.installed?.());
  }

  [Symbol.dispose](): void {
    this.#choice++;
    clearTimeout(this.#secondLook);
    this.#watch[Symbol.dispose]();
  }

  get #chosenName(): string {
    return this.#settings.theme[this.#appearance];
  }

  /** The built-in one at once; the user's own of that name when it has been read. */
  async #choose(): Promise<void> {
    const name = this.#previewed ?? this.#chosenName;
    const choice = ++this.#choice;
    const wanted = DEFAULT_THEMES.has(name) ? builtIn(name, this.#appearance) : undefined;
    if (!this.#hasLoaded) {
      this.#use(wanted ?? builtIn(this.#appearance, this.#appearance));
      return;
    }
    const loaded = await this.#loadTheme(name);
    if (choice !== this.#choice) return;
    if (loaded.ok) {
      this.#told = undefined;
      this.#use(loaded.theme, loaded.files);
      this.#tellWarnings(name, loaded.warnings);
      return;
    }
    const instead = builtIn(name, this.#appearance);
    this.#use(instead, loaded.files);
    this.#tell(`${loaded.problem} The built-in theme ${instead.name} is used instead.`);
  }

  /** A file has changed. One that cannot be used keeps the colours, and is told if it stays so. */
  async #reload(look: "first" | "second"): Promise<void> {
    const name = this.#previewed ?? this.#chosenName;
    const choice = ++this.#choice;
    clearTimeout(this.#secondLook);
    const loaded: LoadedTheme = await this.#loadTheme(name);
    if (choice !== this.#choice) return;
    if (loaded.ok) {
      this.#told = undefined;
      this.#use(loaded.theme, loaded.files);
      return;
    }
    this.#watch.follow(loaded.files);
    if (look === "second") this.#tell(`${loaded.problem} The colours stay as they were.`);
    else {
      this.#secondLook = setTimeout(() => void this.#reload("second"), SECOND_LOOK_MS);
      this.#secondLook.unref();
    }
  }

  #use(resolved: ResolvedTheme, files?: ReadonlySet<string>): void {
    this.theme.use(this.#paint(resolved));
    if (files) this.#watch.follow(files);
    this.#options.onChange();
  }

  #paint(resolved: ResolvedTheme): Theme {
    const { env } = this.#options;
    const { symbolPreset, colorBlindMode } = this.#settings;
    const shown = colorBlindMode ? withColorBlindPalette(resolved, this.#appearance) : resolved;
    return createTheme(shown, {
      depth: detectColorDepth(env),
      symbolPreset: symbolPreset === "auto" ? undefined : symbolPreset,
      attributes: env.TERM === "dumb" ? "none" : "all",
    });
  }

  #tellWarnings(name: string, warnings: readonly string[]): void {
    if (warnings.length > 0) this.#tell(oneLine(`The theme "${name}": ${warnings.join(" ")}`));
  }

  /** The same thing is told once. */
  #tell(message: string): void {
    if (message === this.#told) return;
    this.#told = message;
    this.#options.onProblem(message);
  }
}

/** The one of that name, else the plain one for the background. */
function builtIn(name: string, appearance: Appearance): ResolvedTheme {
  const document = DEFAULT_THEMES.get(name) ?? DEFAULT_THEMES.get(appearance);
  const reading = readTheme(document, (parent) => DEFAULT_THEMES.get(parent));
  // Its own themes being sound is tested.
  if (!reading.ok) throw new Error(`Built-in theme "${name}": ${reading.mistakes.join(" ")}`);
  return reading.theme;
}
