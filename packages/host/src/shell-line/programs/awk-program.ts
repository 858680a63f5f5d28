// awk programs, read token by token: what they print into files, and which commands they run. A
// regular expression may hold quotes and a string anything, so nothing less than tokens will do.

/** Where something is said by an expression, it is only known when the program runs. */
export interface AwkEffects {
  commands: string[];
  /** Commands that get what the program prints. */
  pipes: string[];
  files: string[];
  /** Files whose names are made of fields and texts: `$1 ".txt"`. */
  patterns: string[];
  reads: string[];
  isOpen: boolean;
}

type Token = {
  kind: "name" | "number" | "string" | "regex" | "operator" | "newline";
  text: string;
};

const TOKEN =
  /(?<blank>[ \t\r]+|\\\r?\n|#[^\n]*)|(?<newline>\n)|(?<string>"(?:[^"\\\n]|\\[^])*")|(?<name>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)|(?<operator>\|\||\|&|&&|>>|>=|<=|==|!=|!~|\+\+|--|\*\*=?|[-+*%^]=|[^\w\s"#])/y;
const REGEX = /\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?(?:[^\]\\\n]|\\[^\n])*\])*\//y;
const PLAIN_REGEX = /\/(?:[^/\\\n]|\\[^\n])*\//y;
/** Words after which a value begins. */
const KEYWORD = /^(?:print|printf|return|in|else|do|case|delete|exit|getline)$/;
const DANGEROUS = /system|\||getline|@|>/;

export function awkEffects(program: string): AwkEffects {
  const effects: AwkEffects = {
    commands: [],
    pipes: [],
    files: [],
    patterns: [],
    reads: [],
    isOpen: false,
  };
  if (!DANGEROUS.test(program)) return effects;
  const tokens = tokensOf(program);
  if (!tokens) return { ...effects, isOpen: true };
  tokens.forEach((token, index) => {
    if (token.text === "@") effects.isOpen = true;
    if (token.kind !== "name" && token.text !== "|" && token.text !== "|&") return;
    if (token.text === "system") noteCall(tokens, index, effects);
    else if (token.text === "print" || token.text === "printf") notePrint(tokens, index, effects);
    else if (token.text === "getline") noteRead(tokens, index, effects);
    else if (token.text.startsWith("|") && tokens[index + 1]?.text === "getline")
      noteSource(tokens, index, effects);
    else if (token.text === "|&") effects.isOpen = true;
  });
  return effects;
}

/** Undefined where it cannot be told what is a division and what a regular expression. */
function tokensOf(program: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    if (program[at] === "/" && mayBeginValue(tokens.at(-1))) {
      REGEX.lastIndex = at;
      PLAIN_REGEX.lastIndex = at;
      const found = REGEX.exec(program)?.[0];
      // Some take a slash in brackets for the end, others do not.
      if (found === undefined || found !== PLAIN_REGEX.exec(program)?.[0]) return undefined;
      tokens.push({ kind: "regex", text: found });
      at += found.length;
      continue;
    }
    // After a bracket it may be either; no more is known of such a program.
    if (program[at] === "/" && tokens.at(-1)?.text === ")") return undefined;
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(program);
    if (!match) return undefined;
    at += match[0].length;
    const { blank, newline, string, name, number } = match.groups!;
    if (blank !== undefined) continue;
    const kind =
      newline !== undefined
        ? "newline"
        : string !== undefined
          ? "string"
          : name !== undefined
            ? "name"
            : number !== undefined
              ? "number"
              : "operator";
    tokens.push({ kind, text: match[0] });
  }
  return tokens;
}

function mayBeginValue(before: Token | undefined): boolean {
  if (!before || before.kind === "newline") return true;
  if (before.kind === "name") return KEYWORD.test(before.text);
  return before.kind === "operator" && !/^(?:\)|\]|\$|\+\+|--)$/.test(before.text);
}

/** The tokens of an expression up to where it ends; a line goes on after a comma or an open bracket. */
function expressionFrom(tokens: readonly Token[], from: number): Token[] {
  const found: Token[] = [];
  let depth = 0;
  for (let index = from; index < tokens.length; index++) {
    const token = tokens[index]!;
    const goesOn = depth > 0 || /^(?:,|&&|\|\||\{|do|else)$/.test(found.at(-1)?.text ?? "");
    if (token.kind === "newline") {
      if (goesOn) continue;
      break;
    }
    if (token.kind === "operator") {
      if (token.text === "(" || token.text === "[") depth++;
      if (token.text === ")" || token.text === "]") depth--;
      if (depth < 0 || (depth === 0 && /^[;}]$/.test(token.text))) break;
    }
    found.push(token);
  }
  return found;
}

function literalOf(tokens: readonly Token[]): string | undefined {
  if (tokens.length !== 1 || tokens[0]!.kind !== "string") return undefined;
  const inner = tokens[0]!.text.slice(1, -1);
  // Octal and the like are not worth reading.
  if (/\\[^"\\/nt]/.test(inner)) return undefined;
  return inner.replace(/\\(.)/gs, (_, char: string) => ({ n: "\n", t: "\t" })[char] ?? char);
}

/** A name of texts and single fields that begins here and has an ending of its own. */
function patternOf(tokens: readonly Token[]): string | undefined {
  const inner = tokens.filter(({ text }) => text !== "(" && text !== ")" && text !== "$");
  if (inner.length < 2 || inner.some(({ kind }) => !/^(?:string|name|number)$/.test(kind)))
    return undefined;
  const parts = inner.map((token) => (token.kind === "string" ? literalOf([token]) : "?*"));
  if (parts.includes(undefined)) return undefined;
  const name = parts.join("");
  return /^[^/~]/.test(name) && !name.includes("..") && /\.\w+$/.test(name) ? name : undefined;
}

function noteCall(tokens: readonly Token[], index: number, effects: AwkEffects): void {
  if (tokens[index + 1]?.text !== "(") return;
  const text = literalOf(expressionFrom(tokens, index + 2));
  if (text === undefined) effects.isOpen = true;
  else effects.commands.push(text);
}

function notePrint(tokens: readonly Token[], index: number, effects: AwkEffects): void {
  const expression = expressionFrom(tokens, index + 1);
  let depth = 0;
  for (const [at, { kind, text }] of expression.entries()) {
    if (kind !== "operator") continue;
    if (/^[([]$/.test(text)) depth++;
    if (/^[)\]]$/.test(text)) depth--;
    if (depth > 0 || !/^(?:>>?|\|&?)$/.test(text)) continue;
    const target = literalOf(expression.slice(at + 1));
    const pattern = text.startsWith(">") ? patternOf(expression.slice(at + 1)) : undefined;
    if (pattern !== undefined && target === undefined) effects.patterns.push(pattern);
    else if (target === undefined || text === "|&") effects.isOpen = true;
    else (text.startsWith("|") ? effects.pipes : effects.files).push(target);
    return;
  }
}

function noteRead(tokens: readonly Token[], index: number, effects: AwkEffects): void {
  const at = tokens.findIndex((token, place) => place > index && token.text === "<");
  const source = at > 0 && at - index <= 4 ? tokens[at + 1] : undefined;
  const text = source && literalOf([source]);
  if (text !== undefined) effects.reads.push(text);
}

/** `"command" | getline` */
function noteSource(tokens: readonly Token[], index: number, effects: AwkEffects): void {
  const [before, source] = [tokens[index - 2], tokens[index - 1]];
  const isAlone = !before || /^(?:[;{(!]|&&|\|\|)$/.test(before.text) || before.kind === "newline";
  const text = isAlone && source ? literalOf([source]) : undefined;
  if (text === undefined) effects.isOpen = true;
  else effects.commands.push(text);
}
