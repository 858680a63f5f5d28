// Files whose bytes are not those of their object in the parent's index, although git calls them unchanged: the clone
// converts them on their way (line endings, encodings, filters such as that of Git LFS). A baseline has the
// bytes, so these are read again. Without attributes and settings that convert, nobody looks.

import { join } from "node:path";
import { readIfThere } from "../process/process-tree.ts";
import type { OwnGit } from "./own-git.ts";
import type { ParentRepository } from "./parent-repository.ts";
import {
  entriesOf,
  indexEntriesOf,
  LINK_TO_REPOSITORY,
  listOf,
  type IndexEntry,
} from "./nul-list.ts";

/** Filters may keep the size; line endings never do. */
const SAME_SIZE_ATTRIBUTES = ["filter", "ident", "working-tree-encoding"];
const LINK = "120000";

/** `staged` is what `git ls-files --stage -z` says of the index. */
export async function convertedEntries(
  git: OwnGit,
  parent: ParentRepository,
  staged: Buffer,
  run: { index: string; workTree: string; signal: AbortSignal | undefined },
): Promise<IndexEntry[]> {
  const attributes = attributesOf(parent, staged);
  if (attributes === undefined && !parent.hasConvertingSettings) return [];
  const files = indexEntriesOf(staged).filter(
    ({ mode }) => mode !== LINK && mode !== LINK_TO_REPOSITORY,
  );
  const paths = files.map(({ path }) => path);
  const [sizes, objects, named] = await Promise.all([
    sizesInIndex(git, run),
    sizesOfObjects(git, files),
    // Asking about every file takes as long as all the rest.
    NAMES_FILTER.test(attributes ?? "") ? filteredPaths(git, parent, paths) : new Set<string>(),
  ]);
  return files.filter(
    ({ path }, at) =>
      named.has(path) || (objects[at] !== undefined && sizes.get(path) !== objects[at]),
  );
}

const NAMES_FILTER = new RegExp(SAME_SIZE_ATTRIBUTES.join("|"));

/** The text of all files with attributes; undefined if there are none. */
function attributesOf(parent: ParentRepository, staged: Buffer): string | undefined {
  const files = [join(parent.commonDirectory, "info", "attributes"), join(parent.root, ATTRIBUTES)];
  if (parent.attributesFile !== undefined) files.push(parent.attributesFile);
  if (staged.includes(`${ATTRIBUTES}\0`)) {
    const paths = indexEntriesOf(staged).map(({ path }) => path);
    const named = paths.filter((path) => path.endsWith(`/${ATTRIBUTES}`));
    files.push(...named.map((path) => join(parent.root, path)));
  }
  const texts = files.map((path) => readIfThere(path)).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join("\n");
}

const ATTRIBUTES = ".gitattributes";

async function sizesInIndex(
  git: OwnGit,
  run: { index: string; workTree: string },
): Promise<Map<string, number>> {
  // A path, and lines about it: "path\0  ctime: …\n … size: 12\tflags: 0\n".
  const { output } = await git.run(["ls-files", "-z", "--debug"], run);
  const sizes = new Map<string, number>();
  let path: string | undefined;
  for (const piece of entriesOf(output)) {
    const about =
      path === undefined ? undefined : /^ {2}ctime:[^]*?size: (\d+)\tflags: \w+\n/.exec(piece);
    if (about && path !== undefined) sizes.set(path, Number(about[1]));
    path = about ? piece.slice(about[0].length) : piece;
  }
  return sizes;
}

async function sizesOfObjects(
  git: OwnGit,
  files: readonly IndexEntry[],
): Promise<(number | undefined)[]> {
  const input = Buffer.from(files.map(({ object }) => `${object}\n`).join(""));
  const { output } = await git.run(["cat-file", "--batch-check=%(objectsize)"], { input });
  // One that is missing, as in a partial clone, is answered with words.
  return output
    .toString()
    .split("\n")
    .map((line) => (/^\d+$/.test(line) ? Number(line) : undefined));
}

/** Those that a filter, an encoding or keywords change, whatever their size. */
export async function filteredPaths(
  git: OwnGit,
  parent: ParentRepository,
  paths: readonly string[],
): Promise<Set<string>> {
  const args = ["check-attr", "-z", "--stdin", ...SAME_SIZE_ATTRIBUTES];
  const { output } = await git.inParent(parent.root, args, listOf(paths));
  const words = entriesOf(output);
  const named = new Set<string>();
  for (let at = 0; at + 2 < words.length; at += 3) {
    if (words[at + 2] !== "unspecified" && words[at + 2] !== "unset") named.add(words[at]!);
  }
  return named;
}
