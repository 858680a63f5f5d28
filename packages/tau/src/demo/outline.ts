// An outline of a file, made by the patterns of its language: what it says about itself
// at the top, what it imports, what it defines and where. Rules, not understanding.

import type { Language } from "./languages.ts";
import type { NumberedLine } from "./tool-text.ts";

/** Longer lines are generated or data, and would make the patterns slow. */
const MATCHED_CHARACTERS = 300;
/** How far down a header may begin and reach. */
const HEADER_LINES = 40;

export interface Definition {
  line: number;
  name: string;
  text: string;
}

export interface Outline {
  header: string;
  imports: string[];
  definitions: Definition[];
}

export function outlineOf(lines: readonly NumberedLine[], language: Language | undefined): Outline {
  const code = language?.name === "Markdown" ? outsideFences(lines) : lines;
  const definitions = matches(code, language?.definitions ?? []);
  const found = definitions.length > 0 ? definitions : matches(code, language?.otherwise ?? []);
  return {
    header: headerOf(lines, language),
    imports: [...new Set(matches(code, language?.imports ?? []).map((each) => each.name))],
    definitions: language?.leastIndent ? leastIndented(found) : found,
  };
}

function matches(lines: readonly NumberedLine[], patterns: readonly RegExp[]): Definition[] {
  const found: Definition[] = [];
  for (const { number, text } of lines) {
    if (text.length > MATCHED_CHARACTERS) continue;
    for (const pattern of patterns) {
      const name = pattern.exec(text)?.groups?.name;
      if (name === undefined) continue;
      found.push({ line: number, name, text });
      break;
    }
  }
  return found;
}

function leastIndented(definitions: readonly Definition[]): Definition[] {
  const indent = (each: Definition): number => each.text.length - each.text.trimStart().length;
  const least = Math.min(...definitions.map(indent));
  return definitions.filter((each) => indent(each) === least);
}

/** In Markdown a `#` inside a code block is a comment of that code, not a heading. */
function outsideFences(lines: readonly NumberedLine[]): NumberedLine[] {
  let inside = false;
  return lines.filter(({ text }) => {
    const isFence = /^\s*(?:```|~~~)/.test(text);
    if (isFence) inside = !inside;
    return !inside && !isFence;
  });
}

/** The comment, docstring or first paragraph at the top, as one line of text. */
export function headerOf(lines: readonly NumberedLine[], language: Language | undefined): string {
  const top = lines.slice(0, HEADER_LINES).map((line) => line.text);
  if (top[0]?.startsWith("#!")) top.shift();
  while (top[0]?.trim() === "") top.shift();
  if (language?.name === "Markdown") return firstParagraph(top);
  const block = /^\s*(?:\/\*+|<!--|[rR]?"""|[rR]?''')/.exec(top[0] ?? "");
  if (block !== null) return blockComment(top, block[0]);
  const prefix = language?.comment;
  if (prefix === undefined) return "";
  const end = top.findIndex((line) => !line.startsWith(prefix));
  return joined(
    top.slice(0, end < 0 ? top.length : end).map((line) => line.replace(/^[/#!]+/, "")),
  );
}

function blockComment(top: readonly string[], opening: string): string {
  const mark = opening.trim();
  const close = mark.startsWith("/*") ? "*/" : mark === "<!--" ? "-->" : mark.slice(-3);
  const whole = top.join("\n").slice(opening.length);
  const end = whole.indexOf(close);
  const inside = end < 0 ? whole : whole.slice(0, end);
  return joined(inside.split("\n").map((line) => line.replace(/^\s*\*+\s?/, "")));
}

/** The first paragraph of prose: no headings, badges, HTML, tables or code. */
export function firstParagraph(lines: readonly string[]): string {
  const paragraph: string[] = [];
  for (const line of lines) {
    const isProse =
      line.trim() !== "" && !/^\s*(?:#|[=~-]{3}|```|<|\[!|!\[|>|\||[-*+]\s|\.\.\s)/.test(line);
    if (isProse) paragraph.push(line);
    else if (paragraph.length > 0) {
      // A line of `===` or `---` below makes what stands above it a heading.
      if (!/^\s*[=-]{3,}\s*$/.test(line)) break;
      paragraph.length = 0;
    }
  }
  const links = /!?\[([^\]]*)\]\([^)]*\)/g;
  return joined(paragraph)
    .replace(links, "$1")
    .replace(/[*_]{2}/g, "");
}

function joined(lines: readonly string[]): string {
  return lines.join(" ").replace(/\s+/g, " ").trim();
}
