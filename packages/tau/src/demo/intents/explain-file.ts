// Outlines one file: what it says about itself, what it imports, what it defines.

import { languageOf, languageOfScript } from "../languages.ts";
import {
  clip,
  COLUMNS,
  count,
  fence,
  inlineCode,
  paragraphs,
  plainText,
  prose,
  table,
} from "../markdown.ts";
import { outlineOf, type Definition } from "../outline.ts";
import { cleanPath, findPath } from "../paths.ts";
import { failed, type Intent, type Plan, readFile } from "../plan.ts";
import { parseFileText, parseListing, type NumberedLine } from "../tool-text.ts";
import type { Utterance } from "../utterance.ts";
import { describeFolder, isListing } from "./folder-description.ts";

const SHOWN_DEFINITIONS = 24;
const SHOWN_IMPORTS = 10;
const SHOWN_LINES = 8;
/** A header longer than this is a licence or an essay. */
const HEADER_COLUMNS = 320;
/** Beside the line number and the frame of the table. */
const DEFINITION_COLUMNS = COLUMNS - 16;

/** These want a file, though it may be named like any word ("explain Makefile"). */
const FILE_VERB =
  /^(?:explain|summari[sz]e|outline|describe)\s+(?:(?:to me\s+)?(?:the\s+)?(?:file\s+)?)(?<word>\S+|"[^"]+"|'[^']+')(?:\s+file)?(?:\s+to me)?$/i;
/** These need something that looks like a path to be about a file. */
const PATH_VERB =
  /^(?:explain|summari[sz]e|summary|outline|overview|describe|read|show|open|tell me about|walk me through|what(?:'s| is| does| do)|how does)\b/i;
const PRONOUN = /^(?:it|this|that|me|these|those|the|what|how|why|everything)$/i;

export const explainFile: Intent = {
  title: "explain a file",
  example: "explain README.md",
  hint: /^(?:explain|summari[sz]e|outline|describe|read|show|open|tell me about|what does)\b/i,
  match(utterance) {
    const path = pathIn(utterance);
    return path === undefined ? undefined : explain(path);
  },
};

function pathIn({ sentence, attached }: Utterance): string | undefined {
  const path = findPath(sentence);
  // A path and nothing else is a wish to know what it is; `/help` and the like are none.
  const isPathAlone = !/\s/.test(sentence) && !/^\/\w+$/.test(sentence);
  if (path !== undefined && (PATH_VERB.test(sentence) || isPathAlone)) return path;
  if (attached[0] !== undefined && (PATH_VERB.test(sentence) || sentence === ""))
    return attached[0];
  const word = cleanPath(FILE_VERB.exec(sentence)?.groups?.word ?? "");
  return word === "" || PRONOUN.test(word) ? undefined : word;
}

function* explain(path: string): Plan {
  const file = yield readFile(path);
  if (!file.ok) {
    return failed(file, {
      tool: "read",
      doing: `read ${inlineCode(path)}`,
      next: `Try \`look around\` to see what is here, or ${inlineCode(`find ${path}`)}.`,
    });
  }
  if (isListing(path, file.text)) return describeFolder(path, parseListing(file.text));
  const { lines, complete } = parseFileText(file.text);
  const language = languageOf(path) ?? languageOfScript(lines[0]?.text ?? "");
  const outline = outlineOf(lines, language);
  const length = count(lines.at(-1)?.number ?? 0, "line");
  const facts = [language?.name ?? "plain text", complete ? length : `the first ${length}`];
  const rules = "This is an outline made by fixed rules; I do not understand the file.";
  const hidden = outline.definitions.length - SHOWN_DEFINITIONS;
  return paragraphs(
    `**${plainText(path)}** · ${facts.join(" · ")}`,
    outline.header === "" ? "" : prose(clip(plainText(outline.header), HEADER_COLUMNS)),
    importsOf(outline.imports),
    outline.definitions.length > 0 ? definitionsOf(outline.definitions) : beginningOf(lines),
    prose(hidden > 0 ? `${count(hidden, "more definition")} not shown. ${rules}` : rules),
  );
}

function importsOf(imports: readonly string[]): string {
  if (imports.length === 0) return "";
  const more = imports.length - SHOWN_IMPORTS;
  const names = imports.slice(0, SHOWN_IMPORTS).map((name) => inlineCode(name));
  return prose(`Imports ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`);
}

function definitionsOf(definitions: readonly Definition[]): string {
  const rows = definitions.slice(0, SHOWN_DEFINITIONS).map(({ line, text }) => {
    const signature = plainText(text)
      .trimEnd()
      .replace(/\s*[:=]?\s*[{[(,]+$/, "");
    return [String(line), inlineCode(clip(signature.trim(), DEFINITION_COLUMNS))];
  });
  return table([{ title: "Line", align: "right" }, { title: "Definition" }], rows);
}

/** Where the rules find nothing to list, the first lines say more than nothing. */
function beginningOf(lines: readonly NumberedLine[]): string {
  const shown = lines.slice(0, SHOWN_LINES).map((line) => clip(plainText(line.text), COLUMNS));
  if (shown.every((line) => line.trim() === "")) return "";
  return paragraphs("It begins:", fence(shown.join("\n"), "text"));
}
