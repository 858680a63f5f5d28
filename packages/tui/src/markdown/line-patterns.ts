// What the beginning of a line says about the block it belongs to.

import type { Alignment } from "../components/table-layout.ts";

export interface FenceMark {
  char: "`" | "~";
  length: number;
  indent: number;
  language: string;
}

export interface ItemMark {
  indent: number;
  /** Column at which the item's own text begins. */
  contentIndent: number;
  ordered: boolean;
  number: number;
  /** Lists of different signs are different lists. */
  sign: string;
  content: string;
}

const HEADING = /^ {0,3}(#{1,6})(?:[ ]+(.*?))?(?:[ ]+#+)?[ ]*$/;
const RULE = /^ {0,3}(?:(?:\*[ ]*){3,}|(?:-[ ]*){3,}|(?:_[ ]*){3,})$/;
const FENCE = /^( {0,3})(`{3,}|~{3,})[ ]*(.*)$/;
const ITEM = /^( *)([-*+]|(\d{1,9})[.)])( +|$)(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
// Fewer than three are too often the beginning of something else that is still arriving.
const UNDERLINE = /^ {0,3}(={3,}|-{3,})[ ]*$/;
// Markers further in than this are code, at the top level.
const MAX_INDENT = 3;

export const isBlank = (line: string): boolean => line.trim() === "";
export const isRule = (line: string): boolean => RULE.test(line);
export const indentOf = (line: string): number => line.length - line.trimStart().length;

export function headingOf(line: string): { level: number; text: string } | undefined {
  const match = HEADING.exec(line);
  return match ? { level: match[1]!.length, text: match[2] ?? "" } : undefined;
}

/** The level that a line of `=` or `-` gives to the text above it. */
export function underlineOf(line: string): 1 | 2 | undefined {
  const mark = UNDERLINE.exec(line)?.[1];
  return mark === undefined ? undefined : mark.startsWith("=") ? 1 : 2;
}

export function fenceOf(line: string): FenceMark | undefined {
  const match = FENCE.exec(line);
  if (!match) return undefined;
  const [, indent, ticks, info] = match;
  const char = ticks![0] as FenceMark["char"];
  // With backticks in it, it is code within a line.
  if (char === "`" && info!.includes("`")) return undefined;
  const language = info!.trim().split(/[\s{,]/)[0] ?? "";
  return { char, length: ticks!.length, indent: indent!.length, language };
}

export function closesFence(line: string, fence: FenceMark): boolean {
  const match = FENCE.exec(line);
  return (
    match !== null &&
    match[3] === "" &&
    match[2]![0] === fence.char &&
    match[2]!.length >= fence.length
  );
}

export const quotedOf = (line: string): string | undefined => QUOTE.exec(line)?.[1];

export function itemOf(line: string, maxIndent = MAX_INDENT): ItemMark | undefined {
  if (isRule(line)) return undefined;
  const match = ITEM.exec(line);
  if (!match || match[1]!.length > maxIndent) return undefined;
  const [, indent, mark, digits, gap, content] = match;
  const markEnd = indent!.length + mark!.length;
  // Five blanks and more belong to code inside the item.
  const space = gap!.length > 4 || content === "" ? 1 : gap!.length;
  return {
    indent: indent!.length,
    contentIndent: markEnd + space,
    ordered: digits !== undefined,
    number: Number(digits ?? 0),
    sign: mark!.at(-1)!,
    content: " ".repeat(Math.max(0, gap!.length - space)) + content!,
  };
}

/** Whether a line may begin something else in the middle of a paragraph. */
export function interruptsParagraph(line: string): boolean {
  if (headingOf(line) || fenceOf(line) || isRule(line) || quotedOf(line) !== undefined) return true;
  const item = itemOf(line);
  return item !== undefined && item.content.trim() !== "" && (!item.ordered || item.number === 1);
}

/** The cells of a table's row; pipes in code and after a backslash are text. */
export function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let inCode = false;
  const text = line.trim().replace(/^\|/, "");
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === "\\" && text[index + 1] === "|") {
      cell += "|";
      index++;
    } else if (char === "|" && !inCode) {
      cells.push(cell.trim());
      cell = "";
    } else {
      if (char === "`") inCode = !inCode && text.indexOf("`", index + 1) > 0;
      cell += char;
    }
  }
  if (cell.trim() !== "" || !text.endsWith("|")) cells.push(cell.trim());
  return cells;
}

const DELIMITER_CELL = /^:?-+:?$/;

/** The alignments that a table's second line gives; undefined where it is none. */
export function alignmentsOf(line: string): Alignment[] | undefined {
  if (!line.includes("-") || !/^[\s|:-]+$/.test(line)) return undefined;
  const cells = cellsOf(line);
  if (!line.includes("|") || !cells.every((cell) => DELIMITER_CELL.test(cell))) return undefined;
  return cells.map((cell): Alignment => {
    if (!cell.endsWith(":")) return "left";
    return cell.startsWith(":") ? "center" : "right";
  });
}
