// How background jobs look in the conversation: which are meant, and one row for each.

import { cleanLine } from "@tau/tui/components/clean-text";
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
  textField,
  textsArgument,
} from "../render/call-values.ts";
import { rowText } from "../render/clip-text.ts";
import { liveOutput } from "../render/command-rows.ts";
import { failureRows, fitRow, moreRow, outputRows } from "../render/output-rows.ts";

const SHORT_ROWS = 8;
/** Of ids and states; the label takes what is left. */
const MAX_CELL_COLUMNS = 24;
/** Ids in a title. */
const MAX_NAMED = 20;

export const jobView: ToolView = {
  title(state, look) {
    const muted = look.theme.style("muted");
    const spans: Span[] = [];
    const add = (verb: string, ids: readonly string[]): void => {
      const names = ids.slice(0, MAX_NAMED).map((id) => rowText(id, MAX_CELL_COLUMNS));
      spans.push({ text: `${spans.length > 0 ? ", " : ""}${verb} `, paint: muted });
      spans.push({ text: names.join(", "), paint: look.theme.style("accent") });
    };
    const cancelled = textsArgument(state, "cancel");
    const polled = textsArgument(state, "poll");
    if (cancelled.length > 0) add("cancel", cancelled);
    if (polled.length > 0) add("wait for", polled);
    if (spans.length > 0) return spans;
    const isList = field(state.arguments, "list") === true;
    return [{ text: isList ? "list" : "wait for any", paint: muted }];
  },
  remark(state) {
    if (!isDone(state)) return undefined;
    const jobs = listField(state.details, "jobs");
    return jobs.length === 0 ? "no jobs" : counted(jobs.length, "job");
  },
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    if (!isDone(state)) {
      return outputRows(liveOutput(state), look, { keep: "head", most: SHORT_ROWS });
    }
    const rows = jobRows(state, look);
    return rows.length > 0 || look.detail === "short"
      ? rows
      : outputRows(resultText(state), look, { keep: "head", most: SHORT_ROWS });
  },
};

interface JobCells {
  id: string;
  status: string;
  time: string;
  label: string;
  text: string;
}

function cellsOf(job: unknown, look: CallLook): JobCells {
  const seconds = (numberField(job, "durationMs") ?? 0) / 1000;
  return {
    id: rowText(textField(job, "id") ?? "", MAX_CELL_COLUMNS),
    status: rowText(textField(job, "status") ?? "", MAX_CELL_COLUMNS),
    time: `${seconds.toFixed(1)} s`,
    label: rowText(textField(job, "label") ?? "", look.columns),
    text: textField(job, "resultText") ?? textField(job, "errorText") ?? "",
  };
}

function jobRows({ details }: CallState, look: CallLook): string[] {
  const { theme } = look;
  const isFull = look.detail === "full";
  const all = listField(details, "jobs");
  const jobs = (isFull ? all : all.slice(0, SHORT_ROWS)).map((job) => cellsOf(job, look));
  const columnsOf = (cell: (job: JobCells) => string): number =>
    Math.min(
      MAX_CELL_COLUMNS,
      jobs.reduce((most, job) => Math.max(most, displayWidth(cell(job))), 0),
    );
  const ids = columnsOf(({ id }) => id);
  const statuses = columnsOf(({ status }) => status);
  const times = columnsOf(({ time }) => time);
  const rows = jobs.flatMap(({ id, status, time, label, text }) => {
    const row = fitRow(
      [
        { text: `${padTo(id, ids)}  `, paint: theme.style("accent") },
        { text: `${padTo(status, statuses)}  `, paint: theme.style(toneOf(status)) },
        { text: `${cleanLine(time).padStart(times)}  `, paint: theme.style("muted") },
        { text: label, paint: theme.style("toolOutput") },
      ],
      look,
    );
    return isFull ? [row, ...outputRows(text, look, { keep: "head", most: SHORT_ROWS })] : [row];
  });
  return all.length > jobs.length
    ? [...rows, moreRow(all.length - jobs.length, look, "job")]
    : rows;
}

function toneOf(status: string) {
  if (status === "failed") return "error";
  return status === "completed" ? "success" : "muted";
}
