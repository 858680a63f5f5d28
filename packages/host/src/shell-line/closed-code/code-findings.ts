// What the judges of Perl, Ruby, PHP and Lua find, and how they look at the arguments of a call.

import type { CodeToken } from "./code-token.ts";

export class CodeFindings {
  /** Why somebody is asked. */
  readonly asks: string[] = [];
  /** Command lines that it runs. */
  readonly commands: string[] = [];
  readonly writes: string[] = [];
  readonly deletes: string[] = [];
  /** Files of code that it runs. */
  readonly loads: string[] = [];
  /** It writes or deletes what it is given on the command line. */
  changesOperands = false;

  ask(what: string): void {
    if (this.asks.length < MAX_REASONS && !this.asks.includes(what)) this.asks.push(what);
  }

  unknownName(name: string): void {
    this.ask(`it is not known what ${name} does in its script`);
  }

  /** A command that the code runs: judged if its text is known. */
  run(given: readonly CodeToken[] | undefined, all: readonly CodeToken[]): void {
    const texts = (given ?? []).map((token) => token.value);
    const isList = given !== undefined && given.length > 0 && given.every(isText);
    if (isList && !texts.includes(undefined)) this.commands.push(texts.join(" "));
    else {
      const known = given?.length === 1 ? literalsOf(given[0]!, all) : undefined;
      if (known) this.commands.push(...known);
      else this.ask("its script runs a command that is only known when it runs");
    }
  }

  /** Paths that it changes: those that can be read off count as such, others ask. */
  change(
    list: "writes" | "deletes",
    given: readonly CodeToken[] | undefined,
    all: readonly CodeToken[],
  ): void {
    const found = given && pathsOf(given, all);
    if (found === "operands") this.changesOperands = true;
    else if (found) this[list].push(...found);
    else this.ask(`its script ${list} files, and which cannot be told`);
  }
}

/** More reasons tell nobody anything. */
const MAX_REASONS = 5;

export function isText({ kind }: CodeToken): boolean {
  return kind === "text";
}

/** The arguments of the call whose name stands there, each as its tokens; brackets may be left out. */
export function argumentsAfter(
  tokens: readonly CodeToken[],
  index: number,
  ends: RegExp = /^(?:or|and|if|unless|for|foreach|while|until|do|end|then)$/,
): CodeToken[][] {
  const isBracketed = tokens[index + 1]?.text === "(" && tokens[index + 1]!.kind === "sign";
  const found: CodeToken[][] = [[]];
  let depth = 0;
  for (let at = index + (isBracketed ? 2 : 1); at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.kind === "sign") {
      if (/^[([{]$/.test(token.text)) depth++;
      if (/^[)\]}]$/.test(token.text) && --depth < 0) break;
      if (depth === 0 && token.text === ",") {
        found.push([]);
        continue;
      }
      if (depth === 0 && !isBracketed && /^(?:;|\|\||&&)$/.test(token.text)) break;
    }
    if (depth === 0 && !isBracketed) {
      if (token.kind === "newline") break;
      if (token.kind === "name" && ends.test(token.text)) break;
    }
    if (token.kind !== "newline") found.at(-1)!.push(token);
  }
  return found.length === 1 && found[0]!.length === 0 ? [] : found;
}

const OPERAND = /^(?:ARGV|argv|shift|\$ARGV|@ARGV|\$argv|arg|\$_|\$F|\$PROGRAM_NAME)$/;

/** What an expression says, if it is a text, or a name that is given nothing but texts. */
export function pathsOf(
  given: readonly CodeToken[],
  all: readonly CodeToken[],
): readonly string[] | "operands" | undefined {
  const own = given.filter(({ text, kind }) => !(kind === "sign" && /^[()]$/.test(text)));
  if (own.length === 0) return undefined;
  if (own.every(isText) && own.every(({ value }) => value !== undefined))
    return own.map(({ value }) => value!);
  const [first] = own;
  if (OPERAND.test(first!.text)) return "operands";
  if (first!.kind === "text") {
    // `"out/$name.txt"`: it begins where it begins.
    const start = /^[\w.-]+\//.exec(first!.text)?.[0];
    const isInside = start !== undefined && !first!.text.includes("..");
    return isInside ? [`${start}*`] : undefined;
  }
  if (first!.kind !== "variable" && first!.kind !== "name") return undefined;
  const isBare = own.length === 1;
  // `f + ".new"`, `$f . ".bak"`
  const isLonger =
    own.length === 3 && /^[+.]$/.test(own[1]!.text) && /^\.[\w.]+$/.test(own[2]!.value ?? "");
  if (!isBare && !isLonger) return undefined;
  const literals = literalsOf(first!, all);
  return literals?.map((each) => (isLonger ? `${each}*` : each));
}

/** Each value that a name is given, if all are texts; or what a pattern of files gives. */
export function literalsOf(
  { text }: CodeToken,
  all: readonly CodeToken[],
): readonly string[] | undefined {
  const found: string[] = [];
  let isGiven = false;
  for (const [at, token] of all.entries()) {
    if (token.text !== text || (token.kind !== "name" && token.kind !== "variable")) continue;
    const after = all[at + 1]?.text;
    if (after !== undefined && /^[-+.|*]?=$/.test(after)) {
      isGiven = true;
      const [value, next] = [all[at + 2], all[at + 3]];
      const isAlone =
        !next || next.kind === "newline" || /^[;),}]$|^(?:if|unless|or)$/.test(next.text);
      if (after !== "=" || value?.value === undefined || !isAlone) return undefined;
      found.push(value.value);
    }
  }
  if (isGiven) return found;
  return globsIn(all);
}

/** `glob("*.txt")`, `Dir["src/*"]`, `<*.txt>`: which files a loop goes over. */
function globsIn(all: readonly CodeToken[]): readonly string[] | undefined {
  const found: string[] = [];
  for (const [at, { text, kind }] of all.entries()) {
    const isGlob = kind === "name" && /^(?:glob|Dir|bsd_glob)$/.test(text);
    const near = isGlob ? all.slice(at + 1, at + 4).find(isText) : undefined;
    if (near?.value !== undefined) found.push(near.value);
    if (kind === "text" && /^<[^<>$]*\*[^<>$]*>$/.test(text)) found.push(text.slice(1, -1));
  }
  return found.length > 0 ? found : undefined;
}
