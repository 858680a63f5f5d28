// Reads the text of an environment file: `NAME=value` a line, as shells and other tools write it.
// Nothing is run and nothing filled in: a dollar sign is a dollar sign. A line that makes no sense is
// named by its number, never by its contents, and hides none of the others.

export interface EnvFile {
  values: Map<string, string>;
  problems: { line: number; message: string }[];
}

const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/;
const BLANK = /^[ \t]*(?:#.*)?$/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

export function parseEnvFile(text: string): EnvFile {
  const values = new Map<string, string>();
  const problems: EnvFile["problems"] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (BLANK.test(line)) continue;
    const match = ASSIGNMENT.exec(line);
    if (!match) {
      problems.push({ line: at + 1, message: "expected NAME=value" });
      continue;
    }
    const rest = line.slice(match[0].length);
    const quote = rest[0];
    if (quote !== '"' && quote !== "'") {
      values.set(match[1]!, rest.replace(/(?:^|[ \t])#.*$/, "").trim());
      continue;
    }
    const read = quoted([rest.slice(1), ...lines.slice(at + 1)], quote);
    if (read === undefined) {
      problems.push({ line: at + 1, message: "the quotation mark is not closed" });
      continue;
    }
    if (!BLANK.test(read.behind)) {
      const message = "there is text after the closing quotation mark";
      problems.push({ line: at + 1 + read.more, message });
    } else values.set(match[1]!, read.value);
    at += read.more;
  }
  return { values, problems };
}

/** Up to the closing mark, over as many lines as it takes; double quotes know escapes. */
function quoted(
  lines: readonly string[],
  quote: string,
): { value: string; behind: string; more: number } | undefined {
  let value = "";
  for (const [more, line] of lines.entries()) {
    for (let at = 0; at < line.length; at++) {
      const sign = line[at]!;
      if (sign === quote) return { value, behind: line.slice(at + 1), more };
      const next = line[at + 1];
      if (sign === "\\" && quote === '"' && next !== undefined) {
        value +=
          ESCAPES[next] ?? (next === '"' || next === "\\" || next === "$" ? next : sign + next);
        at++;
      } else value += sign;
    }
    value += "\n";
  }
  return undefined;
}
