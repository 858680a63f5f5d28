// The words of a piece of SQL, without what stands in strings, names and comments: enough to
// see what kind of statement it is, and never a reason to believe that it is harmless.

export type SqlToken =
  | { type: "word" | "symbol"; text: string }
  | { type: "string" | "comment" | "parameter"; text: string };

const RULES: readonly [SqlToken["type"], RegExp][] = [
  ["comment", /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  // A doubled quote stands for itself; one that never ends goes to the end.
  ["string", /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)/y],
  ["parameter", /\?\d*|[:@$][\p{L}_][\p{L}\p{N}_$]*/uy],
  ["word", /[\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*|\d[\w.]*|\.\d[\w.]*/uy],
  ["symbol", /\S/uy],
];

export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  const blank = /\s+/y;
  for (let at = 0; at < sql.length;) {
    blank.lastIndex = at;
    const space = blank.exec(sql);
    if (space) {
      at += space[0].length;
      continue;
    }
    for (const [type, rule] of RULES) {
      rule.lastIndex = at;
      const match = rule.exec(sql);
      if (!match) continue;
      tokens.push({ type, text: match[0] });
      at += match[0].length;
      break;
    }
  }
  return tokens;
}
