// Large pastes stand in the text as one character of a private range, drawn as a label and
// expanded when the text is sent. As one character it moves, is deleted and undone as one,
// and the buffer stays small however large the paste.

export interface FoldLimits {
  lines: number;
  chars: number;
}

/** More than this would push what the user wrote off the screen. */
const DEFAULT_FOLD_LIMITS: FoldLimits = { lines: 10, chars: 2_000 };

// The end of the last private plane: fonts put their own signs at the beginnings.
const FIRST_CODE = 0x10f000;
const LAST_CODE = 0x10fffd;
const TOKEN = /[\u{10f000}-\u{10fffd}]/u;
const TOKENS = /[\u{10f000}-\u{10fffd}]/gu;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const HAS_CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const SPACES_OF_BREAKS = /\r\n?|[\u2028\u2029]/g;

/** As the buffer wants it: only `\n` for breaks, no escapes, no lone halves, no tokens. */
export function cleanInput(text: string): string {
  let clean = text;
  if (/[\r\u2028\u2029]/.test(clean)) clean = clean.replace(SPACES_OF_BREAKS, "\n");
  if (HAS_CONTROLS.test(clean)) clean = Bun.stripANSI(clean).replace(CONTROLS, "");
  if (!clean.isWellFormed()) clean = clean.toWellFormed();
  return TOKEN.test(clean) ? clean.replace(TOKENS, "\ufffd") : clean;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

export class PasteTokens {
  readonly #limits: FoldLimits;
  #pastes: { text: string; label: string }[] = [];

  constructor(limits: FoldLimits = DEFAULT_FOLD_LIMITS) {
    this.#limits = limits;
  }

  /** The text itself where it is small, otherwise the token that stands for it. */
  fold(text: string): string {
    if (text.length <= this.#limits.chars && text.length < this.#limits.lines) return text;
    const lines = countLines(text);
    if (text.length <= this.#limits.chars && lines <= this.#limits.lines) return text;
    const code = FIRST_CODE + this.#pastes.length;
    if (code > LAST_CODE) return text;
    const number = this.#pastes.length + 1;
    const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
    this.#pastes.push({ text, label: `[paste #${number}, ${size}]` });
    return String.fromCodePoint(code);
  }

  /** What a cluster is drawn as where it holds a token. */
  labelOf(cluster: string): string | undefined {
    const code = cluster.codePointAt(0) ?? 0;
    return code < FIRST_CODE ? undefined : this.#pastes[code - FIRST_CODE]?.label;
  }

  expand(text: string): string {
    if (!TOKEN.test(text)) return text;
    return text.replace(TOKENS, (token) => this.#pasteOf(token)?.text ?? token);
  }

  /** With labels in the place of what they stand for. */
  shown(text: string): string {
    if (!TOKEN.test(text)) return text;
    return text.replace(TOKENS, (token) => this.#pasteOf(token)?.label ?? token);
  }

  holdsToken(text: string): boolean {
    return TOKEN.test(text);
  }

  clear(): void {
    this.#pastes = [];
  }

  #pasteOf(token: string): { text: string; label: string } | undefined {
    return this.#pastes[token.codePointAt(0)! - FIRST_CODE];
  }
}
