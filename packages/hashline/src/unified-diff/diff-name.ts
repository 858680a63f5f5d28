// The names in the headers of a diff: without the time that may follow them, and out of the quotes
// that git puts around names with unusual characters.

/** After a tab anything may follow a name; without one only what is surely a time. */
const TIME =
  /\s+(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:\s*(?:[+-]\d\d:?\d\d|Z|UTC|GMT))?|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} [ \d]\d \d\d:\d\d:\d\d(?: \w+)? \d{4})$/;
const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
};

export interface DiffName {
  name: string;
  /** It is `/dev/null`, or its time is the beginning of time, as `diff -N` says "not there". */
  isNowhere: boolean;
  /** A time follows, as programs write it that compare two files. */
  hasTime: boolean;
}

/** `written` is what follows `--- ` or `+++ `. */
export function readDiffName(written: string): DiffName {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(written);
  const tab = written.indexOf("\t");
  const plain = tab < 0 ? written.replace(TIME, "") : written.slice(0, tab);
  const name = quoted ? unquote(quoted[1]!) : plain.trimEnd();
  const time = quoted ? written.slice(quoted[0].length) : written.slice(plain.length);
  const isNowhere = name === "/dev/null" || isEpoch(time);
  return { name, isNowhere, hasTime: /\d/.test(time) };
}

function isEpoch(time: string): boolean {
  if (!/^\s*(?:1970-01-01|1969-12-31)/.test(time)) return false;
  const written = time.trim().replace(/(\d\d:\d\d:\d\d)\.\d+/, "$1");
  return Date.parse(/[+-]\d\d:?\d\d$/.test(written) ? written : `${written} +0000`) === 0;
}

/** The two names of `diff --git A B`; undefined if it cannot be told where one ends. */
export function readGitNames(written: string): [string, string] | undefined {
  const quoted = /^"((?:[^"\\]|\\.)*)" (?:"((?:[^"\\]|\\.)*)"|(.*))$/.exec(written);
  if (quoted) return [unquote(quoted[1]!), quoted[3] ?? unquote(quoted[2]!)];
  const second = /^(\S.*) "((?:[^"\\]|\\.)*)"$/.exec(written);
  if (second) return [second[1]!, unquote(second[2]!)];
  // Names that are the same but for their first part, however many spaces they have.
  const middle = (written.length - 1) / 2;
  const halves: [string, string] = [written.slice(0, middle), written.slice(middle + 1)];
  if (written[middle] === " " && withoutFirst(halves[0]) === withoutFirst(halves[1])) return halves;
  const parts = written.split(" ");
  return parts.length === 2 ? [parts[0]!, parts[1]!] : undefined;
}

/** A name as git writes it after `rename from` and its like. */
export function readBareName(written: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(written);
  return quoted ? unquote(quoted[1]!) : written;
}

export function withoutFirst(name: string): string {
  return name.replace(/^[^/]*\/+/, "");
}

/** Git escapes the bytes of a name, not its characters. */
function unquote(inner: string): string {
  const text = inner.replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3
      ? `\0${String.fromCharCode(Number.parseInt(code, 8))}`
      : (ESCAPES[code] ?? code),
  );
  const bytes: number[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at++) {
    if (characters[at] === "\0") bytes.push(characters[++at]!.charCodeAt(0) & 0xff);
    else bytes.push(...new TextEncoder().encode(characters[at]));
  }
  return partsOf(bytes).map(partText).join("/");
}

const SLASH = 0x2f;

function partsOf(bytes: readonly number[]): number[][] {
  const parts: number[][] = [[]];
  for (const byte of bytes) {
    if (byte === SLASH) parts.push([]);
    else parts.at(-1)!.push(byte);
  }
  return parts;
}

/** What is not UTF-8 is written as bash does, `$'caf\351'`, as names are given to tools. */
function partText(bytes: readonly number[]): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const signs = bytes.map((byte) => {
      const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c;
      return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
    });
    return `$'${signs.join("")}'`;
  }
}
