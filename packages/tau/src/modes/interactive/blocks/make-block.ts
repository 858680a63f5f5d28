// Blocks as every part of the mode makes them: with the tools' own views, the colours of code and
// the clock of the screen.

import type { ToolCallBlock, ToolResultMessage } from "@tau/ai/message";
import type { AnimationClock } from "@tau/tui/components/animation-clock";
import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import { MarkdownView } from "@tau/tui/markdown/markdown-view";
import type { Theme } from "@tau/tui/theme/theme";
import type { CallLook, ToolView } from "../../../feature-api/tool-view.ts";
import { ToolBlock } from "./tool-block.ts";

export interface BlockPlace {
  readonly surface: { readonly theme: Theme; readonly clock: AnimationClock };
  readonly cwd: string;
  viewOf(name: string): ToolView;
  readonly highlighter?: CodeHighlighter | undefined;
}

export interface CallOptions {
  /** The tool whose view it is. */
  name: string;
  /** Before what it is about, instead of the tool's name. */
  sign?: string;
  detail?: CallLook["detail"];
}

export function makeCall(place: BlockPlace, { name, sign = name, detail }: CallOptions): ToolBlock {
  const { surface, cwd, highlighter } = place;
  return new ToolBlock({
    name: sign,
    // The views may be loaded only after the call has begun.
    view: () => place.viewOf(name),
    theme: surface.theme,
    clock: surface.clock,
    cwd,
    ...(highlighter ? { highlighter } : {}),
    ...(detail === undefined ? {} : { detail }),
  });
}

/** A call of the past: without a result it was stopped. */
export function makeEndedCall(
  place: BlockPlace,
  call: ToolCallBlock,
  { result, detail }: { result: ToolResultMessage | undefined; detail: CallLook["detail"] },
): ToolBlock {
  const block = makeCall(place, { name: call.name, detail });
  block.written(call);
  if (result) block.finish(result);
  else block.stop();
  return block;
}

export function makeMarkdown(
  { surface, highlighter }: BlockPlace,
  hyperlinks: "on" | "off",
): MarkdownView {
  const { theme } = surface;
  return new MarkdownView({ theme, hyperlinks, ...(highlighter ? { highlighter } : {}) });
}

export function makeWholeMarkdown(
  place: BlockPlace,
  text: string,
  hyperlinks: "on" | "off",
): MarkdownView {
  const view = makeMarkdown(place, hyperlinks);
  view.append(text);
  view.finish();
  return view;
}
