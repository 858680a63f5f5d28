// How settling a preview looks in the conversation: which one, and what became of it.

import type { ToolView } from "../../feature-api/tool-view.ts";
import {
  counted,
  field,
  hasFailed,
  isDone,
  numberField,
  resultText,
  textArgument,
  textField,
} from "../../tools/render/call-values.ts";
import { rowText } from "../../tools/render/clip-text.ts";
import { listingRows } from "../../tools/render/listing-rows.ts";
import { failureRows } from "../../tools/render/output-rows.ts";

const SHORT_ROWS = 3;

export const resolveView: ToolView = {
  title(state, look) {
    const { theme } = look;
    const label = textField(field(state.details, "preview"), "label");
    const what = label ?? (textArgument(state, "reason") || textArgument(state, "id"));
    return [
      { text: rowText(textArgument(state, "action"), look.columns), paint: theme.style("accent") },
      { text: what === "" ? "" : ` ${rowText(what, look.columns)}` },
    ];
  },
  remark(state) {
    if (!isDone(state)) return undefined;
    if (textField(state.details, "action") === "discard") return "nothing was written";
    const replaced = numberField(field(state.details, "of"), "totalReplacements");
    return replaced === undefined ? undefined : counted(replaced, "replacement");
  },
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    if (look.detail === "short" && textField(state.details, "action") === "discard") return [];
    return listingRows(resultText(state), look, { most: SHORT_ROWS, short: "all" });
  },
};
