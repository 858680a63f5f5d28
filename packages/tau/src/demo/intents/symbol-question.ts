// The ways in which people ask for a name in their code, as a table of patterns.

import { cleanPath, looksLikePath } from "../paths.ts";

const NAME = String.raw`(?<name>"[^"]+"|'[^']+'|${"`[^`]+`"}|[^\s"'${"`"}]+?)(?:\(\))?`;
const NOUN = String.raw`(?:(?:the|a|all|every|any)\s+)?(?:(?:symbol|function|method|class|type|interface|struct|variable|constant|string|text|word|name)\s+)?`;
const USES = String.raw`(?:(?:all\s+|the\s+)*(?:uses?|usages?|references?|occurrences?|callers?|calls?|definitions?)\s+(?:of|to)\s+)`;
const PLACE = String.raw`(?:\s+in\s+(?<place>\S+))?`;

/** Each row is one way to ask; all of them end in a name. */
const QUESTIONS: readonly RegExp[] = [
  `^(?:find|locate|grep(?:\\s+for)?|search(?:\\s+for)?|look\\s+for|show(?:\\s+me)?)\\s+${USES}${NOUN}${NAME}${PLACE}$`,
  `^(?:find|locate|grep(?:\\s+for)?|search(?:\\s+for)?|look\\s+for)\\s+${NOUN}${NAME}${PLACE}$`,
  `^(?:find|show(?:\\s+me)?|tell\\s+me)\\s+(?:out\\s+)?where\\s+${NOUN}${NAME}\\s+(?:is|gets)(?:\\s+\\w+)?${PLACE}$`,
  `^where(?:'s|\\s+is|\\s+are|\\s+do\\s+(?:we|i)\\s+(?:use|call|define))\\s+${NOUN}${NAME}(?:\\s+(?:defined|declared|used|called|implemented|from))?${PLACE}$`,
  `^(?:who|what)\\s+(?:uses|calls|references|imports|defines)\\s+${NOUN}${NAME}${PLACE}$`,
  `^what\\s+does\\s+${NOUN}${NAME}\\s+do$`,
].map((source) => new RegExp(source, "i"));

const NOT_A_NAME =
  /^(?:it|this|that|there|here|the|a|my|your|bugs?|you|up|out|files?|everything)$/i;

/** The name asked for, and the folder or file to look in; empty where none was given. */
export function symbolIn(sentence: string): { name: string; place: string } | undefined {
  for (const question of QUESTIONS) {
    const found = question.exec(sentence)?.groups;
    const name = cleanPath(found?.name ?? "");
    if (name === "" || NOT_A_NAME.test(name)) continue;
    const place = cleanPath(found?.place ?? "");
    if (/^(?:here|this)$/i.test(place)) return { name, place: "" };
    if (place === "" || looksLikePath(place) || /^[\w.-]+$/.test(place)) return { name, place };
  }
  return undefined;
}
