// The messages between Tau and a kernel, the same for every language: JSON on a descriptor of its
// own. What cells print goes another way; markers in it say where a display belongs and where a
// cell ends. A kernel runs a model's code: whatever comes from it is checked before it is used.

/** To the kernel. Behind the first one, which carries what the language needs to begin. */
export type HostFrame =
  /** `interrupts`: how many were sent so far; a late one must not meet this cell. */
  | { type: "run"; id: number; code: string; interrupts: number }
  | { type: "reply"; id: number; ok: true; value: unknown }
  | { type: "reply"; id: number; ok: false; error: string };

/** MIME type → content: text as it is, pictures in base64, `application/json` as a value. */
export type MimeBundle = Readonly<Record<string, unknown>>;

export interface CellError {
  name: string;
  message: string;
  /** With the name and the message, as the language would print it. */
  traceback: string;
}

/** Where the helpers of a kernel ask their host. */
const CALL_KINDS = ["tool", "completion", "agent", "concurrency", "output", "touch"] as const;
export type CallKind = (typeof CALL_KINDS)[number];

export interface KernelCall {
  kind: CallKind;
  args: Readonly<Record<string, unknown>>;
}

export interface DoneFrame {
  type: "done";
  id: number;
  outcome: "ok" | "error" | "interrupted";
  error?: CellError;
  /** Where an interrupt met the code. */
  place?: string;
  /** Where the next cell runs. */
  cwd?: string;
  /** The output has no mark of the end: somebody has closed it. */
  isUnmarked?: boolean;
}

export type KernelFrame =
  | { type: "ready"; version: string }
  | { type: "display"; number: number; bundle: MimeBundle }
  | { type: "status"; event: Readonly<Record<string, unknown>> }
  | { type: "call"; id: number; call: KernelCall }
  | DoneFrame;

/** Undefined for what is no message of the protocol. */
export function kernelFrame(value: unknown): KernelFrame | undefined {
  if (!isRecord(value)) return undefined;
  const { type, id, number } = value;
  switch (type) {
    case "ready":
      return { type, version: textOr(value.version, "") };
    case "display":
      if (typeof number !== "number" || !isRecord(value.bundle)) return undefined;
      return { type, number, bundle: value.bundle };
    case "status":
      return isRecord(value.event) ? { type, event: value.event } : undefined;
    case "call": {
      const kind = CALL_KINDS.find((known) => known === value.kind);
      if (typeof id !== "number" || kind === undefined || !isRecord(value.args)) return undefined;
      return { type, id, call: { kind, args: value.args } };
    }
    case "done":
      return typeof id === "number" ? doneFrame(id, value) : undefined;
    default:
      return undefined;
  }
}

function doneFrame(id: number, value: Record<string, unknown>): DoneFrame {
  const { outcome, error, place, cwd, isUnmarked } = value;
  return {
    type: "done",
    id,
    outcome: outcome === "ok" || outcome === "interrupted" ? outcome : "error",
    error: isRecord(error)
      ? {
          name: textOr(error.name, "Error"),
          message: textOr(error.message, ""),
          traceback: textOr(error.traceback, ""),
        }
      : undefined,
    place: typeof place === "string" ? place : undefined,
    cwd: typeof cwd === "string" ? cwd : undefined,
    isUnmarked: isUnmarked === true || undefined,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
