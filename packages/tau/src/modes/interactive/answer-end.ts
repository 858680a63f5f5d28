// The last part of a long answer, so that it still reads as Markdown: from the beginning of a line
// and with the fence that was open there opened again.

export interface AnswerEnd {
  text: string;
  /** What stands before it. */
  omittedChars: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

export function endOfAnswer(text: string, maxChars: number): AnswerEnd {
  if (text.length <= maxChars) return { text, omittedChars: 0 };
  const from = startOf(text, maxChars);
  const fence = openFence(text.slice(0, from).split("\n").slice(0, -1));
  const end = text.slice(from);
  return { text: fence === undefined ? end : `${fence}\n${end}`, omittedChars: from };
}

/** The beginning of a line; within one only where it is most of what can be shown. */
function startOf(text: string, maxChars: number): number {
  const cut = text.length - maxChars;
  const line = text.indexOf("\n", cut - 1) + 1;
  if (line > 0 && line - cut <= maxChars / 2) return line;
  const isWithinCharacter = /[\udc00-\udfff]/.test(text[cut]!);
  return isWithinCharacter ? cut + 1 : cut;
}

/** The line that opened the code in which the lines end. */
function openFence(lines: readonly string[]): string | undefined {
  let open: { line: string; sign: string } | undefined;
  for (const line of lines) {
    const [, sign = "", info = ""] = FENCE.exec(line) ?? [];
    if (sign === "") continue;
    if (!open) open = { line, sign };
    else if (sign.startsWith(open.sign) && info.trim() === "") open = undefined;
  }
  return open?.line;
}
