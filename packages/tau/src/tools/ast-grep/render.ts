// How a search by structure looks in the conversation.

import type { ToolView } from "../../feature-api/tool-view.ts";
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
import { codeTitle } from "../render/code-rows.ts";
import { listingRows } from "../render/listing-rows.ts";
import { failureRows } from "../render/output-rows.ts";
import { placeSpans } from "../render/path-spans.ts";

const SHORT_ROWS = 6;

export const astGrepView: ToolView = {
  title(state, look) {
    const pattern = textArgument(state, "pat");
    const hasRule = pattern === "" && field(state.arguments, "rule") !== undefined;
    const language = textArgument(state, "lang") || "typescript";
    return [
      ...(hasRule ? [{ text: "a rule" }] : codeTitle(pattern, language, look)),
      ...placeSpans(textsArgument(state, "paths"), look),
    ];
  },
  remark(state) {
    const { details } = state;
    const matches = numberField(details, "matchCount");
    const files = numberField(details, "fileCount");
    if (!isDone(state) || matches === undefined || files === undefined) {
      return undefined;
    }
    if (matches === 0) return "nothing found";
    return `${counted(matches, "match", "matches")} in ${counted(files, "file")}`;
  },
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    if (look.detail === "short" && numberField(state.details, "fileCount") === 0) return [];
    return listingRows(resultText(state), look, { most: SHORT_ROWS, short: "matches" });
  },
};
