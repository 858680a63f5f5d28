// Ruby, as far as tokens go. What stands in `#{…}` is code and is read as such.

import {
  beginsValue,
  bodyOf,
  endOf,
  takePlain,
  unescaped,
  UnreadableTokens,
  type CodeToken,
} from "./code-token.ts";

const PLAIN =
  /(?<blank>[ \t\r]+|\\\n|#[^\n]*)|(?<newline>\n)|(?<variable>@@?[A-Za-z_]\w*|\$(?:[A-Za-z_]\w*|[\d&`'+~!@/\\,;.<>_*$?:"]|-\w))|(?<number>\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?r?|0x[\da-fA-F]+)|(?<name>[A-Za-z_]\w*[?!]?(?!=[^=~>])|[A-Za-z_]\w*)|(?<sign>&\.|->|=>|<=>|===?|=~|!~|!=|<<|>>|<=|>=|&&|\|\||\*\*|\.\.\.?|::|[-+*/|&%]=|[^\w\s])/y;
const VALUE_WORDS =
  /^(?:puts|p|print|pp|return|and|or|not|if|unless|while|until|when|in|then|do|else|elsif|yield|raise|gsub!?|sub!?|grep|split|match\??|scan|require|select|reject|case)$/;
const KEYWORD_BEFORE_PATTERN = /^(?:if|unless|and|or|not|when|while|until|return|then)$/;

export function rubyTokens(code: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  let skip: { start: number; end: number } | undefined;
  const addText = (text: string, hasHoles: boolean): void => {
    const isOpen = hasHoles && /(?<!\\)#[{@$]/.test(text);
    tokens.push({ kind: "text", text, value: isOpen ? undefined : unescaped(text) });
    if (hasHoles) readHoles(text, tokens);
  };
  let at = 0;
  while (at < code.length) {
    if (skip && at >= skip.start) {
      at = skip.end;
      skip = undefined;
      tokens.push({ kind: "newline", text: "\n" });
      continue;
    }
    if (/^__END__\s*$/m.test(code.slice(at, at + 8)) && code[at - 1] === "\n") break;
    const rest = code.slice(at, at + 60);
    const before = tokens.at(-1);
    const isSpaced = /\s/.test(code[at - 1] ?? " ") && !/\s/.test(code[at + 1] ?? " ");
    const isValue =
      beginsValue(before, VALUE_WORDS) ||
      (before?.kind === "name" && isSpaced && !KEYWORD_BEFORE_PATTERN.test(before.text));
    const char = code[at]!;
    if (char === '"' || char === "'" || char === "`") {
      const end = endOfText(code, at + 1, char);
      const text = code.slice(at + 1, end);
      if (char === "`") {
        tokens.push({ kind: "command", text, value: text.includes("#{") ? undefined : text });
        readHoles(text, tokens);
      } else addText(text, char === '"');
      at = end + 1;
      continue;
    }
    const document = /^<<[~-]?(?:(["'`])([^"'`\n]+)\1|([A-Z_]\w*))/.exec(rest);
    if (document && (isValue || /^<<[~-]/.test(rest)) && before?.text !== "class") {
      const found = bodyOf(code, skip?.end ?? at, document[2] ?? document[3]!);
      if (document[1] === "`") tokens.push({ kind: "command", text: found.body });
      else addText(found.body, document[1] !== "'");
      skip = { start: skip?.start ?? found.start, end: found.end };
      at += document[0].length;
      continue;
    }
    const symbol = /^:(?:"|'|[A-Za-z_]\w*[?!=]?(?!\w))/.exec(rest);
    if (symbol && before?.text !== ":" && code[at - 1] !== ":" && !rest.startsWith("::")) {
      const isQuoted = /["']$/.test(symbol[0]);
      const end = isQuoted ? endOfText(code, at + 2, code[at + 1]!) : at + symbol[0].length;
      const text = isQuoted ? code.slice(at + 2, end) : symbol[0].slice(1);
      tokens.push({ kind: "sign", text: ":sym" });
      addText(text, isQuoted);
      at = isQuoted ? end + 1 : end;
      continue;
    }
    const percent = isValue ? /^%([qQwWiIxr]?)([([{<|!/])/.exec(rest) : null;
    if (percent) {
      const from = at + percent[0].length;
      const end = endOf(code, from, percent[2]!);
      const text = code.slice(from, end);
      const kind = percent[1]!;
      if (kind === "x")
        tokens.push({ kind: "command", text, value: text.includes("#{") ? undefined : text });
      else if (kind === "r") tokens.push({ kind: "pattern", text });
      else addText(text, /[QWI]|^$/.test(kind));
      at = end + 1;
      continue;
    }
    if (char === "/" && isValue) {
      const end = endOf(code, at + 1, "/");
      const text = code.slice(at + 1, end);
      tokens.push({ kind: "pattern", text });
      readHoles(text, tokens);
      at = end + 1 + /^[a-z]*/.exec(code.slice(end + 1))![0].length;
      continue;
    }
    if (char === "?" && isValue && /^\?[A-Za-z](?!\w)/.test(rest)) {
      at += 2;
      tokens.push({ kind: "number", text: "?" });
      continue;
    }
    at = takePlain(tokens, PLAIN, code, at);
  }
  return tokens;
}

/** Quotes inside of `#{…}` do not end it. */
function endOfText(code: string, from: number, quote: string): number {
  for (let at = from; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === quote) return at;
    else if (quote !== "'" && code[at] === "#" && code[at + 1] === "{")
      at = endOf(code, at + 2, "{");
  }
  throw new UnreadableTokens(`${quote} is not closed`);
}

function readHoles(text: string, tokens: CodeToken[]): void {
  for (const match of text.matchAll(/(?<!\\)#\{/g)) {
    const from = match.index + 2;
    tokens.push({ kind: "sign", text: ";" });
    tokens.push(...rubyTokens(text.slice(from, endOf(text, from, "{"))));
    tokens.push({ kind: "sign", text: ";" });
  }
}
