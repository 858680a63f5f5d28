// What waits for an answer from the other side: a question goes out with an id, and the call it is
// about waits until it is answered, stopped, too old, or nobody is there any more. No answer is no
// consent. Several may be open at once.

import type { Approval, ApprovalQuestion, Asker } from "@tau/agent/judge-call";
import type { CallPreview } from "@tau/agent/tool";
import type { OutgoingEvent } from "./frame-writer.ts";
import { answerFor, verdictsFor, whyAsked, type Verdict } from "../consent-answer.ts";
import { RpcError, type AskEndEvent, type AskEvent } from "./protocol.ts";

/** A question waits this long for the picture of what would change, then goes without it. */
const PREVIEW_WAIT_MS = 2000;
/** Of all diffs of a question; what is longer is cut and says so. */
const MAX_DIFF_CHARACTERS = 256 * 1024;

export interface QuestionsOptions {
  emit: (event: OutgoingEvent) => void;
  /** Takes secrets out of what is shown. */
  hide: <T>(value: T) => T;
  runId: () => string | undefined;
  /** The answer was to stop everything. */
  stop: () => void;
}

interface Open {
  told: AskEvent;
  question: ApprovalQuestion;
  settle: (outcome: AskEndEvent["outcome"], approval: Approval) => void;
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
    return this.#put(question, preview, signal);
  };

  /** Throws an `RpcError` where the question is not open, or cannot be answered so; it stays open then. */
  answer(id: string, verdict: Verdict, reason?: string): void {
    const open = this.#open.get(id);
    if (!open) throw this.#notOpen(id);
    const { question, told } = open;
    if (!told.verdicts.includes(verdict)) {
      throw new RpcError(
        "invalid",
        `"${verdict}" cannot be said to this question; answer ${told.verdicts.join(", ")}`,
      );
    }
    open.settle(verdict, answerFor(question, verdict, reason));
    if (verdict === "abort") this.#options.stop();
  }

  /** Nobody is there any more: everything that waits is refused. */
  close(): void {
    this.#isClosed = true;
    for (const { settle, question } of this.#open.values()) {
      const reason = `Refused: the client that was asked (${whyAsked(question)}) disconnected without an answer.`;
      settle("void", { allowed: false, reason });
    }
  }

  #put(
    question: ApprovalQuestion,
    preview: CallPreview | undefined,
    signal: AbortSignal,
  ): Promise<Approval> {
    const told = this.#describe(question, preview);
    const { id } = told;
    const { promise, resolve } = Promise.withResolvers<Approval>();
    const onAbort = (): void => settle("void", { allowed: false });
    const late = `Refused: nobody answered in time (${whyAsked(question)}).`;
    const timer =
      this.timeoutMs === undefined
        ? undefined
        : setTimeout(() => settle("timeout", { allowed: false, reason: late }), this.timeoutMs);
    const settle: Open["settle"] = (outcome, approval) => {
      if (!this.#open.delete(id)) return;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#emit({ type: "ask_end", id, outcome });
      resolve(approval);
    };
    this.#open.set(id, { told, question, settle });
    signal.addEventListener("abort", onAbort, { once: true });
    this.#emit(told);
    return promise;
  }

  #emit(event: AskEvent | AskEndEvent): void {
    const runId = this.#options.runId();
    this.#options.emit({ ...event, runId });
  }

  #describe(question: ApprovalQuestion, preview: CallPreview | undefined): AskEvent {
    const { origin, call, place, prepared, reasons, tier, subjects, guard, rules } = question;
    const { hide } = this.#options;
    return {
      type: "ask",
      id: `ask_${++this.#count}`,
      kind: "approval",
      origin,
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
