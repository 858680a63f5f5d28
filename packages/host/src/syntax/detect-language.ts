// Which language a file is in, from its path and, where that says nothing, its first line.
// It looks at names only: whether a parser is here is another question.

import { LANGUAGES, type LanguageRow } from "./language-table.ts";

const byName = new Map<string, LanguageRow>();
const byExtension = new Map<string, LanguageRow>();
const byFileName = new Map<string, LanguageRow>();
const byInterpreter = new Map<string, LanguageRow>();
for (const row of LANGUAGES) {
  for (const name of [row.name, ...row.aliases]) byName.set(name, row);
  for (const extension of row.extensions) byExtension.set(extension, row);
  for (const fileName of row.fileNames ?? []) byFileName.set(fileName, row);
  for (const program of row.interpreters ?? []) byInterpreter.set(program, row);
}

/** By its name, an alias or an extension, in any case: what people write as a language. */
export function findLanguage(name: string): LanguageRow | undefined {
  const key = name.trim().toLowerCase().replace(/^\./, "");
  return byName.get(key) ?? byExtension.get(key);
}

export function detectLanguage(path: string, firstLine = ""): LanguageRow | undefined {
  const fileName = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const known = byFileName.get(fileName);
  if (known) return known;
  const dot = fileName.lastIndexOf(".");
  const byEnding = dot < 0 ? undefined : byExtension.get(fileName.slice(dot + 1).toLowerCase());
  return byEnding ?? byShebang(firstLine);
}

/** `#!/usr/bin/env -S python3.12 -u` names python. */
function byShebang(line: string): LanguageRow | undefined {
  if (!line.startsWith("#!")) return undefined;
  const words = line.slice(2).trim().split(/\s+/);
  const program = nameOf(words[0]);
  if (program !== "env") return byInterpreter.get(program);
  const named = words.slice(1).find((word) => !word.startsWith("-") && !word.includes("="));
  return byInterpreter.get(nameOf(named));
}

function nameOf(path: string | undefined): string {
  const name = (path ?? "").split("/").pop() ?? "";
  return name.replace(/[\d.]+$/, "");
}
