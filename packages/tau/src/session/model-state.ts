// What a session's log says about its model, kept true: before something is recorded it is
// compared with what is really in use, and the difference goes into the same write.

import type { ThinkingLevel } from "@tau/ai/model";
import type { ModelRecovery, ModelTarget } from "../features/retry/model-recovery.ts";
import type { TargetChain } from "../model/choose-model.ts";
import type { ContextView } from "./context/context-view.ts";
import { DEFAULT_ROLE } from "./context/runtime-state.ts";
import type { NewEntry } from "./entry.ts";

const NO_THINKING: ThinkingLevel = "off";

export class ModelState {
  readonly #recovery: ModelRecovery;
  readonly #view: ContextView;
  #chosen: ModelTarget;

  constructor(recovery: ModelRecovery, view: ContextView) {
    this.#recovery = recovery;
    this.#view = view;
    this.#chosen = recovery.target;
  }

  /** The user's choice, from the next request on. */
  choose(chain: TargetChain): void {
    this.#recovery.retarget(chain);
    [this.#chosen] = chain;
  }

  /** What the log does not say yet. */
  readonly unrecorded = (): NewEntry[] => {
    const { models, temporaryModels, thinkingLevel } = this.#view.state;
    const { target } = this.#recovery;
    const entries: NewEntry[] = [];
    const chosen = nameOf(this.#chosen);
    const inUse = nameOf(target);
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

function nameOf({ model }: ModelTarget): string {
  return `${model.provider}/${model.id}`;
}

function change(model: string): Extract<NewEntry, { type: "model_change" }> {
  return { type: "model_change", model, role: DEFAULT_ROLE };
}
