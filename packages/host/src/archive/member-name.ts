// The names of members: which are safe to show and to ask for, and the one spelling under which
// they are found. Nothing here is ever written to the file system under such a name, but
// whoever copies a listing into a command would.

import { ArchiveError } from "./archive-error.ts";
import { MAX_NAME_BYTES } from "./archive-limits.ts";

const DRIVE = /^[A-Za-z]:/;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The name of a member in an archive without `./`, doubled and trailing slashes; undefined
 * where it leads out of the archive or cannot be a path in it. Empty for the root.
 */
export function safeMemberName(name: string): string | undefined {
  const isUnsafe =
    name.length > MAX_NAME_BYTES ||
    name.startsWith("/") ||
    name.includes("\\") ||
    CONTROL.test(name);
  if (isUnsafe) return undefined;
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return parts.includes("..") || DRIVE.test(parts[0] ?? "") ? undefined : parts.join("/");
}

/** What somebody asks for; backslashes are taken for slashes, as people write them. */
export function wantedMember(path: string): string {
  const name = safeMemberName(path.replaceAll("\\", "/").replace(/^\/+/, ""));
  if (name === undefined) {
    throw new ArchiveError(
      "unsafe_name",
      `${JSON.stringify(path.slice(0, 200))} cannot be a path inside an archive: name it from the archive's root, without "..", drives and control characters.`,
    );
  }
  return name;
}

/** What is to be written: a file, and not the root. */
export function writableMember(path: string): string {
  const name = wantedMember(path);
  if (name === "") {
    throw new ArchiveError(
      "is_directory",
      "Say which file inside the archive to write, as in a.zip:dir/file.txt.",
    );
  }
  if (/[/\\]$/.test(path)) {
    throw new ArchiveError(
      "is_directory",
      `${path} names a directory: write a file, as in ${path}file.txt.`,
    );
  }
  return name;
}
