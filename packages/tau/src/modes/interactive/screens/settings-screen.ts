// All settings: what they are, who set them, and changing them where they stand. Changes are
// written at once, to the user's file or to the project's; whoever still decides over a value
// is said, so that nobody wonders why a change does nothing.

import { cleanLine } from "@tau/tui/components/clean-text";
import { fitLine, fitLineEnd } from "@tau/tui/width";
import type { SettingRow } from "../../../config/setting.ts";
import { keyOf, type SettingGroup } from "../../../config/setting-group.ts";
import { parseValue } from "../../../config/setting-value.ts";
import type { Settings } from "../../../config/settings.ts";
import { describeProblem } from "../../../base/config-problem.ts";
import { SETTING_GROUPS } from "../../../features/settings-table.ts";
import type { Close, Stage } from "../stage.ts";
import { askOneOf, askText } from "./ask-over.ts";
import { ListScreen, type ListScreenView } from "./list-screen.ts";
import type { PickRow } from "./pick-list.ts";
import { commandFor, kindInWords, LAYER_WORDS, valueInWords } from "./setting-words.ts";
import { tabRow } from "@tau/tui/components/tab-row";

export type SettingsTarget = "user" | "project";

export interface SettingsScreenDeps {
  /** As they hold now; asked again after each change. */
  load(): Promise<Settings>;
  /** Undefined takes it out of the file. Throws a sentence for the user. */
  write(target: SettingsTarget, key: string, value: unknown): Promise<void>;
  userFile: string;
  /** The file that changes may go to, or why there is none, as a sentence. */
  project: { file: string } | { why: string };
  /** Shows what a value would do, and what was before where it is not taken. */
  onPreview?(key: string, value: unknown): void;
  /** A value holds from now on. */
  onChange?(key: string, value: unknown): void;
  groups?: readonly SettingGroup[];
  signal?: AbortSignal;
}

/** The keys that were changed, in the end. */
export async function openSettingsScreen(
  stage: Stage,
  deps: SettingsScreenDeps,
): Promise<readonly string[]> {
  const changed = new Set<string>();
  const { signal } = deps;
  const closed = new AbortController();
  let screen: SettingsScreen | undefined;
  const open = (close: Close<true>) => {
    screen = new SettingsScreen(stage, deps, { changed, closed: closed.signal }, close);
    return screen;
  };
  await stage.show<true>(open, signal ? { signal } : {}).finally(() => closed.abort());
  // What was asked for before it closed is still written.
  await screen?.written;
  return [...changed];
}

interface Setting {
  key: string;
  row: SettingRow;
  group: SettingGroup;
}

const COLUMNS = [
  { title: "setting", least: 14 },
  { title: "value", least: 8 },
  { title: "set by", yields: 1 },
] as const;

class SettingsScreen extends ListScreen<Setting> {
  readonly #deps: SettingsScreenDeps;
  readonly #changed: Set<string>;
  readonly #closed: AbortSignal;
  readonly #groups: readonly SettingGroup[];
  #open = 0;
  #target: SettingsTarget = "user";
  #settings: Settings | undefined;
  /** One change after another: each looks at what the one before left. */
  #work: Promise<void> = Promise.resolve();

  constructor(
    stage: Stage,
    deps: SettingsScreenDeps,
    { changed, closed }: { changed: Set<string>; closed: AbortSignal },
    close: Close<true>,
  ) {
    super({
      stage,
      context: "screen.settings",
      columns: COLUMNS,
      placeholder: "type to search all settings",
      empty: "Reading the settings…",
      onCancel: () => close(),
    });
    this.#deps = deps;
    this.#changed = changed;
    this.#closed = closed;
    this.#groups = deps.groups ?? SETTING_GROUPS;
    this.list.showGroup(this.#groups[0]?.title ?? "");
    void this.#load();
  }

  /** Nothing is being written any more. */
  get written(): Promise<void> {
    return this.#work;
  }

  protected override view(columns: number): ListScreenView {
    const { selected } = this.list;
    const isProject = this.#target === "project";
    const titles = this.#groups.map(({ title }) => title);
    return {
      title: "Settings",
      aside: `${isProject ? "writing to the project's file" : "writing to your file"} ${this.stage.theme.symbols.separator} ${this.list.position}`,
      head: [tabRow(this.stage.theme, titles, this.query === "" ? this.#open : -1, columns), ""],
      foot: selected ? this.#about(selected.value, columns) : [],
      hints: [
        { action: "selection.accept", label: "change" },
        { action: "screen.settings.nextGroup", label: "group" },
        { action: "screen.settings.reset", label: "default" },
        { action: "screen.settings.target", label: isProject ? "your file" : "project's file" },
        { action: "selection.cancel", label: "close" },
      ],
    };
  }

  protected override choose({ value: setting }: PickRow<Setting>): void {
    const { row, key } = setting;
    if (row.type === "list" || row.type === "record") {
      return this.say(`Change it with: ${commandFor(key, row)}`, "muted");
    }
    if (row.type === "boolean") return this.#turn(setting, 1);
    if (row.type === "enum") void this.#pick(setting, row.values);
    else void this.#type(setting);
  }

  protected override act(action: string): boolean {
    const setting = this.list.selected?.value;
    switch (action) {
      case "screen.settings.nextGroup":
        return this.#showGroup(1);
      case "screen.settings.previousGroup":
        return this.#showGroup(-1);
      case "screen.settings.nextValue":
        if (setting) this.#turn(setting, 1);
        return true;
      case "screen.settings.previousValue":
        if (setting) this.#turn(setting, -1);
        return true;
      case "screen.settings.reset":
        if (setting) this.#reset(setting);
        return true;
      case "screen.settings.target":
        this.#switchTarget();
        return true;
      default:
        return false;
    }
  }

  #showGroup(step: 1 | -1): true {
    const { length } = this.#groups;
    this.#open = (this.#open + step + length) % length;
    this.list.showGroup(this.#groups[this.#open]!.title);
    return true;
  }

  #switchTarget(): void {
    const { project } = this.#deps;
    if (this.#target === "project") this.#target = "user";
    else if ("file" in project) this.#target = "project";
    else this.say(project.why);
  }

  /** The value beside the one that holds. */
  #turn(setting: Setting, step: 1 | -1): void {
    const { row } = setting;
    const value = this.#valueOf(setting);
    if (row.type === "boolean") return this.#write(setting, value !== true);
    if (row.type !== "enum") return;
    const { length } = row.values;
    const at = row.values.indexOf(String(value));
    this.#write(setting, row.values[(at + step + length) % length]!);
  }

  async #pick(setting: Setting, values: readonly string[]): Promise<void> {
    const { key } = setting;
    const now = this.#valueOf(setting);
    const chosen = await askOneOf(this.stage, {
      title: key,
      signal: this.#closed,
      items: values.map((value) => ({
        value,
        label: value,
        detail: value === setting.row.default ? "default" : undefined,
      })),
      selected: Math.max(0, values.indexOf(String(now))),
      onMove: (item) => {
        if (item) this.#deps.onPreview?.(key, item.value);
      },
    });
    if (chosen !== undefined) return this.#write(setting, chosen);
    this.#deps.onPreview?.(key, now);
    this.stage.requestRender();
  }

  async #type(setting: Setting): Promise<void> {
    const { key, row } = setting;
    const value = this.#valueOf(setting);
    const text = await askText(this.stage, {
      title: `${key} (${kindInWords(row)})`,
      signal: this.#closed,
      initial: typeof value === "string" ? value : JSON.stringify(value),
      check: (given) => {
        const parsed = parseValue(row, given);
        return parsed.ok ? undefined : `${parsed.why}.`;
      },
    });
    const parsed = text === undefined ? undefined : parseValue(row, text);
    if (parsed?.ok) this.#write(setting, parsed.value);
  }

  #reset(setting: Setting): void {
    const given = this.#settings?.explain(setting.key, setting.row).given ?? [];
    const isThere = given.some(({ layer }) => layer === this.#target);
    if (isThere) return this.#write(setting, undefined);
    const other = given.at(-1);
    const where = this.#target === "user" ? "your file" : "the project's file";
    if (!other) return this.say("It already has its default value.", "muted");
    this.say(`It is not set in ${where}, but by ${LAYER_WORDS[other.layer]}: ${other.source}`);
  }

  #write(setting: Setting, value: unknown): void {
    const { key, row } = setting;
    const target = this.#target;
    if (target === "project" && row.scope === "user") {
      return this.say("A project cannot set this one; write it to your own file.");
    }
    this.#work = this.#work.then(async () => {
      try {
        await this.#deps.write(target, key, value);
        this.#changed.add(key);
        await this.#load();
        this.#tellOutcome(setting, target, value);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        this.say(`Not changed: ${error.message}`, "error");
        this.#deps.onPreview?.(key, this.#valueOf(setting));
      }
    });
  }

  #tellOutcome({ key, row }: Setting, target: SettingsTarget, value: unknown): void {
    const explained = this.#settings?.explain(key, row);
    if (!explained) return;
    this.#deps.onChange?.(key, explained.value);
    const decides = explained.given.at(-1);
    if (decides && decides.layer !== target) {
      const who = LAYER_WORDS[decides.layer];
      return this.say(`Written, but ${who} overrides it: ${decides.source}`);
    }
    const file = target === "user" ? this.#deps.userFile : this.#projectFile;
    this.say(value === undefined ? `Removed from ${file}` : `Saved in ${file}`, "success");
  }

  get #projectFile(): string {
    const { project } = this.#deps;
    return "file" in project ? project.file : "";
  }

  async #load(): Promise<void> {
    try {
      this.#settings = await this.#deps.load();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.say(`The settings cannot be read: ${error.message}`, "error");
      return;
    }
    this.#fill(this.#settings);
    const [lost] = this.#settings.lost;
    if (lost) this.say(describeProblem(lost.problem), "error");
    this.stage.requestRender();
  }

  #fill(settings: Settings): void {
    const { marked } = this.stage.theme.symbols;
    const all = this.#groups.flatMap((group) =>
      Object.entries(group.rows).map(([name, row]) => ({ key: keyOf(group, name), row, group })),
    );
    this.list.setRows(
      all.map((setting): PickRow<Setting> => {
        const { key, row, group } = setting;
        const { value, given } = settings.explain(key, row);
        const last = given.at(-1);
        return {
          id: key,
          value: setting,
          group: group.title,
          cells: [key, valueInWords(row, value), last ? LAYER_WORDS[last.layer] : ""],
          texts: [key, row.help, group.title],
          mark: last ? marked : undefined,
        };
      }),
    );
  }

  #valueOf({ key, row }: Setting): unknown {
    return this.#settings?.get(key, row) ?? row.default;
  }

  #about({ key, row }: Setting, columns: number): string[] {
    const { theme } = this.stage;
    const given = this.#settings?.explain(key, row).given ?? [];
    const muted = theme.style("muted");
    const last = given.at(-1);
    const more = given.length > 1 ? ` (and ${given.length - 1} below it)` : "";
    const origin = last ? `set by ${LAYER_WORDS[last.layer]}${more}: ` : "not set";
    const room = Math.max(0, columns - origin.length);
    // What cannot be read is told from its beginning, where the place is.
    const source = last?.insteadOf
      ? fitLine(cleanLine(`cannot be read: ${describeProblem(last.insteadOf)}`), room)
      : fitLineEnd(cleanLine(last?.source ?? ""), room);
    const scope = row.scope === "user" ? "; not for projects" : "";
    return [
      theme.style("text")(fitLine(row.help, columns)),
      muted(
        fitLine(`${kindInWords(row)}; default ${valueInWords(row, row.default)}${scope}`, columns),
      ),
      muted(fitLine(`${origin}${source}`, columns)),
    ];
  }
}
