// What earlier commands of a session left in its shells that changes what later ones mean: names
// that are no longer the programs they look like, and variables that lead programs astray.

import type { FunctionDefinition } from "@tau/host/shell-line/syntax-tree";
import { isRiskyVariable } from "@tau/host/shell-line/risky-variable";
import type { LeftByLines } from "@tau/host/shell-line/shell-context";

const FUNCTION = /(?:^|[\s;&|({])(?:function\s+)?([A-Za-z_][\w.:-]*)\s*\(\s*\)/g;
const KEYWORD_FUNCTION = /(?:^|[\s;&|({])function\s+([A-Za-z_][\w.:-]*)/g;
const ALIAS = /\balias\s+((?:-p\s+)?(?:['"]?[\w.:-]+=(?:'[^']*'|"[^"]*"|\S*)['"]?\s*)+)/g;
const ASSIGNMENT = /(?:^|[\s;&|({"'])([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/g;
/** Builtins and loops that set the variables they are told. */
const SETTING =
  /\b(?:printf\s+-v\s*|(?:for|select)\s+|(?:read|mapfile|readarray|getopts)\s+(?:[^\s;|&<>]+\s+)*)["']?([A-Z_]\w*)/g;
/** What such a command defines is not to be seen in it. */
const SOURCING = /(?:^|[\s;&|({])(?:source|\.|eval)\s/;

/** A session that packs more does not send them one by one. */
const MAX_CARRIED = 500;

export class ShellMemory {
  readonly names = new Set<string>();
  /** Functions that commands of the model defined in so many words: a call of one can be judged. */
  readonly functions = new Map<string, FunctionDefinition>();
  readonly #texts = new Map<string, string>();
  /** Files that earlier commands fetched: to run one is to run a download. */
  readonly downloaded = new Set<string>();
  /** What judged lines have left for later ones. */
  readonly left = {
    isSplittingOdd: false as boolean,
    remotes: new Set<string>(),
    kept: new Set<string>(),
    carried: new Map<string, readonly string[]>(),
  } satisfies LeftByLines;
  /** Programs may be found in directories of the project. */
  hasSearchPath = false;
  /** Later lines cannot be taken at their word. */
  isUncertain = false;
  /** Another number whenever names may mean something else than before. */
  version = 0;

  /** Reads more into a line than may be there: too much only means a question more. */
  note(command: string): void {
    const aliases = [...command.matchAll(ALIAS)].flatMap(([, list]) =>
      [...list!.matchAll(/([\w.:-]+)=/g)].map(([, name]) => name!),
    );
    const defined = [...command.matchAll(FUNCTION), ...command.matchAll(KEYWORD_FUNCTION)].map(
      ([, name]) => name!,
    );
    for (const name of [...aliases, ...defined]) {
      this.names.add(name);
      this.functions.delete(name);
      this.version += 1;
    }
    const set = [...command.matchAll(ASSIGNMENT), ...command.matchAll(SETTING)];
    const isRisky = set.some(([, name]) => isRiskyVariable(name!));
    const isSourcing = SOURCING.test(command);
    this.hasSearchPath ||= isSourcing || set.some(([, name]) => name === "PATH");
    this.isUncertain ||= isRisky || isSourcing;
  }

  /** From when the call is judged: those beside it are judged before it runs. */
  noteLeft({ isSplittingOdd, remotes, kept, carried }: LeftByLines): void {
    const { left } = this;
    left.isSplittingOdd ||= isSplittingOdd;
    for (const name of remotes) left.remotes.add(name);
    for (const secret of kept) left.kept.add(secret);
    for (const [path, secrets] of carried)
      if (left.carried.size < MAX_CARRIED) left.carried.set(path, secrets);
  }

  /** Another number whenever something was left. */
  get leftCount(): number {
    const { isSplittingOdd, remotes, kept, carried } = this.left;
    return Number(isSplittingOdd) + remotes.size + kept.size + carried.size;
  }

  /** With what its functions do, where that stands in the line. */
  async noteJudged(command: string): Promise<void> {
    const before = new Set(this.names);
    const texts = new Map(this.#texts);
    this.note(command);
    if (this.version === 0) return;
    const { functionsOfLine } = await import("@tau/host/shell-line/functions-of-line");
    for (const [name, definition] of functionsOfLine(command)) {
      const text = command.slice(definition.from, definition.to);
      // A name that means something else in another shell stays unknown.
      if (before.has(name) || (texts.get(name) ?? text) !== text) continue;
      this.#texts.set(name, text);
      this.functions.set(name, definition);
      this.names.delete(name);
    }
  }
}
