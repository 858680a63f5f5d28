// What an overlay has written, read from its own layer and not through the mount: the parent's directory below may change
// at any time, and what the mount shows then is not defined. The layer is exact: a file in it was written in the
// tree, a device 0/0 is a removal, and a directory that is marked opaque hides all that is below it.

import { lstat, readdir } from "node:fs/promises";
import { openCLibrary } from "../c-library.ts";
import { bytePath, pathBytes } from "../walk/byte-path.ts";

export interface OverlayLayer {
  /** Files and links. */
  written: Set<string>;
  directories: Set<string>;
  /** Names that are hidden, with all below them. */
  removed: Set<string>;
  /** Directories of which only what is in the layer is there. */
  opaque: Set<string>;
}

/** Without those below `skipped`, which are somebody else's. */
export async function readLayer(root: string, skipped: ReadonlySet<string>): Promise<OverlayLayer> {
  const layer: OverlayLayer = {
    written: new Set(),
    directories: new Set(),
    removed: new Set(),
    opaque: new Set(),
  };
  const visit = async (directory: Buffer, below: string): Promise<void> => {
    for (const name of await readdir(directory, { encoding: "buffer" })) {
      const path = below === "" ? bytePath(name) : `${below}/${bytePath(name)}`;
      if (path === ".git" || skipped.has(path)) continue;
      const full = Buffer.concat([directory, SLASH, name]);
      const entry = await lstat(full);
      if (entry.isCharacterDevice() && entry.rdev === 0) layer.removed.add(path);
      else if (!entry.isDirectory()) layer.written.add(path);
      else {
        layer.directories.add(path);
        if (isOpaque(full)) layer.opaque.add(path);
        await visit(full, path);
      }
    }
  };
  await visit(pathBytes(root), "");
  return layer;
}

/** Whether what was at the path before is not there any more. */
export function isHidden(path: string, layer: OverlayLayer): boolean {
  if (layer.written.has(path)) return false;
  if (layer.removed.has(path) || layer.directories.has(path)) return true;
  for (let end = path.lastIndexOf("/"); end !== -1; end = path.lastIndexOf("/", end - 1)) {
    const above = path.slice(0, end);
    if (layer.removed.has(above) || layer.opaque.has(above) || layer.written.has(above))
      return true;
  }
  return false;
}

const SLASH = Buffer.from("/");
const OPAQUE = Buffer.from("user.overlay.opaque\0");
const YES = "y".charCodeAt(0);

let library: ReturnType<typeof openXattr> | undefined;

function openXattr() {
  return openCLibrary({
    lgetxattr: { args: ["ptr", "ptr", "ptr", "u64"], returns: "i64" },
  } as const);
}

/** Whether marks of directories can be read at all; without, there is no overlay. */
export function canReadLayers(): boolean {
  library ??= openXattr();
  return library !== undefined;
}

function isOpaque(directory: Buffer): boolean {
  library ??= openXattr();
  if (!library) return false;
  const value = new Uint8Array(1);
  const path = Buffer.concat([directory, Buffer.of(0)]);
  const { ptr, symbols } = library;
  return (
    Number(symbols.lgetxattr(ptr(path), ptr(OPAQUE), ptr(value), 1n)) === 1 && value[0] === YES
  );
}
