// What earlier commands of a session left in its shells that changes what later ones mean: names
// that are no longer the programs they look like, and variables that lead programs astray.

import { isRiskyVariable } from "@tau/host/shell-line/risky-variable";

const FUNCTION = /(?:^|[\s;&|({])(?:function\s+)?([A-Za-z_][\w.:-]*)\s*\(\s*\)/g;
const KEYWORD_FUNCTION = /(?:^|[\s;&|({])function\s+([A-Za-z_][\w.:-]*)/g;
const ALIAS = /\balias\s+((?:[\w.:-]+=(?:'[^']*'|"[^"]*"|\S*)\s*)+)/g;
const ASSIGNMENT = /(?:^|[\s;&|({])([A-Za-z_]\w*)\+?=/g;
/** What such a command defines is not to be seen in it. */
const SOURCING = /(?:^|[\s;&|({])(?:source|\.|eval)\s/;

export class ShellMemory {
  readonly names = new Set<string>();
  /** Files that earlier commands fetched: to run one is to run a download. */
  readonly downloaded = new Set<string>();
  /** Later lines cannot be taken at their word. */
  isUncertain = false;

  /** Reads more into a line than may be there: too much only means a question more. */
  note(command: string): void {
    for (const [, name] of [...command.matchAll(FUNCTION), ...command.matchAll(KEYWORD_FUNCTION)]) {
      this.names.add(name!);
    }
    for (const [, list] of command.matchAll(ALIAS)) {
      for (const [, name] of list!.matchAll(/([\w.:-]+)=/g)) this.names.add(name!);
    }
    const isRisky = [...command.matchAll(ASSIGNMENT)].some(([, name]) => isRiskyVariable(name!));
    this.isUncertain ||= isRisky || SOURCING.test(command);
  }
}
