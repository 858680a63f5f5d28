// The names in patterns and templates: `$NAME` is one node, `$$$NAME` any number of them,
// `$_` and `$$$` the same without a name. Names are upper case, so that a shell variable or a
// jQuery call is code.

const METAVARIABLE = /\$\$\$([A-Z_][A-Z0-9_]*)?|\$([A-Z_][A-Z0-9_]*)/g;

export interface Metavariable {
  /** Nothing for those that match and do not capture. */
  name: string | undefined;
  list: boolean;
  /** Where it stands in the text. */
  start: number;
  end: number;
}

export function metavariablesIn(text: string): Metavariable[] {
  return [...text.matchAll(METAVARIABLE)].map((match) => {
    const name = match[1] ?? match[2];
    return {
      name: name === undefined || name.startsWith("_") ? undefined : name,
      list: match[0].startsWith("$$$"),
      start: match.index,
      end: match.index + match[0].length,
    };
  });
}

/** The text as a grammar sees it that does not take `$` in names. */
export function withExpando(text: string, expando: string): string {
  return text.replaceAll(METAVARIABLE, (found) => found.replaceAll("$", expando));
}

/** The names that a pattern, or any string in a rule, captures. */
export function capturedNames(pattern: unknown): Map<string, "node" | "list"> {
  const names = new Map<string, "node" | "list">();
  for (const text of stringsIn(pattern)) {
    for (const { name, list } of metavariablesIn(text)) {
      if (name !== undefined) names.set(name, list ? "list" : "node");
    }
  }
  return names;
}

function stringsIn(value: unknown): string[] {
  const found: string[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") found.push(next);
    else if (typeof next === "object" && next !== null) {
      for (const part of Object.values(next)) pending.push(part);
    }
  }
  return found;
}
