// What an item is called, and which names are refused. A name ends up in addresses (`skill://NAME`),
// in commands (`/NAME`) and on terminals; one that would mean something there is an attack.

import { basename, dirname, extname, relative, sep } from "node:path";
import type { Candidate } from "./expand-pattern.ts";
import type { NamePart } from "./row.ts";

/** Longer than any name that somebody types, shorter than what breaks a line. */
const MAX_NAME_CHARACTERS = 128;
/** `%252e%252e` becomes `..` after two rounds; nobody decodes more often. */
const DECODING_ROUNDS = 3;

export function nameOf({ path, holder, tail }: Candidate, part: NamePart): string {
  switch (part) {
    case "file":
      return basename(path);
    case "directory":
      return basename(dirname(path));
    case "stem":
      return stemOf(basename(path), tail);
    case "path": {
      const way = relative(holder, dirname(path)).split(sep);
      return [...way, stemOf(basename(path), tail)].filter((one) => one !== "").join(":");
    }
  }
}

function stemOf(file: string, tail: string): string {
  const bare = file.startsWith(".") ? file.slice(1) : file;
  const ending = tail !== "" && bare.endsWith(tail) ? tail : extname(bare);
  return bare.slice(0, bare.length - ending.length) || bare;
}

/** Why a name may not be used, or undefined where it may. */
export function whyRefused(name: string): string | undefined {
  if (name.trim() === "") return "its name is empty";
  if (name.length > MAX_NAME_CHARACTERS) {
    return `its name has more than ${MAX_NAME_CHARACTERS} characters`;
  }
  if (UNPRINTABLE.test(name)) return "its name contains invisible characters";
  let decoded = name;
  for (let round = 0; round <= DECODING_ROUNDS; round++) {
    if (isTraversal(decoded)) return "its name contains a path";
    const next = decodePercent(decoded);
    if (next === decoded) return undefined;
    decoded = next;
  }
  return "its name is encoded too often";
}

/** Control, format (bidirectional, zero width) and unassigned characters, and halves of pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

function isTraversal(name: string): boolean {
  return /[/\\\0]/.test(name) || name.split(":").some((part) => /^\.{1,2}$/.test(part.trim()));
}

/** Each escape by itself: one that is wrong does not save the others. */
function decodePercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
