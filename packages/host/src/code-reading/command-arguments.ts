// What the code was given on its command line, and what is made of that.

import type { CodeReader } from "./code-reader.ts";
import { DATA, choice, exactly, list, text, type Value } from "./code-value.ts";

/** What a library that reads the command line gives: any of the words, or a default. */
export function argumentsOf(reader: CodeReader, given?: Value): Value {
  const words = given?.kind === "list" ? given : reader.argv && list(reader.argv.slice(1));
  if (words?.kind !== "list" || words.isOpen) return DATA;
  const plain = words.items.filter((each) => !/^--?[A-Za-z][\w-]*$/.test(exactly(each) ?? ""));
  const values = plain.map((each) => {
    const glued = /^--[\w-]+=(.*)$/s.exec(exactly(each) ?? "")?.[1];
    return glued === undefined ? each : text(glued);
  });
  return {
    kind: "made",
    by: "arguments",
    target: choice([...values, ...reader.defaults]),
  };
}
