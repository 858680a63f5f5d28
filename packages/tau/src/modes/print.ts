// Print mode: run one prompt to its end and write the answer, nothing else, to standard
// output. Progress and failures go to standard error.

import { textOf, type AssistantMessage, type UserMessage } from "@tau/ai/message";
import { COMMAND } from "../brand.ts";
import { isTerminal } from "../base/is-terminal.ts";
import { writeError, writeOutput } from "../base/output.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { ActiveEnd, ActiveSession } from "../assembly/active-session.ts";
import { Interrupt } from "../base/interrupt.ts";
import type { SessionEvent } from "../session/session-event.ts";
import type { AgentFeedKind } from "./agent-feed.ts";
import { beginWords, endWords } from "./agent-words.ts";
import { sayToTheEnd } from "./say-to-the-end.ts";
import { describeFailure } from "../session/projection/describe-failure.ts";
import { describeHookError } from "../session/projection/describe-hook-error.ts";
import { nameSlowHook } from "../session/projection/name-slow-hook.ts";
import { describeLimit } from "../session/projection/describe-limit.ts";
import { describeRecovery } from "../session/projection/describe-recovery.ts";

/** `text`: the answer alone. `json`: everything that happens, one event a line. */
export type PrintFormat = "text" | "json";

export interface PrintOptions {
  quiet: boolean;
  format: PrintFormat;
  /** Which events of agents are among those of `json`. */
  agentEvents?: AgentFeedKind;
}

/** Once the run is to end: for a reader to take what was said. */
const LAST_WORDS_MS = 2000;

export async function printAnswer(
  active: ActiveSession,
  message: UserMessage,
  options: PrintOptions,
): Promise<ExitCode> {
  using interrupt = new Interrupt();
  let isRejected = false;
  active.subscribe(({ type }) => void (isRejected ||= type === "prompt_rejected"), "part");
  const goal: { missing?: string } = {};
  active.subscribe((event) => {
    if (event.type === "goal_judged") goal.missing = event.words;
    if (event.type === "goal_end") goal.missing = event.status === "held" ? undefined : event.why;
  }, "part");
  const exitCode =
    options.format === "json"
      ? await printEvents(active, message, { ...options, interrupt })
      : await printText(active, message, { ...options, interrupt });
  // Nobody answered what a hook did not let through; and a script that sets a goal goes by it.
  const isUnmet = goal.missing !== undefined;
  if (isUnmet && exitCode === EXIT.done) {
    writeError(`${COMMAND}: the goal was not reached: ${goal.missing}\n`);
  }
  return (isRejected || isUnmet) && exitCode === EXIT.done ? EXIT.failed : exitCode;
}

async function printText(
  active: ActiveSession,
  message: UserMessage,
  options: { quiet: boolean; interrupt: Interrupt },
): Promise<ExitCode> {
  const { interrupt } = options;
  const progress =
    options.quiet || !isTerminal(2)
      ? undefined
      : (await import("./print-progress.ts")).showProgress(active);
  tellOfHooks(active, progress?.note ?? writeError);
  if (!options.quiet) {
    active.subscribe((event) => {
      const line =
        event.type === "auto_retry_start"
          ? describeRecovery(event)
          : (beginWords(event) ?? endWords(event));
      if (line) (progress?.note ?? writeError)(`${COMMAND}: ${line}\n`);
    });
  }
  // An answer that was complete but for a reminder is one: what follows comes after it.
  const earlier: string[] = [];
  active.subscribe((event) => {
    if (event.type === "answer_stands") earlier.push(lastWords(active));
    // A refusal is thrown as well, and told by whoever takes it.
    if (event.type === "command_output" && !event.isError) earlier.push(event.text);
  });
  // Nobody can decide about a plan here: it is the answer.
  const plans: string[] = [];
  active.subscribe((event, { agent }) => {
    if (event.type === "plan_submitted" && agent === undefined) plans.push(event.plan);
  });
  const unasked: string[] = [];
  active.subscribe((event) => {
    if (event.type === "tool_execution_end" && event.unasked !== undefined)
      unasked.push(`${event.call.name}: ${event.unasked}`);
  });
  const end = await sayToTheEnd(active, message, {
    signal: interrupt.signal,
    waiting: (words) => progress?.show(`waiting for ${words}`),
  });
  progress?.stop();
  await remember(active, message, end);
  const plan = plans.at(-1);
  const exitCode = await settle(active, end, { earlier, plan, signal: interrupt.signal });
  tellOfUnasked(unasked);
  tellOfJobs(active);
  return exitCode;
}

/** Whose handler failed, once for each failure: a script's author has nowhere else to see it. */
function tellOfHooks(active: ActiveSession, write: (line: string) => void): void {
  const told = new Set<string>();
  active.subscribe((event) => {
    const text = wordsOfHook(event);
    if (text === undefined) return;
    if (told.size < told.add(text).size) write(`${COMMAND}: ${text}\n`);
  });
}

function wordsOfHook(event: SessionEvent): string | undefined {
  if (event.type === "hook_error") return describeHookError(event).text;
  if (event.type === "hook_message") return event.text;
  if (event.type === "hook_slow") {
    return `waiting for ${nameSlowHook(event)}`;
  }
  return event.type === "prompt_rejected" ? `the prompt was rejected: ${event.reason}` : undefined;
}

/** One line, whatever the model makes of it: the exit code says only that there is an answer. */
function tellOfUnasked([first, ...more]: readonly string[]): void {
  if (first === undefined) return;
  const calls = more.length === 0 ? "a call was" : `${more.length + 1} calls were`;
  const others = more.length === 0 ? "" : "; …";
  const words = `${first}${others}`.replaceAll(/\s+/g, " ");
  writeError(
    `${COMMAND}: ${calls} refused, because nobody can be asked (${words}); allow it with a rule in tools.rules, or run it in a terminal\n`,
  );
}

/** Nothing outlives the program: whoever counts on a job has to know. */
function tellOfJobs({ workspace }: ActiveSession): void {
  const left = workspace.jobs.list().filter(({ status }) => status === "running");
  if (left.length === 0) return;
  const what = left.length === 1 ? "1 background job" : `${left.length} background jobs`;
  const ids = left.map(({ id }) => id).join(", ");
  writeError(
    `${COMMAND}: ended ${what} (${ids}) that still ran; tell the model to wait for jobs, or set async.enabled to false\n`,
  );
}

/** Every event as a line; the answer is among them, failures too. */
async function printEvents(
  active: ActiveSession,
  message: UserMessage,
  { interrupt, agentEvents = "none" }: Pick<PrintOptions, "agentEvents"> & { interrupt: Interrupt },
): Promise<ExitCode> {
  const [{ JsonLines }, { AgentFeed }] = await Promise.all([
    import("./json-lines.ts"),
    import("./agent-feed.ts"),
  ]);
  const lines = new JsonLines(() => interrupt.abort());
  const { id: sessionId, model } = active.session;
  const { provider, id, wire } = model;
  lines.write({ type: "session", id: sessionId, model: { provider, id, wire } });
  lines.follow(active);
  new AgentFeed({ kind: agentEvents, write: (event) => lines.write(event) }).follow(active);
  const end = await sayToTheEnd(active, message, { signal: interrupt.signal }).catch(
    async (error: unknown) => {
      lines.write({ type: "agent_end", end: { reason: "failed" } });
      await whenRead(lines.flush(), interrupt.signal);
      throw error;
    },
  );
  // Of a command there is no run that could tell its end.
  if (end.reason === "consumed") lines.write({ type: "agent_end", end });
  await remember(active, message, end);
  if (!(await whenRead(lines.flush(), interrupt.signal))) return EXIT.interrupted;
  const last = active.session.messages.findLast((entry) => entry.role === "assistant");
  return exitCodeOf(end, last);
}

/** For `tau history`, after the run: nobody waits for it. What is kept nowhere else is not kept here. */
async function remember(
  { session, store, workspace }: ActiveSession,
  message: UserMessage,
  end: ActiveEnd,
): Promise<void> {
  if (end.reason === "consumed" || session.log.path === undefined) return;
  const { openHistory } = await import("../session/history/open-history.ts");
  using history = await openHistory({ agentDirectory: store.agentDirectory });
  const prompt = session.hide(textOf(message).trim());
  history.add({ prompt, cwd: workspace.cwd, sessionId: session.id });
}

/** A reader that does not read is waited for, until the run is to end; false where it never did. */
async function whenRead(written: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  if (signal.aborted) stop();
  else signal.addEventListener("abort", () => stop(), { once: true });
  const givenUp = stopped.then(() => Bun.sleep(LAST_WORDS_MS));
  return await Promise.race([written.then(() => true), givenUp.then(() => false)]);
}

function exitCodeOf(end: ActiveEnd, last: AssistantMessage | undefined): ExitCode {
  if (end.reason === "aborted") return EXIT.interrupted;
  if (end.reason === "consumed") return EXIT.done;
  if (end.reason === "failed") return describeFailure(last?.error).exitCode;
  return end.reason === "done" && last?.stopReason !== "length" ? EXIT.done : EXIT.failed;
}

/** In a terminal nothing in it is obeyed, and nothing is hidden; a pipe gets what the model said. */
async function writeAnswer(text: string): Promise<boolean> {
  if (!isTerminal(1)) return await writeOutput(`${text}\n`);
  const { sanitize } = await import("@tau/tui/width");
  return await writeOutput(`${sanitize(text)}\n`);
}

function lastWords({ session }: ActiveSession): string {
  const last = session.messages.findLast((message) => message.role === "assistant");
  return last ? textOf(last).trimEnd() : "";
}

async function settle(
  active: ActiveSession,
  end: ActiveEnd,
  {
    earlier,
    plan = "",
    signal,
  }: { earlier: readonly string[]; plan?: string; signal: AbortSignal },
): Promise<ExitCode> {
  const last = active.session.messages.findLast((message) => message.role === "assistant");
  switch (end.reason) {
    case "consumed": {
      const said = earlier.join("\n\n");
      if (said !== "") await whenRead(writeAnswer(said), signal);
      return EXIT.done;
    }
    case "aborted":
      writeError(`${COMMAND}: interrupted\n`);
      return EXIT.interrupted;
    case "failed": {
      const { sentence, exitCode } = describeFailure(last?.error);
      writeError(`${COMMAND}: ${sentence}\n`);
      return exitCode;
    }
    case "limit":
      writeError(`${COMMAND}: ${describeLimit(end)} before the answer was complete\n`);
      return EXIT.failed;
    case "done": {
      const words = [...earlier, lastWords(active), plan].filter((text) => text !== "");
      const answer = words.join("\n\n");
      if (answer === "" && last?.stopReason === "stop")
        writeError(`${COMMAND}: the model's answer was empty\n`);
      // A reader that has seen enough is a success: the work is done.
      if (answer !== "" && !(await whenRead(writeAnswer(answer), signal))) {
        return EXIT.interrupted;
      }
      if (last?.stopReason === "length") {
        writeError(`${COMMAND}: the model's output limit cut the answer short\n`);
        return EXIT.failed;
      }
      return EXIT.done;
    }
  }
}
