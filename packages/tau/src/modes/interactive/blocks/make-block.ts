// Blocks of the conversation as the terminal draws them, wherever they stand: live, resumed, or in
// the viewer. With the tools' own views, the colours of code and the clock of the screen.

import type { AnimationClock } from "@tau/tui/components/animation-clock";
import { TextBlock } from "@tau/tui/components/text-block";
import type { Component } from "@tau/tui/component";
import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import { MarkdownView } from "@tau/tui/markdown/markdown-view";
import type { Theme } from "@tau/tui/theme/theme";
import type { ThemeToken } from "@tau/tui/theme/tokens";
import {
  type AnswerBlock,
  type Block,
  type NoteBlock,
  type NoteTone,
  type ThinkingBlock as Thought,
  wholeText,
} from "../../../session/projection/block.ts";
import { summaryWords } from "../../../session/projection/summary-words.ts";
import type { EntryView } from "../../../feature-api/terminal-feature.ts";
import type { CallLook, ToolView } from "../../../feature-api/tool-view.ts";
import { EntryBlock } from "./entry-block.ts";
import type { BlockKind } from "./spaced.ts";
import { ThinkingBlock } from "./thinking-block.ts";
import { ToolBlock } from "./tool-block.ts";
import { UserBlock } from "./user-block.ts";

export interface BlockPlace {
  readonly surface: { readonly theme: Theme; readonly clock: AnimationClock };
  readonly cwd: string;
  viewOf(name: string): ToolView;
  /** How a feature's own entry looks; undefined for what it says. */
  entryViewOf?(customType: string): EntryView | undefined;
  readonly highlighter?: CodeHighlighter | undefined;
}

export interface BlockLook {
  hyperlinks: "on" | "off";
  detail: CallLook["detail"];
  hidesThinking(): boolean;
}

/** A block with what draws it. */
export interface DrawnBlock {
  kind: BlockKind;
  component: Component;
  /** What it is from now on; `delta` is what its text has grown by. */
  change(block: Block, delta?: string): void;
}

export const NOTE_TOKENS: Readonly<Record<NoteTone, ThemeToken>> = {
  plain: "muted",
  success: "success",
  warning: "warning",
  error: "error",
};

export function makeBlock(block: Block, place: BlockPlace, look: BlockLook): DrawnBlock {
  const { theme } = place.surface;
  switch (block.kind) {
    case "user": {
      const said = look.detail === "full" ? wholeText(block) : block.text;
      const text = said + pictureNote(block.pictures.length);
      return still(new UserBlock({ text, theme, detail: look.detail }), "words");
    }
    case "command":
      return still(new UserBlock({ text: block.line, theme, signToken: "muted" }), "words");
    case "answer":
      return makeAnswer(block, place, look);
    case "thinking":
      return makeThought(block, place, look);
    case "call":
    case "own_run":
      return makeWork(block, place, look);
    case "note":
      return makeSaid(block, place, look);
    case "summary":
      return still(makeNote(summaryWords(block), "plain", theme), "note");
  }
}

/** What is over when it is made. */
function still(component: Component, kind: BlockKind): DrawnBlock {
  return { component, kind, change: () => {} };
}

export function makeNote(text: string, tone: NoteTone, theme: Theme): TextBlock {
  return new TextBlock({ text, paint: theme.style(NOTE_TOKENS[tone]) });
}

function makeSaid(block: NoteBlock, place: BlockPlace, look: BlockLook): DrawnBlock {
  const { theme } = place.surface;
  const { entry, text, tone } = block;
  const view = entry && place.entryViewOf?.(entry.customType);
  const note = makeNote(text, tone, theme);
  if (!view) return still(note, "note");
  return still(new EntryBlock({ entry, view, note, theme, detail: look.detail }), "words");
}

function pictureNote(pictures: number): string {
  return pictures === 0 ? "" : ` [${pictures} ${pictures === 1 ? "picture" : "pictures"}]`;
}

function makeAnswer(block: AnswerBlock, place: BlockPlace, look: BlockLook): DrawnBlock {
  const { surface, highlighter } = place;
  const { hyperlinks } = look;
  const view = new MarkdownView({ theme: surface.theme, hyperlinks, highlighter });
  return { component: view, kind: "words", change: growing(view, block) };
}

function makeThought(block: Thought, place: BlockPlace, look: BlockLook): DrawnBlock {
  const { theme, clock } = place.surface;
  const view = new ThinkingBlock({ theme, clock, isHidden: look.hidesThinking });
  return { component: view, kind: "words", change: growing(view, block) };
}

/** Text that is put to its end, and is over once it does not grow any more. */
function growing(
  view: { append(text: string): void; finish(tookMs?: number | "unknown"): void },
  first: AnswerBlock | Thought,
): DrawnBlock["change"] {
  let shown = 0;
  let isOver = false;
  const change: DrawnBlock["change"] = (block, delta) => {
    if (isOver || (block.kind !== "answer" && block.kind !== "thinking")) return;
    const more = delta ?? block.text.slice(shown);
    shown += more.length;
    if (more !== "") view.append(more);
    if (block.isGrowing) return;
    isOver = true;
    view.finish(block.kind === "thinking" ? (block.durationMs ?? "unknown") : undefined);
  };
  change(first);
  return change;
}

function makeWork(
  block: Extract<Block, { kind: "call" | "own_run" }>,
  place: BlockPlace,
  look: BlockLook,
): DrawnBlock {
  const { surface, cwd, highlighter } = place;
  const { name } = block;
  const view = new ToolBlock({
    name: block.kind === "own_run" ? block.sign : name,
    // The views may be loaded only after the call has begun.
    view: () => place.viewOf(name),
    theme: surface.theme,
    clock: surface.clock,
    cwd,
    highlighter,
    detail: look.detail,
  });
  const change: DrawnBlock["change"] = (next) => {
    if (next.kind === "call" || next.kind === "own_run") view.show(next);
  };
  change(block);
  return { component: view, kind: "call", change };
}
