// How a rewrite by structure looks in the conversation: what becomes what, and the lines that
// would change. Nothing is written yet; that is the remark's to say.

import type { Span } from "@tau/tui/components/spans";
import type { ToolView } from "../../feature-api/tool-view.ts";
import {
  counted,
  hasFailed,
  isDone,
  listField,
  numberField,
  resultText,
  textArgument,
  textField,
  textsArgument,
} from "../render/call-values.ts";
import { codeTitle } from "../render/code-rows.ts";
import { clipFor, readCompactDiff } from "../render/diff-lines.ts";
import { diffRows } from "../render/diff-rows.ts";
import { failureRows, outputRows } from "../render/output-rows.ts";
import { placeSpans } from "../render/path-spans.ts";

export const astEditView: ToolView = {
  title(state, look) {
    const { theme } = look;
    const [first, ...more] = listField(state.arguments, "ops");
    const muted = theme.style("muted");
    const language = textArgument(state, "lang") || "typescript";
    const spans: Span[] = [];
    if (first !== undefined) {
      spans.push(...codeTitle(textField(first, "pat") ?? "", language, look));
      spans.push({ text: " → ", paint: muted });
      spans.push(...codeTitle(textField(first, "out") ?? "", language, look));
    }
    if (more.length > 0) spans.push({ text: ` +${more.length}`, paint: muted });
    return [...spans, ...placeSpans(textsArgument(state, "paths"), look)];
  },
  remark(state) {
    const { details } = state;
    const replacements = numberField(details, "totalReplacements");
    if (!isDone(state) || replacements === undefined) return undefined;
    if (replacements === 0) return "nothing to replace";
    const files = counted(numberField(details, "filesTouched") ?? 0, "file");
    return `${replacements} in ${files}, not written yet`;
  },
  body(state, look) {
    if (hasFailed(state)) return failureRows(state, look);
    const text = resultText(state);
    const changes = readCompactDiff(text, clipFor(look));
    if (changes.length > 0) return diffRows(changes, look);
    return outputRows(text, look, { keep: "head", most: 3 });
  },
};
