// Finds a name in the files of the working directory: where it is defined, then where
// it is used.

import { INERT_GIT } from "../inert-git.ts";
import {
  clip,
  COLUMNS,
  count,
  fence,
  inlineCode,
  pad,
  paragraphs,
  plainText,
  prose,
} from "../markdown.ts";
import { failed, inspect, type Intent, type Plan } from "../plan.ts";
import { shellQuote } from "../shell-quote.ts";
import { parseCommandText } from "../tool-text.ts";
import { symbolIn } from "./symbol-question.ts";

/** What the search prints at most: lines, and bytes of each. */
const FOUND_LINES = 200;
const FOUND_LINE_BYTES = 240;
const SHOWN_DEFINITIONS = 8;
const SHOWN_USES = 12;
/** Places wider than this push their code to the right instead of widening the column. */
const PLACE_COLUMNS = 40;
const LEAST_CODE_COLUMNS = 20;

export const findSymbol: Intent = {
  title: "find a symbol",
  example: "find main",
  hint: /^(?:find|where|who|search|grep|locate|look for)\b/i,
  match({ sentence }) {
    const asked = symbolIn(sentence);
    return asked === undefined ? undefined : find(asked.name, asked.place);
  },
};

function* find(name: string, place: string): Plan {
  const outcome = yield inspect(searchCommand(name, place));
  if (!outcome.ok) {
    return failed(outcome, {
      tool: "bash",
      doing: `search for ${inlineCode(name)}`,
      next: "Try `look around` to see what is here.",
    });
  }
  const hits = hitsIn(parseCommandText(outcome.text).output);
  const where = place === "" ? "" : ` in ${inlineCode(place)}`;
  if (hits.length === 0) {
    return prose(
      `I did not find ${inlineCode(name)}${where}. The search is exact, and leaves out what git ignores: check the spelling and the case.`,
    );
  }
  const defines = definitionOf(name);
  const definitions = hits.filter((hit) => defines.test(hit.code));
  const uses = hits.filter((hit) => !defines.test(hit.code));
  const files = new Set(hits.map((hit) => hit.path)).size;
  const amount =
    hits.length < FOUND_LINES ? count(hits.length, "line") : `at least ${FOUND_LINES} lines`;
  return paragraphs(
    prose(`${inlineCode(name)} is on ${amount} of ${count(files, "file")}${where}.`),
    ...section("Looks like a definition", definitions, SHOWN_DEFINITIONS),
    ...section(definitions.length > 0 ? "Other lines" : "Lines", uses, SHOWN_USES),
  );
}

/** Tracked and new files where git knows, else everything but what is never source. */
function searchCommand(name: string, place: string): string {
  // Whole words only, where the name is one; a phrase may begin and end anywhere.
  const how = /^\w+$/.test(name) ? "-nIFw" : "-nIF";
  const path = place === "" ? "." : place;
  const inside = new Set(path.split("/"));
  const skipped = ["node_modules", "dist"].filter((folder) => !inside.has(folder));
  const inGit = skipped.map((folder) => shellQuote(`:(exclude,glob)**/${folder}/**`)).join(" ");
  const outside = [".git", ...skipped].map((folder) => `--exclude-dir=${folder}`).join(" ");
  return [
    `if ${INERT_GIT} rev-parse --is-inside-work-tree >/dev/null 2>&1; then`,
    `  ${INERT_GIT} grep --no-color --untracked ${how} -e ${shellQuote(name)} -- ${shellQuote(`:(literal)${path}`)} ${inGit}`,
    "else",
    `  grep -r ${how} ${outside} -e ${shellQuote(name)} -- ${shellQuote(path)}`,
    `fi | head -n ${FOUND_LINES} | LC_ALL=C cut -c 1-${FOUND_LINE_BYTES}`,
  ].join("\n");
}

interface Hit {
  path: string;
  line: number;
  code: string;
}

function hitsIn(output: string): Hit[] {
  return output.split("\n").flatMap((text) => {
    const match = /^(?:\.\/)?(.+?):(\d+):(.*)$/.exec(text);
    return match === null
      ? []
      : [{ path: match[1]!, line: Number(match[2]), code: match[3]!.trim() }];
  });
}

const KEYWORD = String.raw`\b(?:function\s*\*?|class|interface|type|enum|namespace|const|let|var|def|fn|func(?:\s*\([^)]*\))?|struct|trait|mod|module|macro_rules!|record|union|static|fun|val)`;

/** A keyword before the name, or a function as C, Java, shell and methods write it. */
function definitionOf(name: string): RegExp {
  const exact = `${RegExp.escape(name)}(?!\\w)`;
  return new RegExp(
    String.raw`(?:${KEYWORD}|^#\s*define)\s+${exact}|^(?:\w+\s+)*${exact}\s*\([^;]*\)[^;]*\{`,
  );
}

function section(title: string, hits: readonly Hit[], most: number): string[] {
  if (hits.length === 0) return [];
  const shown = hits.slice(0, most);
  const places = shown.map((hit) => plainText(`${hit.path}:${hit.line}`));
  const column = Math.min(
    PLACE_COLUMNS,
    Math.max(...places.map((place) => Bun.stringWidth(place))),
  );
  const lines = shown.map((hit, at) => {
    const place = pad(places[at]!, column);
    const room = Math.max(LEAST_CODE_COLUMNS, COLUMNS - 2 - Bun.stringWidth(place));
    return `${place}  ${clip(plainText(hit.code), room)}`;
  });
  const more = hits.length > most ? ` (${most} of ${hits.length})` : "";
  return [`**${title}**${more}`, fence(lines.join("\n"), "text")];
}
