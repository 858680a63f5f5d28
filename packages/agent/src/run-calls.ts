// Runs the calls of one turn: in their order, neighbours that may share side by side, and
// every one of them answered, whatever happens. A result counts and is recorded as soon as
// it and all before it are there; a slow neighbour behind it does not hold it back.

import type { Message, ToolCallBlock, ToolResultMessage } from "@tau/ai/message";
import { judgeCall, type CallPlace, type Judgement } from "./judge-call.ts";
import type { RanCall } from "./record.ts";
import { repeatWarning } from "./repeat-detector.ts";
import type { Run } from "./run.ts";
import { ABORTED_TEXT, refusal, type ToolRun } from "./tool-table.ts";

export const INTERRUPTED_TEXT =
  "Not run: a new message came in first. Read it, and call again if this is still wanted.";

/** A call with its answer, and how long that took if it was begun. */
interface Answer extends ToolRun {
  durationMs?: number;
}

/** Results are in the record, or on their way there, when this returns. */
export async function runCalls(
  run: Run,
  calls: readonly ToolCallBlock[],
): Promise<ToolResultMessage[]> {
  const answers = new Answers(run, calls);
  let at = 0;
  while (at < calls.length) {
    const skip = reasonToSkip(run, at);
    if (skip !== undefined) {
      for (; at < calls.length; at++) {
        const call = calls[at]!;
        answers.give(at, await finish(run, call, refusal(call, skip)));
      }
      break;
    }
    const batch = batchAt(run, calls, at);
    // All are judged before the first one starts: what is refused is refused before anything happens.
    const judgements: Judgement[] = [];
    const first = at;
    for (const [offset, call] of batch.entries())
      judgements.push(await judge(run, call, { at: first + offset + 1, of: calls.length }));
    await Promise.all(
      batch.map(async (call, offset) => {
        answers.give(first + offset, await runCall(run, call, judgements[offset]!));
      }),
    );
    at += batch.length;
  }
  return answers.results;
}

/** Answers without running anything, for a reply that broke off or was stopped. */
export function answerUnrun(
  run: Run,
  calls: readonly ToolCallBlock[],
  why: string,
): ToolResultMessage[] {
  return calls.map((call) => {
    const { result } = refusal(call, why);
    run.options.emit({ type: "tool_execution_end", call, result });
    return result;
  });
}

/** What the record has of answers to calls that were never begun. */
export const NOT_RUN: RanCall = { wasRun: false };

class Answers {
  readonly results: ToolResultMessage[] = [];
  readonly #run: Run;
  readonly #calls: readonly ToolCallBlock[];
  readonly #given: (Answer | undefined)[] = [];

  constructor(run: Run, calls: readonly ToolCallBlock[]) {
    this.#run = run;
    this.#calls = calls;
  }

  give(index: number, answer: Answer): void {
    this.#given[index] = answer;
    const ready: ToolResultMessage[] = [];
    const ran = new Map<Message, RanCall>();
    for (let next = this.#given[this.results.length]; next;) {
      const result = withWarning(this.#run, this.#calls[this.results.length]!, next);
      this.results.push(result);
      ready.push(result);
      ran.set(result, ranCall(next, result));
      next = this.#given[this.results.length];
    }
    // Awaited at the end of the turn: the next call need not wait for the disk.
    void this.#run.transcript.append(ready, { ran });
  }
}

function reasonToSkip(run: Run, at: number): string | undefined {
  const { signal, mailbox, interrupt = "immediate" } = run.options;
  if (signal.aborted || run.transcript.hasFailed) return ABORTED_TEXT;
  if (!mailbox || interrupt === "wait") return undefined;
  // What already waited when the model was asked lets at least one call of its reply happen.
  const after = at === 0 ? run.askedAt : 0;
  return mailbox.hasInterruption(after) ? INTERRUPTED_TEXT : undefined;
}

function batchAt(run: Run, calls: readonly ToolCallBlock[], at: number): ToolCallBlock[] {
  let end = at + 1;
  if (isShared(run, calls[at]!)) while (end < calls.length && isShared(run, calls[end]!)) end++;
  return calls.slice(at, end);
}

function isShared(run: Run, call: ToolCallBlock): boolean {
  return run.options.tools.get(call.name)?.concurrency !== "exclusive";
}

async function judge(run: Run, call: ToolCallBlock, place: CallPlace): Promise<Judgement> {
  const { tools, ask, signal } = run.options;
  // Without handlers there is nothing to wait for.
  if (!run.hooks.has("tool_call")) return tools.prepare(call);
  return judgeCall({ hooks: run.hooks, tools, ask, signal }, call, place);
}

async function runCall(run: Run, call: ToolCallBlock, judgement: Judgement): Promise<Answer> {
  const { emit, signal, tools } = run.options;
  const since = performance.now();
  emit({ type: "tool_execution_start", call });
  const ran = judgement.ok
    ? await tools.execute(judgement.prepared, {
        signal,
        update: (text, mode) =>
          emit({
            type: "tool_execution_update",
            callId: call.id,
            text,
            replaces: mode === "replace" ? true : undefined,
          }),
      })
    : refusal(call, judgement.why);
  // What was refused has not run, and took no time.
  const durationMs = judgement.ok ? Math.round(performance.now() - since) : undefined;
  const unasked = judgement.ok ? undefined : judgement.unasked;
  return finish(run, call, ran, { durationMs, unasked });
}

async function finish(
  run: Run,
  call: ToolCallBlock,
  ran: ToolRun,
  { durationMs, unasked }: { durationMs?: number; unasked?: string } = {},
): Promise<Answer> {
  const wasRun = durationMs !== undefined;
  const seen = run.hooks.has("tool_result")
    ? await run.hooks.toolResult(call, ran, { wasRun })
    : ran;
  const { fingerprint: _, ...told } = seen;
  run.options.emit({ type: "tool_execution_end", call, ...told, durationMs, unasked });
  return { ...seen, durationMs };
}

function ranCall(answer: Answer, recorded: ToolResultMessage): RanCall {
  const { result, details, artifactId, durationMs } = answer;
  const ran: RanCall = { wasRun: durationMs !== undefined, durationMs, details, artifactId };
  const more = recorded.content.length - result.content.length;
  if (more > 0) ran.forModel = more;
  return ran;
}

/** Told in the order of the calls, so that a circle looks the same however long each call took. */
function withWarning(run: Run, call: ToolCallBlock, ran: ToolRun): ToolResultMessage {
  const { result } = ran;
  if (run.options.tools.get(call.name)?.polls) return result;
  const repetition = run.repeats?.observe(call, ran.fingerprint);
  if (!repetition) return result;
  if (repetition.verdict === "stop") run.stuck = repetition;
  // On a line of its own: some wires put the texts of a result together.
  const warning = { type: "text" as const, text: `\n${repeatWarning(repetition)}` };
  return { ...result, content: [...result.content, warning] };
}
