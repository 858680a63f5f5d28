// What a session's log says about its model, kept true: before something is recorded it is
// compared with what is really in use, and the difference goes into the same write.

import type { ThinkingLevel } from "@tau/ai/model";
import type { ModelLine } from "../model/model-line.ts";
import { nameOfTarget, type ModelTarget, type TargetChain } from "../model/model-target.ts";
import type { ContextView } from "./context/context-view.ts";
import { DEFAULT_ROLE } from "./context/runtime-state.ts";
import type { NewEntry } from "./entry.ts";

const NO_THINKING: ThinkingLevel = "off";

export class ModelState {
  readonly #line: ModelLine;
  readonly #view: ContextView;
  #chosen: ModelTarget;

  constructor(line: ModelLine, view: ContextView) {
    this.#line = line;
    this.#view = view;
    this.#chosen = line.target;
  }

  /** The user's choice, from the next request on. */
  choose(chain: TargetChain): void {
    this.#line.retarget(chain);
    [this.#chosen] = chain;
  }

  /** The same for a model that is asked for by name: what its server refused before is sent again. */
  async chooseAnew(chain: TargetChain): Promise<void> {
    await this.#line.forget(chain[0].model);
    this.choose(chain);
  }

  /** What the log does not say yet. */
  readonly unrecorded = (): NewEntry[] => {
    const { models, temporaryModels, thinkingLevel } = this.#view.state;
    const { target } = this.#line;
    const entries: NewEntry[] = [];
    const chosen = nameOfTarget(this.#chosen);
    const inUse = nameOfTarget(target);
    const temporary = temporaryModels[DEFAULT_ROLE];
    const isBack = temporary !== undefined && inUse === chosen;
    if (models[DEFAULT_ROLE] !== chosen || isBack) entries.push(change(chosen));
    if (inUse !== chosen && temporary !== inUse)
      entries.push({ ...change(inUse), temporary: true });
    const level = target.thinking ?? NO_THINKING;
    if (level !== thinkingLevel) {
      entries.push({ type: "thinking_level_change", thinkingLevel: level });
    }
    return entries;
  };
}

function change(model: string): Extract<NewEntry, { type: "model_change" }> {
  return { type: "model_change", model, role: DEFAULT_ROLE };
}
