// Every tool's calls in all their phases, in a few rows and in full.

import { fitSpans } from "@tau/tui/components/spans";
import type { ThemeToken } from "@tau/tui/theme/tokens";
import type { SymbolName } from "@tau/tui/theme/symbols";
import { clampRow, displayWidth, fitLine } from "@tau/tui/width";
import type { CallLook, CallPhase, CallState, ToolView } from "../tool-view.ts";
import { loadToolViews } from "../tool-views.ts";
import { COMMAND_CALLS } from "./command-calls.ts";
import { FILE_CALLS } from "./file-calls.ts";
import { captioned, type GalleryItem, type GallerySection } from "./gallery-section.ts";
import { SEARCH_CALLS } from "./search-calls.ts";
import { TODO_CALLS } from "./todo-calls.ts";
import { statesOf, type SampleCall } from "./sample-call.ts";

const SIGNS: Readonly<Record<CallPhase, readonly [SymbolName, ThemeToken]>> = {
  writing: ["running", "muted"],
  waiting: ["pending", "warning"],
  running: ["running", "accent"],
  done: ["success", "success"],
  failed: ["error", "error"],
  refused: ["error", "warning"],
  stopped: ["error", "muted"],
};
const INDENT = "  ";

/** The body has what the indent leaves; a block of the conversation draws it in the same way. */
export function callRows(view: ToolView, state: CallState, look: CallLook): string[] {
  const inner: CallLook = { ...look, columns: Math.max(1, look.columns - INDENT.length) };
  const [sign, token] = SIGNS[state.phase];
  const { theme } = look;
  const remark = view.remark?.(state, inner);
  const most = Math.floor(look.columns / 2);
  const end = remark === undefined ? "" : fitLine(` ${theme.symbols.separator} ${remark}`, most);
  const front = [
    { text: `${theme.symbols[sign]} `, paint: theme.style(token) },
    { text: `${state.name} `, paint: theme.attribute("bold") },
    ...view.title(state, inner),
  ];
  // The remark says how it went: of a long title the end goes first.
  const head = fitSpans(front, look.columns - displayWidth(end)) + theme.style("muted")(end);
  const rows = view.body(state, inner).map((row) => (row === "" ? "" : INDENT + row));
  return [clampRow(head.trimEnd(), look.columns), ...rows];
}

function itemOf(call: SampleCall): GalleryItem {
  return {
    name: call.variant ?? call.name,
    async rows(look) {
      const { theme, columns, highlighter } = look;
      const view = (await loadToolViews())(call.name);
      const drawn = (detail: "short" | "full") => (state: CallState) =>
        [
          `${state.phase}, ${detail}`,
          callRows(view, state, { theme, columns, detail, cwd: CWD, highlighter }),
        ] as const;
      const states = statesOf(call);
      const full = states.filter(({ phase }) => phase === "done" || phase === "failed");
      return captioned(look, [...states.map(drawn("short")), ...full.map(drawn("full"))]);
    },
  };
}

/** Where the calls of the gallery are made. */
const CWD = "/home/me/shop";

export const toolsSection: GallerySection = {
  name: "tools",
  about: "every tool's calls in all their phases, short and full",
  items: [...COMMAND_CALLS, ...FILE_CALLS, ...SEARCH_CALLS, ...TODO_CALLS].map(itemOf),
};
