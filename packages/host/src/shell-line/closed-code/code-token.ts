// What the tokenizers of Perl, Ruby, PHP and Lua have in common. They read no grammar: names, texts,
// patterns and signs are enough to see every call that a text can make.

export interface CodeToken {
  /** `command`: a text between backquotes, which a shell runs. */
  kind: "name" | "variable" | "text" | "pattern" | "command" | "number" | "sign" | "newline";
  text: string;
  /** Of a text, what it says, if nothing in it is only known when it runs. */
  value?: string;
}

const KINDS = ["newline", "variable", "number", "name"] as const;

/** Of a plain token, by the group of the pattern that it was found by. */
export function kindOf(groups: Readonly<Record<string, string | undefined>>): CodeToken["kind"] {
  return KINDS.find((kind) => groups[kind] !== undefined) ?? "sign";
}

/** Takes the plain token at a place, unless it is blank; gives where the next one begins. */
export function takePlain(tokens: CodeToken[], plain: RegExp, code: string, at: number): number {
  plain.lastIndex = at;
  const match = plain.exec(code);
  if (!match) throw new UnreadableTokens(`a sign that the language does not have: ${code[at]}`);
  const groups = match.groups!;
  if (groups.blank === undefined) tokens.push({ kind: kindOf(groups), text: match[0] });
  return at + match[0].length;
}

/** Longer code is not judged; nobody types it. */
export const MAX_CODE = 50_000;

/** It is not what the tokenizer takes it for. */
export class UnreadableTokens extends Error {}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** From just behind the opening sign: where the closing one is. Brackets may be nested. */
export function endOf(code: string, from: number, open: string): number {
  const close = CLOSING[open] ?? open;
  let depth = 1;
  for (let at = from; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === close && --depth === 0) return at;
    else if (code[at] === open && close !== open) depth++;
  }
  throw new UnreadableTokens(`${open} is not closed`);
}

/** The lines from behind this one to the one that has only the word: a here document. */
export function bodyOf(
  code: string,
  from: number,
  word: string,
): { body: string; start: number; end: number } {
  const start = code.indexOf("\n", from);
  if (start < 0) throw new UnreadableTokens(`${word} is missing`);
  const lines = code.slice(start + 1).split("\n");
  const last = lines.findIndex((line) => line.trim().replace(/[;,)]*$/, "") === word);
  if (last < 0) throw new UnreadableTokens(`${word} is missing`);
  const body = lines.slice(0, last).join("\n");
  return { body, start, end: start + 1 + lines.slice(0, last + 1).join("\n").length };
}

/** Whether a value can begin here, so that `/` begins a pattern and `<<` a document. */
export function beginsValue(before: CodeToken | undefined, words: RegExp): boolean {
  if (!before || before.kind === "newline") return true;
  if (before.kind === "name") return words.test(before.text);
  return before.kind === "sign" && !/^[)\]}]$/.test(before.text);
}

/** What plain escapes say; undefined if there are others. */
export function unescaped(text: string): string | undefined {
  if (/\\[^\\"'ntr$@#0/|]/.test(text)) return undefined;
  return text.replace(
    /\\(.)/gs,
    (_, char: string) => ({ n: "\n", t: "\t", r: "\r" })[char] ?? char,
  );
}
