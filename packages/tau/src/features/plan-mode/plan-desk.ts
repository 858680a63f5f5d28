// What becomes of a plan that was handed in. The user is asked, if somebody can answer; a program at the
// other end of a pipe, and a later command, decide the same way.

import { developerText } from "@tau/ai/message";
import { partKey } from "../../base/part.ts";
import type { FeatureHost } from "../../feature-api/feature.ts";
import { SessionBusy } from "../../session/session-busy.ts";
import { askAboutPlan } from "./ask-about-plan.ts";
import type { CurrentPlan, PlanMode } from "./plan-mode.ts";
import type { PlanText } from "./plan-state.ts";
import {
  approved,
  APPROVED_LATER,
  carryOut,
  handoverDocument,
  LEFT,
  rejected,
  UNDECIDED,
} from "./plan-words.ts";

export type PlanAnswer =
  /** `fresh`: in a session that begins with the plan and knows nothing else. */
  | { type: "approve"; context: "keep" | "fresh" }
  | { type: "reject"; words: string }
  /** Plan mode ends, and nothing is carried out. */
  | { type: "leave" };

/** The user's own session's: whoever is from outside cannot decide for the user. */
export const PLAN_DESK = partKey<PlanDesk>("plan decisions", { viewOf: () => ({}) });

const SENDER = "plan mode";

type Host = Pick<FeatureHost, "session" | "control" | "mailbox" | "notify" | "isBusy" | "ui">;

export class PlanDesk {
  readonly #host: Host;
  readonly #mode: PlanMode;
  /** While the user is asked. */
  #answer: ((answer: PlanAnswer) => void) | undefined;
  /** The run is for nothing more: it waits for the user, or goes on otherwise. */
  endsRun = false;

  constructor(host: Host, mode: PlanMode) {
    this.#host = host;
    this.#mode = mode;
  }

  get canStartFresh(): boolean {
    return this.#host.control !== undefined;
  }

  /** In a run, from the model's call; what it is told. */
  async submit(plan: PlanText, signal: AbortSignal): Promise<string> {
    await this.#mode.submit(plan);
    const answer = await this.#ask(signal);
    if (!answer) {
      this.endsRun = true;
      return UNDECIDED;
    }
    return this.#settleInRun(answer);
  }

  /** From a command. A `UserError` if there is nothing to decide about. */
  async decide(answer: PlanAnswer): Promise<void> {
    if (this.#answer) {
      this.#answer(answer);
      return;
    }
    const current = await this.#mode.current();
    if (this.#host.isBusy) throw new SessionBusy();
    const { plan, isEdited } = current;
    switch (answer.type) {
      case "approve":
        await this.#approve(plan, answer.context);
        return this.#execute(current, answer.context);
      case "reject":
        await this.#reject(plan, answer.words);
        return this.#say(rejected(answer.words, plan, isEdited));
      case "leave":
        return this.#leave(plan, { isTold: false });
    }
  }

  async #settleInRun(answer: PlanAnswer): Promise<string> {
    const current = await this.#mode.current();
    const { plan, isEdited } = current;
    switch (answer.type) {
      case "approve": {
        const isLater = answer.context === "fresh" || this.#mode.changesModel;
        await this.#approve(plan, answer.context);
        if (!isLater) return approved(plan, isEdited);
        this.endsRun = true;
        this.#afterRun(() => this.#execute(current, answer.context));
        return APPROVED_LATER;
      }
      case "reject":
        await this.#reject(plan, answer.words);
        return rejected(answer.words, plan, isEdited);
      case "leave":
        this.endsRun = true;
        await this.#leave(plan, { isTold: true });
        return LEFT;
    }
  }

  async #approve({ title }: PlanText, context: "keep" | "fresh"): Promise<void> {
    const { session } = this.#host;
    const decision = context === "fresh" ? "approved_fresh" : "approved";
    this.#host.notify({ type: "plan_decided", decision, title });
    await this.#mode.turnOff({ isTold: true });
    if (session.state.title === undefined && title !== "") {
      await session.append([{ type: "title", title, source: "auto" }]);
    }
  }

  async #reject({ title }: PlanText, words: string): Promise<void> {
    this.#host.notify({ type: "plan_decided", decision: "rejected", title, words });
    await this.#mode.sendBack();
  }

  async #leave({ title }: PlanText, told: { isTold: boolean }): Promise<void> {
    this.#host.notify({ type: "plan_decided", decision: "left", title });
    await this.#mode.turnOff(told);
    this.#afterRun(() => this.#mode.settleModel("other"));
  }

  /** Once nothing runs. */
  async #execute({ plan, isEdited }: CurrentPlan, context: "keep" | "fresh"): Promise<void> {
    await this.#mode.settleModel("execution");
    const { control } = this.#host;
    if (context === "fresh" && control) {
      return control.handOver(handoverDocument(plan), carryOut());
    }
    return this.#say(approved(plan, isEdited));
  }

  async #say(words: string): Promise<void> {
    const options = { delivery: "followUp", sender: SENDER, isDurable: true } as const;
    await this.#host.mailbox.post(developerText(words), options);
  }

  /** Nobody waits for it: a session that is left by it could not end otherwise. */
  #afterRun(work: () => Promise<void>): void {
    const { session, notify } = this.#host;
    session
      .whenIdle()
      .then(work)
      .catch((error: unknown) =>
        notify({ type: "hook_error", behaviour: SENDER, hook: "background", error }),
      );
  }

  /** Undefined if nobody decides now. */
  async #ask(signal: AbortSignal): Promise<PlanAnswer | undefined> {
    const { ui } = this.#host;
    if (!ui.canAsk) return undefined;
    const elsewhere = Promise.withResolvers<PlanAnswer>();
    const withdrawn = new AbortController();
    this.#answer = (answer) => {
      elsewhere.resolve(answer);
      withdrawn.abort();
    };
    try {
      const asking = askAboutPlan(ui, {
        mode: this.#mode,
        canStartFresh: this.canStartFresh,
        signal: AbortSignal.any([signal, withdrawn.signal]),
      });
      const answer = await Promise.race([elsewhere.promise, asking]);
      // Withdrawn because somebody has answered elsewhere.
      return withdrawn.signal.aborted ? await elsewhere.promise : answer;
    } finally {
      this.#answer = undefined;
    }
  }
}
