// How a screen is laid out: a title on a rule, what it is about, and at the bottom the keys.
// Its height does not depend on what is filtered, so that nothing jumps while somebody types.

import type { CaretPlace, Rendered } from "@tau/tui/component";
import { cleanLine } from "@tau/tui/components/clean-text";
import { KeyHints, type KeyHint } from "@tau/tui/components/key-hints";
import { fitSpans, type Span } from "@tau/tui/components/spans";
import { layered } from "@tau/tui/theme/theme";
import { clampRow, displayWidth } from "@tau/tui/width";
import type { Stage } from "../stage.ts";

export interface ScreenParts {
  title: string;
  /** At the right end of the title's row; asked for when the body is drawn. */
  aside?(): string;
  /** Rows between the title and the body. */
  head?: readonly string[];
  /** Rows that the body can use; all there are where left out. */
  needs?: number;
  /** Called with the rows it may fill. */
  body(rows: number, columns: number): readonly string[];
  /** Rows about what is selected, where there is room for them. */
  foot?: readonly string[];
  hints: readonly KeyHint[];
  /** In the head where it does not say. */
  caret?: CaretPlace & { in?: "head" | "body" | "foot" };
}

/** The body keeps at least so many rows before the foot and the head may have any. */
const LEAST_BODY_ROWS = 3;
/** Shorter than this a screen is a slit, and each letter of a filter would change it. */
const LEAST_CALM_ROWS = 8;
/** The rule above the foot. */
const RULE_ROWS = 1;

export function drawScreen(stage: Stage, columns: number, parts: ScreenParts): Rendered {
  const width = Math.max(1, columns);
  const { theme, bindings } = stage;
  const height = Math.max(1, stage.size.rows);
  let room = height - 1;
  const hints = new KeyHints({ hints: parts.hints, bindings, theme }).render(width).rows;
  const shownHints = room > LEAST_BODY_ROWS ? hints : [];
  room -= shownHints.length;
  const head = (parts.head ?? []).slice(0, Math.max(0, room - 1));
  room -= head.length;
  const wanted = parts.foot ?? [];
  const footRoom = Math.max(0, room - LEAST_BODY_ROWS - RULE_ROWS);
  const foot = wanted.length > 0 && footRoom > 0 ? wanted.slice(0, footRoom) : [];
  if (foot.length > 0) room -= foot.length + RULE_ROWS;
  const wantedRows = Math.max(LEAST_CALM_ROWS, parts.needs ?? room);
  const bodyRows = Math.max(0, Math.min(room, wantedRows));
  const body = parts.body(bodyRows, width).slice(0, bodyRows);
  const rows = [
    titleRow(stage, width, parts),
    ...head,
    ...body,
    ...Array.from({ length: bodyRows - body.length }, () => ""),
    ...(foot.length > 0 ? [rule(stage, width), ...foot] : []),
    ...shownHints,
  ].map((row) => clampRow(row, width));
  const { caret } = parts;
  if (!caret) return { rows, stableRows: 0 };
  const { in: part = "head" } = caret;
  const above = {
    head: 1,
    body: 1 + head.length,
    foot: 1 + head.length + bodyRows + RULE_ROWS,
  }[part];
  const size = { head: head.length, body: bodyRows, foot: foot.length }[part];
  // What had no room has no caret either.
  if (caret.row >= size) return { rows, stableRows: 0 };
  const place = { row: above + caret.row, column: Math.min(caret.column, width - 1) };
  return { rows, stableRows: 0, caret: place };
}

function titleRow({ theme }: Stage, columns: number, parts: ScreenParts): string {
  const { title } = parts;
  const aside = parts.aside?.() ?? "";
  const border = theme.style("borderAccent");
  const line = theme.symbols.boxHorizontal;
  const left = ` ${cleanLine(title)} `;
  const right = aside === "" ? "" : ` ${cleanLine(aside)} `;
  const used = displayWidth(left) + displayWidth(right) + 2 * displayWidth(line);
  const fill = line.repeat(Math.max(1, columns - used));
  const spans: Span[] = [
    { text: line, paint: border },
    { text: left, paint: layered(theme.attribute("bold"), theme.style("accent")) },
    { text: fill, paint: border },
    { text: right, paint: theme.style("muted") },
    { text: line, paint: border },
  ];
  return fitSpans(spans, columns);
}

function rule({ theme }: Stage, columns: number): string {
  return theme.style("borderMuted")(theme.symbols.boxHorizontal.repeat(columns));
}
