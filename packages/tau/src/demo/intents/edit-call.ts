// A small edit as a call of the real tools, where what was read says enough to be exact: the edit
// language names lines of a state of the file, and refuses where that is no longer the state. What
// cannot be said so is left to the script.

import type { ToolUse } from "../plan.ts";
import { parseFileText } from "../tool-text.ts";
import type { EditRequest } from "./edit-request.ts";

/** A reader may shorten lines beyond this, and then what it shows proves nothing. */
export const TRUSTED_LINE_CHARACTERS = 400;
const HEADER = /^¶.+#[0-9A-Z]+$/;
/** A tool shows everything else as it is; of these it may not. */
const DOUBTFUL = /[^\t\x20-\x7e\u00a1-\ud7ff]/;

export interface EditCall {
  use: ToolUse;
  /** How many replacements it makes. */
  count: number;
}

/** Undefined where the reading does not say enough. */
export function editCall(edit: EditRequest, reading: string): EditCall | undefined {
  if (edit.kind === "create" || /[\r\n]/.test(edit.kind === "replace" ? edit.old : "")) {
    return undefined;
  }
  const [header = ""] = reading.split("\n", 1);
  const { lines, complete } = parseFileText(reading);
  const isTrusted = lines.every(
    ({ text }) => text.length < TRUSTED_LINE_CHARACTERS && !DOUBTFUL.test(text),
  );
  if (!HEADER.test(header) || !complete || !isTrusted || lines.length === 0) return undefined;
  if (edit.kind === "append") {
    return { use: call([header, "insert tail:", ...rows(edit.text)]), count: 1 };
  }
  const hunks: string[] = [];
  let count = 0;
  for (const { number, text } of lines) {
    const times = text.split(edit.old).length - 1;
    if (times === 0) continue;
    count += times;
    hunks.push(
      `replace ${number}..${number}:`,
      ...rows(text.replaceAll(edit.old, () => edit.text)),
    );
  }
  const isWanted = count > 0 && (edit.everywhere || count === 1);
  return isWanted ? { use: call([header, ...hunks]), count } : undefined;
}

function call(patch: readonly string[]): ToolUse {
  return { tool: "edit", arguments: { input: `${patch.join("\n")}\n` } };
}

function rows(text: string): string[] {
  return text.split("\n").map((line) => `+${line}`);
}
