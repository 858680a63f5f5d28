// Runs the cells of one call, one after the other, until one fails, and says of each how it went.

import { ToolError } from "@tau/agent/tool";
import { KernelBusy, type CellResult, type Kernel } from "@tau/host/kernel/kernel";
import { KernelStartError } from "@tau/host/kernel/kernel-process";
import type { Workspace } from "../workspace.ts";
import { answerCall, type EvalBridge } from "./bridge.ts";
import type { KernelSet, Language } from "./kernels.ts";
import type { Transcript } from "./transcript.ts";

export interface Cell {
  language: Language;
  code: string;
  title?: string | undefined;
  timeout?: number | undefined;
  reset?: boolean | undefined;
}

export interface CellReport {
  language: Language;
  title?: string;
  code: string;
  status: "complete" | "error" | "pending";
  output: string;
  durationMs: number;
  /** What its helpers did. */
  statusEvents: Readonly<Record<string, unknown>>[];
}

export const DEFAULT_TIMEOUT_S = 30;
export const MAX_TIMEOUT_S = 600;

export interface CellsPlace {
  kernels: KernelSet;
  workspace: Workspace;
  bridge: EvalBridge;
  transcript: Transcript;
  signal: AbortSignal;
  /** Whether each Python cell starts from nothing. */
  isPythonForgetful: boolean;
  /** Heard before a helper writes a file; absent if the user wrote the cell. */
  touch?: (path: string) => Promise<void>;
}

export function pendingReport({ language, code, title }: Cell): CellReport {
  return {
    language,
    code,
    title,
    status: "pending",
    output: "",
    durationMs: 0,
    statusEvents: [],
  };
}

/** Why it stopped, or undefined where all cells have run. */
export async function runCells(
  cells: readonly Cell[],
  reports: CellReport[],
  place: CellsPlace,
): Promise<string | undefined> {
  const { transcript } = place;
  for (const [at, cell] of cells.entries()) {
    const report = reports[at]!;
    transcript.newCell();
    if (cells.length > 1) {
      await transcript.heading(`[${at + 1}/${cells.length}]${cell.title ? ` ${cell.title}` : ""}`);
    }
    const failure = await runCell(cell, report, place);
    report.output = transcript.cellText;
    report.status = failure === undefined ? "complete" : "error";
    if (failure !== undefined) return stoppedAt(failure, at, cells.length);
    if (cells.length > 1 && !transcript.hasCellOutput) await transcript.note("(no output)");
  }
  return undefined;
}

/** Why it failed, in words. */
async function runCell(
  cell: Cell,
  report: CellReport,
  place: CellsPlace,
): Promise<string | undefined> {
  const { transcript, bridge, workspace, signal } = place;
  const { language, code, timeout = DEFAULT_TIMEOUT_S } = cell;
  let result: CellResult;
  try {
    const kernel = await place.kernels.kernel(language);
    await transcript.note(place.kernels.takeRemark());
    if (cell.reset || (place.isPythonForgetful && language === "py")) await kernel.reset();
    result = await run(kernel);
  } catch (error) {
    if (signal.aborted) return "aborted";
    if (error instanceof KernelStartError || error instanceof ToolError) return error.message;
    if (error instanceof KernelBusy) return busyText(language);
    throw error;
  }
  report.durationMs = Math.round(result.durationMs);
  await transcript.note(result.error ? tracebackOf(result.error) : "");
  return failureOf(result, language, timeout);

  function run(kernel: Kernel): Promise<CellResult> {
    return kernel.run(code, {
      signal,
      timeoutMs: timeout * 1000,
      onOutput: transcript.push,
      onDisplay: (bundle) => transcript.display(bundle),
      onStatus: (event) => void report.statusEvents.push(event),
      onCall: (call, ended) =>
        answerCall(call, { bridge, workspace, signal: ended, touch: place.touch }),
    });
  }
}

function busyText(language: Language): string {
  return `a ${language} cell is running, and this one would wait for it for ever: put the code into that cell, or use the other language`;
}

function failureOf(result: CellResult, language: Language, timeout: number): string | undefined {
  const { end, error, place, ending, isStateLost } = result;
  const lost = isStateLost
    ? `the kernel had to be ended and everything that ${language} cells defined is lost`
    : "what cells have defined is kept";
  switch (end) {
    case "ok":
      return undefined;
    case "error":
      return error ? headline(error) : `interrupted${place ? ` at ${place}` : ""}`;
    case "timeout":
      return `stopped after ${timeout} s${place ? ` at ${place}` : ""}; ${lost}`;
    case "aborted":
      return `aborted; ${lost}`;
    case "died":
      return `the kernel ended (${ending}) and everything that ${language} cells defined is lost; the next cell starts a new one`;
  }
}

function headline({ name, message }: { name: string; message: string }): string {
  const [first = ""] = message.split("\n");
  return first === "" ? name : `${name}: ${first.slice(0, 200)}`;
}

/** Without its last line, if that is what is said of the failure anyway. */
function tracebackOf(error: { name: string; message: string; traceback: string }): string {
  const { traceback } = error;
  const last = traceback.lastIndexOf("\n") + 1;
  return traceback.slice(last) === headline(error) ? traceback.slice(0, last).trimEnd() : traceback;
}

function stoppedAt(failure: string, at: number, count: number): string {
  if (count === 1) return failure;
  const left = count - at - 1;
  const rest =
    left === 0 ? "" : `; ${left === 1 ? "the cell" : `the ${left} cells`} after it did not run`;
  return `cell ${at + 1} of ${count}: ${failure}${rest}`;
}
