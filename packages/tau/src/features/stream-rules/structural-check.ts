// Looks for rules in the code that a call would write, by its structure. Only what the call adds is
// held against it: what was there already is not its doing.

import { flatten, type Syntax } from "@tau/host/syntax/syntax";
import { detectLanguage } from "@tau/host/syntax/detect-language";
import type { NewText } from "../../tools/new-texts.ts";
import { fitsOne } from "./stream-watch.ts";
import type { StreamRule } from "../../context/stream-rule.ts";

/** Enough to tell more from fewer. */
const MAX_MATCHES = 200;

export interface StructuralCall {
  tool: string;
  texts: readonly NewText[];
  syntax: Syntax;
  signal: AbortSignal;
}

export async function breaksStructurally(
  rule: StreamRule,
  { tool, texts, syntax, signal }: StructuralCall,
): Promise<boolean> {
  for (const { path, before, after } of texts) {
    if (!isAbout(rule, tool, path)) continue;
    const language = detectLanguage(path, after.slice(0, after.indexOf("\n")));
    if (!language) continue;
    for (const pattern of rule.structures) {
      const count = async (text: string): Promise<number> => {
        const about = {
          text,
          language: language.name,
          query: { pattern },
          maxMatches: MAX_MATCHES,
        };
        const answer = flatten(await syntax.ask("search", about, signal));
        // A pattern that is none in this language is for another one.
        return answer.ok ? answer.value.matches.length : 0;
      };
      const found = await count(after);
      if (found > 0 && found > (await count(before))) return true;
    }
  }
  return false;
}

export function isAbout({ tools, globs }: StreamRule, tool: string, path: string): boolean {
  const isScoped = tools.some(
    (scope) =>
      (scope.tool === undefined || scope.tool === tool) &&
      (scope.glob === undefined || fitsOne([scope.glob], [path])),
  );
  return isScoped && (globs.length === 0 || fitsOne(globs, [path]));
}
