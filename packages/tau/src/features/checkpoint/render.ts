// How checkpoints look in the conversation: what is to be found out, and the report.

import type { ToolView } from "../../feature-api/tool-view.ts";
import { hasFailed, isDone, textArgument, textField } from "../../tools/render/call-values.ts";
import { rowText } from "../../tools/render/clip-text.ts";
import { failureRows, outputRows } from "../../tools/render/output-rows.ts";

const SHORT_ROWS = 6;

export const checkpointView: ToolView = {
  title: (state, look) => [
    {
      text: rowText(textArgument(state, "goal"), look.columns),
      paint: look.theme.style("accent"),
    },
  ],
  body: (state, look) => (hasFailed(state) ? failureRows(state, look) : []),
};

export const rewindView: ToolView = {
  title: (state, look) => [
    { text: "to ", paint: look.theme.style("muted") },
    {
      text: rowText(textField(state.details, "goal") ?? "the checkpoint", look.columns),
      paint: look.theme.style("accent"),
    },
  ],
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    if (!isDone(state) && state.phase !== "running") return [];
    return outputRows(textArgument(state, "report"), look, { keep: "head", most: SHORT_ROWS });
  },
};
