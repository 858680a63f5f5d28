// One question beside the conversation, asked until there is an answer or nothing is left to try.
// The counterpart of the loop's own asking, with the same machine and the same series of events;
// there is nothing to take back, because nobody has seen anything of a failed answer.

import type { Budget } from "@tau/agent/budget";
import type { RetrySeries } from "@tau/agent/retry-series";
import type { ModelFailure } from "@tau/ai/error";
import type { AssistantMessage } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";
import type { AsideRequest } from "./aside.ts";
import type { CallTally } from "./call-tally.ts";
import { nameOfTarget } from "./model-target.ts";
import type { RetryMachine, RetryPlan } from "./retry-machine.ts";
import { failureOf, refused, STOPPED, unasked } from "./unasked-reply.ts";

export interface Asking {
  /** Of this question alone. */
  machine: RetryMachine;
  series: RetrySeries;
  tally: CallTally;
  budget: Budget | undefined;
  signal: AbortSignal;
  send: (request: ModelRequest) => Promise<AssistantMessage>;
  /** What does not fit: to a larger model, or shorter. */
  makeFit: (failure: ModelFailure) => Promise<RetryPlan | undefined>;
  /** Without what was refused, if that is known. */
  repair: (failure: ModelFailure) => Promise<RetryPlan | undefined>;
}

/** The reply carries its error if nothing helped. */
export async function askUntilSettled(
  request: AsideRequest,
  asking: Asking,
): Promise<AssistantMessage> {
  const { machine, series, tally, budget, signal } = asking;
  const settle = (reply: AssistantMessage): AssistantMessage => {
    series.end({ success: reply.stopReason !== "error" && reply.stopReason !== "aborted" });
    return reply;
  };
  for (;;) {
    const { target } = machine;
    const stop = signal.aborted ? STOPPED : refusalOf(budget);
    if (stop) return settle(unasked(target, stop));
    const { model } = target;
    const reply = await asking.send({ tools: [], ...request, model, stream: true });
    budget?.spend(reply.usage, model.cost);
    tally.add(target, reply);
    if (reply.stopReason !== "error") return settle(reply);
    const failure = failureOf(reply);
    const plan =
      failure.kind === "context_overflow"
        ? await asking.makeFit(failure)
        : ((await asking.repair(failure)) ?? (await machine.next(failure, signal)));
    const step = plan && {
      ...plan,
      failure: plan.failure ?? failure,
      model: nameOfTarget(machine.target),
    };
    if (!step || !(await series.wait(step))) return settle(reply);
  }
}

function refusalOf(budget: Budget | undefined): ModelFailure | undefined {
  const refusal = budget?.admit();
  return refusal && refused(refusal);
}
