// How a command looks in the conversation.

import type { ToolView } from "../../feature-api/tool-view.ts";
import { isDone, numberField, textArgument, textField } from "../render/call-values.ts";
import { rowText } from "../render/clip-text.ts";
import { codeTitle } from "../render/code-rows.ts";
import { commandRows, endingOf } from "../render/command-rows.ts";
import { placeSpans } from "../render/path-spans.ts";

const MAX_ID_COLUMNS = 24;

export const bashView: ToolView = {
  title(state, look) {
    const cwd = textArgument(state, "cwd");
    return [
      ...codeTitle(textArgument(state, "command"), "bash", look),
      ...placeSpans(cwd === "" ? [] : [cwd], look),
    ];
  },
  remark(state) {
    const ending = endingOf(state);
    if (ending !== undefined) return ending;
    const job = textField(state.details, "jobId");
    if (job !== undefined) return `continues as job ${rowText(job, MAX_ID_COLUMNS)}`;
    const code = isDone(state) ? numberField(state.details, "exitCode") : undefined;
    return code === undefined || code === 0 ? undefined : `exit code ${code}`;
  },
  body(state, look) {
    // What is said of a job is for the model; the remark has it.
    if (isDone(state) && look.detail === "short" && textField(state.details, "jobId")) return [];
    return commandRows(state, look);
  },
};
