// Every tool's calls in all their phases, in a few rows and in full.

import { fitSpans } from "@tau/tui/components/spans";
import type { ThemeToken } from "@tau/tui/theme/tokens";
import type { SymbolName } from "@tau/tui/theme/symbols";
import { clampRow, displayWidth, fitLine } from "@tau/tui/width";
import type { CallLook, CallPhase, CallState, ToolView } from "../../../feature-api/tool-view.ts";
import { BUILT_IN } from "../../../features/built-in.ts";
import { loadTerminalFeatures, loadToolViews } from "../tool-views.ts";
import { captioned, type GalleryItem, type GallerySection } from "./gallery-section.ts";
import { statesOf, type SampleCall } from "../../../feature-api/sample-call.ts";

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
      const view = (await loadToolViews(BUILT_IN))(call.name);
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

/** A tool that nobody brought a view for. */
const UNKNOWN: SampleCall = {
  name: "weather_lookup",
  variant: "unknown-tool",
  arguments: { city: "Zürich", days: 3, options: { units: "metric", hourly: false } },
  written: { city: "Zü" },
  output: "asking\n",
  done: { text: "Monday: rain\nTuesday: rain\nWednesday: sun" },
  failed: "There is no such city.\nSay it in another way.",
};

export async function loadToolsSection(): Promise<GallerySection> {
  const terminal = await loadTerminalFeatures(BUILT_IN);
  const samples = terminal.flatMap(({ samples: own = [] }) => own);
  return {
    name: "tools",
    about: "every tool's calls in all their phases, short and full",
    items: [...samples, UNKNOWN].map(itemOf),
  };
}
