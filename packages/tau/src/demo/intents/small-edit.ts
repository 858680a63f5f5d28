// Makes one small, exact edit, or says why not. It reads first, so that most refusals
// need no command at all; the script (edit-script.ts) is still the judge, because the
// text of a read is decorated and may be cut.

import { INERT_GIT } from "../inert-git.ts";
import { COLUMNS, clip, count, fence, inlineCode, paragraphs, prose } from "../markdown.ts";
import { outsideReason } from "../paths.ts";
import { bash, failed, inspect, type Intent, type Outcome, type Plan, readFile } from "../plan.ts";
import { shellQuote } from "../shell-quote.ts";
import { parseFileText } from "../tool-text.ts";
import { editCall, TRUSTED_LINE_CHARACTERS } from "./edit-call.ts";
import { readEditRequest, type EditRequest } from "./edit-request.ts";
import { appendScript, createScript, parseReport, replaceScript } from "./edit-script.ts";
import { explainRefusal } from "./edit-refusal.ts";

const SHOWN_DIFF_LINES = 40;

export const smallEdit: Intent = {
  title: "make a small edit",
  example: 'replace "old" with "new" in notes.txt',
  hint: /^(?:replace|rename|change|add|append|create|write|edit|make|insert|substitute|swap)\b/i,
  match({ request }) {
    const edit = readEditRequest(request);
    return edit === undefined ? undefined : change(edit);
  },
};

function* change(edit: EditRequest): Plan {
  const outside = outsideReason(edit.path);
  if (outside !== undefined) {
    return prose(
      `I left everything as it was: I will not write to ${inlineCode(edit.path)}, because ${outside}.`,
    );
  }
  // A new file has nothing to read; the script refuses where one is in the way.
  if (edit.kind !== "create") {
    const file = yield readFile(edit.path);
    if (!file.ok) return unreadable(edit, file);
    const refusal = edit.kind === "replace" ? refusalIn(file.text, edit) : undefined;
    if (refusal !== undefined) return refusal;
    const call = editCall(edit, file.text);
    const made = call && (yield call.use);
    if (call && made?.ok) return summary(edit, call.count);
  }
  // Without the tool, or where it has another language, the shell does it.
  const outcome = yield bash(scriptFor(edit));
  const report = parseReport(outcome.text);
  if (report === undefined) {
    if (!outcome.ok) {
      return failed(outcome, {
        tool: "bash",
        doing: `change ${inlineCode(edit.path)}`,
        next: "Check the file before you ask again.",
      });
    }
    return prose(
      `The edit of ${inlineCode(edit.path)} did not report how it ended. Check the file.`,
    );
  }
  if (!report.done) return explainRefusal(edit, report.reason);
  const shown = yield inspect(diffCommand(edit.path));
  return paragraphs(summary(edit, report.count), changeShown(edit, shown));
}

function scriptFor(edit: EditRequest): string {
  if (edit.kind === "replace") return replaceScript(edit);
  return edit.kind === "append" ? appendScript(edit) : createScript(edit);
}

function unreadable(edit: EditRequest, file: Outcome & { ok: false }): string {
  return failed(file, {
    tool: "read",
    doing: `read ${inlineCode(edit.path)}`,
    next: `Nothing was changed. For a new file, ask: ${inlineCode(`create ${edit.path} with "text"`)}`,
  });
}

/** What the text just read already rules out, with the lines to look at. */
function refusalIn(result: string, edit: EditRequest & { kind: "replace" }): string | undefined {
  if (edit.old === edit.text) return explainRefusal(edit, "same");
  if (edit.old.includes("\n") || edit.old.includes("\r")) return undefined;
  const { lines, complete } = parseFileText(result);
  const trusted = complete && lines.every((line) => line.text.length < TRUSTED_LINE_CHARACTERS);
  if (trusted && !result.includes(edit.old)) return explainRefusal(edit, "absent");
  const holding = lines.filter((line) => line.text.includes(edit.old)).map((line) => line.number);
  return holding.length > 1 && !edit.everywhere ? explainRefusal(edit, "many", holding) : undefined;
}

function summary(edit: EditRequest, times: number): string {
  const path = inlineCode(edit.path);
  if (edit.kind === "create") return `Created ${path}.`;
  if (edit.kind === "append") return `Added to the end of ${path}.`;
  return `Changed ${path}: ${count(times, "replacement")}.`;
}

function diffCommand(path: string): string {
  const file = `./${shellQuote(path)}`;
  // Not `git diff`, which would have the repository's filters look at the file.
  return `if ${INERT_GIT} --literal-pathspecs ls-files --error-unmatch -- ${file} >/dev/null 2>&1; then
  ${INERT_GIT} cat-file blob ${shellQuote(`:./${path}`)} | diff -U1 - ${file} | head -n 200
fi`;
}

/** The difference that git sees; else, for a file git does not track, the two texts. */
function changeShown(edit: EditRequest, shown: Outcome): string {
  const hunks = shown.ok ? shown.text.indexOf("\n@@") + 1 : 0;
  const own =
    edit.kind === "replace"
      ? marked("-", edit.old) + marked("+", edit.text)
      : marked("+", edit.text);
  const lines = (hunks > 0 ? shown.text.slice(hunks) : own).replace(/\n+$/, "").split("\n");
  const kept = lines.slice(0, SHOWN_DIFF_LINES).map((line) => clip(line, COLUMNS));
  const cut = lines.length - kept.length;
  return paragraphs(
    hunks > 0 ? "`git diff` now shows:" : "",
    fence(kept.join("\n"), "diff"),
    cut > 0 ? `${count(cut, "more line")} not shown.` : "",
  );
}

function marked(mark: string, text: string): string {
  if (text === "") return "";
  return text
    .split("\n")
    .map((line) => `${mark} ${line}\n`)
    .join("");
}
