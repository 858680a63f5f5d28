// Perl, as far as tokens go: quotes of every kind, patterns, documents; code inside of texts is read too.

import {
  beginsValue,
  bodyOf,
  endOf,
  kindOf,
  unescaped,
  UnreadableTokens,
  type CodeToken,
} from "./code-token.ts";

const PLAIN =
  /(?<blank>[ \t\r]+|#[^\n]*)|(?<newline>\n)|(?<variable>[$@%]#?\{\^?\w+\}|\$#?\$*(?:::)?[A-Za-z_]\w*(?:(?:::|')[A-Za-z_]\w*)*(?:::)?|[@%](?:::)?[A-Za-z_]\w*(?:::\w+)*(?:::)?|\$\d+|\$[&`'+!@/\\,;.\-_0$<>()[\]^|?"=~%:](?![\w{])|\$\^\w|\$[_0!@$/\\,;.&]|@[_-])|(?<number>\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?|0x[\da-fA-F_]+)|(?<name>[A-Za-z_]\w*(?:(?:::|')[A-Za-z_]\w*)*(?:::)?)|(?<sign>->|=>|\+\+|--|\*\*|=~|!~|==|!=|<=>|<=|>=|&&|\|\||\/\/|\.\.\.?|::|<<|>>|[-+*/.|&^%]=|[^\w\s])/y;
const VALUE_WORDS =
  /^(?:print|printf|say|return|and|or|not|if|unless|while|until|split|grep|map|join|push|unshift|x|lt|gt|le|ge|eq|ne|cmp|when|die|warn|sort|reverse|foreach|for|else|do|eval|defined|scalar|ref|open|wantarray)$/;
const QUOTES = /^(?:q|qq|qw|qx|m|qr|s|tr|y)$/;

export function perlTokens(code: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  /** Where the documents that began on this line end. */
  let skip: { start: number; end: number } | undefined;
  const inner = (text: string): void => void tokens.push(...perlTokens(text));
  const addText = (text: string, hasHoles: boolean): void => {
    const isOpen =
      hasHoles && /[$@]/.test(text.replace(/\\./gs, "").replace(/[$@](?=$|[\s,.;:!)|])/g, ""));
    tokens.push({ kind: "text", text, value: isOpen ? undefined : unescaped(text) });
    // `@{[ code ]}`, `${\ code }`
    if (hasHoles)
      for (const match of text.matchAll(/[$@]\{(?!\^?\w+\})/g)) {
        const from = match.index + 2;
        inner(text.slice(from, endOf(text, from, "{")));
      }
  };
  let at = 0;
  while (at < code.length) {
    if (skip && at >= skip.start) {
      at = skip.end;
      skip = undefined;
      tokens.push({ kind: "newline", text: "\n" });
      continue;
    }
    const rest = code.slice(at, at + 40);
    const before = tokens.at(-1);
    const isValue = beginsValue(before, VALUE_WORDS);
    if (/^__(?:END|DATA)__/.test(rest)) break;
    if ((at === 0 || code[at - 1] === "\n") && /^=[a-z]/.test(rest)) {
      const cut = code.indexOf("\n=cut", at);
      at = cut < 0 ? code.length : cut + 5;
      continue;
    }
    const char = code[at]!;
    if (char === '"' || char === "'" || char === "`") {
      const end = endOf(code, at + 1, char);
      const text = code.slice(at + 1, end);
      if (char === "`") tokens.push(commandToken(text));
      else addText(text, char === '"');
      at = end + 1;
      continue;
    }
    const document = /^<<(~?)(?:(["'])([^"'\n]*)\2|([A-Za-z_]\w*))/.exec(rest);
    if (document && (isValue || document[2] !== undefined)) {
      const word = document[3] ?? document[4]!;
      const found = bodyOf(code, skip?.end ?? at, word);
      addText(found.body, document[2] !== "'");
      skip = { start: skip?.start ?? found.start, end: found.end };
      at += document[0].length;
      continue;
    }
    // `<$fh>`, `<STDIN>`, `<>`, `<*.txt>`
    const handle = isValue ? /^<[^<>=\n]*>/.exec(code.slice(at, at + 200)) : null;
    if (handle) {
      tokens.push({ kind: "text", text: handle[0] });
      at += handle[0].length;
      continue;
    }
    if (char === "/" && isValue) {
      const end = endOf(code, at + 1, "/");
      tokens.push(patternToken(code.slice(at + 1, end)));
      at = end + 1 + /^[a-z]*/.exec(code.slice(end + 1))![0].length;
      continue;
    }
    PLAIN.lastIndex = at;
    const match = PLAIN.exec(code);
    if (!match) throw new UnreadableTokens("a sign that Perl does not have");
    const { blank, name } = match.groups!;
    const text = match[0];
    const from = at + text.length;
    const quote = name !== undefined && QUOTES.test(name) && !isKey(code, from, before);
    if (quote) {
      const open = /^\s*([^\w\s,;)=]|=(?![=>~]))/.exec(code.slice(from)) ?? /^\s+(#?)/.exec("");
      if (open) {
        at = readQuote({
          code,
          name: name!,
          from: from + open[0].length,
          open: open[1]!,
          tokens,
          addText,
          inner,
        });
        continue;
      }
    }
    at = from;
    if (blank !== undefined) continue;
    tokens.push({ kind: kindOf(match.groups!), text });
  }
  return tokens;
}

function commandToken(text: string): CodeToken {
  return { kind: "command", text, value: /[$@]/.test(text) ? undefined : unescaped(text) };
}

function patternToken(text: string): CodeToken {
  return { kind: "pattern", text };
}

/** `{s}`, `s => 1`, `$x->y` */
function isKey(code: string, from: number, before: CodeToken | undefined): boolean {
  if (before?.text === "->" || before?.text === "sub" || before?.text === "&") return true;
  const rest = code.slice(from, from + 12);
  return /^\s*(?:=>|,|;|\))/.test(rest) || (before?.text === "{" && /^\s*\}/.test(rest));
}

interface Quote {
  code: string;
  name: string;
  from: number;
  open: string;
  tokens: CodeToken[];
  addText: (text: string, hasHoles: boolean) => void;
  inner: (text: string) => void;
}

/** Gives where it ends, flags and all. */
function readQuote({ code, name, from, open, tokens, addText, inner }: Quote): number {
  const end = endOf(code, from, open);
  const text = code.slice(from, end);
  if (name === "q" || name === "qq") addText(text, name === "qq" && open !== "'");
  else if (name === "qw") tokens.push({ kind: "text", text });
  else if (name === "qx") tokens.push(commandToken(text));
  else if (name === "m" || name === "qr") tokens.push(patternToken(text));
  if (!/^(?:s|tr|y)$/.test(name)) return end + 1 + flags(code, end + 1, name).length;
  tokens.push(patternToken(text));
  let start = end + 1;
  let other = open;
  if ("([{<".includes(open)) {
    const next = /^\s*(\S)/.exec(code.slice(start));
    if (!next) throw new UnreadableTokens("a replacement is missing");
    other = next[1]!;
    start += next[0].length;
  }
  const last = endOf(code, start, other);
  const replacement = code.slice(start, last);
  const found = flags(code, last + 1, name);
  if (name === "s" && found.includes("e")) {
    if (/e.*e/.test(found))
      tokens.push({ kind: "name", text: "eval" }, { kind: "sign", text: "?" });
    inner(replacement);
  } else if (name === "s") addText(replacement, other !== "'");
  return last + 1 + found.length;
}

function flags(code: string, at: number, name: string): string {
  return /^q[qwx]?$/.test(name) ? "" : /^[a-z]*/.exec(code.slice(at))![0];
}
