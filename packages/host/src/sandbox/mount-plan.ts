// Which place of a sandbox shows what. Mounts are made from the outside in, so that for every path
// the innermost place that holds it decides; where two are the same, what the user made writable
// counts.

export type MountKind =
  /** As it is, for reading and writing. */
  | "writable"
  /** As it is, for reading. */
  | "readable"
  /** An empty directory. */
  | "hidden_directory"
  /** A file that cannot be opened. */
  | "hidden_file"
  /** The same for a socket, which is not opened but called. */
  | "hidden_socket";

export interface Mount {
  /** Absolute and without links. */
  path: string;
  kind: MountKind;
}

/** At the same place the later one wins. */
const STRENGTH: readonly MountKind[] = [
  "readable",
  "hidden_directory",
  "hidden_file",
  "hidden_socket",
  "writable",
];

export function planMounts(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map<string, Mount>();
  for (const mount of mounts) {
    const known = byPath.get(mount.path);
    if (!known || STRENGTH.indexOf(mount.kind) > STRENGTH.indexOf(known.kind)) {
      byPath.set(mount.path, mount);
    }
  }
  return [...byPath.values()].toSorted(
    (one, other) => depth(one.path) - depth(other.path) || compare(one.path, other.path),
  );
}

/** Whether the path is the place or below it. */
export function isWithin(path: string, place: string): boolean {
  return path === place || place === "/" || path.startsWith(`${place}/`);
}

function depth(path: string): number {
  return path.split("/").filter(Boolean).length;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
