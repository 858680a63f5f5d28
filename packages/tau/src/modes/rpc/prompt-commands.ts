// Commands that say something to the model, stop it, or answer its questions.

import type { UserMessage } from "@tau/ai/message";
import {
  array,
  boolean,
  maxValue,
  minValue,
  nullable,
  number,
  optional,
  picklist,
  pipe,
  strictObject,
  string,
  union,
} from "valibot";
import { defineCommand, type CommandRow, type RpcCall, type RpcContext } from "./command-row.ts";
import { failureOf } from "./failure.ts";
import { say, wasCommand } from "../say.ts";
import { VERDICTS } from "../consent-answer.ts";
import { RPC_VERSION, RpcError } from "./protocol.ts";
import { SAID_FIELDS, saidMessage } from "./said-message.ts";

/** A day: who has not answered by then will not. */
const MAX_ASK_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** One of the answers to questions that were put together. */
const ASKED_ANSWER = strictObject({
  id: string(),
  selected: optional(array(string())),
  words: optional(string()),
});

export const PROMPT_COMMANDS: readonly CommandRow[] = [
  defineCommand({
    name: "hello",
    summary:
      "Declares the client's capabilities: with `canAnswer: false`, calls that need approval are refused instead of asked about; `askTimeoutMs` is the timeout of questions",
    answers: "`v`, `canAnswer`, `askTimeoutMs`",
    fields: {
      canAnswer: optional(boolean()),
      askTimeoutMs: optional(pipe(number(), minValue(1), maxValue(MAX_ASK_TIMEOUT_MS))),
    },
    run: async ({ questions }, { canAnswer, askTimeoutMs }) => {
      questions.canAnswer = canAnswer ?? questions.canAnswer;
      questions.timeoutMs = askTimeoutMs ?? questions.timeoutMs;
      return {
        v: RPC_VERSION,
        canAnswer: questions.canAnswer,
        askTimeoutMs: questions.timeoutMs ?? null,
      };
    },
  }),
  defineCommand({
    name: "prompt",
    summary:
      "Starts a run; during a run, `streamingBehavior` says whether the message steers it (`steer`), waits for its end (`followUp`), or is rejected (`reject`, the default)",
    answers:
      "`runId`; or `queued`, with `mailId` (the queued message) and `runId` (the current run)",
    kind: "work",
    fields: {
      ...SAID_FIELDS,
      streamingBehavior: optional(picklist(["steer", "followUp", "follow_up", "reject"])),
    },
    run: async (context, { streamingBehavior = "reject", ...said }, call) => {
      const message = saidMessage(said);
      if (!isBusy(context)) return start(context, message, call);
      if (streamingBehavior === "reject") {
        throw new RpcError(
          "busy",
          "a run is in progress; abort it, or send the prompt with streamingBehavior steer or followUp",
        );
      }
      const delivery = streamingBehavior === "steer" ? "steer" : "followUp";
      const { mailId } = await post(context, message, delivery);
      return { queued: delivery, mailId, runId: context.runs.current ?? null };
    },
  }),
  defineCommand({
    name: "steer",
    summary:
      "Sends a message into the current run as soon as possible; starts a run if there is none",
    answers: "`mailId`; null if the message was a command",
    kind: "work",
    fields: SAID_FIELDS,
    run: (context, said) => post(context, saidMessage(said), "steer"),
  }),
  defineCommand({
    name: "follow_up",
    summary: "Queues a message for the end of the current run; starts a run if there is none",
    answers: "`mailId`; null if the message was a command",
    kind: "work",
    fields: SAID_FIELDS,
    run: (context, said) => post(context, saidMessage(said), "followUp"),
  }),
  defineCommand({
    name: "clear_queue",
    summary: "Withdraws messages that the client queued and the model has not received yet",
    answers: "`messages`: those that were queued",
    fields: {},
    run: async ({ active: { session } }) => {
      const own = session.mailbox.queued().filter(({ sender }) => sender === "user");
      const withdrawn = await session.withdraw(own.map(({ id }) => id));
      return {
        messages: withdrawn.map(({ id, delivery, message }) => ({ id, delivery, message })),
      };
    },
  }),
  defineCommand({
    name: "abort",
    summary:
      "Stops the current run or compaction and drops prompts that have not started; with `agents: true`, all agents as well; responds once nothing is running",
    order: "at_once",
    fields: { agents: optional(boolean()) },
    run: async (context, { agents }) => {
      await context.stop({ agents });
      return undefined;
    },
  }),
  defineCommand({
    name: "abort_and_prompt",
    summary: "Stops the current run and starts one with this message",
    answers: "`runId`",
    kind: "work",
    fields: SAID_FIELDS,
    run: async (context, said, call) => {
      const message = saidMessage(said);
      while (isBusy(context)) {
        await context.active.session.abort();
        // Who began it tidies up behind it.
        await new Promise((resolve) => setImmediate(resolve));
      }
      call.signal.throwIfAborted();
      return start(context, message, call);
    },
  }),
  defineCommand({
    name: "answer",
    summary:
      "Answers the question `ask` (if omitted, the question with the command's own id): an approval with a " +
      "`verdict` (`once`, `session`, `always`, `no` with a `reason` for the model, or `abort`), anything else " +
      "with a `value`, or null for no answer",
    order: "at_once",
    fields: {
      ask: optional(string()),
      verdict: optional(picklist(VERDICTS)),
      reason: optional(string()),
      value: optional(nullable(union([string(), boolean(), array(ASKED_ANSWER)]))),
    },
    run: async ({ questions }, { id, ask = id, verdict, reason, value }) => {
      if (ask === undefined) throw new RpcError("invalid", "ask: missing; name the question's id");
      questions.answer(String(ask), { verdict, reason, value });
      return undefined;
    },
  }),
];

function isBusy({ active, runs, compactions }: RpcContext): boolean {
  return active.session.isBusy || runs.isPrompting || compactions.isAskedFor;
}

/** Acknowledged before the run's first event; from the look at what runs to here nothing is awaited. */
function start(context: RpcContext, message: UserMessage, call: RpcCall): undefined {
  const { active, runs, report } = context;
  const runId = runs.begin();
  call.reply({ runId });
  void say(active, message).then(
    (end) => runs.settle(runId, { end }),
    (error: unknown) => {
      const failure = failureOf(error);
      if (failure.code === "internal") report(error);
      runs.settle(runId, { error: failure });
    },
  );
  return undefined;
}

async function post(
  { active, wishes }: RpcContext,
  message: UserMessage,
  delivery: "steer" | "followUp",
): Promise<{ mailId: string | null }> {
  if (await wasCommand(active, message)) return { mailId: null };
  const { session, settings } = active;
  const isPatient = wishes.interruptMode(settings) === "wait";
  const mailId = await (delivery === "steer"
    ? session.steer(message, { isPatient })
    : session.followUp(message));
  return { mailId: mailId ?? null };
}
