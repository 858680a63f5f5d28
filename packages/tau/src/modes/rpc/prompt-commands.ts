// Commands that say something to the model, stop it, or answer its questions.

import type { UserMessage } from "@tau/ai/message";
import { boolean, maxValue, minValue, number, optional, picklist, pipe, string } from "valibot";
import { defineCommand, type CommandRow, type RpcCall, type RpcContext } from "./command-row.ts";
import { failureOf } from "./failure.ts";
import { VERDICTS } from "../consent-answer.ts";
import { RPC_VERSION, RpcError } from "./protocol.ts";
import { SAID_FIELDS, saidMessage } from "./said-message.ts";

/** A day: who has not answered by then will not. */
const MAX_ASK_TIMEOUT_MS = 24 * 60 * 60 * 1000;

export const PROMPT_COMMANDS: readonly CommandRow[] = [
  defineCommand({
    name: "hello",
    summary:
      "Says what the client can do: `canAnswer: false` has what needs consent refused instead of asked; `askTimeoutMs` bounds how long a question waits",
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
      "Starts a run; while one is on, `streamingBehavior` says whether the words go into it (`steer`), wait for its end (`followUp`), or are refused",
    answers: "`runId`; or `queued`, with the id of what waits and the run that is on",
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
          "something runs; abort it, or send the prompt with streamingBehavior steer or followUp",
        );
      }
      const delivery = streamingBehavior === "steer" ? "steer" : "followUp";
      const { mailId } = await post(context, message, delivery);
      return { queued: delivery, mailId, runId: context.runs.current ?? null };
    },
  }),
  defineCommand({
    name: "steer",
    summary: "Into the run that is on, as soon as it can take it; a run of its own where none is",
    answers: "`mailId`; null where it was a command",
    kind: "work",
    fields: SAID_FIELDS,
    run: (context, said) => post(context, saidMessage(said), "steer"),
  }),
  defineCommand({
    name: "follow_up",
    summary: "When the run that is on would be done; a run of its own where none is",
    answers: "`mailId`; null where it was a command",
    kind: "work",
    fields: SAID_FIELDS,
    run: (context, said) => post(context, saidMessage(said), "followUp"),
  }),
  defineCommand({
    name: "clear_queue",
    summary: "Takes back what the client sent and the model has not been given yet",
    answers: "`messages`: what waited",
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
      "Stops the run or the compaction that is on, and drops prompts that have not begun; answered when nothing runs any more",
    order: "at_once",
    fields: {},
    run: async (context) => {
      await context.stop();
      return undefined;
    },
  }),
  defineCommand({
    name: "abort_and_prompt",
    summary: "Stops what runs and starts a run with these words",
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
      "Answers the question `ask` (or, where that is left out, the one whose id is the command's): " +
      "`once`, `session`, `always`, `no` (with a `reason` for the model) or `abort`",
    order: "at_once",
    fields: {
      ask: optional(string()),
      verdict: picklist(VERDICTS),
      reason: optional(string()),
    },
    run: async ({ questions }, { id, ask = id, verdict, reason }) => {
      if (ask === undefined) throw new RpcError("invalid", "ask: missing; name the question's id");
      questions.answer(String(ask), verdict, reason);
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
  void active.prompt(message).then(
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
  const { session, settings } = active;
  const isPatient = wishes.interruptMode(settings) === "wait";
  const mailId = await (delivery === "steer"
    ? session.steer(message, { isPatient })
    : session.followUp(message));
  return { mailId: mailId ?? null };
}
