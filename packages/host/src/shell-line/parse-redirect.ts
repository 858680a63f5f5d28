// Redirections, and the here documents whose lines come after the line that asks for them.

import { readDoubleQuoted, requireWord } from "./parse-word.ts";
import type { PendingDocument, SourceReader } from "./source-reader.ts";
import { bareText, literalText, type Redirect, type RedirectOperator } from "./syntax-tree.ts";

const REDIRECT = /(\d{1,4}|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<>|<&|>>|>&|>\||<|>)|(&>>|&>)/y;

/** Undefined where none begins. */
export function readRedirect(reader: SourceReader): Redirect | undefined {
  const from = reader.at;
  REDIRECT.lastIndex = from;
  const match = REDIRECT.exec(reader.text);
  if (!match) return undefined;
  const operator = (match[2] ?? match[3]) as RedirectOperator;
  const behind = reader.text[from + match[0].length];
  // `<(…)` is a word, not a redirection.
  if ((operator === "<" || operator === ">") && behind === "(") return undefined;
  reader.at += match[0].length;
  if (behind === "\\" && reader.startsWith("\\\n")) {
    reader.fail("a line is continued inside an operator");
  }
  const target = requireWord(reader, `the word after ${operator}`);
  if ("<>".includes(reader.char) && /^(?:\d+|\{\w+\})$/.test(bareText(target) ?? "")) {
    if (!reader.isAtEnd) reader.fail("there is a descriptor in the place of a word");
  }
  const redirect: Redirect = {
    operator,
    descriptor: match[1],
    target,
    document: undefined,
    from,
    to: reader.at,
  };
  if (operator === "<<" || operator === "<<-") {
    const delimiter = literalText(target) ?? reader.fail("a here document ends with a value");
    const raw = reader.text.slice(target.from, target.to);
    if (delimiter.includes("\n") || raw.includes("\\\n")) reader.fail("a delimiter has line ends");
    redirect.document = { parts: [], text: "" };
    reader.notes?.asked.push(from);
    reader.documents.push({
      delimiter,
      isLiteral: raw !== delimiter,
      stripsTabs: operator === "<<-",
      askedAt: from,
      document: redirect.document,
    });
  }
  return redirect;
}

export function readRedirects(reader: SourceReader): Redirect[] {
  const redirects: Redirect[] = [];
  for (;;) {
    reader.skipBlanks();
    const redirect = readRedirect(reader);
    if (!redirect) return redirects;
    redirects.push(redirect);
  }
}

/** At a line end: takes it, and the documents that the line asked for. */
export function readLineEnd(reader: SourceReader): void {
  reader.at++;
  const pending = reader.documents;
  reader.documents = [];
  for (const document of pending) readDocument(reader, document);
}

function readDocument(reader: SourceReader, pending: PendingDocument): void {
  const lines: string[] = [];
  const from = reader.at;
  let isContinued = false;
  for (;;) {
    if (reader.isAtEnd) reader.fail(`a here document lacks its end, ${pending.delimiter}`);
    const endLineFrom = reader.at;
    const end = reader.text.indexOf("\n", reader.at);
    const raw = reader.text.slice(reader.at, end < 0 ? undefined : end);
    reader.at = end < 0 ? reader.text.length : end + 1;
    const line = pending.stripsTabs ? raw.replace(/^\t+/, "") : raw;
    if (line === pending.delimiter) {
      if (isContinued) reader.fail("a here document's last line is continued");
      const { askedAt } = pending;
      reader.notes?.documents.push({ askedAt, from, endLineFrom, to: reader.at });
      break;
    }
    lines.push(line);
    isContinued = !pending.isLiteral && /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
  }
  const body = lines.map((line) => `${line}\n`).join("");
  pending.document.text = body;
  pending.document.parts = pending.isLiteral
    ? [{ type: "literal", text: body, isQuoted: true }]
    : reader.nested(() => readDoubleQuoted(reader.inner(body), "end"));
}
