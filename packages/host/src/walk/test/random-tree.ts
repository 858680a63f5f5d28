// Random small trees with ignore files, and what git itself makes of them.

import fc from "fast-check";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ScratchRepository } from "@tau/testkit/scratch";

export interface RandomTree {
  /** Path → content; a path that collides with a directory is left out when written. */
  files: Record<string, string>;
}

const name = fc.constantFrom("a", "b", "cc", "x.ts", "y.log", ".hid", "sp ace", "col:on", "ü", "B");
const directory = fc.array(fc.constantFrom("a", "b", "d1", ".dot", "out"), { maxLength: 3 });

const rule = fc
  .tuple(
    fc.constantFrom("", "", "!"),
    fc.constantFrom("", "", "/", "a/", "**/", "d1/"),
    fc.constantFrom(
      "a",
      "b",
      "*.ts",
      "*.log",
      "out",
      "c?",
      "[ab]",
      "*",
      "**",
      ".hid",
      "sp ace",
      "ü",
    ),
    fc.constantFrom("", "", "/", "/*", "/**"),
  )
  .map((parts) => parts.join(""));
const ignoreFile = fc
  .array(fc.oneof({ weight: 8, arbitrary: rule }, fc.constantFrom("# note", "", "a ", "\\#x")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((lines) => `${lines.join("\n")}\n`);

export function randomTree(content: fc.Arbitrary<string>): fc.Arbitrary<RandomTree> {
  const file = fc
    .tuple(directory, name, content)
    .map(([parts, last, text]) => [[...parts, last].join("/"), text] as const);
  const ignored = fc
    .tuple(directory, ignoreFile)
    .map(([parts, text]) => [[...parts, ".gitignore"].join("/"), text] as const);
  return fc
    .tuple(fc.array(file, { minLength: 1, maxLength: 14 }), fc.array(ignored, { maxLength: 3 }))
    .map(([files, rules]) => ({ files: Object.fromEntries([...files, ...rules]) }));
}

/** Returns the paths that could be written: a name may be taken by a directory. */
export async function writeTree(root: string, { files }: RandomTree): Promise<string[]> {
  const written: string[] = [];
  await mkdir(root, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    const target = join(root, path);
    try {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
      written.push(path);
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code !== "EEXIST" && code !== "ENOTDIR" && code !== "EISDIR") throw error;
    }
  }
  return written;
}

/** What git would add below a directory of the repository, relative to it. */
export async function gitListing(
  repository: ScratchRepository,
  directory: string,
): Promise<string[]> {
  const flags = ["--others", "--cached", "--exclude-standard", "-z"];
  const listed = await repository.git("ls-files", ...flags, "--", `${directory}/`);
  return listed
    .split("\0")
    .filter((path) => path !== "")
    .map((path) => path.slice(directory.length + 1))
    .sort();
}
