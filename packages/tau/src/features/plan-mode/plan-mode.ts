// Plan mode in one session: whether it is on, and the plan that was handed in. Both are what the log
// says; nothing is kept beside it but the plan's file, which the user may edit.

import { partKey } from "../../base/part.ts";
import { COMMAND } from "../../brand.ts";
import type { FeatureHost } from "../../feature-api/feature.ts";
import type { ReadOnlyMode } from "../../feature-api/read-only-mode.ts";
import { SessionBusy } from "../../session/session-busy.ts";
import { UserError } from "../../user-error.ts";
import { planPath, readPlan, writePlan } from "./plan-file.ts";
import {
  decodeState,
  PLAN_ENTRY,
  stateEntry,
  type PlanState,
  type PlanText,
} from "./plan-state.ts";
import { AGENT_WORDS } from "./plan-words.ts";
import { AGENT_TOOLS } from "./read-only-tools.ts";
import type { PlanSettings } from "./settings.ts";

/** Planning is done by the model of this role, if it has one. */
const PLAN_ROLE = `${COMMAND}/plan`;

/** The user's own session's. */
export const PLAN_MODE = partKey<PlanMode>("plan mode", {
  viewOf: (mode) => ({ isOn: mode.isOn, state: mode.state }),
});

/** As it is now, with what the user wrote into its file. */
export interface CurrentPlan {
  plan: PlanText;
  isEdited: boolean;
}

type Host = Pick<FeatureHost, "session" | "view" | "log" | "append" | "notify" | "isBusy" | "hide">;

export class PlanMode implements ReadOnlyMode {
  readonly words = AGENT_WORDS;
  readonly tools = AGENT_TOOLS;
  readonly #host: Host;
  readonly #settings: PlanSettings;
  #decoded: { from: unknown; state: PlanState } = {
    from: undefined,
    state: decodeState(undefined),
  };

  constructor(host: Host, settings: PlanSettings) {
    this.#host = host;
    this.#settings = settings;
  }

  get state(): PlanState {
    const from = this.#host.view.state.kept[PLAN_ENTRY];
    if (from !== this.#decoded.from) this.#decoded = { from, state: decodeState(from) };
    return this.#decoded.state;
  }

  get isOn(): boolean {
    return this.state.isOn;
  }

  /** Where the plan can be edited. */
  get path(): string | undefined {
    return planPath(this.#host.log);
  }

  /** Carrying it out, or leaving, means another model than planning. */
  get changesModel(): boolean {
    return this.state.before !== undefined || this.#settings.executeRole !== "";
  }

  /** Rejects with `SessionBusy` during a run: calls of it may have been let through. */
  async turnOn(): Promise<void> {
    if (this.isOn) return;
    if (this.#host.isBusy) throw new SessionBusy();
    const { model, thinking, models } = this.#host.session;
    const before = { model: `${model.provider}/${model.id}`, thinking };
    const isAnother = models?.hasRole(PLAN_ROLE) === true && (await this.#use(PLAN_ROLE));
    await this.#keep({ isOn: true, isTold: false, before: isAnother ? before : undefined });
    this.#host.notify({ type: "plan_mode_changed", isOn: true });
  }

  /** `isTold`: the model hears of it otherwise. The model of before is for `settleModel` to bring back. */
  async turnOff({ isTold }: { isTold: boolean }): Promise<void> {
    const { state } = this;
    if (!state.isOn) return;
    // Of a mode that it has never heard of, nothing need be said.
    const knows = isTold || !state.isTold;
    await this.#keep({ ...state, isOn: false, isTold: knows, isOpen: false });
    this.#host.notify({ type: "plan_mode_changed", isOn: false });
  }

  /** Once nothing runs: the model for what comes now. */
  async settleModel(purpose: "execution" | "other"): Promise<void> {
    const { before } = this.state;
    const { executeRole } = this.#settings;
    const role = purpose === "execution" ? executeRole : "";
    const isChosen = role !== "" && (await this.#use(`${COMMAND}/${role}`));
    if (!before) return;
    if (!isChosen) await this.#use(before.model, before.thinking);
    await this.#keep({ ...this.state, before: undefined });
  }

  async markTold(): Promise<void> {
    await this.#keep({ ...this.state, isTold: true });
  }

  async submit(given: PlanText): Promise<void> {
    // A call comes with those secrets put back that it names, and the plan is kept.
    const plan = this.#host.hide({ title: given.title.trim(), text: given.text.trim() });
    if (this.path !== undefined) await writePlan(this.path, plan.text);
    await this.#keep({ ...this.state, plan, isOpen: true });
    const { title, text } = plan;
    this.#host.notify({ type: "plan_submitted", title, plan: text, path: this.path });
  }

  /** The user has changed it. */
  async edit(text: string): Promise<void> {
    const { plan } = this.state;
    if (!plan) return;
    if (this.path === undefined) {
      await this.#keep({ ...this.state, plan: { ...plan, text: this.#host.hide(text) } });
    } else await writePlan(this.path, this.#host.hide(text));
    this.#host.notify({ type: "plan_decided", decision: "edited", title: plan.title });
  }

  /** The model is to change it. */
  async sendBack(): Promise<void> {
    await this.#keep({ ...this.state, isOpen: false });
  }

  /** A `UserError` if there is none to decide about. */
  async current(): Promise<CurrentPlan> {
    const { plan, isOpen } = this.state;
    if (!plan || !isOpen) {
      throw new UserError(
        "there is no plan to decide about; the model hands one in when it is done",
      );
    }
    const found = this.path === undefined ? undefined : await readPlan(this.path);
    const text = this.#host.hide(found ?? plan.text);
    return { plan: { title: plan.title, text }, isEdited: text.trim() !== plan.text.trim() };
  }

  /** False if it cannot be had: then the one in use goes on, and the user is told. */
  async #use(...[selector, thinking]: Parameters<FeatureHost["session"]["setModel"]>) {
    try {
      await this.#host.session.setModel(selector, thinking);
      return true;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#host.notify({
        type: "command_output",
        name: "plan",
        text: `${selector} cannot be used: ${error.message}`,
        isError: true,
      });
      return false;
    }
  }

  #keep(state: PlanState): Promise<void> {
    return this.#host.append([stateEntry(state)]);
  }
}
