// PHP, as far as tokens go. What stands outside of `<?php … ?>` is text.

import { bodyOf, endOf, takePlain, unescaped, type CodeToken } from "./code-token.ts";

const PLAIN =
  /(?<blank>[ \t\r\n]+|\/\/[^\n]*|#(?!\[)[^\n]*|\/\*[^]*?\*\/)|(?<variable>\$\w+)|(?<number>\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?|0x[\da-fA-F]+)|(?<name>\\?[A-Za-z_]\w*(?:\\[A-Za-z_]\w*)*)|(?<sign>\?->|->|=>|::|===?|!==?|<=>|<=|>=|&&|\|\||\?\?=?|\.\.\.|[-+*/.|&%]=|[^\w\s])/y;

/** `isBare`: there is no `<?php`, as after `-r`. */
export function phpTokens(
  whole: string,
  { isBare = true }: { isBare?: boolean } = {},
): CodeToken[] {
  const code = isBare
    ? whole
    : [...whole.matchAll(/<\?(?:php\b|=)([^]*?)(?:\?>|$)/g)].map((match) => match[1]).join(";");
  const tokens: CodeToken[] = [];
  const addText = (text: string, hasHoles: boolean): void => {
    const isOpen = hasHoles && /(?<!\\)\$[\w{]|\{\$/.test(text);
    tokens.push({ kind: "text", text, value: isOpen ? undefined : unescaped(text) });
    if (!hasHoles) return;
    for (const match of text.matchAll(/\{(?=\$)|\$\{/g)) {
      const from = match.index + match[0].length;
      tokens.push({ kind: "sign", text: ";" });
      tokens.push(...phpTokens(text.slice(from, endOf(text, from, "{"))));
      tokens.push({ kind: "sign", text: ";" });
    }
  };
  let at = 0;
  while (at < code.length) {
    const char = code[at]!;
    if (char === '"' || char === "'" || char === "`") {
      const end = endOf(code, at + 1, char);
      const text = code.slice(at + 1, end);
      if (char === "`")
        tokens.push({ kind: "command", text, value: text.includes("$") ? undefined : text });
      else addText(text, char === '"');
      at = end + 1;
      continue;
    }
    const document = /^<<<\s*(["']?)(\w+)\1/.exec(code.slice(at, at + 60));
    if (document) {
      const { body, end } = bodyOf(code, at, document[2]!);
      addText(body, document[1] !== "'");
      at = end;
      tokens.push({ kind: "sign", text: ";" });
      continue;
    }
    at = takePlain(tokens, PLAIN, code, at);
  }
  return tokens;
}
