// The few shapes that answers are made of. They are aligned and kept within 80 columns
// as source text, because print mode shows the Markdown itself.

/** One short of 80, so that a terminal of that width never wraps on its own. */
export const COLUMNS = 79;
const TAB_COLUMNS = 4;

/** Tool output may carry colours, cursor movement and progress bars; an answer must not. */
export function plainText(text: string): string {
  return (
    text
      .replace(/\r+\n/g, "\n")
      // CSI, OSC and two-character escape sequences.
      // oxlint-disable-next-line no-control-regex
      .replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)/g, "")
      // A bare carriage return overwrites its line: only what was drawn last is seen.
      .replace(/^[^\n]*\r(?=[^\n])/gm, "")
      .replaceAll("\t", " ".repeat(TAB_COLUMNS))
      // oxlint-disable-next-line no-control-regex
      .replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, "")
  );
}

export function clip(text: string, columns: number): string {
  if (Bun.stringWidth(text) <= columns) return text;
  let width = 1;
  let kept = "";
  for (const character of text) {
    width += Bun.stringWidth(character);
    if (width > columns) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Text as one line of code that Markdown does not read into. */
export function inlineCode(text: string): string {
  const line = plainText(text).replace(/\s+/g, " ");
  const longest = longestRun(line, /`+/g);
  if (longest === 0) return `\`${line}\``;
  const ticks = "`".repeat(longest + 1);
  return `${ticks} ${line} ${ticks}`;
}

export function fence(text: string, language = ""): string {
  const body = plainText(text).replace(/\n+$/, "");
  const ticks = "`".repeat(Math.max(3, longestRun(body, /`{3,}/g) + 1));
  return `${ticks}${language}\n${body}\n${ticks}`;
}

function longestRun(text: string, run: RegExp): number {
  let longest = 0;
  for (const match of text.matchAll(run)) longest = Math.max(longest, match[0].length);
  return longest;
}

/** What stays on one line: a word, or a code span of ordinary length with what touches it. */
const WORDS = /(?:`[^`\n]{1,60}`|\S)+/g;

/** A paragraph, filled to the column limit. */
export function prose(text: string, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(WORDS) ?? []) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && Bun.stringWidth(indent + longer) > COLUMNS) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  if (line !== "") lines.push(line);
  return lines.map((each, at) => (at === 0 ? each : indent + each)).join("\n");
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${prose(item, "  ")}`).join("\n");
}

export interface Column {
  title: string;
  align?: "left" | "right";
}

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = columns.map((column, at) =>
    Math.max(
      3,
      ...[column.title, ...cells.map((row) => row[at] ?? "")].map((x) => Bun.stringWidth(x)),
    ),
  );
  const line = (row: readonly string[]): string =>
    `| ${columns.map((column, at) => pad(row[at] ?? "", widths[at]!, column.align)).join(" | ")} |`;
  const rule = columns.map((column, at) =>
    column.align === "right" ? `${"-".repeat(widths[at]! - 1)}:` : "-".repeat(widths[at]!),
  );
  return [line(columns.map((column) => column.title)), line(rule), ...cells.map(line)].join("\n");
}

export function pad(text: string, columns: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, columns - Bun.stringWidth(text)));
  return align === "right" ? space + text : text + space;
}

/** Joins the parts of an answer as paragraphs, leaving out those that are empty. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}

export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString("en-US")} ${noun}${amount === 1 ? "" : "s"}`;
}
