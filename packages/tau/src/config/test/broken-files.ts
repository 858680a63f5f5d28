// Ways in which a settings file comes to be unreadable as a whole: slips of people, of editors, of
// scripts and of disks. Each puts something in the place of a file with this text.

import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";

export interface FileBreakage {
  name: string;
  /** `text`: what the file was to say, in YAML, with a nested key in it. */
  place(path: string, text: string): Promise<void>;
}

function written(name: string, change: (text: string) => string | Uint8Array): FileBreakage {
  return { name, place: (path, text) => writeFile(path, change(text)) };
}

/** The first line that stands below another, and what is around it. */
function firstNested(text: string): { before: string; line: string; after: string } {
  const [, before = "", line = "", after = ""] = /^([^]*?\n)( +\S.*\n)([^]*)$/.exec(text) ?? [];
  return { before, line, after };
}

export const WHOLE_FILE_BREAKAGES: readonly FileBreakage[] = [
  written("a bracket that is never closed", (text) => `${text}modelRoles: {default: opus\n`),
  written("a bracket that was never opened", (text) => `${text}modelRoles: default: opus}\n`),
  written("a quotation mark that is never closed", (text) => `${text}x: "never\n`),
  written("a tab instead of spaces", (text) => {
    const { before, line, after } = firstNested(text);
    return `${before}\t${line.trimStart()}${after}`;
  }),
  written("a heading twice", (text) => `${text}${/^\w+:/m.exec(text)![0]}\n  other: 1\n`),
  written("a key twice", (text) => {
    const { before, line, after } = firstNested(text);
    return before + line + line + after;
  }),
  written("a key twice, in quotes the second time", (text) => {
    const { before, line, after } = firstNested(text);
    return before + line + line.replace(/(\w+):/, '"$1":') + after;
  }),
  written("a key twice in braces", (text) => `${text}modelRoles: {a: b, c: d, a: e}\n`),
  written("one more space than above", (text) => {
    const { before, line, after } = firstNested(text);
    return `${before}${line}   extra: 1\n${after}`;
  }),
  written("a colon is missing", (text) => text.replace(/^(\w+):\n/m, "$1\n")),
  written("a list", () => "- tools\n- sandbox\n- secrets\n"),
  written("a word", () => "strict: sandbox, secrets\n".replace(": ", " ")),
  written("a number", () => "7 # tools, sandbox, secrets\n"),
  written("two documents", (text) => `${text}---\ntheme: {}\n`),
  written("an alias of nothing", (text) => `${text}x: *nothing\n`),
  written("a reserved sign", (text) => `${text}x: @mine\n`),
  written("marks of a merge", (text) => `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`),
  written("a byte that is not UTF-8", (text) =>
    Buffer.concat([Buffer.from(text), Buffer.of(0xff)]),
  ),
  written("UTF-16", (text) => Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, "utf16le")])),
  written("zeros after a crash", (text) => `${text}\0\0\0\0`),
  written("larger than any settings are", (text) => `${text}# ${"x".repeat(1024 * 1024)}\n`),
  { name: "a directory", place: async (path) => void (await mkdir(path)) },
  { name: "a link to nowhere", place: (path) => symlink("nowhere", path) },
  { name: "a link to itself", place: (path) => symlink(path, path) },
  { name: "a device", place: (path) => symlink("/dev/zero", path) },
  {
    name: "a pipe that nobody writes to",
    place: async (path) => {
      const made = Bun.spawnSync(["mkfifo", path]);
      if (made.exitCode !== 0) throw new Error(made.stderr.toString());
    },
  },
  // Root may read everything.
  ...(process.getuid?.() === 0
    ? []
    : [
        {
          name: "a file that may not be read",
          place: async (path: string, text: string) => {
            await writeFile(path, text);
            await chmod(path, 0);
          },
        },
      ]),
];
