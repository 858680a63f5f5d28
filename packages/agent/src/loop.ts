// The loop, as a function: ask the model, run the tools it calls, ask again, until it
// calls none and nobody has anything more to say. It knows no files, no terminal and no
// vendor; it emits events and returns the messages it added.

import {
  developerText,
  toolCallsOf,
  type AssistantMessage,
  type Message,
  type ToolResultMessage,
} from "@tau/ai/message";
import { askUntilSettled, type StoppedReply } from "./ask-model.ts";
import { deliverMail } from "./deliver-mail.ts";
import type { RunEnd } from "./event.ts";
import { HookCalls } from "./hook-calls.ts";
import type { LoopOptions, LoopResult } from "./loop-options.ts";
import type { Delivery, Mail, SaidMessage } from "./mail.ts";
import { repeatLimit, RepeatDetector } from "./repeat-detector.ts";
import { answerUnrun, NOT_RUN, runCalls } from "./run-calls.ts";
import { compact, type Run } from "./run.ts";
import { ABORTED_TEXT } from "./tool-table.ts";
import { Transcript } from "./transcript.ts";

export type { LoopOptions, LoopResult } from "./loop-options.ts";
export type { ModelCaller, Recovery, RequestFrame } from "./model-caller.ts";

/** Replies that a behaviour may stop in a row; more is two programs arguing at the user's cost. */
const MAX_STOPPED_REPLIES = 8;

/** Pauses in a row that a turn goes on after; a vendor that never gets done costs money each time. */
const MAX_PAUSES = 8;

/** What a turn came to: the run goes on, or it does not. */
type Next = "ask" | RunEnd;

/** Rejects only where something could not be recorded, or for a bug; `agent_end` is told first. */
export async function runLoop(options: LoopOptions): Promise<LoopResult> {
  const run = startRun(options);
  const { emit } = options;
  const { transcript } = run;
  emit({ type: "agent_start" });
  try {
    await begin(run);
    let end = await runTurns(run);
    // Mail may have come since the loop last looked. From this look to the end of the run
    // nothing is awaited; what comes later finds no run and waits for the next.
    while (end.reason === "done" && options.mailbox?.wantsRun) {
      if (!(await deliverNext(run, "steer"))) await deliverNext(run, "followUp");
      end = await runTurns(run);
    }
    emit({ type: "agent_end", end });
    return { end, added: transcript.added, messages: transcript.messages };
  } catch (error) {
    emit({ type: "agent_end", end: { reason: "failed" } });
    throw error;
  }
}

function startRun(options: LoopOptions): Run {
  const { emit, signal, record, repeats } = options;
  return {
    options,
    hooks: new HookCalls(options.hooks, { signal, emit }),
    transcript: new Transcript(options.messages, { record, emit }),
    repeats: repeats === "off" ? undefined : new RepeatDetector(repeats),
    frame: options.request,
    callModel: options.callModel,
    turn: 0,
    pauses: 0,
    askedAt: 0,
    stuck: undefined,
  };
}

async function runTurns(run: Run): Promise<RunEnd> {
  const { signal, maxTurns, budget } = run.options;
  let stopped = 0;
  for (;;) {
    if (signal.aborted) return { reason: "aborted" };
    run.turn++;
    if (maxTurns !== undefined && run.turn > maxTurns) {
      return { reason: "limit", kind: "turns", limit: `${maxTurns} model calls` };
    }
    const refusal = budget?.refusal();
    if (refusal) return { reason: "limit", ...refusal };
    run.options.emit({ type: "turn_start", turn: run.turn });
    const asked = await askUntilSettled(run);
    if (asked.type === "ended") return asked.end;
    stopped = asked.type === "stopped" ? stopped + 1 : 0;
    const next =
      asked.type === "stopped"
        ? await afterStop(run, asked.reply, asked.stop, stopped)
        : await afterReply(run, asked.reply);
    if (next !== "ask") return next;
  }
}

/** The prompt is recorded before anything else can go wrong. */
async function begin(run: Run): Promise<void> {
  const { prompt = [], mailbox, signal } = run.options;
  const mails: Mail[] = [];
  if (mailbox && !signal.aborted) {
    // What was said before the prompt stands before it.
    if (prompt.length > 0) mails.push(...mailbox.claim("nextTurn"));
    mails.push(...mailbox.claim("steer"));
    // A run that only mail called for begins with what it was called for.
    if (prompt.length === 0 && mails.length === 0) mails.push(...mailbox.claim("followUp"));
  }
  if (mails.length > 0 || prompt.length > 0) await deliver(run, mails, prompt);
  if (signal.aborted || !run.hooks.has("run_start")) return;
  const { messages } = run.transcript;
  const start = await run.hooks.runStart({ messages, request: run.frame });
  run.frame = { ...run.frame, ...start.request };
  run.callModel = start.callModel ?? run.callModel;
  await run.transcript.append(start.messages);
}

async function afterReply(run: Run, reply: AssistantMessage): Promise<Next> {
  const { signal } = run.options;
  const isBroken = reply.stopReason === "error" || reply.stopReason === "aborted";
  if (isBroken || signal.aborted) {
    const end = signal.aborted || reply.stopReason === "aborted" ? "aborted" : "failed";
    await keepUnrun(run, reply, end === "aborted" ? ABORTED_TEXT : FAILED_TEXT);
    return { reason: end };
  }
  await run.transcript.append([reply]);
  if (run.hooks.has("reply")) {
    await run.hooks.notify("reply", { message: reply, turn: run.turn });
  }
  const calls = toolCallsOf(reply);
  const results = calls.length > 0 ? await runCalls(run, calls) : [];
  if (calls.length > 0 && run.transcript.isRecorded) await run.transcript.settled();
  return endTurn(run, reply, results);
}

const FAILED_TEXT = "Not run: the reply broke off.";

/** A reply and the answers to its calls, none of which ran, as one record. */
async function keepUnrun(run: Run, reply: AssistantMessage, why: string): Promise<void> {
  const results = answerUnrun(run, toolCallsOf(reply), why);
  const ran = new Map(results.map((result) => [result as Message, NOT_RUN]));
  await run.transcript.append([reply, ...results], { ran });
  run.options.emit({ type: "turn_end", turn: run.turn, message: reply, results });
}

async function afterStop(
  run: Run,
  reply: AssistantMessage,
  stop: StoppedReply,
  stopped: number,
): Promise<Next> {
  const why = `Not run: the reply was stopped. ${stop.reason}`;
  if (stop.partial === "keep" && reply.content.length > 0) await keepUnrun(run, reply, why);
  else {
    await run.transcript.discard(reply);
    run.options.emit({ type: "turn_end", turn: run.turn, message: reply, results: [] });
  }
  if (run.options.signal.aborted) return { reason: "aborted" };
  await run.transcript.append(stop.messages ?? [reminder(stop.reason)]);
  if (stop.next === "end_run") return stoppedBy(stop);
  if (stopped >= MAX_STOPPED_REPLIES) {
    const limit = `${stopped} replies in a row that ${stop.behaviour} stopped`;
    return { reason: "limit", kind: "behaviour", limit };
  }
  return "ask";
}

function reminder(reason: string): SaidMessage {
  return developerText(`Your reply was stopped: ${reason}`);
}

function stoppedBy({ behaviour, reason }: { behaviour: string; reason: string }): RunEnd {
  return { reason: "limit", kind: "behaviour", limit: `${behaviour} (${reason})` };
}

async function endTurn(
  run: Run,
  reply: AssistantMessage,
  results: ToolResultMessage[],
): Promise<Next> {
  const { hooks, transcript, turn } = run;
  const { emit, signal } = run.options;
  emit({ type: "turn_end", turn, message: reply, results });
  if (signal.aborted) return { reason: "aborted" };
  run.pauses = reply.isPaused ? run.pauses + 1 : 0;
  const isPaused = run.pauses > 0 && run.pauses <= MAX_PAUSES;
  let goesOn = results.length > 0 || isPaused;
  if (hooks.has("turn_end")) {
    const { messages } = transcript;
    const told = { turn, message: reply, results, messages };
    const { stop, isDone, compact: wish, messages: more } = await hooks.turnEnd(told);
    if (signal.aborted) return { reason: "aborted" };
    if (stop) return stoppedBy(stop);
    // Whoever has said something meanwhile is heard: `runLoop` looks for mail.
    if (isDone) return rest(run);
    await transcript.append(more);
    if (wish) await compact(run, wish.reason);
    goesOn ||= more.length > 0;
  }
  if (signal.aborted) return { reason: "aborted" };
  if (await deliverNext(run, "steer")) goesOn = true;
  if (run.stuck) return { reason: "limit", kind: "repeat", limit: repeatLimit(run.stuck) };
  return goesOn ? "ask" : whenDone(run);
}

async function whenDone(run: Run): Promise<Next> {
  if (await deliverNext(run, "followUp")) return "ask";
  return rest(run);
}

/** What idle handlers put into the mailbox is found by the last look, in `runLoop`. */
async function rest(run: Run): Promise<RunEnd> {
  const { hooks, transcript, options } = run;
  if (hooks.has("idle")) await hooks.notify("idle", { messages: transcript.messages });
  return { reason: options.signal.aborted ? "aborted" : "done" };
}

/** False where no such mail is there. */
async function deliverNext(run: Run, delivery: Delivery): Promise<boolean> {
  const mails = run.options.mailbox?.claim(delivery) ?? [];
  if (mails.length === 0) return false;
  await deliver(run, mails, []);
  // The user had a say: a circle begins to count anew.
  if (mails.some((mail) => mail.sender === "user")) {
    run.repeats?.reset();
    run.stuck = undefined;
  }
  return true;
}

function deliver(run: Run, mails: Mail[], prompt: readonly SaidMessage[]): Promise<void> {
  const { mailbox, emit } = run.options;
  return deliverMail({ transcript: run.transcript, mailbox, emit }, mails, prompt);
}
