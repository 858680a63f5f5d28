// One argument as far as it is known before the line runs: its whole text, or how it begins.

export interface Field {
  /** Undefined where it depends on values that only the shell has. */
  text: string | undefined;
  /** What it certainly begins with. */
  prefix: string;
  /** Some name that the text matches as a pattern, rather than the text itself. */
  isPattern: boolean;
  /** Any number of arguments, perhaps none. */
  isMany: boolean;
  /** It carries, or leads to, what came from the network. */
  isDownload: boolean;
  /** A process substitution: what is written there flows into a command that is judged itself. */
  isPipe?: boolean;
  /** Of a substitution, all that its command prints, if that is known. */
  printed?: string;
  /** It is one of these texts, and not known which. */
  anyOf?: readonly string[];
  /** Of an array, its elements. */
  items?: readonly Field[];
  /** Which secrets its value may hold: "$GITHUB_TOKEN", "/home/me/.netrc, credentials". */
  secrets?: readonly string[];
}

export function knownField(text: string, isPattern = false): Field {
  return { text, prefix: text, isPattern, isMany: false, isDownload: false };
}

export function unknownField(more: Partial<Field> = {}): Field {
  return {
    text: undefined,
    prefix: "",
    isPattern: false,
    isMany: false,
    isDownload: false,
    ...more,
  };
}

/** A number: one component of a path at most, and never `..`. */
export const DIGITS = knownField("0*", true);

/**
 * A branch or a tag: a path that never leads upwards. Who made the repository has chosen it, with
 * signs of the shell in it perhaps, so it is no part of a script.
 */
export const BRANCH = knownField("branch?*", true);
/** Git itself refuses a dash before a branch that is checked out; tags arrive as they are. */
export const TAG = knownField("?tag*", true);

/** The secrets of all of them, each once; undefined if there are none. */
export function joinSecrets(
  ...lists: readonly (readonly string[] | undefined)[]
): readonly string[] | undefined {
  const all = new Set(lists.flatMap((list) => list ?? []));
  return all.size === 0 ? undefined : [...all];
}

/** The exact text; undefined for a pattern as well. */
export function exactText(field: Field | undefined): string | undefined {
  return field && !field.isPattern ? field.text : undefined;
}

/** Whether it may turn out to be an option. */
export function mayBeOption({ text, prefix, isPattern }: Field): boolean {
  if (text === undefined) return prefix === "" || prefix.startsWith("-");
  return text.startsWith("-") || (isPattern && text.startsWith(TAG.text!));
}
