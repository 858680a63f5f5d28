// `deny read(~/.ssh/*)`, `deny write($HOME/notes.txt)`: in a rule about files the home stands for its
// directory, as it does in a path. In a rule about commands it stays what was written.

import { isAbsolute } from "node:path";
import { shownPath } from "../../resources/local-path.ts";
import type { ApprovalRule } from "./approval-rule.ts";

/** Tools whose subjects are files. */
const FILE_TOOLS: ReadonlySet<string> = new Set(
  "read search find ast_grep write edit ast_edit".split(" "),
);
const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;

export interface RulePlaces {
  home: string;
  /** Paths in it are shown without it. */
  cwd: string;
}

/** The rule for the whole path, and for the path as it is shown in the working directory. */
export function withHome(rule: ApprovalRule, { home, cwd }: RulePlaces): ApprovalRule[] {
  const { subject, tool } = rule;
  if (subject === undefined || !FILE_TOOLS.has(tool) || !HOME.test(subject)) return [rule];
  const whole = subject.replace(HOME, () => escaped(home));
  const inside = shownPath(whole, escaped(cwd));
  const written = rule.text ?? `${rule.verdict} ${tool}(${subject})`;
  return [whole, ...(isAbsolute(inside) ? [] : [inside])].map((path) => ({
    ...rule,
    subject: path,
    text: written,
  }));
}

function escaped(path: string): string {
  return path.replaceAll("\\", "\\\\").replaceAll("*", "\\*");
}
