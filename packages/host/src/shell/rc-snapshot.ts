// What a person's own startup file gives their shell, kept as data: so that a shell that nobody
// sits at has their aliases, functions, options and variables without running that file again.

import { quote } from "./bash-driver.ts";

export interface RcSnapshot {
  aliases: Readonly<Record<string, string>>;
  /** By name, as bash prints them. */
  functions: Readonly<Record<string, string>>;
  /** Those of `shopt` and `set -o` that are on. */
  options: readonly string[];
  /** Exported; without PATH. */
  variables: Readonly<Record<string, string>>;
  /** What the file put into PATH, in its order. */
  pathEntries: readonly string[];
}

/** Those that change what a command means; the rest is for people at a prompt. */
export const KEPT_SHOPTS: readonly string[] = [
  "extglob",
  "globstar",
  "dotglob",
  "nocaseglob",
  "nocasematch",
  "autocd",
  "cdable_vars",
  "cdspell",
  "lastpipe",
  "xpg_echo",
];

/**
 * Names that must keep their meaning: those that the shell is driven with, and those by which
 * everyone (the model, the judgement of a line) knows where the shell is.
 */
const RESERVED: ReadonlySet<string> = new Set(
  `eval builtin command printf declare alias unalias shopt trap set unset exit exec return export source
  . [ test read cd pushd popd if then elif else fi case esac for while until do done function time { } !
  command_not_found_handle`.split(/\s+/),
);
/** They ask before they act, and nobody is there: `rm` would remove nothing and say nothing. */
const ASKING = /^(?:rm|cp|mv|ln)\s(?:.*\s)?(?:-[a-zA-Z]*[iI][a-zA-Z]*|--interactive\S*)(?:\s|$)/;
/** Of all functions together. More is a library that takes longer to read than it is worth. */
const MAX_FUNCTION_CHARACTERS = 512 * 1024;

/** Without what would get into the way of a shell that is driven by a program. */
export function usableSnapshot(snapshot: RcSnapshot): RcSnapshot {
  const aliases = Object.entries(snapshot.aliases).filter(
    ([name, value]) => isUsable(name) && !ASKING.test(value),
  );
  const functions = Object.entries(snapshot.functions).filter(([name]) => isUsable(name));
  const called = calledFunctions(functions, aliases);
  const size = called.reduce((sum, [, text]) => sum + text.length, 0);
  return {
    ...snapshot,
    aliases: Object.fromEntries(aliases),
    functions: size > MAX_FUNCTION_CHARACTERS ? {} : Object.fromEntries(called),
  };
}

function isUsable(name: string): boolean {
  return !RESERVED.has(name) && !name.startsWith("__tau_");
}

type Named = readonly (readonly [string, string])[];

/** Hundreds of `_functions` complete words at a prompt; those that others call are kept. */
function calledFunctions(functions: Named, aliases: Named): [string, string][] {
  const kept = new Map(functions.filter(([name]) => !name.startsWith("_")));
  const hidden = new Map(functions.filter(([name]) => name.startsWith("_")));
  const texts = [...kept.values(), ...aliases.map(([, value]) => value)];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const [name] of text.matchAll(/_[\w.:-]*/g)) {
      const body = hidden.get(name);
      if (body === undefined) continue;
      hidden.delete(name);
      kept.set(name, body);
      texts.push(body);
    }
  }
  return [...kept];
}

/** For a shell to read. What the environment already has is not set again: it is newer. */
export function rcScript(snapshot: RcSnapshot): string {
  const { options, variables, pathEntries, functions, aliases } = snapshot;
  const lines = [
    // First: functions may need them to be understood.
    ...options.map((name) =>
      KEPT_SHOPTS.includes(name) ? `shopt -s ${name}` : `set -o ${quote(name)}`,
    ),
    ...Object.entries(variables).map(
      ([name, value]) => `[ -n "\${${name}+x}" ] || export ${name}=${quote(value)}`,
    ),
    ...pathEntries
      .toReversed()
      .map(
        (entry) =>
          `case ":$PATH:" in *:${quote(entry)}:*) ;; *) PATH=${quote(entry)}:$PATH ;; esac`,
      ),
    // Each on its own: one that is not understood costs no other.
    ...Object.values(functions).map((text) => `builtin eval ${quote(text)}`),
    // Last, so that they are not expanded in functions.
    ...Object.entries(aliases).map(([name, value]) => `alias -- ${quote(`${name}=${value}`)}`),
  ];
  return `${lines.join("\n")}\n`;
}
