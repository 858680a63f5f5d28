// How a search looks in the conversation: what was looked for and where, how much was found, and
// the first matches.

import type { CallState, ToolView } from "../../feature-api/tool-view.ts";
import {
  counted,
  field,
  hasFailed,
  isDone,
  numberField,
  resultText,
  textArgument,
  textsArgument,
} from "../render/call-values.ts";
import { rowText } from "../render/clip-text.ts";
import { listingRows } from "../render/listing-rows.ts";
import { failureRows } from "../render/output-rows.ts";
import { placeSpans } from "../render/path-spans.ts";

const SHORT_ROWS = 6;

export const searchView: ToolView = {
  title(state, look) {
    const { theme } = look;
    const pattern = rowText(textArgument(state, "pattern"), look.columns);
    const flags = field(state.arguments, "i") === true ? "i" : "";
    return [
      { text: `/${pattern}/${flags}`, paint: theme.style("syntaxString") },
      ...placeSpans(textsArgument(state, "paths"), look),
    ];
  },
  remark: (state) => (isDone(state) ? foundRemark(state) : undefined),
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    if (look.detail === "short" && numberField(state.details, "fileCount") === 0) return [];
    return listingRows(resultText(state), look, { most: SHORT_ROWS, short: "matches" });
  },
};

function foundRemark({ details }: CallState): string | undefined {
  const totals = field(details, "totals");
  const matches = numberField(totals, "matches") ?? numberField(details, "matchCount");
  const files = numberField(totals, "files") ?? numberField(details, "fileCount");
  if (matches === undefined || files === undefined) return undefined;
  if (matches === 0) return "nothing found";
  const found = `${counted(matches, "match", "matches")} in ${counted(files, "file")}`;
  return field(details, "incomplete") === undefined ? found : `${found}, incomplete`;
}
