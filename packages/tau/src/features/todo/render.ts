// How changes of the todo list look in the conversation: what was done, and the list as it is then.

import type { Span } from "@tau/tui/components/spans";
import type { CallLook, CallState, ToolView } from "../../feature-api/tool-view.ts";
import {
  counted,
  hasFailed,
  isDone,
  listField,
  resultText,
  textField,
} from "../../tools/render/call-values.ts";
import { rowText } from "../../tools/render/clip-text.ts";
import { failureRows, fitRow, moreRow, outputRows } from "../../tools/render/output-rows.ts";
import { taskSpans } from "./task-spans.ts";
import { allTasks, decodePhases, isOpen, type TodoPhase } from "./todo-phases.ts";

const SHORT_ROWS = 8;
/** Operations that a title tells one by one; more would not fit a row. */
const MAX_TOLD = 6;

export const todoView: ToolView = {
  title(state, look) {
    const ops = listField(state.arguments, "ops");
    const told = ops.slice(0, MAX_TOLD).flatMap((op, at) => opSpans(op, look, at > 0));
    return ops.length > MAX_TOLD ? [...told, { text: look.theme.symbols.ellipsis }] : told;
  },
  remark(state) {
    if (!isDone(state)) return undefined;
    const tasks = allTasks(phasesOf(state));
    if (tasks.length === 0) return "nothing to do";
    const closed = tasks.filter((task) => !isOpen(task)).length;
    return `${closed} of ${counted(tasks.length, "task")} closed`;
  },
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    if (!isDone(state)) return [];
    const rows = listRows(phasesOf(state), look);
    if (rows.length > 0 || look.detail === "short") return rows;
    return outputRows(resultText(state), look, { keep: "head", most: SHORT_ROWS });
  },
};

const phasesOf = ({ details }: CallState): TodoPhase[] =>
  decodePhases(listField(details, "phases"));

function opSpans(op: unknown, look: CallLook, isBehind: boolean): Span[] {
  const muted = look.theme.style("muted");
  const subject = textField(op, "task") ?? textField(op, "phase") ?? itemsOf(op);
  return [
    { text: isBehind ? ", " : "", paint: muted },
    { text: `${rowText(textField(op, "op") ?? "", look.columns)} `, paint: muted },
    { text: rowText(subject, look.columns), paint: look.theme.style("accent") },
  ];
}

function itemsOf(op: unknown): string {
  const count = listField(op, "list").reduce<number>(
    (sum, phase) => sum + listField(phase, "items").length,
    0,
  );
  return count === 0 ? "" : counted(count, "task");
}

/** In the transcript the phase that is worked on; all of them in full. */
function listRows(phases: readonly TodoPhase[], look: CallLook): string[] {
  const { theme } = look;
  const rows = phases.flatMap(({ name, tasks }) => [
    fitRow([{ text: rowText(name, look.columns), paint: theme.style("accent") }], look),
    ...tasks.map((task) => fitRow([{ text: "  " }, ...taskSpans(task, look)], look)),
  ]);
  if (look.detail === "full" || rows.length <= SHORT_ROWS + 1) return rows;
  // What comes before the current task is told by the count.
  const at = Math.max(0, firstOpenRow(phases) - 1);
  const from = Math.min(at, rows.length - SHORT_ROWS);
  const shown = rows.slice(from, from + SHORT_ROWS);
  return [...shown, moreRow(rows.length - shown.length, look, "row")];
}

function firstOpenRow(phases: readonly TodoPhase[]): number {
  let row = 0;
  for (const { tasks } of phases) {
    row++;
    for (const task of tasks) {
      if (task.status === "in_progress") return row;
      row++;
    }
  }
  return 0;
}
