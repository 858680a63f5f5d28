// Chooses the model for a role: all that there are, by provider, those that can be called
// first. What the choice is for and how long it holds is said above the list and changed with
// a key, so that one Enter does it.

import type { Model, ThinkingLevel } from "@tau/ai/model";
import { fitLine } from "@tau/tui/width";
import { fitSpans } from "@tau/tui/components/spans";
import { selectorOf } from "../../../model/equivalence.ts";
import { ROLES, type RoleTable } from "../../../model/roles.ts";
import { splitLevel } from "../../../model/selector.ts";
import { UserError } from "../../../user-error.ts";
import type { Close, Stage } from "../stage.ts";
import { priceInWords, tokensInWords } from "./in-words.ts";
import { ListScreen, type ListScreenView } from "./list-screen.ts";
import type { PickRow } from "./pick-list.ts";

export interface PickableModel {
  model: Model;
  providerName: string;
  /** It has a key, or needs none. */
  isAvailable: boolean;
  /** Not among those that the user wants to choose from. */
  isLeftOut?: true;
}

export type ModelChoice =
  | {
      kind: "model";
      /** `provider/id`. */
      selector: string;
      /** Where the user chose one for it. */
      thinking?: ThinkingLevel;
      role: string;
      save: "session" | "default";
    }
  /** One without a key was chosen: a login comes first. */
  | { kind: "login"; provider: string; selector: string };

export interface ModelPickerDeps {
  /** Called once the screen is open. */
  load(): Promise<readonly PickableModel[]>;
  /** Asks the providers that can tell; absent where nothing can be asked. */
  refresh?(signal: AbortSignal): Promise<readonly PickableModel[]>;
  /** The model in use, as `provider/id`. */
  current: string;
  /** What the roles are set to. */
  roles: RoleTable;
  role?: string;
  save?: "session" | "default";
  signal?: AbortSignal;
}

export function openModelPicker(
  stage: Stage,
  deps: ModelPickerDeps,
): Promise<ModelChoice | undefined> {
  const { signal } = deps;
  const closed = new AbortController();
  const answer = stage.show<ModelChoice>(
    (close) => new ModelPicker(stage, deps, close, closed),
    signal ? { signal } : {},
  );
  return answer.finally(() => closed.abort());
}

const COLUMNS = [
  { title: "model", least: 16 },
  { title: "name", isExtra: true },
  { title: "context", align: "right", yields: 2 },
  { title: "", yields: 1 },
  { title: "$ in / out", align: "right", yields: 3 },
] as const;

const NO_KEY = "no key";

class ModelPicker extends ListScreen<PickableModel> {
  readonly #deps: ModelPickerDeps;
  readonly #close: Close<ModelChoice>;
  readonly #closed: AbortController;
  readonly #roles: readonly string[];
  #role: string;
  #save: "session" | "default";
  #models: readonly PickableModel[] = [];
  #isWhole = false;
  #work: string | undefined = "reading the models…";
  /** Of the selected model only: another one is chosen without it. */
  #thinking: { selector: string; level: ThinkingLevel } | undefined;

  constructor(
    stage: Stage,
    deps: ModelPickerDeps,
    close: Close<ModelChoice>,
    closed: AbortController,
  ) {
    super({
      stage,
      context: "screen.models",
      columns: COLUMNS,
      placeholder: "type to filter by provider, name or id",
      empty: "Reading the models…",
      onCancel: () => close(),
    });
    this.#deps = deps;
    this.#close = close;
    this.#closed = closed;
    this.#role = deps.role ?? "default";
    this.#save = deps.save ?? "default";
    const own = Object.keys(deps.roles).filter((name) => !isKnownRole(name));
    this.#roles = [...ROLES, ...own];
    void this.#load(deps.load());
  }

  protected override view(columns: number): ListScreenView {
    const { selected } = this.list;
    return {
      title: "Models",
      aside: this.#work ?? this.list.position,
      head: [this.#purposeRow(columns), ""],
      foot: selected ? this.#about(selected.value, columns) : [],
      hints: [
        {
          action: "selection.accept",
          label: selected?.value.isAvailable === false ? "log in" : "choose",
        },
        { action: "screen.models.role", label: "role" },
        {
          action: "screen.models.save",
          label: this.#save === "default" ? "session only" : "save it",
        },
        { action: "screen.models.moreThinking", label: "thinking" },
        ...(this.#hasLeftOut
          ? [{ action: "screen.models.all", label: this.#isWhole ? "your models" : "all models" }]
          : []),
        ...(this.#deps.refresh ? [{ action: "screen.models.refresh", label: "refresh" }] : []),
        { action: "selection.cancel", label: "close" },
      ],
    };
  }

  protected override choose({ value }: PickRow<PickableModel>): void {
    const selector = selectorOf(value.model);
    if (!value.isAvailable) {
      return this.#close({ kind: "login", provider: value.model.provider, selector });
    }
    const thinking = this.#thinking?.selector === selector ? this.#thinking.level : undefined;
    this.#close({
      kind: "model",
      selector,
      thinking,
      role: this.#role,
      save: this.#save,
    });
  }

  protected override act(action: string): boolean {
    switch (action) {
      case "screen.models.role":
        return this.#nextRole(1);
      case "screen.models.previousRole":
        return this.#nextRole(-1);
      case "screen.models.save":
        this.#save = this.#save === "default" ? "session" : "default";
        return true;
      case "screen.models.moreThinking":
        return this.#think(1);
      case "screen.models.lessThinking":
        return this.#think(-1);
      case "screen.models.all":
        this.#isWhole = !this.#isWhole;
        this.#fill();
        return true;
      case "screen.models.refresh":
        this.#refresh();
        return true;
      default:
        return false;
    }
  }

  #nextRole(step: 1 | -1): true {
    const { length } = this.#roles;
    const at = this.#roles.indexOf(this.#role) + step;
    this.#role = this.#roles[(at + length) % length]!;
    this.#fill();
    const chosen = this.#chosenFor(this.#role);
    if (chosen !== undefined) this.list.select(chosen);
    return true;
  }

  #think(step: 1 | -1): true {
    const model = this.list.selected?.value.model;
    if (!model) return true;
    if (!model.thinking) {
      this.say("This model does not support thinking.", "muted");
      return true;
    }
    const levels: ThinkingLevel[] = ["off", ...model.thinking.filter((level) => level !== "off")];
    const now = this.#levelOf(model);
    const at = now === undefined ? (step > 0 ? -1 : levels.length) : levels.indexOf(now);
    const level = levels[Math.max(0, Math.min(at + step, levels.length - 1))]!;
    this.#thinking = { selector: selectorOf(model), level };
    return true;
  }

  #levelOf(model: Model): ThinkingLevel | undefined {
    if (this.#thinking?.selector === selectorOf(model)) return this.#thinking.level;
    const set = this.#deps.roles[this.#role];
    const fromRole = set === undefined ? undefined : splitLevel(set);
    return fromRole?.name === selectorOf(model) ? fromRole.thinking : model.defaultThinking;
  }

  /** The model that a role has now; that of `default` is the one in use. */
  #chosenFor(role: string): string | undefined {
    if (role === "default") return this.#deps.current;
    const set = this.#deps.roles[role];
    return set === undefined ? undefined : splitLevel(set).name;
  }

  async #load(models: Promise<readonly PickableModel[]>): Promise<void> {
    try {
      const isFirst = this.#models.length === 0;
      this.#models = await models;
      if (this.#closed.signal.aborted) return;
      this.list.setEmpty("There are no models; log in with /login.");
      this.#fill();
      const chosen = this.#chosenFor(this.#role);
      if (isFirst && chosen !== undefined) this.list.select(chosen);
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      if (!(error instanceof Error)) throw error;
      this.list.setEmpty("The models cannot be read.");
      this.say(error instanceof UserError ? error.message : `Not read: ${error.message}`, "error");
    } finally {
      this.#work = undefined;
      this.stage.requestRender();
    }
  }

  #refresh(): void {
    const { refresh } = this.#deps;
    if (!refresh || this.#work !== undefined) return;
    this.#work = "asking the providers…";
    void this.#load(refresh(this.#closed.signal));
  }

  get #hasLeftOut(): boolean {
    return this.#models.some(({ isLeftOut }) => isLeftOut);
  }

  #fill(): void {
    const chosen = this.#chosenFor(this.#role);
    const { marked } = this.stage.theme.symbols;
    // Those that can be called come first; within a provider they stay as it lists them.
    const wanted = this.#models.filter(
      ({ isLeftOut, model }) => this.#isWhole || !isLeftOut || selectorOf(model) === chosen,
    );
    const ordered = [
      ...wanted.filter(({ isAvailable }) => isAvailable),
      ...wanted.filter(({ isAvailable }) => !isAvailable),
    ];
    this.list.setRows(
      ordered.map((value) => {
        const { model, providerName, isAvailable } = value;
        const selector = selectorOf(model);
        return {
          id: selector,
          value,
          group: isAvailable ? providerName : `${providerName} (${NO_KEY})`,
          cells: [
            selector,
            model.name,
            tokensInWords(model.contextWindow),
            model.thinking ? "thinks" : "",
            isAvailable ? costOf(model) : NO_KEY,
          ],
          texts: [selector, model.name, providerName],
          mark: selector === chosen ? marked : undefined,
          tone: isAvailable ? undefined : "dim",
          isBehind: isAvailable ? undefined : true,
        };
      }),
    );
  }

  #purposeRow(columns: number): string {
    const { theme } = this.stage;
    const muted = theme.style("muted");
    const held = this.#save === "default" ? "saved in your settings" : "only for this session";
    const set = this.#chosenFor(this.#role);
    return fitSpans(
      [
        { text: "for ", paint: muted },
        { text: this.#role, paint: theme.style("accent") },
        { text: `, ${held}; now ${set ?? "as default"}`, paint: muted },
      ],
      columns,
    );
  }

  #about({ model, isAvailable, providerName }: PickableModel, columns: number): string[] {
    const { theme } = this.stage;
    const sees = model.input.includes("image") ? ", sees images" : "";
    const room = `${tokensInWords(model.contextWindow)} tokens of context, ${tokensInWords(model.maxOutput)} out${sees}`;
    const levels = model.thinking?.join(" ") ?? "";
    const level = this.#levelOf(model);
    const thinks = model.thinking ? `thinking ${level ?? "as set"} (${levels})` : "no thinking";
    const state = isAvailable ? "" : ` — no API key for ${providerName}; choosing it logs in`;
    return [
      theme.style("text")(fitLine(`${model.name}${state}`, columns)),
      theme.style("muted")(fitLine(`${room}; ${thinks}`, columns)),
    ];
  }
}

function isKnownRole(name: string): boolean {
  return (ROLES as readonly string[]).includes(name);
}

/** Dollars per million tokens. */
function costOf({ cost }: Model): string {
  if (cost.input === 0 && cost.output === 0) return "";
  return `${priceInWords(cost.input)} / ${priceInWords(cost.output)}`;
}
