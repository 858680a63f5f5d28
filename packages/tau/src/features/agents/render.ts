// How calls of `task`, `irc` and `yield` look. A task's card has a row for each agent: who, for what, and
// once it is known what came of it. The call itself is over when its agents begin, and says so; what
// they do meanwhile is in the panel above the prompt (`agent-panel.ts`) and in `/agents`.

import { padTo } from "@tau/tui/components/grapheme-clusters";
import type { Span } from "@tau/tui/components/spans";
import { displayWidth } from "@tau/tui/width";
import type { CallLook, CallState, ToolView } from "../../feature-api/tool-view.ts";
import {
  counted,
  field,
  hasFailed,
  isDone,
  listField,
  numberField,
  resultText,
  textArgument,
  textField,
} from "../../tools/render/call-values.ts";
import { rowText } from "../../tools/render/clip-text.ts";
import { failureRows, fitRow, moreRow, outputRows } from "../../tools/render/output-rows.ts";
import { seconds } from "../../tools/render/seconds.ts";

/** Rows of the card in the conversation. */
const SHORT_ROWS = 8;
/** Of a message, or of what was handed in. */
const TEXT_ROWS = 4;
const MAX_NAME_COLUMNS = 24;

interface TaskRow {
  name: string;
  about: string;
  assignment: string;
  ended?: { end: string; took: string; error: string; result: string };
  /** It is over, and what came of it stands elsewhere. */
  isOver: boolean;
}

export const taskView: ToolView = {
  title: (state, look) => [
    {
      text: rowText(textArgument(state, "agent"), look.columns),
      paint: look.theme.style("accent"),
    },
  ],
  remark(state) {
    const count = listField(state.arguments, "tasks").length;
    if (count === 0) return undefined;
    const agents = counted(count, "agent");
    if (!isDone(state)) return agents;
    if (isWhole(state)) return `${agents} done`;
    const ends = tasksOf(state, 0).flatMap(({ ended }) => ended ?? []);
    if (ends.length < count)
      return ends.length === 0 ? `${agents} started` : `${ends.length} of ${agents} done`;
    const failed = ends.filter(({ end }) => end !== "completed").length;
    return failed === 0 ? `${agents} done` : `${agents} done, ${failed} without a result`;
  },
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look, { attempt: () => taskRows(state, look) });
    const rows = taskRows(state, look);
    if (!isDone(state) || !isWhole(state)) return rows;
    return [...rows, ...outputRows(resultText(state), look, { keep: "head", most: TEXT_ROWS })];
  },
};

/** The call has waited for its agents: what came of them is its own result. */
function isWhole({ details }: CallState): boolean {
  return listField(details, "expects").length === 0;
}

/** From what it has started, or as long as that is not known from what it is asked to. */
function tasksOf(state: CallState, columns: number): TaskRow[] {
  const { arguments: args, details, later } = state;
  const isOver = isDone(state) && isWhole(state);
  const asked = listField(args, "tasks");
  const started = listField(details, "tasks");
  const { length } = started.length > 0 ? started : asked;
  return Array.from({ length }, (_, at) => {
    const task = started[at] ?? asked[at];
    const id = textField(task, "id") ?? "";
    const assignment = textField(asked[at], "assignment") ?? "";
    const about = textField(task, "description") ?? textField(asked[at], "description");
    const ended = field(later, id);
    return {
      name: rowText(id, MAX_NAME_COLUMNS),
      about: rowText(about ?? assignment, columns),
      assignment,
      ended: ended === undefined ? undefined : endOf(ended),
      isOver,
    };
  });
}

function endOf(ended: unknown): NonNullable<TaskRow["ended"]> {
  return {
    end: textField(ended, "end") ?? "",
    took: seconds(numberField(ended, "durationMs") ?? 0),
    error: textField(ended, "error") ?? "",
    result: textField(ended, "result") ?? "",
  };
}

function taskRows(state: CallState, look: CallLook): string[] {
  const isFull = look.detail === "full";
  const all = tasksOf(state, look.columns);
  const shown = isFull || all.length <= SHORT_ROWS + 1 ? all : all.slice(0, SHORT_ROWS);
  const widest = shown.reduce((most, { name }) => Math.max(most, displayWidth(name)), 0);
  const names = Math.min(MAX_NAME_COLUMNS, widest);
  const rows = shown.flatMap((task) => {
    const row = fitRow(taskSpans(task, names, look), look);
    return isFull ? [row, ...wholeTask(task, look)] : [row];
  });
  return shown.length < all.length
    ? [...rows, moreRow(all.length - shown.length, look, "agent")]
    : rows;
}

function taskSpans(
  { name, about, ended, isOver }: TaskRow,
  names: number,
  { theme, columns }: CallLook,
): Span[] {
  const { symbols } = theme;
  const isBad = ended !== undefined && ended.end !== "completed";
  const open = isOver ? symbols.bullet : symbols.pending;
  const sign = ended === undefined ? open : isBad ? symbols.error : symbols.success;
  const tone = ended === undefined ? "muted" : isBad ? "warning" : "success";
  const why = isBad ? `  ${ended.error === "" ? ended.end : ended.error}` : "";
  return [
    { text: `${sign} `, paint: theme.style(tone) },
    { text: names === 0 ? "" : `${padTo(name, names)}  `, paint: theme.style("accent") },
    { text: about, paint: theme.style("toolOutput") },
    { text: ended === undefined ? "" : `  ${ended.took}`, paint: theme.style("muted") },
    { text: rowText(why, columns), paint: theme.style("warning") },
  ];
}

/** What it was told, and what came of it. */
function wholeTask({ assignment, ended }: TaskRow, look: CallLook): string[] {
  const inside = { ...look, columns: Math.max(1, look.columns - INDENT.length) };
  const rowsOf = (text: string, token: "muted" | "toolOutput" | "warning"): string[] =>
    outputRows(text, inside, { keep: "head", most: TEXT_ROWS, paint: look.theme.style(token) });
  const parts = [
    rowsOf(assignment, "muted"),
    rowsOf(ended?.error ?? "", "warning"),
    rowsOf(ended?.result ?? "", "toolOutput"),
  ];
  return parts
    .filter((rows) => rows.length > 0)
    .flatMap((rows) => [...rows, ""])
    .map((row) => (row === "" ? row : INDENT + row));
}

const INDENT = "  ";

export const ircView: ToolView = {
  title(state, look) {
    const muted = look.theme.style("muted");
    const accent = look.theme.style("accent");
    const name = (key: string): string => rowText(textArgument(state, key), MAX_NAME_COLUMNS);
    const op = rowText(textArgument(state, "op"), MAX_NAME_COLUMNS);
    if (op === "send") {
      const message = rowText(textArgument(state, "message"), look.columns);
      return [
        { text: "to ", paint: muted },
        { text: `${name("to")}  `, paint: accent },
        { text: message, paint: look.theme.style("toolOutput") },
      ];
    }
    if (op !== "wait") return [{ text: op, paint: muted }];
    const from = name("from");
    return [
      { text: from === "" ? "wait for any message" : "wait for ", paint: muted },
      { text: from, paint: accent },
    ];
  },
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    if (!isDone(state)) return [];
    // A message that was sent stands in the title; where it went is for whoever wants to know.
    const isSent = textArgument(state, "op") === "send" && field(state.arguments, "await") !== true;
    if (isSent && look.detail === "short") return [];
    return outputRows(resultText(state), look, { keep: "head", most: TEXT_ROWS });
  },
};

export const yieldView: ToolView = {
  title(state, look) {
    const failed = textArgument(state, "failed");
    if (failed === "") return [{ text: "its result", paint: look.theme.style("muted") }];
    return [
      { text: "failed: ", paint: look.theme.style("warning") },
      { text: rowText(failed, look.columns), paint: look.theme.style("toolOutput") },
    ];
  },
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    return outputRows(handedIn(state), look, { keep: "head", most: 2 * TEXT_ROWS });
  },
};

function handedIn({ arguments: args }: CallState): string {
  const result = field(args, "result");
  if (result === undefined || result === null) return "";
  if (typeof result === "string") return result;
  // What is data for the model is data for the reader.
  return typeof result === "object" ? JSON.stringify(result, null, 2) : String(result);
}
