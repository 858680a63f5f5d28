// The style that is in force at a point of a row: which SGR attributes and which hyperlink.
// Whoever cuts a row in two needs it, to open at the start of the second part what was open at
// the end of the first. Kept as one value per attribute, so that it stays small however long
// and colourful the text is.

const ESC = "\x1b";
const RESET_STYLE = `${ESC}[0m`;
export const CLOSE_LINK = `${ESC}]8;;${ESC}\\`;

/** What an SGR parameter sets, by attribute; clearing parameters name what they clear. */
const ON: Record<string, string> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  5: "blink",
  6: "blink",
  7: "inverse",
  8: "hidden",
  9: "strike",
  21: "underline",
  53: "overline",
};
const OFF: Record<string, readonly string[]> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  25: ["blink"],
  27: ["inverse"],
  28: ["hidden"],
  29: ["strike"],
  39: ["foreground"],
  49: ["background"],
  55: ["overline"],
  59: ["underlineColor"],
};
const EXTENDED: Record<string, string> = {
  38: "foreground",
  48: "background",
  58: "underlineColor",
};

export class StyleState {
  readonly #attributes = new Map<string, string>();
  #link = "";

  get plain(): boolean {
    return this.#attributes.size === 0 && this.#link === "";
  }

  /** Takes in one whole escape sequence; others than SGR and links change nothing. */
  apply(escape: string): void {
    if (escape.startsWith(`${ESC}]8;`)) {
      this.#link = /^\u001b\]8;[^;]*;(?:\u0007|\u001b\\)$/.test(escape) ? "" : escape;
      return;
    }
    if (!escape.startsWith(`${ESC}[`) || !escape.endsWith("m")) return;
    const parameters = escape.slice(2, -1).split(";");
    for (let index = 0; index < parameters.length; index += 1) {
      index += this.#set(parameters, index);
    }
  }

  /** What makes the style anew after a reset. */
  open(): string {
    if (this.plain) return "";
    const codes = [...this.#attributes.values()].join(";");
    return (codes === "" ? "" : `${ESC}[${codes}m`) + this.#link;
  }

  /** What ends it; empty where nothing is open. */
  close(): string {
    return (this.#link === "" ? "" : CLOSE_LINK) + (this.#attributes.size === 0 ? "" : RESET_STYLE);
  }

  /** Returns how many further parameters belonged to this one. */
  #set(parameters: readonly string[], index: number): number {
    const whole = parameters[index]!;
    const code = whole.split(":")[0]!;
    if (code === "" || code === "0") this.#attributes.clear();
    const cleared = OFF[code];
    if (cleared) for (const name of cleared) this.#attributes.delete(name);
    const extended = EXTENDED[code];
    if (extended) return this.#setExtended(extended, parameters, index);
    if (ON[code] !== undefined) this.#attributes.set(ON[code], whole);
    else if (/^(3[0-7]|9[0-7])$/.test(code)) this.#attributes.set("foreground", whole);
    else if (/^(4[0-7]|10[0-7])$/.test(code)) this.#attributes.set("background", whole);
    return 0;
  }

  #setExtended(name: string, parameters: readonly string[], index: number): number {
    if (parameters[index]!.includes(":")) {
      this.#attributes.set(name, parameters[index]!);
      return 0;
    }
    const count = parameters[index + 1] === "2" ? 4 : 2;
    this.#attributes.set(name, parameters.slice(index, index + 1 + count).join(";"));
    return count;
  }
}
