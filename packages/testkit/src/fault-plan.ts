// Which write of a run breaks, and how. A plan is plain data, so that a test can hand it
// to a child process through its environment and kill that process at an exact write.

export type Fault =
  /** Nothing is written; the call rejects. */
  | { kind: "fail"; code?: string }
  /** The disk is full: the first `bytes` bytes land, then ENOSPC. */
  | { kind: "enospc"; bytes?: number }
  /** The first `bytes` bytes land, then the process is as good as dead. */
  | { kind: "tear"; bytes: number }
  | { kind: "crash-before" }
  /** The write lands whole, but nobody hears of it. */
  | { kind: "crash-after" }
  /** As crash-before, and appended bytes that were never synced are gone from the disk. */
  | { kind: "power-loss" }
  /** SIGKILL of this very process: "before" after an optional prefix, "after" the whole write. */
  | { kind: "kill"; when?: "before" | "after"; bytes?: number };

export interface FaultPlan {
  /** The n-th write, counted from 1: of all, or of those named `point`. */
  at: number;
  point?: string;
  fault: Fault;
  /**
   * "always" keeps failing from that write on (of `point`, when named). For `fail` and
   * `enospc`; the others end the run anyway. A disk that stays full still lets a program
   * sync, cut and remove.
   */
  repeat?: "once" | "always";
}

/** Where a child process finds its plan. */
export const FAULT_PLAN_VARIABLE = "TAU_TEST_FAULT_PLAN";

export class FaultPlanError extends Error {
  override readonly name = "FaultPlanError";
}

const FAULT_KINDS: ReadonlySet<string> = new Set<Fault["kind"]>([
  "fail",
  "enospc",
  "tear",
  "crash-before",
  "crash-after",
  "power-loss",
  "kill",
]);

/** The environment entry that makes a child's `planFromEnv` return these plans. */
export function planToEnv(plans: FaultPlan[]): Record<string, string> {
  return { [FAULT_PLAN_VARIABLE]: JSON.stringify(plans) };
}

/** No variable, no faults. A plan that cannot be read is a mistake in the test: it throws. */
export function planFromEnv(env: Record<string, string | undefined>): FaultPlan[] {
  const text = env[FAULT_PLAN_VARIABLE];
  if (text === undefined || text === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new FaultPlanError(`${FAULT_PLAN_VARIABLE} is not JSON: ${text}`, { cause });
  }
  const plans = Array.isArray(value) ? value : [value];
  for (const plan of plans) assertPlan(plan);
  return plans as FaultPlan[];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isCount(value: unknown, least: number): boolean {
  return Number.isInteger(value) && (value as number) >= least;
}

function assertPlan(plan: unknown): asserts plan is FaultPlan {
  const problem = problemOf(plan);
  if (problem) {
    throw new FaultPlanError(`${FAULT_PLAN_VARIABLE}: ${problem}: ${JSON.stringify(plan)}`);
  }
}

function problemOf(plan: unknown): string | undefined {
  if (!isRecord(plan)) return "a plan is an object";
  if (!isCount(plan.at, 1)) return "`at` counts from 1";
  if (plan.point !== undefined && typeof plan.point !== "string") return "`point` is a string";
  if (plan.repeat !== undefined && plan.repeat !== "once" && plan.repeat !== "always") {
    return "`repeat` is once or always";
  }
  const { fault } = plan;
  if (!isRecord(fault) || typeof fault.kind !== "string" || !FAULT_KINDS.has(fault.kind)) {
    return `\`fault.kind\` is one of ${[...FAULT_KINDS].join(", ")}`;
  }
  if (fault.kind === "tear" && fault.bytes === undefined) return "a tear needs `bytes`";
  if (fault.bytes !== undefined && !isCount(fault.bytes, 0)) return "`bytes` counts from 0";
  if (fault.when !== undefined && fault.when !== "before" && fault.when !== "after") {
    return "`when` is before or after";
  }
  return undefined;
}
