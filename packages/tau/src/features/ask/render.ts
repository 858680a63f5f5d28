// How questions look in the conversation: what was asked, and what was answered.

import type { Span } from "@tau/tui/components/spans";
import type { CallLook, CallState, ToolView } from "../../feature-api/tool-view.ts";
import {
  counted,
  field,
  hasFailed,
  isDone,
  listField,
  resultText,
  textField,
} from "../../tools/render/call-values.ts";
import { rowText } from "../../tools/render/clip-text.ts";
import { failureRows, fitRow, moreRow, outputRows } from "../../tools/render/output-rows.ts";

const SHORT_ROWS = 8;

export const askView: ToolView = {
  title(state, look) {
    const questions = listField(state.arguments, "questions");
    const [first] = questions;
    const more =
      questions.length > 1 ? ` and ${counted(questions.length - 1, "more", "more")}` : "";
    return [
      { text: rowText(textField(first, "question") ?? "", look.columns) },
      { text: more, paint: look.theme.style("muted") },
    ];
  },
  remark(state) {
    if (state.phase === "running") return "waits for an answer";
    const isByTime = listField(state.details, "results").some((one) => field(one, "isByTime"));
    return isByTime ? "nobody answered in time" : undefined;
  },
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    if (!isDone(state)) return [];
    const rows = answerRows(state, look);
    if (rows.length === 0) {
      return outputRows(resultText(state), look, { keep: "head", most: SHORT_ROWS });
    }
    if (look.detail === "full" || rows.length <= SHORT_ROWS + 1) return rows;
    return [...rows.slice(0, SHORT_ROWS), moreRow(rows.length - SHORT_ROWS, look, "row")];
  },
};

function answerRows({ details }: CallState, look: CallLook): string[] {
  const results = listField(details, "results");
  const { theme } = look;
  return results.flatMap((result) => {
    const answers = answersOf(result, look);
    const indent = results.length > 1 ? [{ text: "  " }] : [];
    const question: Span[] = [
      {
        text: rowText(textField(result, "question") ?? "", look.columns),
        paint: theme.style("muted"),
      },
    ];
    return [
      ...(results.length > 1 ? [fitRow(question, look)] : []),
      ...answers.map((spans) => fitRow([...indent, ...spans], look)),
    ];
  });
}

function answersOf(result: unknown, look: CallLook): Span[][] {
  const { theme, columns } = look;
  const { success } = theme.symbols;
  const sign: Span = { text: `${success} `, paint: theme.style("success") };
  const chosen = listField(result, "selectedOptions").filter((one) => typeof one === "string");
  const words = textField(result, "customInput");
  const rows = chosen.map((label): Span[] => [sign, { text: rowText(label, columns) }]);
  if (words !== undefined) {
    rows.push([sign, { text: rowText(words, columns), paint: theme.style("accent") }]);
  }
  if (rows.length > 0) return rows;
  return [[{ text: "none of the options", paint: theme.style("muted") }]];
}
