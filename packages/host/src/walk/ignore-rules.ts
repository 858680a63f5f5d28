// Which paths git would leave out, for one repository: the rules of its exclude file and
// of the .gitignore files from its root down to the directory in question, in one list in
// which the last match decides. One list, because a file deep down may take back what one
// above it said about a directory and thereby about everything inside.

import type { Ignore } from "ignore";

/** The matcher remembers every path it was asked about; a new one forgets them. */
const TESTS_PER_MATCHER = 20_000;
/** Nobody writes more by hand; what does is no ignore file. */
export const MAX_IGNORE_FILE_BYTES = 1024 * 1024;

type CreateMatcher = (options: { ignorecase: boolean }) => Ignore;

export class IgnoreRules {
  readonly #create: CreateMatcher;
  readonly #patterns: readonly string[];
  #matcher: Ignore | undefined;
  #tests = 0;

  private constructor(create: CreateMatcher, patterns: readonly string[]) {
    this.#create = create;
    this.#patterns = patterns;
  }

  static async none(): Promise<IgnoreRules> {
    const { default: create } = await import("ignore");
    return new IgnoreRules(create, []);
  }

  /** These rules and those of a file in `directory`, a path from the root of the rules. */
  with(directory: string, text: string): IgnoreRules {
    const added = text
      .replace(/^\ufeff/, "")
      .split(/\r?\n/)
      .flatMap((line) => anchoredAt(directory, line) ?? []);
    if (added.length === 0) return this;
    return new IgnoreRules(this.#create, [...this.#patterns, ...added]);
  }

  /** `path` is relative to the root of the rules, without a slash at its end. */
  ignores(path: string, kind: "directory" | "other"): boolean {
    if (this.#patterns.length === 0) return false;
    this.#tests += 1;
    if (this.#matcher === undefined || this.#tests > TESTS_PER_MATCHER) {
      // Names that differ in case are different files to git, unless it is told otherwise.
      this.#matcher = this.#create({ ignorecase: false }).add(this.#patterns);
      this.#tests = 0;
    }
    return this.#matcher.test(kind === "directory" ? `${path}/` : path).ignored;
  }
}

/** A line of a .gitignore in `directory` as the same rule written at the root. */
function anchoredAt(directory: string, line: string): string | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  if (directory === "") return line;
  const negated = line.startsWith("!");
  const body = withoutTrailingSpaces(negated ? line.slice(1) : line);
  if (body === "" || body === "/") return undefined;
  // A slash anywhere but at the end ties the pattern to its directory.
  const isTied = body.slice(0, -1).includes("/");
  const rest = isTied ? body.replace(/^\//, "") : `**/${body}`;
  return `${negated ? "!" : ""}/${literally(directory)}/${rest}`;
}

/** Spaces at the end do not count unless a backslash says so. */
function withoutTrailingSpaces(body: string): string {
  return body.replace(/(?<!\\) +$/, "");
}

function literally(path: string): string {
  return path.replace(/[\\*?[\]!# ]/g, "\\$&");
}
