// What is known of a member without unpacking it, in the same words for all formats, and the
// directory that a list of members makes.

import { ArchiveError } from "./archive-error.ts";
import { MAX_LISTED } from "./archive-limits.ts";

export interface ArchiveMember {
  /** As in `safeMemberName`; undefined where the archive's own name is unsafe. */
  name: string | undefined;
  kind: "file" | "directory" | "link" | "other";
  /** Unpacked, as the archive claims. */
  size: number;
  /** Permission bits, where the archive has them. */
  mode?: number;
  modifiedMs?: number;
  /** Where a link leads, as the archive has it; a zip has it in its data. */
  target?: string;
}

export interface ListedMember {
  /** The last part of the name. */
  name: string;
  kind: ArchiveMember["kind"];
  /** Undefined for directories. */
  size?: number;
  modifiedMs?: number;
}

export interface ArchiveListing {
  /** The directory inside the archive; empty for its root. */
  directory: string;
  /** Sorted by name, directories first. */
  children: ListedMember[];
  /** Children that were left out. */
  omitted: number;
  /** Members of the whole archive whose names lead out of it; they are not shown. */
  unsafe: number;
}

/** The later of two members with one name is the one that counts, in every format. */
export function findMember<M extends ArchiveMember>(
  members: readonly M[],
  name: string,
): M | undefined {
  return members.findLast((member) => member.name === name);
}

export function listMembers(
  members: readonly ArchiveMember[],
  directory: string,
  limit: number = MAX_LISTED,
): ArchiveListing {
  const prefix = directory === "" ? "" : `${directory}/`;
  const children = new Map<string, ListedMember>();
  let unsafe = 0;
  let isThere = directory === "";
  for (const { name, kind, size, modifiedMs } of members) {
    if (name === undefined) unsafe++;
    else if (name === directory && kind === "directory") isThere = true;
    if (!name?.startsWith(prefix) || name.length === prefix.length) continue;
    isThere = true;
    const rest = name.slice(prefix.length);
    const slash = rest.indexOf("/");
    // Many archives have no members for their directories.
    if (slash >= 0) {
      const parent = rest.slice(0, slash);
      children.set(parent, children.get(parent) ?? { name: parent, kind: "directory" });
      continue;
    }
    children.set(rest, {
      name: rest,
      kind,
      size: kind === "directory" ? undefined : size,
      modifiedMs,
    });
  }
  if (!isThere) throw missingMember(members, directory);
  const sorted = [...children.values()].sort(byKindAndName);
  return {
    directory,
    children: sorted.slice(0, limit),
    omitted: Math.max(0, sorted.length - limit),
    unsafe,
  };
}

function byKindAndName(a: ListedMember, b: ListedMember): number {
  const order = Number(b.kind === "directory") - Number(a.kind === "directory");
  return order !== 0 ? order : a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

export function isDirectory(members: readonly ArchiveMember[], name: string): boolean {
  if (name === "") return true;
  if (members.some((member) => member.name?.startsWith(`${name}/`))) return true;
  return findMember(members, name)?.kind === "directory";
}

/** Says what is there instead, as far as the path goes. */
export function missingMember(members: readonly ArchiveMember[], name: string): ArchiveError {
  const parts = name.split("/");
  for (let count = parts.length - 1; count > 0; count--) {
    const parent = parts.slice(0, count).join("/");
    const found = findMember(members, parent);
    if (found?.kind === "file" || found?.kind === "link") {
      return new ArchiveError(
        "not_directory",
        `${parent} is a file in this archive, so nothing is below it: read ${parent} itself.`,
      );
    }
    if (isDirectory(members, parent)) {
      return new ArchiveError(
        "not_found",
        `The archive has no ${name}: list its directory ${parent} to see what is there.`,
      );
    }
  }
  return new ArchiveError(
    "not_found",
    `The archive has no ${name}: list the archive to see what is there.`,
  );
}

/** Refuses a new file where a directory is, or below a file. */
export function assertWritable(members: readonly ArchiveMember[], name: string): void {
  if (isDirectory(members, name)) {
    throw new ArchiveError(
      "is_directory",
      `${name} is a directory in this archive: name a file below it.`,
    );
  }
  const parts = name.split("/");
  for (let count = 1; count < parts.length; count++) {
    const parent = parts.slice(0, count).join("/");
    const kind = findMember(members, parent)?.kind;
    if (kind !== undefined && kind !== "directory") {
      throw new ArchiveError(
        "not_directory",
        `${parent} is a file in this archive: choose another directory for ${name}.`,
      );
    }
  }
}
