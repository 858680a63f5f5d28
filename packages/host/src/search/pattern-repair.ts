// What can be decided about a regular expression from its text alone: which braces and
// parentheses were meant literally, whether it spans lines, and whether it needs the
// backtracking engine. Models write `${name}` and `call(` when they mean just that.

import { patternTokens } from "./pattern-tokens.ts";

/** Escapes braces that cannot be a repetition; `a{2,4}`, `\p{L}` and `[{}]` stay. */
export function escapeLiteralBraces(pattern: string): string {
  const tokens = patternTokens(pattern);
  return tokens
    .map(({ kind, text }, index) => {
      if (kind === "brace") return `\\${text}`;
      const opens = tokens[index + 1]?.kind === "brace" && tokens[index + 1]?.text === "{";
      // The end of a line is never followed by a brace: `${x}` can only mean itself.
      return kind === "anchor" && text === "$" && opens ? "\\$" : text;
    })
    .join("");
}

/** Takes every group mark literally; the last resort when the groups do not close. */
export function escapeParentheses(pattern: string): string {
  return patternTokens(pattern)
    .map(({ kind, text }) => (kind === "open" || kind === "close" ? `\\${text}` : text))
    .join("");
}

export function hasUnbalancedGroups(pattern: string): boolean {
  let depth = 0;
  for (const { kind } of patternTokens(pattern)) {
    if (kind === "open") depth += 1;
    if (kind === "close") depth -= 1;
    if (depth < 0) return true;
  }
  return depth !== 0;
}

/** Only a pattern that names a line break; `[^\n]` names one to keep out of it. */
export function spansLines(pattern: string): boolean {
  return patternTokens(pattern).some(({ kind, text }) => {
    if (kind === "class") return !text.startsWith("[^") && NAMES_LINE_BREAK.test(text);
    return NAMES_LINE_BREAK.test(text);
  });
}

const NAMES_LINE_BREAK = /\n|^(?:[^\\]|\\.)*?\\(?:n|x0[aA]|[xu]\{0*[aA]\})/s;
const LOOK_AROUND = /^\?(?:=|!|<=|<!|>)/;

/** Look-around, atomic groups and back references, which the linear engine does not have. */
export function needsBacktracking(pattern: string): boolean {
  const tokens = patternTokens(pattern);
  let at = 0;
  return tokens.some(({ kind, text }) => {
    at += text.length;
    if (kind === "open") return LOOK_AROUND.test(pattern.slice(at, at + 3));
    return kind === "escape" && /^\\[1-9k]/.test(text);
  });
}
