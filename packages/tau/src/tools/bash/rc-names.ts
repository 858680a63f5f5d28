// Which names of the user's own shell no longer mean the programs that they look like. An alias
// that only adds options (`ls --color=auto`) is still that program, and a name that belongs to no
// known program is judged by what it stands for.

import { classifyShellLine } from "@tau/host/shell-line/classify-shell-line";
import { PROGRAMS } from "@tau/host/shell-line/programs/program-table";
import type { ShellDefinition } from "@tau/host/shell-line/shell-context";
import type { RcSnapshot } from "@tau/host/shell/rc-snapshot";

const OPTION = /^--?[\w-]+(?:=[\w,.:+-]*)?$/;
/** Nothing is where it is judged; only what the words say counts. */
const NOWHERE = { cwd: "/w", home: "/h", workspace: "/w", temporary: [] };

export function rcNames({ aliases, functions }: RcSnapshot): Set<string> {
  const meant = Object.entries(aliases).filter(([name, value]) => !isSame(name, value));
  const names = [...meant.map(([name]) => name), ...Object.keys(functions)];
  return new Set(names.filter((name) => PROGRAMS.has(name)));
}

/** What the other names stand for: they are judged by that. */
export function rcDefinitions({ aliases, functions }: RcSnapshot): Map<string, ShellDefinition> {
  const rows: [string, ShellDefinition][] = [
    ...Object.entries(aliases).map(([name, text]): [string, ShellDefinition] => [
      name,
      { kind: "alias", text },
    ]),
    ...Object.entries(functions).map(([name, text]): [string, ShellDefinition] => [
      name,
      { kind: "function", text },
    ]),
  ];
  return new Map(rows.filter(([name]) => !PROGRAMS.has(name)));
}

function isSame(name: string, value: string): boolean {
  const [program, ...options] = value.trim().split(/\s+/);
  if (program !== name || !options.every((option) => OPTION.test(option))) return false;
  return classOf(value) === classOf(name);
}

function classOf(line: string): string {
  return classifyShellLine(line, NOWHERE).class;
}
