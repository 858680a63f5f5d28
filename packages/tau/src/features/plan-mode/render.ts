// How a plan looks in the conversation: all of it, as the user has to decide about it.

import { MarkdownView } from "@tau/tui/markdown/markdown-view";
import type { CallLook, CallState, ToolView } from "../../feature-api/tool-view.ts";
import { hasFailed, textArgument } from "../../tools/render/call-values.ts";
import { rowText } from "../../tools/render/clip-text.ts";
import { failureRows, moreRow } from "../../tools/render/output-rows.ts";

/** Of a plan in the transcript; nobody decides about more without reading its file. */
const MAX_ROWS = 200;
/** What is laid out at all. */
const MAX_CHARS = 256 * 1024;

export const submitPlanView: ToolView = {
  title: (state, look) => [
    {
      text: rowText(textArgument(state, "title"), look.columns),
      paint: look.theme.style("accent"),
    },
  ],
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look, { attempt: () => planRows(state, look) });
    const rows = planRows(state, look);
    if (look.detail === "full" || rows.length <= MAX_ROWS) return rows;
    return [...rows.slice(0, MAX_ROWS), moreRow(rows.length - MAX_ROWS, look, "row")];
  },
};

function planRows(state: CallState, look: CallLook): readonly string[] {
  const { theme, highlighter } = look;
  const text = textArgument(state, "plan").slice(0, MAX_CHARS).trim();
  if (text === "") return [];
  const view = new MarkdownView({ theme, hyperlinks: "off", highlighter });
  view.append(text);
  if (state.phase !== "writing") view.finish();
  return view.render(Math.max(1, look.columns)).rows;
}
