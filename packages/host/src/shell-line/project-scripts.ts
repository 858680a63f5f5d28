// The command lines that stand in a project's own files: a makefile's recipes, a package's scripts.

/** More than that are not looked at one by one. */
const MAX_COMMANDS = 60;
/** Values of values. */
const MAX_ROUNDS = 4;
const BUILT_IN: readonly (readonly [string, string])[] = [
  ["RM", "rm -f"],
  ["MAKE", "make"],
  ["SHELL", "/bin/sh"],
  ["CURDIR", "."],
];

/** Recipes, with the variables that the file itself sets in their places. */
export function makefileCommands(text: string): string[] {
  const joined = text.replaceAll("\\\n", " ");
  const variables = new Map(BUILT_IN);
  for (const [, name, value] of joined.matchAll(
    /^\s*(?:export\s+|override\s+)*([\w.-]+)\s*[:?]{0,2}=\s*(.*)$/gm,
  ))
    variables.set(name!, value!.trim());
  const filled = (line: string): string => {
    let now = line;
    for (let round = 0; round < MAX_ROUNDS; round++)
      now = now.replace(
        /\$(?:\(([\w.-]+)\)|\{([\w.-]+)\})/g,
        (_, one?: string, other?: string) => variables.get(one ?? other!) ?? `$${one ?? other}`,
      );
    // What the rule makes and what it is made of; `$$` is a shell's own sign.
    return now.replace(/\$[@<^?*%+]/g, "x").replaceAll("$$", "$");
  };
  const [, prefix = "\t"] = /^\.RECIPEPREFIX\s*[:?]?=\s*(\S)/m.exec(joined) ?? [];
  const recipes = joined.split("\n").flatMap((line) => {
    // A rule may have its first line behind a semicolon.
    const own = /^[^\s#=][^=;]*?:[^=;]*;(.*)$/.exec(line)?.[1];
    const isRecipe = line.startsWith(prefix) || /^ {2,}/.test(line);
    const found = own ?? (isRecipe ? line.replace(prefix, "") : undefined);
    return found === undefined ? [] : [found.replace(/^\s*[-@+]*/, "")];
  });
  // Values of several lines are recipes for whoever uses them.
  const defined = [...joined.matchAll(/^\s*define\s[^\n]*\n([^]*?)^\s*endef\b/gm)].flatMap(
    ([, body]) => body!.split("\n").map((line) => line.replace(/^\s*[-@+]*/, "")),
  );
  // What runs each line of a recipe, with the line behind its flags.
  const shell = joined.match(/^\s*(?:export\s+|override\s+)*SHELL\s*[:?]{0,2}=/m)
    ? [`${variables.get("SHELL")} ${variables.get(".SHELLFLAGS") ?? ""}`]
    : [];
  // `$(shell …)` runs when the file is read.
  const read = [...joined.matchAll(/\$\(shell\s+([^)]*)\)/g)].map((match) => match[1]!);
  const set = [...joined.matchAll(/^[\w.-]+\s*!=\s*(.*)$/gm)].map((match) => match[1]!);
  return [...recipes, ...defined, ...read, ...set, ...shell]
    .map((line) => filled(line).trim())
    .filter((line) => line !== "" && !/^#|^(?:\/\S*\/)?(?:ba|z|da|k)?sh(?:\s+-[a-z]*)*$/.test(line))
    .slice(0, MAX_COMMANDS);
}

/** All scripts: which of them run before or after another one is a matter of their names. */
export function packageCommands(text: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    // Whoever runs it cannot read it either.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  const { scripts } = (parsed ?? {}) as { scripts?: unknown };
  if (typeof scripts !== "object" || scripts === null) return [];
  return Object.values(scripts)
    .flat()
    .filter((line) => typeof line === "string")
    .slice(0, MAX_COMMANDS);
}
