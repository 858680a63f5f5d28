// Lua, as far as tokens go.

import { endOf, takePlain, unescaped, UnreadableTokens, type CodeToken } from "./code-token.ts";

const PLAIN =
  /(?<blank>\s+|--(?!\[=*\[)[^\n]*)|(?<number>0x[\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(?<name>[A-Za-z_]\w*)|(?<sign>\.\.\.?|==|~=|<=|>=|\/\/|<<|>>|::|[^\w\s])/y;

export function luaTokens(code: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  let at = 0;
  while (at < code.length) {
    const char = code[at]!;
    if (char === '"' || char === "'") {
      const end = endOf(code, at + 1, char);
      const text = code.slice(at + 1, end);
      tokens.push({ kind: "text", text, value: unescaped(text) });
      at = end + 1;
      continue;
    }
    const long = /^(?:--)?\[(=*)\[/.exec(code.slice(at, at + 20));
    if (long) {
      const end = code.indexOf(`]${long[1]}]`, at);
      if (end < 0) throw new UnreadableTokens("a long text is not closed");
      const text = code.slice(at + long[0].length, end);
      if (!long[0].startsWith("--")) tokens.push({ kind: "text", text, value: text });
      at = end + long[1]!.length + 2;
      continue;
    }
    at = takePlain(tokens, PLAIN, code, at);
  }
  return tokens;
}
