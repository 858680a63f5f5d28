// Which directory it is, whatever stands at its path: one that was cloned into the place of another
// is another one, even where it has the same name and looks the same.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "@tau/host/storage-error";

export interface DirectoryIdentity {
  /** Device and inode. */
  directory: string;
  /** Of `.git`; inodes are used again, two of them at once hardly ever. */
  repository?: string;
  /** When it was made, where the file system remembers. */
  madeAt?: string;
}

export async function directoryIdentity(root: string): Promise<DirectoryIdentity> {
  const { id, madeAt } = (await identify(root)) ?? { id: "gone", madeAt: undefined };
  const git = await identify(join(root, ".git"));
  return {
    directory: id,
    ...(git && { repository: git.id }),
    ...(madeAt !== undefined && { madeAt }),
  };
}

export function isSameDirectory(then: DirectoryIdentity, now: DirectoryIdentity): boolean {
  if (then.directory !== now.directory || then.directory === "gone") return false;
  // A repository may have been made in it since; one that was there is there.
  if (then.repository !== undefined && then.repository !== now.repository) return false;
  return then.madeAt === undefined || now.madeAt === undefined || then.madeAt === now.madeAt;
}

async function identify(path: string): Promise<{ id: string; madeAt?: string } | undefined> {
  try {
    const found = await stat(path, { bigint: true });
    const id = `${found.dev}:${found.ino}`;
    // Where nothing is remembered, systems give zero or the time of the last change.
    const isKnown = found.birthtimeNs > 0n && found.birthtimeNs !== found.ctimeNs;
    return isKnown ? { id, madeAt: String(found.birthtimeNs) } : { id };
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
