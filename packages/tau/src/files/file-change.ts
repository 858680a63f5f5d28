// What is to become of one file, and what must be true of it for that to be right.

import type { StorageStat } from "@tau/host/storage";

/** Which file it is and when it last changed; for whoever replaces a file without reading it. */
export type FileMark = Pick<StorageStat, "identity" | "size" | "modifiedMs">;

export interface FileChange {
  /** Absolute; links are followed. */
  path: string;
  /** The exact text on disk, or its mark; undefined where there must be nothing. */
  before: string | FileMark | undefined;
  /** The exact new text; undefined to delete the file. */
  after: string | undefined;
  /** Absolute: where the new text goes; the old path is then gone. */
  moveTo?: string;
  /** Everybody who may read the new file may also run it. */
  isExecutable?: boolean;
  /** The texts have a character for each byte: a file in an encoding that nobody knows. */
  isBytes?: boolean;
}

export function markOf({ identity, size, modifiedMs }: FileMark): FileMark {
  return { identity, size, modifiedMs };
}

export function haveSameMark(one: FileMark, other: FileMark): boolean {
  return (
    one.identity === other.identity &&
    one.size === other.size &&
    one.modifiedMs === other.modifiedMs
  );
}
