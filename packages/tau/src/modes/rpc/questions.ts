// What waits for an answer from the other side: a question goes out with an id, and whoever asks waits
// until it is answered, stopped, too old, or nobody is there any more. No answer is no consent. Several
// may be open at once. What an answer to a dialog has to look like is said in `dialogs.ts`.

import type { Approval, ApprovalQuestion, Asker } from "@tau/agent/judge-call";
import type { CallPreview } from "@tau/agent/tool";
import type { OutgoingEvent } from "./frame-writer.ts";
import { answerFor, verdictsFor, whyAsked, type Verdict } from "../consent-answer.ts";
import {
  answerByTime,
  type PosedAnswer,
  type PosedQuestion,
} from "../../feature-api/posed-question.ts";
import { readDialogAnswer, type DialogAnswer, type DialogQuestion } from "./dialogs.ts";
import { readPosedAnswers } from "./posed-answers.ts";
import {
  RpcError,
  type ApprovalAsk,
  type AskedAnswer,
  type AskEndEvent,
  type AskEvent,
  type DialogAsk,
  type QuestionsAsk,
} from "./protocol.ts";

/** A question waits this long for the picture of what would change, then goes without it. */
const PREVIEW_WAIT_MS = 2000;
/** Of all diffs of a question; what is longer is cut and says so. */
const MAX_DIFF_CHARACTERS = 256 * 1024;

export interface QuestionsOptions {
  emit: (event: OutgoingEvent) => void;
  /** Takes secrets out of what is shown. */
  hide: <T>(value: T) => T;
  runId: () => string | undefined;
  /** The answer was to stop: everything, or what an agent does. */
  stop: (agent: string | undefined) => void;
}

/** As a client sends it. */
export interface GivenAnswer {
  verdict?: Verdict;
  reason?: string;
  value?: string | boolean | readonly AskedAnswer[] | null;
}

/** Why no answer will come. */
type Lost = "stopped" | "timeout" | "left";

interface Put<T> {
  told: AskEvent;
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
  /** Throws an `RpcError` if it is not an answer to this question. */
  read(given: GivenAnswer): { outcome: AskEndEvent["outcome"]; answer: T };
  /** What holds without an answer. */
  without(why: Lost): T;
}

interface Open {
  told: AskEvent;
  answer(given: GivenAnswer): void;
  lose(why: Lost): void;
}

export class Questions {
  readonly #options: QuestionsOptions;
  readonly #open = new Map<string, Open>();
  #count = 0;
  #isClosed = false;
  /** Whether the client said that it can answer; a client that says nothing can. */
  canAnswer = true;
  /** After this long a question counts as refused. */
  timeoutMs: number | undefined;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** What waits now, as it was told. */
  get open(): AskEvent[] {
    return [...this.#open.values()].map(({ told }) => told);
  }

  readonly ask: Asker = async (question, { signal }) => {
    const why = whyAsked(question);
    const nobody: Approval = {
      allowed: false,
      reason: `Refused: this needs a person's consent (${why}), and nobody can be asked.`,
    };
    if (!this.canAnswer || this.#isClosed) return nobody;
    const preview = await previewOf(question, signal);
    if (signal.aborted) return { allowed: false };
    if (this.#isClosed) return nobody;
    return this.#approval(question, preview, signal);
  };

  /** Undefined if nobody answered. */
  async dialog<D extends DialogQuestion>(
    question: D,
    { signal, timeoutMs = this.timeoutMs }: { signal?: AbortSignal; timeoutMs?: number },
  ): Promise<DialogAnswer<D> | undefined> {
    if (!this.canAnswer || this.#isClosed || signal?.aborted) return undefined;
    const { hide } = this.#options;
    const told: DialogAsk = { type: "ask", id: this.#nextId(), ...hide(question), timeoutMs };
    return this.#put<DialogAnswer<D> | undefined>({
      told,
      signal,
      timeoutMs,
      read: (given) => readDialogAnswer(question, given),
      without: () => undefined,
    });
  }

  /** Undefined if somebody does not want to answer, or nobody is there. */
  async pose(
    posed: readonly PosedQuestion[],
    options: { extension?: string; agent_id?: string; signal?: AbortSignal; timeoutMs?: number },
  ): Promise<readonly PosedAnswer[] | undefined> {
    const { extension, agent_id, signal, timeoutMs = this.timeoutMs } = options;
    if (!this.canAnswer || this.#isClosed || signal?.aborted) return undefined;
    const questions = posed.map(({ options: labels, ...question }) => ({
      ...question,
      options: labels.map((label) => ({ label })),
    }));
    const told: QuestionsAsk = {
      type: "ask",
      id: this.#nextId(),
      kind: "questions",
      extension,
      agent_id,
      questions: this.#options.hide(questions),
      timeoutMs,
    };
    return this.#put<readonly PosedAnswer[] | undefined>({
      told,
      signal,
      timeoutMs,
      read: (given) => readPosedAnswers(told.questions, given),
      without: (why) => (why === "timeout" ? posed.map(answerByTime) : undefined),
    });
  }

  /** Throws an `RpcError` if the question is not open, or cannot be answered so; it stays open then. */
  answer(id: string, given: GivenAnswer): void {
    const open = this.#open.get(id);
    if (!open) throw this.#notOpen(id);
    open.answer(given);
    if (given.verdict === "abort") this.#options.stop(open.told.agent_id);
  }

  /** Nobody is there any more: everything that waits is refused. */
  close(): void {
    this.#isClosed = true;
    for (const open of this.#open.values()) open.lose("left");
  }

  #approval(
    question: ApprovalQuestion,
    preview: CallPreview | undefined,
    signal: AbortSignal,
  ): Promise<Approval> {
    const told = this.#describe(question, preview);
    const why = whyAsked(question);
    const refusals: Readonly<Record<Lost, string | undefined>> = {
      stopped: undefined,
      timeout: `Refused: nobody answered in time (${why}).`,
      left: `Refused: the client that was asked (${why}) disconnected without an answer.`,
    };
    return this.#put<Approval>({
      told,
      signal,
      timeoutMs: this.timeoutMs,
      read: ({ verdict, reason }) => {
        if (verdict === undefined || !told.verdicts.includes(verdict)) {
          const said = verdict === undefined ? "A value" : `"${verdict}"`;
          const choices = told.verdicts.join(", ");
          throw new RpcError(
            "invalid",
            `${said} cannot be said to this question; answer with a verdict: ${choices}`,
          );
        }
        return { outcome: verdict, answer: answerFor(question, verdict, reason) };
      },
      without: (lost) => ({ allowed: false, reason: refusals[lost] }),
    });
  }

  #put<T>({ told, signal, timeoutMs, read, without }: Put<T>): Promise<T> {
    const { id } = told;
    const { promise, resolve } = Promise.withResolvers<T>();
    const settle = (outcome: AskEndEvent["outcome"], answer: T): void => {
      if (!this.#open.delete(id)) return;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#emit({ type: "ask_end", id, outcome, agent_id: told.agent_id });
      resolve(answer);
    };
    const lose = (why: Lost): void => settle(why === "timeout" ? "timeout" : "void", without(why));
    const onAbort = (): void => lose("stopped");
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => lose("timeout"), timeoutMs);
    const answer = (given: GivenAnswer): void => {
      const said = read(given);
      settle(said.outcome, said.answer);
    };
    this.#open.set(id, { told, answer, lose });
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#emit(told);
    return promise;
  }

  #nextId(): string {
    return `ask_${++this.#count}`;
  }

  #emit(event: AskEvent | AskEndEvent): void {
    // A run of the session's is none of an agent's.
    const runId = event.agent_id === undefined ? this.#options.runId() : undefined;
    this.#options.emit({ ...event, runId });
  }

  #describe(question: ApprovalQuestion, preview: CallPreview | undefined): ApprovalAsk {
    const { origin, call, place, prepared, reasons, tier, subjects, guard, rules } = question;
    const { hide } = this.#options;
    return {
      type: "ask",
      id: this.#nextId(),
      kind: "approval",
      origin,
      agent_id: origin?.agent,
      tool: call.name,
      callId: call.id,
      place,
      arguments: hide(prepared.params),
      tier,
      reasons,
      subjects,
      guard,
      rules,
      verdicts: verdictsFor(question),
      preview: preview ? hide(boundPreview(preview)) : undefined,
      timeoutMs: this.timeoutMs,
    };
  }

  #notOpen(id: string): RpcError {
    const number = /^ask_([1-9]\d*)$/.exec(id)?.[1];
    if (number !== undefined && Number(number) <= this.#count) {
      return new RpcError("refused", `${id} is already closed; it no longer needs an answer`);
    }
    const open = [...this.#open.keys()];
    const known = open.length === 0 ? "nothing is asked now" : `open are ${open.join(", ")}`;
    return new RpcError("not_found", `there is no question ${id}; ${known}`);
  }
}

async function previewOf(
  { preview }: ApprovalQuestion,
  signal: AbortSignal,
): Promise<CallPreview | undefined> {
  if (!preview) return undefined;
  const { promise: enough, resolve } = Promise.withResolvers<undefined>();
  const onAbort = (): void => resolve(undefined);
  const timer = setTimeout(onAbort, PREVIEW_WAIT_MS);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([preview(), enough]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

function boundPreview(preview: CallPreview): CallPreview {
  let room = MAX_DIFF_CHARACTERS;
  const files = preview.files.map((file) => {
    const diff = file.diff.slice(0, room).toWellFormed();
    room -= diff.length;
    const missing = file.diff.length - diff.length;
    return missing === 0 ? file : { ...file, diff, missingCharacters: missing };
  });
  return { ...preview, files };
}
