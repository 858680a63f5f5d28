// Edits as people write them, as a table of patterns. Quoted text is taken exactly as it
// stands between its quotes; nothing in it is an escape.

import { cleanPath } from "../paths.ts";
import { unquote } from "../utterance.ts";

export type EditRequest =
  | { kind: "replace"; path: string; old: string; text: string; everywhere: boolean }
  | { kind: "append"; path: string; text: string }
  | { kind: "create"; path: string; text: string };

// A quoted text ends at the first closing quote that the rest of the sentence fits
// behind, so that it may contain its own quote character.
const quoted = (name: string): string =>
  String.raw`"[^]*?"|'[^]*?'|“[^]*?”|${"`[^]*?`"}`.replace(/^/, `(?<${name}>`);
const text = (name: string): string => `${quoted(name)}|\\S(?:[^\\n]*?\\S)?)`;
const PATH = String.raw`(?:the\s+)?(?:file\s+)?(?<path>@?"[^"\n]+"|@?'[^'\n]+'|${"`[^`\\n]+`"}|\S+)(?:\s+file)?`;
const ALL = String.raw`(?<all>(?:all|every|each)\s+(?:(?:the\s+)?(?:occurrences?|instances?|uses)\s+of\s+)?)?`;
const EVERYWHERE = String.raw`(?<everywhere>\s+everywhere|\s+throughout)?`;
const END = String.raw`(?<everywhere2>\s+everywhere)?(?:[\s,]+please|\s+for me)?\s*[.!?]?$`;

const REPLACE: readonly RegExp[] = [
  String.raw`^(?:replace|substitute|swap)\s+${ALL}${text("old")}\s+(?:with|by|for)\s+${text("text")}${EVERYWHERE}\s+in\s+${PATH}${END}`,
  String.raw`^(?:rename|change)\s+${ALL}${text("old")}\s+(?:to|into)\s+${text("text")}${EVERYWHERE}\s+in\s+${PATH}${END}`,
  String.raw`^in\s+${PATH},?\s+(?:replace|change|rename)\s+${ALL}${text("old")}\s+(?:with|by|to|into)\s+${text("text")}${END}`,
].map((source) => new RegExp(source, "i"));

const APPEND = new RegExp(
  String.raw`^(?:add|append)\s+(?:the\s+|a\s+)?(?:line\s+|text\s+)?${text("text")}\s+(?:to|at)\s+(?:the\s+end\s+of\s+)?${PATH}${END}`,
  "i",
);

const CREATE: readonly RegExp[] = [
  String.raw`^(?:create|make)\s+(?:a\s+|an\s+)?(?:new\s+)?(?:empty\s+)?(?:file\s+)?(?:called\s+|named\s+)?${PATH}\s+(?:with|containing|that\s+says|saying)\s+(?:the\s+)?(?:text\s+|content\s+|line\s+)?${text("text")}(?:[\s,]+please)?\s*$`,
  String.raw`^write\s+${text("text")}\s+(?:to|into)\s+(?:a\s+)?(?:new\s+file\s+)?${PATH}${END}`,
].map((source) => new RegExp(source, "i"));

export function readEditRequest(request: string): EditRequest | undefined {
  for (const pattern of REPLACE) {
    const found = pattern.exec(request)?.groups;
    if (found === undefined) continue;
    const everywhere = [found.all, found.everywhere, found.everywhere2].some(
      (each) => each !== undefined,
    );
    const old = exact(found.old!);
    if (old === "") return undefined;
    return {
      kind: "replace",
      path: cleanPath(found.path!),
      old,
      text: exact(found.text!),
      everywhere,
    };
  }
  const appended = APPEND.exec(request)?.groups;
  if (appended !== undefined) {
    return { kind: "append", path: cleanPath(appended.path!), text: exact(appended.text!) };
  }
  for (const pattern of CREATE) {
    const found = pattern.exec(request)?.groups;
    if (found === undefined) continue;
    return { kind: "create", path: cleanPath(found.path!), text: exact(found.text!) };
  }
  return undefined;
}

function exact(text: string): string {
  return unquote(text) ?? text;
}
