// The command lines of perl, ruby, php and lua: which of their arguments is code, which modules they
// load before it, and which options do more than run it.

import type { Field } from "../field.ts";

export interface ClosedCommand {
  codes: Field[];
  /** Modules and libraries, as they are named. */
  modules: string[];
  /** A script, and what the code is given. */
  operands: Field[];
  /** It goes over the lines of its operands. */
  isLoop: boolean;
  /** It puts what it prints in their place. */
  isInPlace: boolean;
  /** Directories in which modules are looked for. */
  places: string[];
  /** Options that run or write something by themselves. */
  odd: string[];
}

interface OptionTable {
  /** Letters that have code behind them. */
  code: string;
  /** Letters that take the rest of the word, or the next one. */
  valued: string;
  /** Letters that take the rest of the word only. */
  glued: string;
  /** Letters that ask. */
  odd: string;
  modules: string;
  places: string;
  /** After them digits may follow. */
  numbered: string;
  loops: string;
  inPlace: string;
}

export const CLOSED_OPTIONS: Readonly<Record<string, OptionTable>> = {
  perl: {
    code: "eE",
    valued: "I",
    glued: "FMmCVi",
    odd: "xdDuS",
    modules: "Mm",
    places: "I",
    numbered: "0l",
    loops: "np",
    inPlace: "i",
  },
  ruby: {
    code: "e",
    valued: "rICE",
    glued: "FKTWi",
    odd: "xSC",
    modules: "r",
    places: "I",
    numbered: "0",
    loops: "np",
    inPlace: "i",
  },
  php: {
    code: "rBRE",
    valued: "dcftzS",
    glued: "",
    odd: "a",
    modules: "",
    places: "",
    numbered: "",
    loops: "",
    inPlace: "",
  },
  lua: {
    code: "e",
    valued: "lj",
    glued: "bO",
    odd: "",
    modules: "l",
    places: "",
    numbered: "",
    loops: "",
    inPlace: "",
  },
};

export function readClosed(args: readonly Field[], table: OptionTable): ClosedCommand {
  const found: ClosedCommand = {
    codes: [],
    modules: [],
    operands: [],
    isLoop: false,
    isInPlace: false,
    places: [],
    odd: [],
  };
  let index = 0;
  for (; index < args.length; index++) {
    const field = args[index]!;
    const text = field.text ?? field.prefix;
    if (text === "--") {
      index++;
      break;
    }
    if (!/^-./.test(text) || (field.text === undefined && text === "")) {
      // After the code or the script everything is an operand, options too.
      break;
    }
    if (text.startsWith("--")) continue;
    for (let at = 1; at < text.length; at++) {
      const letter = text[at]!;
      const rest = text.slice(at + 1);
      const value = (): Field | undefined =>
        rest === ""
          ? args[++index]
          : { ...field, text: field.text === undefined ? undefined : rest, prefix: rest };
      if (table.odd.includes(letter)) found.odd.push(`-${letter}`);
      if (table.loops.includes(letter)) found.isLoop = true;
      if (table.inPlace.includes(letter)) found.isInPlace = true;
      if (table.code.includes(letter)) {
        const code = value();
        if (code) found.codes.push(code);
        break;
      }
      if (table.valued.includes(letter)) {
        const given = value();
        const said = given?.text ?? "?";
        if (table.modules.includes(letter)) found.modules.push(said);
        else if (table.places.includes(letter)) found.places.push(said);
        else found.odd.push(`-${letter}${said}`);
        break;
      }
      if (table.glued.includes(letter)) {
        if (table.modules.includes(letter)) found.modules.push(rest);
        break;
      }
      if (table.numbered.includes(letter)) {
        const digits = /^(?:[xX][\da-fA-F]*|\d*)/.exec(rest)![0];
        at += digits.length;
      }
    }
  }
  found.operands = args.slice(index);
  return found;
}
