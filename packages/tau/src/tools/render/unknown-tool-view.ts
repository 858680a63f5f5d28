// How a call looks whose tool nobody here knows: an extension's, a server's, one of another
// version. Its arguments in few words, its result as text.

import { cleanLine } from "@tau/tui/components/clean-text";
import { breakSpans, type Span } from "@tau/tui/components/spans";
import type { CallLook, CallState, ToolView } from "../../feature-api/tool-view.ts";
import { hasFailed, isDone, resultText } from "./call-values.ts";
import { rowText, wholeText } from "./clip-text.ts";
import { liveOutput } from "./command-rows.ts";
import { imageRows } from "./image-rows.ts";
import { failureRows, fitRow, outputRows, widthOf } from "./output-rows.ts";

const SHORT_ROWS = 5;
/** Of one argument in a title, in columns. */
const VALUE_COLUMNS = 40;
const MAX_ARGUMENTS = 100;

export const unknownToolView: ToolView = {
  title(state, look) {
    const muted = look.theme.style("muted");
    return argumentsOf(state).flatMap(([name, value], at): Span[] => [
      { text: `${at > 0 ? ", " : ""}${rowText(name, VALUE_COLUMNS)}: `, paint: muted },
      { text: fitted(value, look) },
    ]);
  },
  body(state, look) {
    const above = look.detail === "full" ? argumentRows(state, look) : [];
    const below = hasFailed(state)
      ? failureRows(state, look)
      : outputRows(isDone(state) ? resultText(state) : liveOutput(state), look, {
          keep: isDone(state) ? "head" : "tail",
          most: SHORT_ROWS,
        });
    const gap = above.length > 0 && below.length > 0 ? [""] : [];
    return [...above, ...gap, ...below, ...imageRows(state, look)];
  },
};

function argumentsOf({ arguments: given }: CallState): [name: string, value: unknown][] {
  return Object.entries(given ?? {}).slice(0, MAX_ARGUMENTS);
}

function fitted(value: unknown, look: CallLook): string {
  const columns = Math.min(VALUE_COLUMNS, Math.max(1, look.columns));
  const text = rowText(inWords(value), columns);
  return text.length > columns ? `${rowText(text.slice(0, columns - 1), columns)}…` : text;
}

function inWords(value: unknown): string {
  if (typeof value === "string") return value.slice(0, MAX_VALUE_UNITS).replaceAll(/[\r\n]+/g, " ");
  try {
    return (JSON.stringify(value) ?? "").slice(0, MAX_VALUE_UNITS);
  } catch {
    // A value that goes in a circle, or a number too large for JSON: nothing a log could hold.
    return cleanLine(typeof value);
  }
}

/** Of one argument, in UTF-16 units, before anything looks at it. */
const MAX_VALUE_UNITS = 16 * 1024;

function argumentRows(state: CallState, look: CallLook): string[] {
  return argumentsOf(state).flatMap(([name, value]) => {
    const head = { text: `${rowText(name, VALUE_COLUMNS)}:`, paint: look.theme.style("muted") };
    if (typeof value === "string" && value.includes("\n")) {
      return [fitRow([head], look), ...outputRows(value, look, { keep: "head", most: SHORT_ROWS })];
    }
    return breakSpans([head, { text: ` ${wholeText(inWords(value))}` }], widthOf(look));
  });
}
