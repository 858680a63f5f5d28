// What calls with cells were judged as, and what becomes of what they define: it counts from when
// they run. A call is judged again if other calls of the same reply have run cells in between, since
// a name may mean something else by then.

import { ToolError } from "@tau/agent/tool";
import { CodeMemory, type CodeOutcome } from "@tau/host/code-reading/code-memory";
import type { CodeSession } from "@tau/host/shell-line/shell-context";
import type { CellParams, CellsWorld } from "../assess-cells.ts";
import type { KernelSet, Language } from "./kernels.ts";
import type { Workspace } from "../workspace.ts";

const NAME = "eval";

type Outcomes = ReadonlyMap<Language, CodeOutcome>;

export class JudgedCalls {
  readonly #session: CodeSession = { python: new CodeMemory(), javascript: new CodeMemory() };
  readonly #world: CellsWorld;
  readonly #judged = new WeakMap<object, { situation: string; outcomes: Outcomes }>();
  /** How often cells have run. */
  #runs = 0;

  constructor(workspace: Workspace, kernels: KernelSet, isPythonForgetful: boolean) {
    const directoryOf = (language: Language): string => kernels.directory(language);
    this.#world = { workspace, session: this.#session, directoryOf, isPythonForgetful };
  }

  async assess(params: CellParams): Promise<Awaited<ReturnType<typeof assess>>["assessment"]> {
    const { assessment, outcomes } = await assess(this.#world, params);
    this.#judged.set(params, { situation: this.#situation(), outcomes });
    return this.#world.workspace.consent.judged(params, assessment);
  }

  /** A `ToolError` if the cells would now do what nobody has agreed to. */
  async begin(params: CellParams): Promise<void> {
    const judged = this.#judged.get(params);
    if (judged?.situation === this.#situation()) return;
    const { assessment, outcomes } = await assess(this.#world, params);
    this.#judged.set(params, { situation: this.#situation(), outcomes });
    if (this.#world.workspace.consent.stillHolds(NAME, params, assessment)) return;
    throw new ToolError(
      `Not run: since the cells were judged, other cells have run, and now it ${assessment.guard ?? "does something else"}. Send them again if that is what you want.`,
    );
  }

  /** They have run; `isWhole` if to the end. */
  ended(params: CellParams, isWhole: boolean): void {
    this.#runs++;
    for (const [language, outcome] of this.#judged.get(params)?.outcomes ?? [])
      this.#memory(language).keep(outcome, { isWhole });
  }

  #memory(language: Language): CodeMemory {
    return language === "py" ? this.#session.python : this.#session.javascript;
  }

  #situation(): string {
    const { directoryOf } = this.#world;
    return JSON.stringify([this.#runs, directoryOf("py"), directoryOf("js")]);
  }
}

async function assess(world: CellsWorld, params: CellParams) {
  const { assessCells } = await import("../assess-cells.ts");
  return assessCells(world, params);
}
