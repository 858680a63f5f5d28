// Tables of places, and the question whether a path is in one of them. A row names files and
// directories; whatever lies below a named directory is meant too. A path may be a pattern, as
// shells have them: it is in a place if it can match a name there.

/** Whose places they are; all paths absolute. */
export interface GuardWorld {
  home: string;
  workspace: string;
  /** Where Tau keeps its own files; `~/.tau/agent` if absent. */
  agentDirectory?: string;
  /** The directories of PATH, in which programs are looked for. */
  pathDirectories: readonly string[];
  platform: string;
}

export interface PlaceRow {
  /** A noun phrase for people: "a shell start-up file". */
  what: string;
  /** Below the home directory; `*` stands for any characters of one name. */
  home?: readonly string[];
  /** Absolute. */
  system?: readonly string[];
  /** Some components of a path in a row, wherever it is; what lies below counts as well. */
  anywhere?: readonly string[];
  /** The same, but only in the project. */
  project?: readonly string[];
  /** The last components of a path, wherever it is. */
  files?: readonly string[];
  /** Names that are in none of the above after all, by their last component. */
  except?: RegExp;
}

const WILD = /[*?[\]]/;
/** Longer paths than any system takes are cut before they are compared. */
const MAX_PATH = 8192;

/** The first row that the path is in. */
export function rowOf(
  rows: readonly PlaceRow[],
  path: string,
  { home, workspace, platform }: GuardWorld,
): PlaceRow | undefined {
  const components = componentsOf(path, platform);
  const work = placeParts(workspace, platform);
  // Whoever works on a part of the system means to change it; whoever starts in `/` does not.
  const isWork = isWithin(components, work) && !isWithin(placeParts(home, platform), work);
  // A pattern for files of the work means those, and not the one among them that is obeyed.
  const inside = components
    .slice(work.length)
    .map((name) => (WILD.test(name) && !name.startsWith(".") ? "" : name));
  const last = components.at(-1) ?? "";
  const isIn = (place: string): boolean => isWithin(components, placeParts(place, platform));
  return rows.find(
    ({ home: inHome = [], system = [], anywhere = [], project = [], files = [], except }) =>
      (inHome.some((each) => isIn(`${home}/${each}`)) ||
        (!isWork && system.some(isIn)) ||
        anywhere.some((each) => isPart(components, placeParts(each, platform))) ||
        (isWork && project.some((each) => isPart(inside, placeParts(each, platform)))) ||
        files.some((each) => endsIn(components, placeParts(each, platform)))) &&
      !except?.test(last),
  );
}

/** Whether the path is the place or below it. */
export function isInPlace(path: string, place: string, { platform }: GuardWorld): boolean {
  return isWithin(componentsOf(path, platform), placeParts(place, platform));
}

const PARTS = new Map<string, readonly string[]>();
/** All rows of the tables, in a few homes and projects; it must not grow without end. */
const MAX_PARTS = 4000;

/** The same of a place. Each path is held against hundreds, which are always the same ones. */
function placeParts(place: string, platform: string): readonly string[] {
  const name = `${platform}:${place}`;
  const known = PARTS.get(name);
  if (known) return known;
  if (PARTS.size >= MAX_PARTS) PARTS.clear();
  const parts = componentsOf(place, platform);
  PARTS.set(name, parts);
  return parts;
}

/** These file systems do not tell `.BashRC` from `.bashrc`. */
function componentsOf(path: string, platform: string): string[] {
  const text = path.slice(0, MAX_PATH);
  const folded = platform === "darwin" || platform === "win32" ? text.toLowerCase() : text;
  return folded.split(/[/\\]+/).filter((part) => part !== "" && part !== ".");
}

function isWithin(path: readonly string[], place: readonly string[], from = 0): boolean {
  if (path.length - from < place.length) return false;
  return place.every((part, index) => mayMeet(path[from + index]!, part));
}

function endsIn(path: readonly string[], place: readonly string[]): boolean {
  const from = path.length - place.length;
  return from >= 0 && isWithin(path, place, from);
}

function isPart(path: readonly string[], place: readonly string[]): boolean {
  for (let from = path.length - place.length; from >= 0; from--) {
    if (isWithin(path, place, from)) return true;
  }
  return false;
}

/** Whether the name, or a name that it matches as a pattern, is meant by a row's part. */
function mayMeet(name: string, part: string): boolean {
  if (name === part) return true;
  if (part.includes("*")) return patternOf(part).test(name);
  if (!WILD.test(name)) return false;
  // As in a shell: a star does not stand for a dot at the beginning.
  if (part.startsWith(".") && !name.startsWith(".")) return false;
  return patternOf(name).test(part);
}

const PATTERNS = new Map<string, RegExp>();
/** Patterns of the tables and of a few lines; it must not grow without end. */
const MAX_PATTERNS = 1000;

function patternOf(glob: string): RegExp {
  const known = PATTERNS.get(glob);
  if (known) return known;
  if (PATTERNS.size >= MAX_PATTERNS) PATTERNS.clear();
  // Adjacent stars are one; a set of characters is taken for any character.
  const source = glob
    .replace(/\[[^\]]*\]/g, "?")
    .replace(/\*+/g, "*")
    .replace(/[.+^${}()|\\[\]]/g, String.raw`\$&`)
    .replaceAll("?", ".")
    .replaceAll("*", ".*");
  const pattern = new RegExp(`^${source}$`, "s");
  PATTERNS.set(glob, pattern);
  return pattern;
}
