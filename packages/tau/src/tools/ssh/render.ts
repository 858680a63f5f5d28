// How a command on another machine looks in the conversation: as one here, behind the host's name.

import { cleanLine } from "@tau/tui/components/clean-text";
import type { ToolView } from "../../feature-api/tool-view.ts";
import { textArgument } from "../render/call-values.ts";
import { codeTitle } from "../render/code-rows.ts";
import { commandRows, endingOf } from "../render/command-rows.ts";
import { placeSpans } from "../render/path-spans.ts";

/** UTF-16 units; the longest name that a host can have. */
const MAX_HOST_UNITS = 253;

export const sshView: ToolView = {
  title(state, look) {
    const host = cleanLine(textArgument(state, "host").slice(0, MAX_HOST_UNITS));
    const cwd = textArgument(state, "cwd");
    return [
      { text: host === "" ? "" : `${host} `, paint: look.theme.style("accent") },
      ...codeTitle(textArgument(state, "command"), "bash", look),
      ...placeSpans(cwd === "" ? [] : [cwd], look),
    ];
  },
  remark: (state) => endingOf(state),
  body: commandRows,
};
