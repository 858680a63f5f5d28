// Which part of a path is an archive and which part is inside of it. Only the names are looked
// at: whoever opens them tries the candidates in turn and takes the first that is there.

export type ArchiveFormat = "zip" | "tar" | "tar.gz";

export interface ArchivePath {
  /** The file on disk, as it was written. */
  archive: string;
  /** What stands behind the colon; empty for the archive itself. */
  member: string;
  format: ArchiveFormat;
}

const SUFFIX = /\.(?:tar\.gz|tgz|tar|zip)(?=:|$)/gi;

/** The format that a file name promises; undefined where it promises none. */
export function archiveFormat(name: string): ArchiveFormat | undefined {
  const suffix = /\.(tar\.gz|tgz|tar|zip)$/i.exec(name)?.[1]?.toLowerCase();
  if (suffix === undefined) return undefined;
  return suffix === "zip" || suffix === "tar" ? suffix : "tar.gz";
}

/** The candidates, the longest archive first: a file may have a colon in its own name. */
export function splitArchivePath(path: string): ArchivePath[] {
  const found: ArchivePath[] = [];
  for (const match of path.matchAll(SUFFIX)) {
    const end = match.index + match[0].length;
    const archive = path.slice(0, end);
    // A name that is nothing but a suffix is a hidden file.
    if (match.index === 0 || /[/\\]$/.test(path.slice(0, match.index))) continue;
    found.push({ archive, member: path.slice(end + 1), format: archiveFormat(archive)! });
  }
  return found.toReversed();
}
