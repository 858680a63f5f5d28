// One reply: the request is made from the conversation, the stream is told on, and a
// failure is put to whoever knows what to do about it until the reply counts or the run
// has to end.

import { modelFailure } from "@tau/ai/error";
import type { AssistantMessage } from "@tau/ai/message";
import type { ModelRequest, ToolChoice } from "@tau/ai/request";
import type { RunEnd } from "./event.ts";
import type { StopReply } from "./hook-points.ts";
import { LinkedAbort } from "./linked-abort.ts";
import type { Recovery } from "./model-caller.ts";
import { RetrySeries, type RetryStep } from "./retry-series.ts";
import { compact, type Run } from "./run.ts";

export type StoppedReply = StopReply & { behaviour: string };

export type Asked =
  /** Whole, or failed or aborted for good. */
  | { type: "reply"; reply: AssistantMessage }
  /** A behaviour had enough of it. */
  | { type: "stopped"; reply: AssistantMessage; stop: StoppedReply }
  /** There is no reply. */
  | { type: "ended"; end: RunEnd };

export async function askUntilSettled(run: Run): Promise<Asked> {
  const { signal, budget, emit } = run.options;
  const forced = forcedChoice(run);
  const retries = new RetrySeries({ emit, signal });
  let hasCompacted = false;
  const settle = (asked: Asked, success: boolean): Asked => {
    retries.end({ success });
    return asked;
  };
  for (let attempt = 1; ; attempt++) {
    const request = await makeRequest(run, forced);
    const end = signal.aborted ? ABORTED : refusalOf(run);
    if (end) return settle({ type: "ended", end }, false);
    const { reply, stop } = await listen(run, request);
    budget?.spend(reply.usage, request.model.cost);
    if (stop) return settle({ type: "stopped", reply, stop }, true);
    if (reply.stopReason !== "error") {
      run.options.recovered?.();
      if (!hasCompacted && (await isIncomplete(run, reply)) && (await compact(run, "incomplete"))) {
        hasCompacted = true;
        await run.transcript.discard(reply);
        continue;
      }
      return settle({ type: "reply", reply }, true);
    }
    const mayCompact = !hasCompacted;
    let recovery = await recoveryFor(run, reply, { attempt, mayCompact });
    if (recovery?.type === "compact") {
      hasCompacted = true;
      if (mayCompact && !signal.aborted && (await compact(run, "overflow"))) {
        await run.transcript.discard(reply);
        continue;
      }
      // Somebody may know another way; whoever wants the same again does not.
      const isOver = !mayCompact || signal.aborted;
      recovery = isOver ? undefined : await recoveryFor(run, reply, { attempt, mayCompact: false });
    }
    if (recovery?.type === "retry") {
      const step = stepOf(run, reply, recovery);
      // What ended it is the stop, not the failure, which would have been mended.
      if (step && !(await retries.wait(step))) {
        return settle({ type: "reply", reply: { ...reply, stopReason: "aborted" } }, false);
      }
      await run.transcript.discard(reply);
      run.frame = { ...run.frame, ...recovery.request };
      run.callModel = recovery.callModel ?? run.callModel;
      continue;
    }
    const because = recovery?.type === "give_up" ? recovery.because : undefined;
    return settle({ type: "reply", reply: because ? { ...reply, error: because } : reply }, false);
  }
}

async function isIncomplete({ options }: Run, reply: AssistantMessage): Promise<boolean> {
  if (reply.stopReason !== "length" || options.signal.aborted) return false;
  return (await options.isCutByWindow?.(reply)) === true;
}

/** A vendor refuses the whole request for a tool that is gone by now. */
function forcedChoice(run: Run): ToolChoice | undefined {
  const { forcedChoices, tools } = run.options;
  const choice = forcedChoices?.take();
  return typeof choice === "object" && !tools.get(choice.name) ? undefined : choice;
}

const ABORTED: RunEnd = { reason: "aborted" };

function refusalOf(run: Run): RunEnd | undefined {
  const refusal = run.options.budget?.admit();
  return refusal && { reason: "limit", ...refusal };
}

async function makeRequest(run: Run, forced: ToolChoice | undefined): Promise<ModelRequest> {
  const { hooks, transcript, turn } = run;
  const messages = await hooks.context(transcript.messages, turn);
  const request: ModelRequest = { ...run.frame, messages, tools: run.options.tools.specs() };
  if (forced !== undefined) request.toolChoice = forced;
  return hooks.request(request, turn);
}

async function listen(
  run: Run,
  request: ModelRequest,
): Promise<{ reply: AssistantMessage; stop: StoppedReply | undefined }> {
  const { emit, signal, mailbox } = run.options;
  const { hooks, turn } = run;
  run.askedAt = mailbox?.posts ?? 0;
  using link = new LinkedAbort(signal);
  const stream = run.callModel(request, { signal: link.signal });
  emit({ type: "message_start", role: "assistant" });
  let stop: StoppedReply | undefined;
  for await (const event of stream) {
    emit({ type: "message_update", event });
    if (stop) continue;
    stop = hooks.stream(event, turn);
    // The stream is heard to its end all the same: then the call is really over.
    if (stop) link.abort(stop.reason);
  }
  const reply = await stream.result();
  return { reply, stop };
}

/** Undefined, like `give_up`, where nobody knows what to do. */
async function recoveryFor(
  run: Run,
  reply: AssistantMessage,
  told: { attempt: number; mayCompact: boolean },
): Promise<Recovery | undefined> {
  const { hooks, options, turn } = run;
  const failure = failureOf(reply);
  const heard = await hooks.failure({ failure, reply, ...told, turn });
  return heard ?? options.recover?.(reply, { signal: options.signal });
}

/** Undefined for a retry that nobody has to hear of. */
function stepOf(
  run: Run,
  reply: AssistantMessage,
  { action, afterMs, failure, request }: Extract<Recovery, { type: "retry" }>,
): RetryStep | undefined {
  if (action === undefined && afterMs === undefined) return undefined;
  const { provider, id } = request?.model ?? run.frame.model;
  return {
    action: action ?? "wait",
    delayMs: afterMs ?? 0,
    failure: failure ?? failureOf(reply),
    model: `${provider}/${id}`,
  };
}

function failureOf(reply: AssistantMessage) {
  return reply.error ?? modelFailure("protocol", "The reply failed without a reason.");
}
