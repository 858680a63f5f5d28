// The plugins that are installed and those that marketplaces offer. Enter shows what one brings, may run and
// costs; from there one that is not installed can be.

import type { Close, Stage } from "../stage.ts";
import { askYesNo } from "./ask-over.ts";
import { ListScreen, type ListScreenView } from "./list-screen.ts";
import type { PickRow } from "./pick-list.ts";

export interface BrowsedPlugin {
  /** `name`, or `name@marketplace`. */
  id: string;
  name: string;
  state: "enabled" | "disabled" | "available";
  version: string;
  /** A marketplace, or where it was installed from. */
  from: string;
  description: string;
}

export interface PluginInWords {
  lines: readonly string[];
  /** It brings code, hooks or servers. */
  mayRun: boolean;
}

export interface PluginBrowserDeps {
  list(): Promise<readonly BrowsedPlugin[]>;
  /** One that is not installed is fetched for it. Throws a sentence for the user. */
  describe(plugin: BrowsedPlugin): Promise<PluginInWords>;
  install(plugin: BrowsedPlugin): Promise<void>;
  setEnabled(plugin: BrowsedPlugin, isEnabled: boolean): Promise<void>;
  remove(plugin: BrowsedPlugin): Promise<void>;
  signal?: AbortSignal;
}

/** The names of those that were changed. */
export async function openPluginBrowser(
  stage: Stage,
  deps: PluginBrowserDeps,
): Promise<readonly string[]> {
  const { signal } = deps;
  let browser: PluginBrowser | undefined;
  await stage.show<void>((close) => (browser = new PluginBrowser(stage, deps, close)), { signal });
  browser?.end();
  return [...(browser?.changedNames ?? [])];
}

const COLUMNS = [
  { title: "plugin", least: 16 },
  { title: "version", yields: 1 },
  { title: "what it does", least: 12, yields: 3 },
  { title: "from", yields: 2 },
] as const;

const GROUPS = { enabled: "Installed", disabled: "Installed", available: "Available" } as const;

class PluginBrowser extends ListScreen<BrowsedPlugin> {
  readonly changedNames = new Set<string>();
  readonly #deps: PluginBrowserDeps;
  #work: string | undefined = "reading…";
  #isOver = false;

  constructor(stage: Stage, deps: PluginBrowserDeps, close: Close<void>) {
    super({
      stage,
      context: "screen.plugins",
      columns: COLUMNS,
      placeholder: "type to filter by name and description",
      empty: "Reading the plugins…",
      onCancel: () => close(),
    });
    this.#deps = deps;
    void this.#read();
  }

  end(): void {
    this.#isOver = true;
  }

  protected override view(): ListScreenView {
    return {
      title: "Plugins",
      aside: this.#work ?? this.list.position,
      hints: [
        { action: "selection.accept", label: "details" },
        { action: "screen.plugins.toggle", label: "enable or disable" },
        { action: "screen.plugins.remove", label: "remove" },
        { action: "selection.cancel", label: "close" },
      ],
    };
  }

  protected override choose({ value }: PickRow<BrowsedPlugin>): void {
    void this.#details(value);
  }

  protected override act(action: string): boolean {
    const plugin = this.list.selected?.value;
    if (action === "screen.plugins.toggle") {
      if (plugin) void this.#toggle(plugin);
    } else if (action === "screen.plugins.remove") {
      if (plugin) void this.#remove(plugin);
    } else return false;
    return true;
  }

  async #read(): Promise<void> {
    const plugins = await this.#working("reading…", () => this.#deps.list());
    if (!plugins) return;
    this.list.setEmpty("No plugins are installed; add a marketplace: tau plugin marketplace add");
    this.list.setRows(plugins.map((plugin) => this.#row(plugin)));
    this.stage.requestRender();
  }

  #row(plugin: BrowsedPlugin): PickRow<BrowsedPlugin> {
    const { id, name, version, description, from, state } = plugin;
    return {
      id: `${state === "available" ? "available" : "installed"} ${id}`,
      value: plugin,
      group: GROUPS[state],
      cells: [
        name,
        version,
        state === "disabled" ? `(disabled) ${description}` : description,
        from,
      ],
      texts: [name, description, from],
      tone: state === "disabled" ? "muted" : undefined,
    };
  }

  async #details(plugin: BrowsedPlugin): Promise<void> {
    const isOffered = plugin.state === "available";
    const work = isOffered ? "fetching…" : "reading…";
    const described = await this.#working(work, () => this.#deps.describe(plugin));
    if (!described) return;
    const accept = isOffered ? "install" : undefined;
    if (!(await this.#shown(plugin, described, accept))) return;
    const isSure = await askYesNo(this.stage, {
      title: `Install ${plugin.name}?`,
      question: "It brings what was just shown, for every project that you work in.",
      yes: "Install",
      no: "Not now",
      signal: this.#deps.signal,
    });
    if (isSure) await this.#change(plugin, "installing…", () => this.#deps.install(plugin));
  }

  async #toggle(plugin: BrowsedPlugin): Promise<void> {
    if (plugin.state === "available") return this.say("It is not installed; Enter shows it.");
    const isEnabled = plugin.state === "disabled";
    if (isEnabled && !(await this.#isAgreed(plugin))) return;
    await this.#change(plugin, "writing…", () => this.#deps.setEnabled(plugin, isEnabled));
  }

  /** What would run from now on is seen and agreed to, as before it was installed. */
  async #isAgreed(plugin: BrowsedPlugin): Promise<boolean> {
    const described = await this.#working("reading…", () => this.#deps.describe(plugin));
    if (!described) return false;
    if (!described.mayRun) return true;
    if (!(await this.#shown(plugin, described, "enable"))) return false;
    return askYesNo(this.stage, {
      title: `Enable ${plugin.name}?`,
      question: "It may run what was just shown.",
      yes: "Enable",
      no: "Not now",
      signal: this.#deps.signal,
    });
  }

  /** Whether somebody wants to go on from there. */
  async #shown(
    plugin: BrowsedPlugin,
    { lines }: PluginInWords,
    accept?: "install" | "enable",
  ): Promise<boolean> {
    const wanted = await this.stage.show<boolean>(
      (close) => new PluginDetails(this.stage, { title: plugin.name, lines, accept }, close),
      { signal: this.#deps.signal },
    );
    return wanted === true;
  }

  async #remove(plugin: BrowsedPlugin): Promise<void> {
    if (plugin.state === "available") return this.say("It is not installed; Enter shows it.");
    const isSure = await askYesNo(this.stage, {
      title: `Remove ${plugin.name}?`,
      question: "Its files are deleted. What it was installed from stays.",
      yes: "Remove",
      no: "Keep",
      signal: this.#deps.signal,
    });
    if (isSure) await this.#change(plugin, "removing…", () => this.#deps.remove(plugin));
  }

  async #change(plugin: BrowsedPlugin, words: string, change: () => Promise<void>): Promise<void> {
    const done = await this.#working(words, async () => {
      await change();
      return true;
    });
    if (!done) return;
    this.changedNames.add(plugin.name);
    await this.#read();
  }

  /** Undefined if it failed, which is said, or if nobody is there any more. */
  async #working<T>(words: string, work: () => Promise<T>): Promise<T | undefined> {
    this.#work = words;
    this.stage.requestRender();
    try {
      const result = await work();
      return this.#isOver ? undefined : result;
    } catch (error) {
      if (!this.#isOver) this.say(error instanceof Error ? error.message : String(error), "error");
      return undefined;
    } finally {
      this.#work = undefined;
      if (!this.#isOver) this.stage.requestRender();
    }
  }
}

interface Details {
  title: string;
  lines: readonly string[];
  /** What Enter leads to. */
  accept: "install" | "enable" | undefined;
}

class PluginDetails extends ListScreen<number> {
  readonly #details: Details;
  readonly #close: Close<boolean>;

  constructor(stage: Stage, details: Details, close: Close<boolean>) {
    super({
      stage,
      columns: [{ title: "" }],
      placeholder: "type to find a line",
      empty: "It says nothing of itself.",
      onCancel: () => close(),
    });
    this.#details = details;
    this.#close = close;
    this.list.setRows(
      details.lines.map((line, at) => ({ id: `${at}`, value: at, cells: [line], texts: [line] })),
    );
  }

  protected override view(): ListScreenView {
    const { title, accept = "back" } = this.#details;
    return {
      title,
      aside: this.list.position,
      hints: [
        { action: "selection.accept", label: accept },
        { action: "selection.cancel", label: "back" },
      ],
    };
  }

  protected override choose(): void {
    this.#close(this.#details.accept !== undefined);
  }
}
