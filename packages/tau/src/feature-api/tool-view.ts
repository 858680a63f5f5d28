// How a call of a tool is shown. A view is words and rows made from the call's state, nothing
// more: the block that it stands in draws the sign, the time and the frame, and asks again when
// the state has changed. Views live beside their tools (`tools/<tool>/render.ts`).

import type { Span } from "@tau/tui/components/spans";
import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import type { Theme } from "@tau/tui/theme/theme";
import type { ToolWork } from "../session/projection/block.ts";

export type CallPhase = ToolWork["phase"];

export interface CallState {
  readonly name: string;
  /** As far as they have come; anything may be missing or of another type. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly phase: CallPhase;
  /** The end of what it has printed so far, while it runs. */
  readonly output: string;
  readonly result?: ToolWork["result"];
  /** What the tool said for renderers; its type is the tool's own. */
  readonly details?: unknown;
  /** What was told of it after its result, by name; see `expectedBy`. */
  readonly later?: ToolWork["later"];
}

export interface CallLook {
  readonly theme: Theme;
  readonly columns: number;
  /** `short`: a few rows for the transcript. `full`: everything, for the viewer. */
  readonly detail: "short" | "full";
  /** For shorter paths. */
  readonly cwd: string;
  readonly highlighter?: CodeHighlighter;
}

export interface ToolView {
  /** What it is about, behind the tool's name in one row; clean text. */
  title(state: CallState, look: CallLook): readonly Span[];
  /** Behind the title, muted: a count, an exit code. */
  remark?(state: CallState, look: CallLook): string | undefined;
  /** Below; no wider than `columns`, escapes for colours only. */
  body(state: CallState, look: CallLook): readonly string[];
}
