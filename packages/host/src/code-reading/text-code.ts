// Texts that are code for somebody else: templates, expressions of tables, types in quotes, examples
// in documentation. What is known of them is looked at for the ways out of their language.

import type { CodeReader } from "./code-reader.ts";
import { exactly, optionsOf, partsOf, type Value } from "./code-value.ts";

/** Nobody names these in a text but to get at what it must not get at. */
const WAY_OUT =
  /__(?:import|subclasses|globals|builtins|class|mro|bases?|code|getattribute|loader|reduce\w*)__|!!python\/|\bprocess\.mainModule\b|\.constructor\s*\(\s*['"]/;
const WHY = "it hands code to something that runs it";

export function noteCodeText(reader: CodeReader, value: Value): void {
  for (const each of optionsOf(value)) {
    if (each.kind !== "text") continue;
    if (partsOf(each).some((part) => typeof part === "string" && WAY_OUT.test(part)))
      reader.acts.unknown(WHY);
  }
}

/** `>>> import os` */
export function examplesIn(source: string): string {
  return [...source.matchAll(/^[^\n]*?(?:>>>|^\s*\.\.\.)[ \t]?([^\n]*)$/gm)]
    .map((match) => match[1]!.replace(/["']{3}\s*$/, ""))
    .join("\n");
}

/** What stands between the marks of a template: `<% … %>`, `{{ … }}`, `${ … }`. */
export function insertsIn(value: Value): string[] {
  const template = exactly(value) ?? "";
  // What is shown is an expression; what is not may be half a statement.
  return [...template.matchAll(/<%([-=_!])?([\s\S]*?)[-_]?%>|\$\{([^}]*)\}/g)].map(
    ([, mark, code, shown]) =>
      code === undefined || mark ? `${(code ?? shown)!.trim()};` : code.trim(),
  );
}
