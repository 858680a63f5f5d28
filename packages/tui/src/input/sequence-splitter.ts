// Cuts what comes from the terminal into whole pieces: typed text, escape sequences, pastes.
// Bytes may arrive split anywhere, inside a character, a sequence or the end mark of a paste;
// the pieces are the same. What is unfinished waits here; a timer outside decides how long.

export type InputPiece =
  | { type: "text"; text: string }
  | { type: "sequence"; text: string }
  | { type: "paste"; text: string };

const ESC = "\x1b";
const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";
// A longer one is not from a terminal; keeping it would let a stream of digits fill memory.
const MAX_CSI_UNITS = 256;
const MAX_STRING_UNITS = 8_192;
// A paste beyond this is cut; nobody reads it, and the editor would hold it for ever.
const MAX_PASTE_UNITS = 64 * 1024 * 1024;
// The old mouse report: three characters follow, whatever they are.
const X10_MOUSE = "\x1b[M";
const X10_MOUSE_UNITS = 6;

const CSI = /^\u001b\[[0-?]*[ -/]*[@-~]/;
const CSI_PART = /^\u001b\[[0-?]*[ -/]*$/;
const STRING_INTRODUCERS = new Set(["]", "P", "_", "^", "X"]);

export class SequenceSplitter {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #paste: string[] | undefined;
  #pasteUnits = 0;

  /** Nothing, a lone escape, or a sequence of which more must come. */
  get waiting(): "nothing" | "escape" | "sequence" | "paste" {
    if (this.#paste) return "paste";
    if (this.#rest === "") return "nothing";
    return this.#rest === ESC ? "escape" : "sequence";
  }

  feed(bytes: Uint8Array | string): InputPiece[] {
    const text = typeof bytes === "string" ? bytes : this.#decoder.decode(bytes, { stream: true });
    const pieces: InputPiece[] = [];
    let rest: string | undefined = this.#rest + text;
    this.#rest = "";
    while (rest !== undefined && rest !== "") {
      rest = this.#paste ? this.#takePaste(rest, pieces) : this.#take(rest, pieces);
    }
    return pieces;
  }

  /**
   * Nothing more came. A lone escape is the key; the beginnings that are also keys with Alt are
   * those; any other beginning is a broken sequence and goes. A paste without its end mark is what
   * has come of it.
   */
  flush(): InputPiece[] {
    const rest = this.#rest;
    this.#rest = "";
    if (this.#paste) return [this.#endPaste(rest)];
    if (rest === "") return [];
    const isKey = rest === ESC || (rest.length === 2 && rest !== ESC + ESC);
    return isKey ? [{ type: "sequence", text: rest }] : [];
  }

  /** Returns what is left to look at; undefined where more must come first. */
  #take(text: string, pieces: InputPiece[]): string | undefined {
    const escape = text.indexOf(ESC);
    if (escape !== 0) {
      const end = escape === -1 ? text.length : escape;
      pieces.push({ type: "text", text: text.slice(0, end) });
      return text.slice(end);
    }
    const length = sequenceLength(text);
    if (length === undefined) {
      this.#rest = text;
      return undefined;
    }
    if (length < 0) return text.slice(-length);
    const sequence = text.slice(0, length);
    if (sequence === PASTE_BEGIN) this.#paste = [];
    else pieces.push({ type: "sequence", text: sequence });
    return text.slice(length);
  }

  #takePaste(text: string, pieces: InputPiece[]): string | undefined {
    const end = text.indexOf(PASTE_END);
    if (end === -1) {
      // The end mark may have begun; only its possible beginning waits.
      const keep = partialEnd(text);
      this.#keep(text.slice(0, text.length - keep));
      this.#rest = text.slice(text.length - keep);
      return undefined;
    }
    pieces.push(this.#endPaste(text.slice(0, end)));
    return text.slice(end + PASTE_END.length);
  }

  #endPaste(last: string): InputPiece {
    this.#keep(last);
    const pasted = (this.#paste ?? []).join("");
    this.#paste = undefined;
    this.#pasteUnits = 0;
    return { type: "paste", text: pasted.replaceAll(/\r\n?/g, "\n") };
  }

  #keep(text: string): void {
    const room = MAX_PASTE_UNITS - this.#pasteUnits;
    if (text === "" || room <= 0) return;
    const kept = text.length > room ? text.slice(0, room) : text;
    this.#pasteUnits += kept.length;
    this.#paste?.push(kept);
  }
}

function partialEnd(text: string): number {
  for (let length = Math.min(PASTE_END.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(PASTE_END.slice(0, length))) return length;
  }
  return 0;
}

/** Undefined: more must come. Negative: so many characters are broken and go. */
function sequenceLength(text: string): number | undefined {
  const second = text[1];
  if (second === undefined) return undefined;
  if (second === ESC) return 1;
  if (second === "[") return csiLength(text);
  if (second === "O") return singleShiftLength(text);
  if (STRING_INTRODUCERS.has(second)) return stringLength(text);
  return 1 + String.fromCodePoint(text.codePointAt(1)!).length;
}

function csiLength(text: string): number | undefined {
  if (text.startsWith(X10_MOUSE))
    return text.length < X10_MOUSE_UNITS ? undefined : X10_MOUSE_UNITS;
  // The Linux console sends its function keys with two brackets.
  if (text.startsWith("\x1b[[")) return text.length < 4 ? undefined : 4;
  const head = text.slice(0, MAX_CSI_UNITS);
  const whole = CSI.exec(head);
  if (whole) return whole[0].length;
  if (CSI_PART.test(head)) return text.length < MAX_CSI_UNITS ? undefined : -head.length;
  // Something that cannot belong to it, such as a new escape: the beginning was broken.
  return -Math.max(/^\u001b\[[0-?]*[ -/]*/.exec(head)?.[0].length ?? 1, 1);
}

function singleShiftLength(text: string): number | undefined {
  if (text.length === 2) return undefined;
  return text[2] === ESC ? 2 : 3;
}

function stringLength(text: string): number | undefined {
  for (let at = 2; at < text.length; at += 1) {
    if (at > MAX_STRING_UNITS) return -at;
    if (text[at] === "\x07") return at + 1;
    if (text[at] !== ESC) continue;
    if (at + 1 === text.length) return undefined;
    return text[at + 1] === "\\" ? at + 2 : -at;
  }
  return text.length > MAX_STRING_UNITS ? -text.length : undefined;
}
