// Rich Text: its words, lines and tables. Formatting is left out, since what matters in such
// files is what they say.

import { MAX_TEXT_CHARS, type ConvertedDocument } from "./converted.ts";
import { corruptDocument } from "./document-error.ts";
import { RtfTable } from "./rtf-table.ts";

/** Groups that hold no text of the document. */
const HIDDEN: ReadonlySet<string> = new Set([
  "fonttbl",
  "colortbl",
  "stylesheet",
  "info",
  "pict",
  "object",
  "header",
  "headerl",
  "headerr",
  "headerf",
  "footer",
  "footerl",
  "footerr",
  "footerf",
  "listtable",
  "listoverridetable",
  "revtbl",
  "rsidtbl",
  "generator",
  "fldinst",
  "themedata",
  "colorschememapping",
  "datastore",
  "latentstyles",
  "xmlnstbl",
  "filetbl",
]);

const WORDS: Record<string, string> = {
  par: "\n\n",
  line: "\n",
  sect: "\n\n",
  page: "\n\n",
  tab: "\t",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  emspace: " ",
  enspace: " ",
  "~": "\u00a0",
  _: "\u2011",
  "-": "",
};

const TABLE_WORDS: ReadonlySet<string> = new Set(["pard", "intbl", "cell", "row"]);

interface Group {
  isHidden: boolean;
  /** How many characters stand in for one that old readers do not know. */
  skip: number;
}

const TOKEN =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z\d])|([{}])|([\r\n]+)|([^\\{}\r\n]+)|\\/giy;

export function convertRtf(name: string, bytes: Uint8Array): ConvertedDocument {
  // A character for each byte: which characters they are is said inside.
  const source = Buffer.from(bytes).toString("latin1");
  if (!source.startsWith("{\\rtf")) throw corruptDocument(name);
  const reader = new RtfReader();
  for (const token of source.matchAll(new RegExp(TOKEN, "giy"))) {
    reader.take(token);
    if (reader.text.length > MAX_TEXT_CHARS) {
      const notes = [`Only the first ${MAX_TEXT_CHARS} characters are here.`];
      return { text: tidy(reader.text.slice(0, MAX_TEXT_CHARS)), notes };
    }
  }
  return { text: tidy(reader.finish()), notes: [] };
}

class RtfReader {
  text = "";
  #decoder = new TextDecoder("windows-1252");
  #groups: Group[] = [];
  #group: Group = { isHidden: false, skip: 1 };
  #skipped = 0;
  #bytes: number[] = [];
  #isOptional = false;
  readonly #table = new RtfTable();

  take([whole, word, number, hex, symbol, brace, , plain]: RegExpMatchArray): void {
    if (hex !== undefined) return this.#addByte(Number.parseInt(hex, 16));
    if (brace === "{") {
      this.#groups.push(this.#group);
      this.#group = { ...this.#group };
      this.#skipped = 0;
    } else if (brace === "}") {
      this.#group = this.#groups.pop() ?? this.#group;
      this.#skipped = 0;
    } else if (word !== undefined) this.#addWord(word, number);
    else if (symbol !== undefined) this.#addSymbol(symbol);
    else if (plain !== undefined) this.#addPlain(plain);
    else if (whole.startsWith("\\")) this.#isOptional = false;
  }

  finish(): string {
    this.#flush();
    if (this.#table.hasRows) this.text += this.#table.take();
    return this.text;
  }

  #addWord(word: string, number: string | undefined): void {
    const wasOptional = this.#isOptional;
    this.#isOptional = false;
    if (HIDDEN.has(word) || (wasOptional && word !== "fldrslt")) this.#group.isHidden = true;
    else if (word === "ansicpg") this.#decoder = decoderFor(Number(number));
    else if (word === "uc") this.#group.skip = Math.min(8, Math.max(0, Number(number ?? 1)));
    else if (word === "u" && number !== undefined) {
      const code = Number(number) & 0xffff;
      this.#addText(String.fromCharCode(code), { canSkip: false });
      this.#skipped = this.#group.skip;
    } else if (word === "bin") this.#group.isHidden = true;
    else if (TABLE_WORDS.has(word) && !this.#group.isHidden) this.#addToTable(word);
    else this.#addText(WORDS[word] ?? "", { canSkip: false });
  }

  #addToTable(word: string): void {
    this.#flush();
    if (word === "pard") this.#table.isInside = false;
    else if (word === "intbl") this.#table.begin(this.text.length);
    else if (word === "row") this.#table.endRow();
    else this.text = this.#table.endCell(this.text);
  }

  #addSymbol(symbol: string): void {
    if (symbol === "*") {
      this.#isOptional = true;
      return;
    }
    this.#addText(/[\\{}]/.test(symbol) ? symbol : (WORDS[symbol] ?? ""), { canSkip: true });
  }

  /** Bytes beyond ASCII are those of the code page, written without their escapes. */
  #addPlain(text: string): void {
    for (const [piece] of text.matchAll(/[\x00-\x7f]+|[\x80-\xff]/g)) {
      if (piece.charCodeAt(0) < 0x80) this.#addText(piece, { canSkip: true });
      else this.#addByte(piece.charCodeAt(0));
    }
  }

  #addText(text: string, { canSkip }: { canSkip: boolean }): void {
    if (text === "") return;
    const from = canSkip ? Math.min(this.#skipped, text.length) : 0;
    this.#skipped = Math.max(0, this.#skipped - from);
    if (this.#group.isHidden || from === text.length) return;
    this.#flush();
    // What follows a table ends it.
    const isBehind = this.#table.hasRows && !this.#table.isInside && text.trim() !== "";
    if (isBehind) this.text += this.#table.take();
    this.text += text.slice(from);
  }

  /** Characters of Asian code pages take two of them: they are decoded together. */
  #addByte(byte: number): void {
    if (this.#skipped > 0) this.#skipped--;
    else if (!this.#group.isHidden) this.#bytes.push(byte);
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    this.text += this.#decoder.decode(Uint8Array.from(this.#bytes));
    this.#bytes = [];
  }
}

const CODE_PAGES: Record<number, Bun.Encoding> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  65001: "utf-8",
};

function decoderFor(page: number): TextDecoder {
  const label = CODE_PAGES[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : undefined);
  return new TextDecoder((label ?? "windows-1252") as Bun.Encoding);
}

function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
